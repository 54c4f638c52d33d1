package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeysCover(t *testing.T) {
	for i, c := range []struct {
		name   string
		weight func(r *rand.Rand, rank int) float64 // rows of a key
		theta  float64
		label  bool // nearly all are labelled
	}{
		{"alike", func(*rand.Rand, int) float64 { return 5 }, 0.1, false},
		{"exponential", func(r *rand.Rand, _ int) float64 { return 1 + math.Floor(8*r.ExpFloat64()) }, 0.1, false},
		{"exponential, half", func(r *rand.Rand, _ int) float64 { return 1 + math.Floor(8*r.ExpFloat64()) }, 0.5, false},
		{"lognormal", func(r *rand.Rand, _ int) float64 { return 1 + math.Floor(5*math.Exp(0.5*r.NormFloat64())) }, 0.1, false},
		{"zipf", func(_ *rand.Rand, rank int) float64 { return 1 + math.Floor(500*math.Pow(float64(rank+1), -1.1)) }, 0.1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(12, uint64(i)))
			var count, sum, mean claims
			for range 600 {
				keysTrial(rng, c.theta, c.weight, &count, &sum, &mean)
			}
			t.Logf("count %+v sum %+v mean %+v", count, sum, mean)
			if c.label {
				require.Greater(t, count.labelled, 540, "heavy keys are noticed")
				return
			}
			count.check(t, 0.94, "count")
			sum.check(t, 0.94, "sum")
			mean.check(t, 0.94, "mean")
			require.Less(t, count.labelled+sum.labelled+mean.labelled, 540, "of 1,800")
		})
	}
}

// keysTrial draws 3,000 keys with rows whose values depend on the key, and keeps some.
func keysTrial(rng *rand.Rand, theta float64, weight func(*rand.Rand, int) float64, count, sum, mean *claims) {
	var cell Keys
	var rows, total float64
	for rank := range 3000 {
		n, x := weight(rng, rank), 10+rng.NormFloat64()
		rows += n
		total += n * x
		if rng.Float64() >= theta {
			continue
		}
		unit := uint8(rng.IntN(keyGroups))
		for range int(n) {
			cell.Add(unit, x, 1/theta)
		}
	}
	q := Question{Confidence: 0.95}
	shapes := UnitShapes{new(Shape), new(Shape), new(Shape)}
	cell.Tell(&shapes)
	e, ok := cell.Count(theta, 0, shapes.Count, q)
	count.take(e, ok, rows)
	e, ok = cell.Sum(theta, Known{}, shapes.Sum, q)
	sum.take(e, ok, total)
	e, ok = cell.Mean(theta, Known{}, shapes, q)
	mean.take(e, ok, total/rows)
}

func TestKeysMergeAndEdges(t *testing.T) {
	var a, b, all Keys
	for i := range 1000 {
		part := &a
		if i%3 == 0 {
			part = &b
		}
		part.Add(uint8(i%keyGroups), float64(i%5), 2)
		all.Add(uint8(i%keyGroups), float64(i%5), 2)
	}
	a.Merge(&b)
	a.Merge(new(Keys))
	require.Equal(t, all, a)
	e, ok := all.Count(1, 0, nil, Question{})
	require.True(t, ok)
	require.Equal(t, Exactly(2000), e, "all keys were kept")
	e, ok = all.Count(0.5, 3, new(Shape), Question{Confidence: 0.95})
	require.True(t, ok)
	require.Equal(t, 2003.0, e.Value)

	var none Keys
	e, ok = none.Sum(0.5, Known{}, nil, Question{Confidence: 0.95})
	require.True(t, !ok && math.IsInf(e.Low, -1) && math.IsInf(e.High, 1))
	_, ok = none.Count(0.5, 0, nil, Question{Confidence: 0.95})
	require.False(t, ok)
	none.Add(3, 7, 2)
	_, ok = none.Mean(0.5, Known{}, UnitShapes{}, Question{Confidence: 0.95})
	require.False(t, ok, "one key")
}

// Half of the keys were kept: without the factor for the keys that are known intervals would be 1.4 times as wide.
func TestKeysKnowTheShareKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 9))
	width, squares := 0.0, 0.0
	const keys, samples = 20_000, 20
	rows := make([]int, keys)
	for i := range rows {
		rows[i] = 1 + rng.IntN(9)
		squares += float64(rows[i] * rows[i])
	}
	for range samples {
		var cell Keys
		for _, n := range rows {
			if unit := uint8(rng.IntN(keyGroups)); rng.IntN(2) == 0 {
				for range n {
					cell.Add(unit, 1, 2)
				}
			}
		}
		e, _ := cell.Count(0.5, 0, nil, Question{Confidence: 0.95})
		width += (e.High - e.Low) / samples
	}
	require.InEpsilon(t, 2*2*math.Sqrt(squares), width, 0.1) // t with 63 degrees of freedom: 2.0
}

// Keys of very different weight: the samples without the heavy ones look best, and are labelled by what the cells of the window have
// together. Each key has rows in two of eight cells.
func TestKeysAreLabelledByTheirColumn(t *testing.T) {
	for _, skew := range []float64{0.8, 1.1} {
		rng := rand.New(rand.NewPCG(17, uint64(100*skew)))
		var number, total, mean claims
		for range 60 {
			var cells [8]Keys
			var truth [8]Known
			for rank := range 5000 {
				kept, unit := rng.Float64() < 0.1, uint8(rng.IntN(keyGroups))
				for range poisson(3000 * math.Pow(float64(rank+1), -skew))(rng) {
					g := (rank + rng.IntN(2)) % len(cells)
					x := float64(1+rank%5) * rng.ExpFloat64()
					truth[g].Rows++
					truth[g].Sum += x
					if kept {
						cells[g].Add(unit, x, 10)
					}
				}
			}
			shapes := UnitShapes{new(Shape), new(Shape), new(Shape)}
			for g := range cells {
				cells[g].Tell(&shapes)
			}
			q := Question{Confidence: 0.95}
			for g := range cells {
				e, ok := cells[g].Count(0.1, 0, shapes.Count, q)
				number.take(e, ok, float64(truth[g].Rows))
				e, ok = cells[g].Sum(0.1, Known{}, shapes.Sum, q)
				total.take(e, ok, truth[g].Sum)
				e, ok = cells[g].Mean(0.1, Known{}, shapes, q)
				mean.take(e, ok, truth[g].Sum/float64(truth[g].Rows))
			}
		}
		t.Logf("%v: count %+v sum %+v mean %+v", skew, number, total, mean)
		number.check(t, 0.94, "count")
		total.check(t, 0.94, "sum")
		mean.check(t, 0.94, "mean")
		require.Greater(t, number.labelled, 460, "of 480")
	}
}
