package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// blockCase is a population of blocks: how many rows of the cell a block has, and what they are worth.
type blockCase struct {
	name  string
	rows  func(*rand.Rand) int
	value func(r *rand.Rand, block int) float64
}

func poisson(mean float64) func(*rand.Rand) int {
	return func(r *rand.Rand) int {
		k, p := 0, math.Exp(-mean)
		for u := r.Float64(); u > p && k < 1000; k++ {
			u -= p
			p *= mean / float64(k+1)
		}
		return k
	}
}

func exponential(r *rand.Rand, _ int) float64 { return r.ExpFloat64() }

var blockCases = []blockCase{
	{"rare", poisson(0.08), exponential},
	{"at most one", func(r *rand.Rand) int { return min(1, r.IntN(3)) }, func(r *rand.Rand, _ int) float64 { return 5 + r.NormFloat64() }},
	{"one almost everywhere", func(r *rand.Rand) int { return min(1, r.IntN(30)) }, exponential},
	{"few", poisson(2), func(r *rand.Rand, _ int) float64 { return r.NormFloat64() }},
	{"many", poisson(40), exponential},
	{"alike in a block", poisson(20), func(_ *rand.Rand, block int) float64 { return float64(block % 17) }},
	{"a tenth of the blocks", func(r *rand.Rand) int {
		if r.IntN(10) > 0 {
			return 0
		}
		return poisson(10)(r)
	}, exponential},
	{"lognormal", poisson(5), func(r *rand.Rand, _ int) float64 { return math.Exp(r.NormFloat64()) }},
}

// claims counts how often intervals hold.
type claims struct{ cells, covered, labelled int }

func (c *claims) take(e Estimate, reliable bool, truth float64) {
	switch {
	case !reliable:
		c.labelled++
	default:
		c.cells++
		if slack := 1e-9 * math.Abs(truth); e.Low-slack <= truth && truth <= e.High+slack {
			c.covered++
		}
	}
}

func (c *claims) check(t *testing.T, want float64, about string) {
	t.Helper()
	if c.cells > 0 {
		covers(t, want, c.covered, c.cells, about)
	}
}

func TestBlocksCover(t *testing.T) {
	for i, c := range blockCases {
		for _, size := range [][2]int{{600, 150}, {2000, 160}, {400, 300}} {
			t.Run(fmt.Sprint(c.name, size), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(11, uint64(i)))
				var count, sum, mean claims
				for range 15 {
					blockTrials(rng, c, Clusters{int64(size[0]), int64(size[1])}, &count, &sum, &mean)
				}
				t.Logf("count %+v sum %+v mean %+v", count, sum, mean)
				count.check(t, 0.94, "count")
				sum.check(t, 0.94, "sum")
				mean.check(t, 0.94, "mean")
			})
		}
	}
}

// blockTrials draws a population and 40 samples of its blocks, whose cells share a tally as those of a query do.
func blockTrials(rng *rand.Rand, c blockCase, size Clusters, count, sum, mean *claims) {
	population := make([][]float64, size.Population)
	truth := Known{}
	for b := range population {
		for range c.rows(rng) {
			x := c.value(rng, b)
			population[b] = append(population[b], x)
			truth.Rows++
			truth.Sum += x
		}
	}
	var shape Shape
	units := UnitShapes{new(Shape), new(Shape), new(Shape)}
	cells := make([]Blocks, 40)
	for i := range cells {
		for _, b := range rng.Perm(len(population))[:size.Sampled] {
			for _, x := range population[b] {
				cells[i].Add(int64(b), x)
			}
		}
		cells[i].Tell(size, &shape, &units)
	}
	q := Question{Confidence: 0.95, Domain: true}
	for i := range cells {
		if cells[i].Rows() == 0 {
			continue
		}
		e, ok := cells[i].Count(size, units.Count, q)
		count.take(e, ok, float64(truth.Rows))
		e, ok = cells[i].Sum(size, &shape, units.Sum, q)
		sum.take(e, ok, truth.Sum)
		e, ok = cells[i].Mean(size, &shape, units.Mean, q)
		mean.take(e, ok, truth.Sum/float64(truth.Rows))
	}
}

func TestBlocksOfAWholeFileAreExact(t *testing.T) {
	var b Blocks
	for i := range 10 {
		b.Add(int64(i/3), float64(i))
	}
	all := Clusters{4, 4}
	e, ok := b.Count(all, nil, Question{Confidence: 0.95})
	require.True(t, ok)
	require.Equal(t, Exactly(10), e)
	e, _ = b.Sum(all, nil, nil, Question{})
	require.Equal(t, Exactly(45), e)
	e, _ = b.Mean(all, nil, nil, Question{})
	require.Equal(t, Exactly(4.5), e)
	require.EqualValues(t, 10, b.Rows())
}

// Three quarters of the blocks were read: without the factor for the finite population intervals would be twice as wide.
func TestBlocksKnowThePopulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	size := Clusters{4000, 3000}
	totals := make([]float64, size.Population)
	var m Moments
	for i := range totals {
		totals[i] = float64(poisson(30)(rng))
		m.AddFloat(totals[i])
	}
	var b Blocks
	for _, i := range rng.Perm(len(totals))[:size.Sampled] {
		for range int(totals[i]) {
			b.Add(int64(i), 2)
		}
	}
	oracle := 1.96 * 4000 * math.Sqrt((1.0/3000-1.0/4000)*m.VarSamp())
	e, _ := b.Count(size, nil, Question{Confidence: 0.95})
	require.InEpsilon(t, 2*oracle, e.High-e.Low, 0.1)
	e, _ = b.Sum(size, nil, nil, Question{Confidence: 0.95})
	require.InEpsilon(t, 4*oracle, e.High-e.Low, 0.1)
	e, ok := b.Mean(size, nil, nil, Question{Confidence: 0.95})
	require.True(t, ok)
	require.InDelta(t, 2, e.Low, 1e-9)
	require.InDelta(t, 2, e.High, 1e-9)
}

// Rows that were thinned inside of blocks add their own variance.
func TestBlocksOfThinnedRowsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	size := Clusters{60, 45}
	totals := make([]int, size.Population)
	rows := 0.0
	for i := range totals {
		totals[i] = poisson(30)(rng)
		rows += float64(totals[i])
	}
	var count claims
	for range 2000 {
		var b Blocks
		for _, i := range rng.Perm(len(totals))[:size.Sampled] {
			for range totals[i] {
				if rng.IntN(4) == 0 {
					b.AddWeighted(int64(i), 1, 4)
				}
			}
		}
		e, ok := b.Count(size, nil, Question{Confidence: 0.95})
		count.take(e, ok, rows)
	}
	count.check(t, 0.94, "count")
}

// An incident in a fiftieth of the file: values are labelled unless so many blocks were read that one of its is likely to be among them, and then by
// how far it stands out.
func TestBlocksWithAnIncidentAreLabelled(t *testing.T) {
	incident := blockCase{"incident", poisson(10), func(r *rand.Rand, block int) float64 {
		if block < 40 {
			return 200 * r.ExpFloat64()
		}
		return r.ExpFloat64()
	}}
	for _, sampled := range []int64{60, 200} {
		rng := rand.New(rand.NewPCG(18, uint64(sampled)))
		var count, sum, mean claims
		for range 8 {
			blockTrials(rng, incident, Clusters{2000, sampled}, &count, &sum, &mean)
		}
		t.Logf("%d: count %+v sum %+v mean %+v", sampled, count, sum, mean)
		if sampled < manyBlocks {
			require.Zero(t, count.cells+sum.cells+mean.cells)
			continue
		}
		count.check(t, 0.94, "count")
		sum.check(t, 0.94, "sum")
		mean.check(t, 0.94, "mean")
	}
}

// Rows of one cell come in long runs, of which few blocks have very many: their number is labelled by what blocks add to all cells.
func TestBlocksOfUnevenNumbersAreLabelled(t *testing.T) {
	uneven := blockCase{"uneven", func(r *rand.Rand) int {
		if r.IntN(100) == 0 {
			return 1500
		}
		return poisson(5)(r)
	}, func(r *rand.Rand, _ int) float64 { return 1 + r.Float64() }}
	rng := rand.New(rand.NewPCG(18, 3))
	var count, sum, mean claims
	for range 6 {
		blockTrials(rng, uneven, Clusters{1000, 160}, &count, &sum, &mean)
	}
	t.Logf("count %+v sum %+v mean %+v", count, sum, mean)
	require.Greater(t, count.labelled, 220, "of 240, a fifth of which have none of the long runs")
	require.Greater(t, sum.labelled, 220)
}
