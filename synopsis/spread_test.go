package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var spreadValues = []struct {
	name string
	draw func(*rand.Rand) float64
}{
	{"constant", func(*rand.Rand) float64 { return 7 }},
	{"uniform", func(r *rand.Rand) float64 { return 100 + r.Float64() }},
	{"normal", func(r *rand.Rand) float64 { return 1e6 + r.NormFloat64() }},
	{"exponential", (*rand.Rand).ExpFloat64},
	{"lognormal 1.0", func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }},
	{"lognormal 1.5", func(r *rand.Rand) float64 { return math.Exp(1.5 * r.NormFloat64()) }},
	{"pareto 2.1", func(r *rand.Rand) float64 { return math.Pow(r.Float64(), -1/2.1) }},
	{"ones", func(r *rand.Rand) float64 { return float64(min(r.IntN(20), 1)) }},
}

// strataOf samples values by chance, in strata of the given keeps, and returns the design and what is kept per stratum.
func strataOf(rng *rand.Rand, values []float64, keeps []float64) (*Design, [][]float64) {
	d, kept := new(Design), make([][]float64, len(keeps))
	for i, keep := range keeps {
		from, to := i*len(values)/len(keeps), (i+1)*len(values)/len(keeps)
		s := &Stratum{ID: uint32(i), Keep: keep, Offered: int64(to - from)}
		for _, x := range values[from:to] {
			if rng.Float64() < keep {
				kept[i] = append(kept[i], x)
			}
		}
		s.Kept = int64(len(kept[i]))
		d.Rows(d.Enter(s), s.Kept)
	}
	d.Seal()
	return d, kept
}

func TestSpreadCovers(t *testing.T) {
	for i, values := range spreadValues {
		for _, keeps := range [][]float64{{0.5}, {0.1}, {0.5, 0.2, 0.1}} {
			for _, size := range []int{400, 4000} {
				t.Run(fmt.Sprint(values.name, keeps, size), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(13, uint64(i)))
					var variance, deviation claims
					for range 12000 / (size + 400) {
						spreadTrials(rng, values.draw, keeps, size, &variance, &deviation)
					}
					t.Logf("%+v", variance)
					variance.check(t, 0.94, "variance")
					require.InDelta(t, variance.covered, deviation.covered, 1)
				})
			}
		}
	}
}

// spreadTrials draws a population of cells, and samples them.
func spreadTrials(rng *rand.Rand, draw func(*rand.Rand) float64, keeps []float64, size int, variance, deviation *claims) {
	const cells = 60
	var shape Shape
	spreads, designs, truth := make([]Spread, cells), make([]*Design, cells), make([]Moments, cells)
	population := make([]float64, size)
	for c := range cells {
		for i := range population {
			population[i] = draw(rng)
			truth[c].AddFloat(population[i])
		}
		d, kept := strataOf(rng, population, keeps)
		for i := range kept {
			for _, x := range kept[i] {
				spreads[c].Add(d, int32(i), x)
			}
		}
		designs[c] = d
		spreads[c].Tell(&shape, d)
	}
	q := Question{Confidence: 0.95}
	for c := range cells {
		e, ok := spreads[c].Var(designs[c], nil, &shape, q, true)
		variance.take(e, ok, truth[c].VarSamp())
		e, ok = spreads[c].Stddev(designs[c], nil, &shape, q, false)
		deviation.take(e, ok, truth[c].StddevPop())
	}
}

// Values that drift from stratum to stratum: the variance between strata is known, however few rows are kept.
func TestSpreadTakesStrataIntoAccount(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	population := make([]float64, 4000)
	var truth Moments
	for i := range population {
		population[i] = float64(i/400)*100 + rng.NormFloat64()
		truth.AddFloat(population[i])
	}
	keeps := []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	var shape Shape
	var variance claims
	width := 0.0
	for range 400 {
		d, kept := strataOf(rng, population, keeps)
		var s Spread
		for i := range kept {
			for _, x := range kept[i] {
				s.Add(d, int32(i), x)
			}
		}
		s.Tell(&shape, d)
		e, ok := s.Var(d, nil, &shape, Question{Confidence: 0.95}, false)
		variance.take(e, ok, truth.VarPop())
		width += (e.High - e.Low) / 400
	}
	variance.check(t, 0.94, "variance")
	require.Less(t, width, 0.08*truth.VarPop(), "as if rows had been drawn from all strata together it were 0.17")
}

func TestSpreadOfWholeStrataIsKnown(t *testing.T) {
	whole := &Stratum{Keep: 1, Offered: 3, Kept: 3}
	var d Design
	i := d.Enter(whole)
	d.Rows(i, 3)
	d.Seal()
	var known Moments
	for _, x := range []float64{1, 2, 6} {
		known.AddFloat(x)
	}
	var s Spread
	e, ok := s.Var(&d, &known, nil, Question{Confidence: 0.95}, true)
	require.True(t, ok)
	require.Equal(t, Exactly(7), e)
	e, _ = s.Stddev(&d, &known, nil, Question{Confidence: 0.95}, false)
	require.InDelta(t, math.Sqrt(14.0/3), e.Value, 1e-15)
	e, ok = new(Spread).Var(&d, nil, nil, Question{Confidence: 0.95}, false)
	require.True(t, !ok && math.IsNaN(e.Value), "no rows")
}

// Rows of whole strata and of shed ones together are the rows of the cell.
func TestSpreadWithKnownRowsCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 2))
	var variance claims
	for range 1500 {
		var truth, known Moments
		for range 300 {
			x := rng.NormFloat64() + 3
			truth.AddFloat(x)
			known.AddFloat(x)
		}
		population := make([]float64, 600)
		for i := range population {
			population[i] = 2 * rng.NormFloat64()
			truth.AddFloat(population[i])
		}
		d, kept := strataOf(rng, population, []float64{0.2})
		var s Spread
		for _, x := range kept[0] {
			s.Add(d, 0, x)
		}
		e, ok := s.Var(d, &known, nil, Question{Confidence: 0.95}, true)
		variance.take(e, ok, truth.VarSamp())
	}
	require.Less(t, variance.labelled, 10)
	variance.check(t, 0.94, "variance")
}

func TestSpreadOfWeightsIsThatOfStrata(t *testing.T) {
	d, _ := strataOf(rand.New(rand.NewPCG(1, 1)), make([]float64, 4000), []float64{0.25})
	w := d.Strata()[0].Weight()
	var a, b Spread
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		x := rng.NormFloat64()
		a.Add(d, 0, x)
		b.AddWeighted(d, x, w)
	}
	q := Question{Confidence: 0.95}
	want, _ := a.Var(d, nil, nil, q, false)
	e, ok := b.Var(d, nil, nil, q, false)
	require.True(t, ok)
	require.InEpsilon(t, want.Value, e.Value, 1e-9)
	require.InEpsilon(t, want.High, e.High, 1e-3)
	require.InEpsilon(t, want.Low, e.Low, 1e-3)
}

// Few values of a skewed column are where intervals without a guard fall short.
func TestSpreadOfFewValuesCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 99))
	shape := Shape{rows: 1e4, second: 8e4, third: 2.4e6 / 20}
	var variance claims
	population := make([]float64, 350)
	for range 12_000 {
		var truth Moments
		for i := range population {
			population[i] = rng.ExpFloat64()
			truth.AddFloat(population[i])
		}
		d, kept := strataOf(rng, population, []float64{0.1})
		var s Spread
		for _, x := range kept[0] {
			s.Add(d, 0, x)
		}
		e, ok := s.Var(d, nil, &shape, Question{Confidence: 0.95}, true)
		variance.take(e, ok, truth.VarSamp())
	}
	t.Logf("%+v", variance)
	require.Greater(t, variance.cells, 8000)
	variance.check(t, 0.945, "variance")
}

// Panes that serve several windows keep shares of strata: cells that are made of them are those of the rows, whatever the first value is.
func TestSpreadOfPartsIsThatOfRows(t *testing.T) {
	for _, first := range []float64{0, -3, 1e6} {
		rng := rand.New(rand.NewPCG(15, 1))
		d, kept := strataOf(rng, make([]float64, 6000), []float64{0.3, 0.2, 0.1})
		kept[0][0] = first
		var rows, parts, merged Spread
		for i := range kept {
			var one, two, both SpreadPart
			for j := range kept[i] {
				x := kept[i][j]
				if i+j > 0 {
					x = first + 50 + 5*rng.NormFloat64()
				}
				rows.Add(d, int32(i), x)
				one.Add(x)
				if j%2 == 0 {
					both.Add(x)
				} else {
					two.Add(x)
				}
			}
			both.Merge(&two)
			parts.AddPart(d, int32(i), &one)
			merged.AddPart(d, int32(i), &both)
		}
		q := Question{Confidence: 0.95}
		want, _ := rows.Var(d, nil, nil, q, true)
		for _, s := range []Spread{parts, merged} {
			got, _ := s.Var(d, nil, nil, q, true)
			require.InEpsilon(t, want.Value, got.Value, 1e-6, "first value %v", first)
			require.InEpsilon(t, want.Low, got.Low, 1e-6)
			require.InEpsilon(t, want.High, got.High, 1e-6)
		}
	}
}

// Outliers so rare that most cells miss them: no cell looks as if it could have one, the column does.
func TestSpreadIsLabelledByItsColumn(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(*rand.Rand) float64
	}{
		{"outliers", func(r *rand.Rand) float64 {
			if r.Float64() < 0.003 {
				return 1e4
			}
			return r.Float64()
		}},
		{"pareto 1.5", func(r *rand.Rand) float64 { return math.Pow(r.Float64(), -1/1.5) }},
	} {
		rng := rand.New(rand.NewPCG(15, 2))
		var variance, deviation claims
		for range 20 {
			spreadTrials(rng, c.draw, []float64{0.3}, 400, &variance, &deviation)
		}
		t.Logf("%s %+v", c.name, variance)
		variance.check(t, 0.94, c.name)
		require.Greater(t, variance.labelled, 1000, "of 1,200")
	}
}

// One value shows no variance, and bounds nothing.
func TestSpreadOfEqualValuesIsOpen(t *testing.T) {
	d, _ := strataOf(rand.New(rand.NewPCG(15, 3)), make([]float64, 1000), []float64{0.1})
	var s Spread
	s.Add(d, 0, 5)
	e, ok := s.Var(d, nil, &Shape{rows: 1e4, second: 1}, Question{Confidence: 0.95}, false)
	require.False(t, ok)
	require.Zero(t, e.Low)
	require.True(t, math.IsInf(e.High, 1))
}
