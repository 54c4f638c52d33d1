package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// hypergeometric returns the probability of k rows of a cell of n in a sample of m of all.
func hypergeometric(k, n, m, all int) float64 {
	if k < max(0, m-(all-n)) || k > min(n, m) {
		return 0
	}
	choose := func(n, k int) float64 { return combin.LogGeneralizedBinomial(float64(n), float64(k)) }
	return math.Exp(choose(n, k) + choose(all-n, m-k) - choose(all, m))
}

// TestGuaranteedCountsCoverForEveryCount enumerates the samples of one stratum and of two.
func TestGuaranteedCountsCoverForEveryCount(t *testing.T) {
	type stratum struct{ offered, kept, cell int }
	estimate := func(strata []stratum, kept []int) Estimate {
		var d Design
		var c Count
		for i, s := range strata {
			at := d.Enter(&Stratum{ID: uint32(i + 1), Keep: float64(s.kept) / float64(s.offered), Offered: int64(s.offered), Kept: int64(s.kept)})
			c.Add(&d, at, int64(kept[i]))
			d.Rows(at, int64(s.kept))
		}
		d.Seal()
		return c.Estimate(&d, 0, Question{Confidence: 0.95, Domain: true, Method: Hoeffding})
	}
	for _, strata := range [][]stratum{
		{{1000, 100, 0}},
		{{1000, 100, 1}},
		{{1000, 100, 7}},
		{{1000, 100, 300}},
		{{1000, 100, 993}},
		{{1000, 500, 250}},
		{{200, 20, 30}},
		{{1000, 100, 20}, {500, 200, 5}},
		{{1000, 100, 5}, {500, 200, 400}},
	} {
		held := 0.0
		rows := make([]int, len(strata))
		var visit func(i int, p float64)
		visit = func(i int, p float64) {
			if i == len(strata) {
				truth := 0
				for _, s := range strata {
					truth += s.cell
				}
				if e := estimate(strata, rows); e.Low <= float64(truth) && float64(truth) <= e.High {
					held += p
				}
				return
			}
			s := strata[i]
			for k := range min(s.cell, s.kept) + 1 {
				if q := p * hypergeometric(k, s.cell, s.kept, s.offered); q > 1e-12 {
					rows[i] = k
					visit(i+1, q)
				}
			}
		}
		visit(0, 1)
		require.GreaterOrEqual(t, held, 0.95, "%v", strata)
	}
}

func TestGuaranteedCountsEndWhereChernoffsBoundDoes(t *testing.T) {
	var d Design
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 10000, Kept: 1000})
	var c Count
	c.Add(&d, at, 60)
	d.Seal()
	for _, method := range []Method{Hoeffding, Bernstein} {
		e := c.Estimate(&d, 0, Question{Confidence: 0.95, Domain: true, Method: method})
		divergence := func(n float64) float64 { return 0.06*math.Log(600/n) + 0.94*math.Log(9400/(10000-n)) }
		limit := math.Log(40) / 1000
		require.True(t, divergence(e.Low) > limit && divergence(e.Low+1) < limit, "%v", e)
		require.True(t, divergence(e.High-1) < limit && divergence(e.High) > limit, "%v", e)
	}
	require.InDelta(t, 10000*(1-math.Exp(-math.Log(40)/1000)), Unseen(&d, Question{Confidence: 0.95, Method: Hoeffding}), 1)
}

// TestGuaranteedIntervalsCoverWhatTheTransformDoesNot: of values in [0, 1000] few are large, so that most samples of a cell do
// not hold any of them.
func TestGuaranteedIntervalsCoverWhatTheTransformDoesNot(t *testing.T) {
	const all, runs, confidence = 4000, 400, 0.9
	r := rand.New(rand.NewPCG(17, 1))
	values := make([]float64, all)
	sum, rows := 0.0, 0.0
	for i := range values {
		values[i] = r.Float64()
		if i%1000 == 0 {
			values[i] = 1000
		}
		if i%2 == 0 { // the cell
			sum, rows = sum+values[i], rows+1
		}
	}
	for _, places := range [][]float64{{0.1}, {0.1, 0.3}, {0.004}} {
		var held [3][2]int
		for range runs {
			var d Design
			var c Cell
			kept := make([][]int, len(places))
			for i := range values {
				at := i * len(places) / all
				if r.Float64() < places[at] {
					kept[at] = append(kept[at], i)
				}
			}
			for at, keep := range places {
				s := d.Enter(&Stratum{ID: uint32(at + 1), Keep: keep, Offered: int64(all / len(places)), Kept: int64(len(kept[at]))})
				for _, i := range kept[at] {
					if i%2 == 0 {
						c.Add(&d, s, values[i])
					}
				}
			}
			d.Seal()
			for m := range held {
				q := Question{Confidence: confidence, Domain: true, Method: Method(m), Low: 0, High: 1000}
				if e, _ := c.Sum(&d, Known{}, q); e.Low <= sum && sum <= e.High {
					held[m][0]++
				}
				if e, _ := c.Mean(&d, Known{}, q); !(e.Low > sum/rows) && !(e.High < sum/rows) {
					held[m][1]++
				}
			}
		}
		limit := distuv.Binomial{N: runs, P: confidence}.CDF
		for _, m := range []Method{Hoeffding, Bernstein} {
			for i, what := range []string{"sum", "mean"} {
				require.Greater(t, limit(float64(held[m][i])), 1e-6, fmt.Sprint(what, m, places, held))
			}
		}
		require.Less(t, limit(float64(held[Transform][0])), 1e-6, "the case is a hard one: %v", held)
	}
}

func TestWidthsOfGuaranteedIntervals(t *testing.T) {
	var d Design
	var c Cell
	var rows, squares, mean float64
	for _, s := range []Stratum{{ID: 1, Keep: 0.1, Offered: 20000, Kept: 2000}, {ID: 2, Keep: 0.5, Offered: 8000, Kept: 4000}} {
		at := d.Enter(&s)
		for k := range s.Kept {
			c.Add(&d, at, 4+float64(k%3))
		}
		w := float64(s.Offered) / float64(s.Kept)
		rows, squares = rows+float64(s.Offered), squares+w*w*float64(s.Kept)*(1-float64(s.Kept-1)/float64(s.Offered))
		mean = 5
	}
	d.Seal()
	q := Question{Confidence: 0.95, Domain: true, Method: Hoeffding, Low: -2, High: 12}
	half := 14 * math.Sqrt(squares*math.Log(40)/2)
	e, ok := c.Sum(&d, Known{}, q)
	require.True(t, ok)
	require.InEpsilon(t, half, e.High-e.Value, 1e-9)
	require.InEpsilon(t, half, e.Value-e.Low, 1e-9)
	e, ok = c.Mean(&d, Known{}, q)
	require.True(t, ok)
	require.InEpsilon(t, half/rows, e.High-e.Value, 1e-9)
	require.InDelta(t, mean, e.Value, 0.01)
	// Bernstein's: L = ln(10 H/delta) with H = 2 strata, sqrt(2 H V L) with 2 V for the theorem's factor, and the third term.
	f, _, _ := c.total(&d)
	l := math.Log(10 * 2 / 0.05)
	q.Method = Bernstein
	e, _ = c.Sum(&d, Known{}, q)
	require.InEpsilon(t, math.Sqrt(4*2*f.sum.v*l)+14*l*(7.0/3+3/math.Sqrt2)*(10+2), e.High-e.Value, 1e-9)
}
