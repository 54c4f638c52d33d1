package coverage

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTallyKnowsNormalIntervals gives cells with intervals that cover 95 % and are 1.5 times as wide as they have to be, some of them labelled.
func TestTallyKnowsNormalIntervals(t *testing.T) {
	const rows, runs, sigma, confidence = 40, 200, 2.0, 0.95
	r := rand.New(rand.NewPCG(1, 2))
	tally := NewTally(confidence)
	half := 1.959964 * sigma * 1.5
	for twin := range 2 {
		tally.Twin(rows)
		for range runs {
			tally.Begin()
			for row := range rows {
				truth := float64(100 * (1 + twin))
				v := truth + sigma*r.NormFloat64()
				tally.Add(&Cell{Row: row, Truth: truth, TruthLow: truth, TruthHigh: truth, Value: v, Low: v - half, High: v + half, Unreliable: row%4 == 0})
			}
		}
	}
	c := tally.Column("x")
	const n = 2 * rows * runs
	assert.EqualValues(t, n*3/4, c.Plain.Cells)
	assert.EqualValues(t, n/4, c.Labelled.Cells)
	assert.InDelta(t, 0.25, c.LabelledShare(), 1e-12)
	covers := math.Erf(1.959964 * 1.5 / math.Sqrt2)
	assert.InDelta(t, covers, c.Plain.Rate(), 5*math.Sqrt(covers*(1-covers)/(n*0.75)))
	assert.InDelta(t, covers, c.Labelled.Rate(), 5*math.Sqrt(covers*(1-covers)/(n*0.25)))
	assert.InEpsilon(t, half*(1/100.0+1/200.0)/2, c.Width, 1e-9)
	// Deviations of 200 runs are off by 1/sqrt(400) each, and there are 60 of them.
	assert.InEpsilon(t, 1.5, c.Oracle, 5/math.Sqrt(400*60))
	assert.InEpsilon(t, 1.5, c.OracleMedian, 0.05)
	assert.InEpsilon(t, sigma*math.Sqrt(2/math.Pi)*(1/100.0+1/200.0)/2, c.Error, 5*0.76/math.Sqrt(n))
	assert.Less(t, math.Abs(c.Bias), 5*c.Deviation)
}

func TestWhatIsKnownOfTheTruthDecides(t *testing.T) {
	c := Cell{Truth: 100, TruthLow: 99, TruthHigh: 101, Value: 90, Low: 80, High: 99.5}
	assert.True(t, c.Covered(), "it may be so")
	c.TruthLow, c.TruthHigh = 100, 100
	assert.False(t, c.Covered())
	c.High = 100 * (1 - 1e-12)
	assert.True(t, c.Covered(), "sums are rounded")
}

func TestTallyCountsWhatHasNoBound(t *testing.T) {
	tally := NewTally(0.95)
	tally.Twin(1)
	tally.Begin()
	tally.Add(&Cell{Truth: 5, TruthLow: 5, TruthHigh: 5, Value: 5, Low: 4, High: math.Inf(1)})
	tally.Add(&Cell{Truth: 5, TruthLow: 5, TruthHigh: 5, Value: math.NaN(), SampledNull: true, Low: math.Inf(-1), High: math.Inf(1), Unreliable: true})
	tally.Add(&Cell{Truth: math.NaN(), TruthNull: true, Value: 5, Low: 4, High: 6})
	c := tally.Column("x")
	assert.Equal(t, Share{Cells: 2, Covered: 1}, c.Plain, "a value where there is none is wrong")
	assert.Equal(t, Share{Cells: 1, Covered: 1}, c.Labelled)
	assert.EqualValues(t, 1, c.Open)
	assert.True(t, math.IsNaN(c.Width), "no cell has both bounds and a truth")
}
