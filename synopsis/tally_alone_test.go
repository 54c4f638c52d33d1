package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCellsThatAreTheirOwnTally measures the only cell of a query, the column's tally being the cell itself: what tells of outliers has
// missed them with it.
func TestCellsThatAreTheirOwnTally(t *testing.T) {
	const cells = 400 * simulationScale
	bytes := func(r *rand.Rand) float64 { // about the quantiles of the bytes of an access log
		if r.Float64() < 0.05 {
			return 14 * min(math.Pow(1-r.Float64(), -1/0.7), 316)
		}
		return math.Exp(r.NormFloat64())
	}
	for _, tc := range []struct {
		name     string
		draw     func(*rand.Rand) float64
		labelled float64 // of the cells, at most
	}{
		{"uniform", (*rand.Rand).Float64, 0},
		{"normal", (*rand.Rand).NormFloat64, 0},
		{"exponential", (*rand.Rand).ExpFloat64, 0.1},
		{"bytes", bytes, 1},
	} {
		sim := newSimulation(77)
		few := aloneScenario(sim, tc.draw, unknownShape/2, cells)
		require.Equal(t, cells, few.labelled, "%s: so few rows tell of no shape", tc.name)
		for _, kept := range []int{400, 500, 700} {
			c := aloneScenario(sim, tc.draw, kept, cells)
			about := fmt.Sprintf("%s, %d kept rows: %v", tc.name, kept, &c)
			deceived := cells - c.labelled - c.covered
			require.LessOrEqual(t, deceived, cells-int(binomialLimit(cells, 0.95)), about)
			require.LessOrEqual(t, c.labelled, cells-int(binomialLimit(cells, 1-max(tc.labelled, 1e-9))), about)
		}
	}
}

func aloneScenario(sim *simulation, draw func(*rand.Rand) float64, kept, cells int) (c coverage) {
	const keep = 0.1
	for range cells {
		offered := int64(float64(kept) / keep)
		m := sim.binomial(offered, keep)
		var design Design
		at := design.Enter(&Stratum{Keep: keep, Offered: offered, Kept: m})
		design.Rows(at, m)
		var cell Cell
		truth := 0.0
		for i := range offered {
			x := draw(sim.Rand)
			truth += x
			if i < m {
				cell.Add(&design, at, x)
			}
		}
		design.Seal()
		var tally Tally
		tally.Add(&cell, &design)
		e, ok := cell.Sum(&design, Known{}, Question{Confidence: 0.95, Tally: &tally})
		c.add(e, truth, ok, 1)
	}
	return c
}

func TestEqualValuesOfAColumnHardlyKnown(t *testing.T) {
	for _, tc := range []struct {
		about    string
		x        float64
		rows     int
		reliable bool
	}{
		{"zeros", 0, 100, false},
		{"a constant", 7, 100, false},
		{"ones, which are flags", 1, 100, true},
		{"many zeros", 0, 1000, true},
		{"many times a constant", 7, 1000, true},
	} {
		values := make([]float64, tc.rows)
		for i := range values {
			values[i] = tc.x
		}
		d, c := cellOf(values...)
		var tally Tally
		tally.Add(c, d)
		q := Question{Confidence: 0.95, Domain: true, Tally: &tally}
		sum, ok := c.Sum(d, Known{}, q)
		require.Equal(t, tc.reliable, ok, "SUM of %s", tc.about)
		require.True(t, ok || sum.Low < sum.High, "SUM of %s: %v", tc.about, sum)
		mean, ok := c.Mean(d, Known{}, q)
		require.Equal(t, tc.reliable, ok, "AVG of %s", tc.about)
		require.True(t, ok || math.IsInf(mean.Low, -1) && math.IsInf(mean.High, 1), "AVG of %s: %v", tc.about, mean)
		q.Low, q.High = -10, 10
		mean, ok = c.Mean(d, Known{}, q)
		require.Equal(t, tc.reliable, ok, "AVG of %s of a declared range", tc.about)
		require.True(t, ok || mean.Low == -10 && mean.High == 10, "AVG of %s of a declared range: %v", tc.about, mean)
	}
}
