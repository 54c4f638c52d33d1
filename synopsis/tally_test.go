package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// cellOf returns a cell of one stratum that was shed.
func cellOf(values ...float64) (*Design, *Cell) {
	var d Design
	n := int64(len(values))
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 100 * n, Kept: 10 * n})
	var c Cell
	for _, x := range values {
		c.Add(&d, at, x)
	}
	d.Seal()
	return &d, &c
}

func TestTallyPoolsCellsAboutTheirMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var tally Tally
	for group := range 50 {
		values := make([]float64, 2000)
		for i := range values {
			values[i] = float64(1000*group) + r.ExpFloat64()
		}
		d, c := cellOf(values...)
		tally.Add(c, d)
	}
	require.InDelta(t, 2, tally.Skewness(1), 0.1, "that of the exponential distribution, wherever the groups lie")
	require.Greater(t, tally.Skewness(0), 1.0)
}

func TestSkewnessOfASumOverAShareOfTheRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var tally Tally
	values := make([]float64, 20000)
	for i := range values {
		values[i] = 3 + r.ExpFloat64()
	}
	d, c := cellOf(values...)
	tally.Add(c, d)
	for _, share := range []float64{0, 0.05, 0.5, 0.9, 1} {
		n := float64(len(values)) / max(share, 1e-6)
		mean := 0.0
		for _, x := range values {
			mean += x / n
		}
		outside := n - float64(len(values))
		m2, m3 := outside*mean*mean, -outside*mean*mean*mean
		for _, x := range values {
			m2 += (x - mean) * (x - mean)
			m3 += (x - mean) * (x - mean) * (x - mean)
		}
		k := float64(len(values))
		require.InDelta(t, math.Abs(m3/k)/math.Pow(m2/k, 1.5), tally.Skewness(share), 1e-3, "share %g", share)
	}
}

func TestConstantsAreNotSkewedByRounding(t *testing.T) {
	d, c := cellOf(7, 7, 7, 7)
	var tally Tally
	tally.Add(c, d)
	require.Zero(t, tally.Skewness(1-1e-16))
	require.Zero(t, tally.Skewness(1-1e-13))
	require.Positive(t, tally.Skewness(0.4))
}

func TestOldWindowsFadeButNotBelowWhatShowsOutliers(t *testing.T) {
	var tally Tally
	d, c := cellOf(1, 2, 3, 4)
	tally.Add(c, d)
	for range 1000 {
		tally.EndWindow()
	}
	require.Equal(t, 4.0, tally.rows)
	tally.rows = 1e6
	for range tallyHalf {
		tally.EndWindow()
	}
	require.InEpsilon(t, 5e5, tally.rows, 1e-9)
	for range 100 * tallyHalf {
		tally.EndWindow()
	}
	require.InEpsilon(t, tallyMemory, tally.rows, 1e-9)
}

func TestLabels(t *testing.T) {
	steady := Tally{rows: 5000, second: 5000, low: -3, high: 3}
	skewed := Tally{rows: 5000, second: 5000, third: 5000 * 5, low: -3, high: 90}
	few := Tally{rows: 999, second: 999, low: -3, high: 3}
	constant := Tally{rows: 5000, low: 7, high: 7}
	for _, tc := range []struct {
		about      string
		tally      *Tally
		confidence float64
		n, v       float64
		reliable   bool
	}{
		{"three rows are too few for any", &steady, 0.95, 3, 1, false},
		{"four will do", &steady, 0.95, 4, 1, true},
		{"skewness 5 needs 2 times 25", &skewed, 0.95, 48, 1, false},
		{"and has enough", &skewed, 0.95, 49, 1, true},
		{"but twice as many at 99 %", &skewed, 0.99, 49, 1, false},
		{"enough at 99 %", &skewed, 0.99, 99, 1, true},
		{"a column not known yet", &few, 0.95, 29, 1, false},
		{"with many rows", &few, 0.95, 30, 1, true},
		{"no column known", nil, 0.95, 29, 1, false},
		{"no column known, many rows", nil, 0.95, 30, 1, true},
		{"equal values of a column that varies", &steady, 0.95, 100, 0, false},
		{"equal values of a constant", &constant, 0.95, 100, 0, true},
	} {
		q := Question{Confidence: tc.confidence, Tally: tc.tally}
		require.Equal(t, tc.reliable, q.reliable(tc.n, tc.v, 1), tc.about)
	}
}

func TestCellsOfCheapRowsAreLabelledWhenOthersStandForMany(t *testing.T) {
	var d Design
	cheap := d.Enter(&Stratum{ID: 0, Keep: 0.9, Offered: 1000, Kept: 900})
	d.Enter(&Stratum{ID: 1, Keep: 0.01, Offered: 100000, Kept: 1000})
	var c Cell
	for i := range 100 {
		c.Add(&d, cheap, float64(i%10))
	}
	d.Seal()
	q := Question{Confidence: 0.95, Domain: true}
	_, ok := c.Sum(&d, Known{}, q)
	require.False(t, ok)
	_, ok = c.Mean(&d, Known{}, q)
	require.False(t, ok)
}

func TestSumsOfFlagsAreCounts(t *testing.T) {
	var d Design
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 1000, Kept: 100})
	var cell Cell
	var ones Count
	for i := range 50 {
		x := 0.0
		if i%10 == 0 {
			x = -2
			ones.Add(&d, at, 1)
		}
		cell.Add(&d, at, x)
	}
	d.Seal()
	var tally Tally
	tally.Add(&cell, &d)
	q := Question{Confidence: 0.95, Domain: true, Tally: &tally}
	n := ones.Estimate(&d, 0, q)
	e, ok := cell.Sum(&d, Known{Rows: 3, Sum: -4}, q)
	require.True(t, ok)
	require.InDelta(t, -4-2*n.Value, e.Value, 1e-9)
	require.Equal(t, -4-2*n.High, e.Low)
	require.Equal(t, -4-2*n.Low, e.High)
	m, ok := cell.Mean(&d, Known{}, q)
	require.True(t, ok)
	require.InDelta(t, -0.2, m.Value, 1e-9)
	require.True(t, m.Low < m.Value && m.Value < m.High && m.Low > -2 && m.High < 0)
}
