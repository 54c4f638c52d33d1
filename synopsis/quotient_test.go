package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var quotientCases = []struct {
	name string
	row  func(*rand.Rand) (a, b float64)
}{
	{"share 2 %", func(r *rand.Rand) (a, b float64) { return float64(1 - min(r.IntN(50), 1)), 1 }},
	{"share 30 %", func(r *rand.Rand) (a, b float64) { return float64(r.IntN(10) / 7), 1 }},
	{"share 95 %", func(r *rand.Rand) (a, b float64) { return float64(min(r.IntN(20), 1)), 1 }},
	{"share of some", func(r *rand.Rand) (a, b float64) {
		b = float64(r.IntN(2))
		return b * float64(r.IntN(4)/3), b
	}},
	{"counts of two kinds", func(r *rand.Rand) (a, b float64) {
		a = float64(r.IntN(2))
		return a, 1 - a
	}},
	{"independent", func(r *rand.Rand) (a, b float64) { return r.ExpFloat64(), 1 + r.ExpFloat64() }},
	{"proportional", func(r *rand.Rand) (a, b float64) {
		b = 1 + r.ExpFloat64()
		return 3*b + 0.1*r.NormFloat64(), b
	}},
	{"mixed signs", func(r *rand.Rand) (a, b float64) { return r.NormFloat64(), 5 + r.NormFloat64() }},
	{"negative", func(r *rand.Rand) (a, b float64) { return r.ExpFloat64(), -1 - r.Float64() }},
	{"sum over some rows", func(r *rand.Rand) (a, b float64) {
		if r.IntN(3) == 0 {
			a = 2 + r.ExpFloat64()
		}
		return a, 1
	}},
	{"lognormal", func(r *rand.Rand) (a, b float64) { return math.Exp(r.NormFloat64()), math.Exp(0.5 * r.NormFloat64()) }},
}

func TestQuotientCovers(t *testing.T) {
	for i, c := range quotientCases {
		for _, keeps := range [][]float64{{0.5}, {0.1}, {0.5, 0.2, 0.1}} {
			for _, size := range []int{200, 2000} {
				t.Run(fmt.Sprint(c.name, keeps, size), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(15, uint64(i)))
					var ratio claims
					for range 12000 / (size + 400) {
						quotientTrials(rng, c.row, keeps, size, &ratio)
					}
					t.Logf("%+v", ratio)
					ratio.check(t, 0.94, "ratio")
				})
			}
		}
	}
}

// quotientTrials draws a population of cells, and samples them.
func quotientTrials(rng *rand.Rand, row func(*rand.Rand) (a, b float64), keeps []float64, size int, ratio *claims) {
	const cells = 60
	var shape Shape
	quotients, designs, truth := make([]Quotient, cells), make([]*Design, cells), make([]float64, cells)
	numbers := make([]float64, size)
	as, bs := make([]float64, size), make([]float64, size)
	for c := range cells {
		var a, b float64
		for i := range numbers {
			numbers[i] = float64(i)
			as[i], bs[i] = row(rng)
			a += as[i]
			b += bs[i]
		}
		truth[c] = a / b
		d, kept := strataOf(rng, numbers, keeps)
		for i := range kept {
			for _, x := range kept[i] {
				quotients[c].Add(d, int32(i), as[int(x)], bs[int(x)])
			}
		}
		designs[c] = d
		quotients[c].Tell(&shape, d)
	}
	for c := range cells {
		if quotients[c].Rows() > 0 {
			e, ok := quotients[c].Ratio(designs[c], 0, 0, &shape, Question{Confidence: 0.95})
			ratio.take(e, ok, truth[c])
		}
	}
}

func TestQuotientOfKnownRows(t *testing.T) {
	var d Design
	d.Seal()
	var s Quotient
	e, ok := s.Ratio(&d, 3, 4, nil, Question{Confidence: 0.95})
	require.True(t, ok)
	require.Equal(t, Exactly(0.75), e)
	e, ok = s.Ratio(&d, 3, 0, nil, Question{Confidence: 0.95})
	require.True(t, !ok && math.IsNaN(e.Value), "nothing to divide by")
}

// Where the denominator may be 0 the ratio may be anything.
func TestQuotientOfADenominatorNearZeroIsLabelled(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	var ratio claims
	for range 15 {
		quotientTrials(rng, func(r *rand.Rand) (a, b float64) { return 1, r.NormFloat64() }, []float64{0.2}, 400, &ratio)
	}
	require.LessOrEqual(t, ratio.cells, 9, "of 900")
}

// What was seen of a rare kind is sure, but not its share, where half of the rows were kept.
func TestQuotientOfFewOnesCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 99))
	for _, size := range []int{60, 100, 200} {
		var ratio claims
		for range 200 {
			quotientTrials(rng, func(r *rand.Rand) (a, b float64) { return float64(1 - min(r.IntN(size/2), 1)), 1 }, []float64{0.5}, size, &ratio)
		}
		t.Logf("%+v", ratio)
		ratio.check(t, 0.94, "ratio")
	}
}
