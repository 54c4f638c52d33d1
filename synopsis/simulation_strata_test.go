package synopsis

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// mixture is a cell in strata of different rates.
type mixture struct {
	keeps  []float64
	rows   []int64 // of the cell in each stratum
	others int64   // of other cells, in each
	domain bool
}

// run simulates cells of the mixture with values of d and adds what became of their SUM and AVG.
func (mx *mixture) run(sim *simulation, d *distribution, cells int, sums, means, plain *coverage) {
	tally := d.tally(sim, 20000)
	strata := make([]Stratum, len(mx.keeps))
	var design Design
	for range cells {
		design.Reset()
		var cell Cell
		var known Known
		truth, size, v, hat := 0.0, int64(0), 0.0, 0.0
		for i, p := range mx.keeps {
			k := sim.binomial(mx.rows[i], p)
			m := k + sim.binomial(mx.others, p)
			strata[i] = Stratum{ID: uint32(i), Keep: p, Offered: mx.rows[i] + mx.others, Kept: m, Open: mx.domain}
			at := design.Enter(&strata[i])
			design.Rows(at, m)
			rest, _ := d.rest(sim, mx.rows[i]-k)
			truth += rest
			size += mx.rows[i]
			for range k {
				x := d.value(sim)
				truth += x
				if p >= 1 {
					known.Rows++
					known.Sum += x
					continue
				}
				hat += x / p
				v += x * x * (1 - p) / p / p
				cell.Add(&design, at, x)
			}
		}
		design.Seal()
		ask := Question{Confidence: 0.95, Domain: mx.domain, Tally: &tally}
		e, ok := cell.Sum(&design, known, ask)
		oracle := math.Abs(truth)
		sums.add(e, truth, ok, oracle)
		plain.add(naive(known.Sum+hat, v), truth, true, oracle)
		if cell.Rows(&design)+known.Rows > 0 {
			e, ok = cell.Mean(&design, known, ask)
			means.add(e, truth/float64(size), ok, oracle/float64(size))
		}
	}
}

func TestSumsAndMeansCoverWhenKeepChanges(t *testing.T) {
	sim := newSimulation(3)
	all := distributions()
	var sums, means, plain coverage
	for _, d := range []*distribution{all[1], all[3], all[4], all[5]} {
		d.column(sim)
		for _, pattern := range patterns[2:] {
			for _, tr := range trends {
				for _, share := range []float64{0.05, 1} {
					if share == 1 && tr.step != 1 {
						continue
					}
					var sum, mean coverage
					for _, n := range []int{100, 300, 1000, 10000} {
						rows, offered := tr.spread(n, len(pattern.keeps), share)
						others := max(offered-int64(n/len(rows)), 0)
						mx := mixture{keeps: pattern.keeps, rows: rows, others: others, domain: share < 1}
						mx.run(sim, d, 40*simulationScale*100/max(n/10, 100), &sum, &mean, &plain)
					}
					about := fmt.Sprintf("%-13s keep %-18s %-7s share %g", d.name, pattern.name, tr.name, share)
					t.Logf("%s\n\tSUM %v\n\tAVG %v", about, &sum, &mean)
					sum.atLeast(t, 0.94, "SUM, "+about)
					mean.atLeast(t, 0.93, "AVG, "+about)
					sums.merge(sum)
					means.merge(mean)
				}
			}
		}
	}
	t.Logf("all: SUM %v, AVG %v, naive %.3f", &sums, &means, plain.rate())
	sums.atLeast(t, 0.95, "SUM")
	means.atLeast(t, 0.95, "AVG")
	require.Less(t, plain.rate(), 0.9, "a naive interval passes, so this test proves nothing")
}

func TestFilterBetweenTwoDrops(t *testing.T) {
	sim := newSimulation(4)
	all := distributions()
	for _, d := range []*distribution{all[0], all[1], all[4]} {
		d.column(sim)
		var counts, sums, means coverage
		for _, keeps := range [][2]float64{{0.5, 0.5}, {0.1, 0.5}, {0.3, 0.1}} {
			for _, pass := range []float64{0.1, 0.9} {
				for _, share := range []float64{0.1, 1} {
					stages := stagedCell{keeps: keeps, offered: 20000, passing: int64(20000 * pass), rows: int64(20000 * pass * share)}
					stages.run(sim, d, 30*simulationScale, &counts, &sums, &means)
				}
			}
		}
		t.Logf("%-13s COUNT %v\n\tSUM %v\n\tAVG %v", d.name, &counts, &sums, &means)
		for i, c := range []*coverage{&counts, &sums, &means} {
			about := d.name + []string{" COUNT", " SUM", " AVG"}[i]
			c.atLeast(t, 0.94, about)
			require.Less(t, c.labelled, c.cells/10, about)
			// Means of few rows pay most for the guard.
			require.Less(t, c.width/c.oracle, []float64{1.15, 1.3, 1.6}[i], "%s: width against the true deviation", about)
		}
	}
}

// stagedCell is a cell behind a drop, a filter and a second drop.
type stagedCell struct {
	keeps                  [2]float64
	offered, passing, rows int64
}

func (s *stagedCell) run(sim *simulation, d *distribution, cells int, counts, sums, means *coverage) {
	tally := d.tally(sim, 20000)
	p, q := s.keeps[0], s.keeps[1]
	for range cells {
		var design Design
		var count Count
		var cell Cell
		r1, o1 := sim.binomial(s.rows, p), sim.binomial(s.passing-s.rows, p)
		k := sim.binomial(r1, q)
		up := &Stratum{ID: 1 << 24, Keep: p, Offered: s.offered, Kept: r1 + o1 + sim.binomial(s.offered-s.passing, p), Open: true}
		last := &Stratum{ID: 2 << 24, Keep: q, Offered: r1 + o1, Kept: k + sim.binomial(o1, q), Open: true, Up: up}
		at := design.Enter(last)
		design.Rows(at, last.Kept)
		truth, squares := d.rest(sim, s.rows-k)
		for range k {
			x := d.value(sim)
			truth += x
			squares += x * x
			cell.Add(&design, at, x)
			count.Add(&design, at, 1)
		}
		design.Seal()
		ask := Question{Confidence: 0.95, Domain: true, Tally: &tally}
		n, w := float64(s.rows), 1/(p*q)
		// The variance of w2 w1 X, given the totals of both stages.
		deviation := func(sum, squares float64) float64 {
			first := (1 - p) / p * (squares - sum*sum/float64(s.offered))
			second := (w - 1/p) * (squares - sum*sum/float64(s.passing))
			return 2 * 1.96 * math.Sqrt(max(first+second, 0))
		}
		counts.add(count.Estimate(&design, 0, ask), n, true, deviation(n, n))
		e, ok := cell.Sum(&design, Known{}, ask)
		slack := 1e-9 * math.Abs(truth)
		sums.add(Estimate{Value: e.Value, Low: e.Low - slack, High: e.High + slack}, truth, ok, deviation(truth, squares))
		e, ok = cell.Mean(&design, Known{}, ask)
		means.add(Estimate{Value: e.Value, Low: e.Low - slack, High: e.High + slack}, truth/n, ok, max(deviation(0, squares-truth*truth/n)/n, 1e-3*truth/n))
	}
}

func TestFewExpectedRowsDoNotBias(t *testing.T) {
	sim := newSimulation(5)
	for _, tc := range []struct {
		keep    float64
		offered int64
	}{{0.01, 100}, {0.01, 10}, {0.1, 50}, {0.5, 3}} {
		var sum, squares, x float64
		cells := 20000 * simulationScale
		for range cells {
			k := sim.binomial(tc.offered, tc.keep)
			var d Design
			at := d.Enter(&Stratum{Keep: tc.keep, Offered: tc.offered, Kept: k, Open: true})
			var count Count
			var cell Cell
			count.Add(&d, at, k)
			for range k {
				cell.Add(&d, at, 2)
			}
			d.Seal()
			n := count.Estimate(&d, 0, Question{Confidence: 0.95, Domain: true}).Value
			e, _ := cell.Sum(&d, Known{}, Question{Confidence: 0.95, Domain: true})
			sum += n
			squares += n * n
			x += e.Value
		}
		n := float64(cells)
		mean := sum / n
		error := math.Sqrt((squares/n - mean*mean) / n)
		require.InDelta(t, float64(tc.offered), mean, 5*error, "keep %g of %d", tc.keep, tc.offered)
		require.InDelta(t, 2*mean, x/n, 1e-9*mean)
	}
}

func TestRawDropsLeaveRoomForRowsOutside(t *testing.T) {
	sim := newSimulation(6)
	var c, plain coverage
	for range 1000 * simulationScale {
		var d Design
		var count Count
		truth := int64(0)
		strata := make([]Stratum, 10)
		low := 0.0
		for i := range strata {
			outside := sim.binomial(5000, 0.001)
			inside := 5000 - outside
			k := sim.binomial(inside, 0.05)
			strata[i] = Stratum{ID: uint32(i), Keep: 0.05, Offered: 5000, Kept: k + sim.binomial(outside, 0.05), Open: true}
			count.Add(&d, d.Enter(&strata[i]), k)
			truth += inside
			low += float64(k) / float64(strata[i].Kept) * 5000
		}
		d.Seal()
		e := count.Estimate(&d, 0, Question{Confidence: 0.95})
		require.False(t, e.Exact)
		c.add(e, float64(truth), true, 1)
		plain.add(naive(low, 0), float64(truth), true, 1)
	}
	t.Logf("%v, mean width %.0f; plain formula %.3f", &c, c.width/float64(c.cells), plain.rate())
	c.atLeast(t, 0.94, "0.1 % outside")
	require.Less(t, plain.rate(), 0.7)
	require.Less(t, c.width/float64(c.cells), 300.0)
}

func TestCountedDropsHalveTheWidthOfUniformSums(t *testing.T) {
	sim := newSimulation(7)
	var d Design
	s := &Stratum{Keep: 0.1, Offered: 10000}
	at := d.Enter(s)
	var counted, weighted Cell
	var other Design
	for range 10000 {
		if sim.Float64() >= 0.1 {
			continue
		}
		s.Kept++
		x := sim.Float64()
		counted.Add(&d, at, x)
		weighted.AddWeighted(&other, x, 10)
	}
	d.Seal()
	other.Seal()
	a, _ := counted.Sum(&d, Known{}, Question{Confidence: 0.95})
	b, _ := weighted.Sum(&other, Known{}, Question{Confidence: 0.95, Domain: true})
	require.Less(t, (a.High-a.Low)/(b.High-b.Low), 0.55)
	require.True(t, b.Low < a.Low && a.High < b.High)
}
