package synopsis

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMeansOfFlagsCover measures means of columns of zeros and ones in cells of 5 % of a stratum: shares of rows, whose number is estimated.
func TestMeansOfFlagsCover(t *testing.T) {
	sim := newSimulation(31)
	var total coverage
	for _, keeps := range [][]float64{{0.8}, {0.5}, {0.1}, {0.02}, {0.5, 0.05}} {
		for _, share := range []float64{0.01, 0.05, 0.2, 0.5, 0.95} {
			for _, kept := range []int{2, 5, 10, 20, 40, 70, 200} {
				c := flagScenario(sim, keeps, share, kept)
				about := fmt.Sprintf("keep %v, %g %% ones, %d kept rows", keeps, 100*share, kept)
				c.atLeast(t, 0.94, about)
				require.Zero(t, c.labelled, about)
				total.merge(c)
			}
		}
	}
	t.Log(&total)
	total.atLeast(t, 0.95, "all")
}

// flagScenario measures cells with as many rows in the strata of each rate, of which those of the largest keep the given number.
func flagScenario(sim *simulation, keeps []float64, share float64, kept int) (c coverage) {
	d, known := cellOf(append(make([]float64, 50), 1)...)
	var tally Tally
	tally.Add(known, d)
	size := int64(float64(kept) / keeps[0])
	for range 1000 * simulationScale {
		var design Design
		var cell Cell
		truth := 0.0
		for id, keep := range keeps {
			all := sim.binomial(size, share)
			truth += float64(all)
			ones, zeros := sim.binomial(all, keep), sim.binomial(size-all, keep)
			m := ones + zeros + sim.binomial(19*size, keep)
			at := design.Enter(&Stratum{ID: uint32(id), Keep: keep, Offered: 20 * size, Kept: m, Open: true})
			design.Rows(at, m)
			for range ones {
				cell.Add(&design, at, 1)
			}
			for range zeros {
				cell.Add(&design, at, 0)
			}
		}
		if cell.Rows(&design) == 0 {
			continue
		}
		design.Seal()
		e, ok := cell.Mean(&design, Known{}, Question{Confidence: 0.95, Domain: true, Tally: &tally})
		c.add(e, truth/float64(size)/float64(len(keeps)), ok, 1)
	}
	return c
}
