package synopsis

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGivenWeightsAreThePoissonForm(t *testing.T) {
	var d, given Design
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 300, Kept: 30})
	var cell, other Cell
	var count, counted Count
	for i := range 30 {
		x := float64(i * i % 17)
		cell.Add(&d, at, x)
		count.Add(&d, at, 1)
		other.AddWeighted(&given, x, 10)
		counted.AddWeighted(&given, 10)
	}
	d.Seal()
	given.Seal()
	require.Equal(t, 10.0, given.Largest())
	q := Question{Confidence: 0.95, Domain: true}
	a, _ := cell.Sum(&d, Known{}, q)
	b, _ := other.Sum(&given, Known{}, q)
	sameEstimate(t, a, b, "SUM")
	a, _ = cell.Mean(&d, Known{}, q)
	b, _ = other.Mean(&given, Known{}, q)
	require.InDelta(t, a.Value, b.Value, 1e-9)
	require.InDelta(t, a.High-a.Low, b.High-b.Low, 0.1*(a.High-a.Low))
	n := counted.Estimate(&given, 0, q)
	require.Equal(t, count.Estimate(&d, 0, q).Low, n.Low)
	require.Greater(t, n.High, 300.0, "nothing is known of how many there were")
}

func TestGivenWeightsOfOneAreExact(t *testing.T) {
	var d Design
	var cell Cell
	var count Count
	for i := range 10 {
		cell.AddWeighted(&d, float64(i), 1)
		count.AddWeighted(&d, 1)
	}
	d.Seal()
	q := Question{Confidence: 0.95}
	require.Equal(t, Exactly(10), count.Estimate(&d, 0, q))
	e, ok := cell.Sum(&d, Known{}, q)
	require.True(t, ok)
	require.Equal(t, Exactly(45), e)
}

func TestWeightedCellsCover(t *testing.T) {
	sim := newSimulation(8)
	d := distributions()[4]
	d.column(sim)
	tally := d.tally(sim, 20000)
	var counts, sums, means coverage
	for range 1500 * simulationScale {
		var design Design
		var cell Cell
		var count Count
		truth := 0.0
		for range 400 {
			x, p := d.value(sim), 0.05+0.95*sim.Float64()
			truth += x
			if sim.Float64() < p {
				cell.AddWeighted(&design, x, 1/p)
				count.AddWeighted(&design, 1/p)
			}
		}
		design.Seal()
		q := Question{Confidence: 0.95, Domain: true, Tally: &tally}
		counts.add(count.Estimate(&design, 0, q), 400, true, 1)
		e, ok := cell.Sum(&design, Known{}, q)
		sums.add(e, truth, ok, 1)
		e, ok = cell.Mean(&design, Known{}, q)
		means.add(e, truth/400, ok, 1)
	}
	t.Logf("COUNT %v, SUM %v, AVG %v", &counts, &sums, &means)
	counts.atLeast(t, 0.94, "COUNT")
	sums.atLeast(t, 0.94, "SUM")
	means.atLeast(t, 0.94, "AVG")
}
