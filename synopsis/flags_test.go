package synopsis

import (
	"fmt"
	"testing"

)

// TestMeansOfFlagsCover measures means of columns of zeros and ones in cells of 5 % of a stratum: shares of rows, whose number is estimated.
func TestMeansOfFlagsCover(t *testing.T) {
	sim := newSimulation(31)
	var total coverage
	for _, keep := range []float64{0.5, 0.1, 0.02} {
		for _, share := range []float64{0.01, 0.05, 0.2, 0.5, 0.95} {
			for _, kept := range []int{2, 5, 10, 20, 40, 70, 200} {
				c := flagScenario(sim, keep, share, kept)
				about := fmt.Sprintf("keep %g, %g %% ones, %d kept rows", keep, 100*share, kept)
				t.Log(about, &c)
				
				total.merge(c)
			}
		}
	}
	t.Log(&total)
}

func flagScenario(sim *simulation, keep, share float64, kept int) (c coverage) {
	var tally Tally
	var column Design
	d, one := cellOf(append(make([]float64, 50), 1)...)
	tally.Add(one, d)
	size := int64(float64(kept) / keep)
	for range 2000 * simulationScale {
		column.Reset()
		all := sim.binomial(size, share)
		ones, zeros := sim.binomial(all, keep), sim.binomial(size-all, keep)
		if ones+zeros == 0 {
			continue
		}
		m := ones + zeros + sim.binomial(19*size, keep)
		at := column.Enter(&Stratum{Keep: keep, Offered: 20 * size, Kept: m, Open: true})
		column.Rows(at, m)
		var cell Cell
		for i := range ones + zeros {
			x := 0.0
			if i < ones {
				x = 1
			}
			cell.Add(&column, at, x)
		}
		column.Seal()
		e, ok := cell.Mean(&column, Known{}, Question{Confidence: 0.95, Domain: true, Tally: &tally})
		c.add(e, float64(all)/float64(size), ok, 1)
	}
	return c
}
