package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows of a short stratum are kept independently of each other: each adds its value or nothing, however narrow the declared range is.
func TestGuaranteedSumsOfShortStrataCover(t *testing.T) {
	for _, method := range []Method{Hoeffding, Bernstein} {
		rng := rand.New(rand.NewPCG(16, uint64(method)))
		var sums claims
		for range 4000 {
			var d Design
			s := &Stratum{Keep: 0.1, Offered: 200}
			var c Cell
			truth := 0.0
			at := d.Enter(s)
			for range s.Offered {
				x := 100 + rng.Float64()
				truth += x
				if rng.Float64() < s.Keep {
					s.Kept++
					d.Rows(at, 1)
					c.Add(&d, at, x)
				}
			}
			d.Seal()
			e, ok := c.Sum(&d, Known{}, Question{Confidence: 0.95, Method: method, Low: 100, High: 101})
			require.True(t, e.Low <= e.Value && e.Value <= e.High)
			sums.take(e, ok, truth)
		}
		require.Equal(t, 4000, sums.cells)
		require.Greater(t, sums.covered, 3800)
	}
}

// Kept rows that are all equal, of a column whose values are not, bound nothing.
func TestEqualRowsOfAColumnThatVariesAreOpen(t *testing.T) {
	for _, kept := range []int{1, 3} {
		var d Design
		at := d.Enter(&Stratum{Keep: 0.1, Offered: 1000, Kept: int64(kept), Open: true})
		d.Rows(at, int64(kept))
		var c Cell
		for range kept {
			c.Add(&d, at, 5)
		}
		d.Seal()
		q := Question{Confidence: 0.95, Tally: &Tally{rows: 1e4, second: 1e4, low: -9, high: 9, mixed: true}}
		e, ok := c.Mean(&d, Known{}, q)
		require.False(t, ok)
		require.True(t, math.IsInf(e.Low, -1) && math.IsInf(e.High, 1), "%+v", e)
		q.Tally.low = 0
		e, _ = c.Mean(&d, Known{}, q)
		require.True(t, e.Low == 0 && math.IsInf(e.High, 1), "no value is negative: %+v", e)
		q.Low, q.High = 1, 8
		e, _ = c.Mean(&d, Known{}, q)
		require.True(t, e.Low == 1 && e.High == 8, "declared: %+v", e)
	}
}

// The shape of a column asks for as many rows as a tally does, at every confidence.
func TestShapeLabelsAsATallyDoes(t *testing.T) {
	s := Shape{rows: 1e4, second: 1e4, third: 5e4} // skewness 5
	for _, confidence := range []float64{0.5, 0.95, 0.96, 0.97, 0.98, 0.99, 0.999} {
		least := labelFactor(confidence) * 25
		require.True(t, s.short(least-1, confidence))
		require.False(t, s.short(least+1, confidence))
	}
}
