package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

// covers fails the test where too few of the cells were covered: fewer than chance leaves to an interval of the given
// coverage in one run of 1e6.
func covers(t *testing.T, want float64, covered, cells int, about string) {
	t.Helper()
	limit := want*float64(cells) - distuv.UnitNormal.Quantile(1-1e-6)*math.Sqrt(want*(1-want)*float64(cells))
	require.GreaterOrEqual(t, float64(covered), limit, "%s: covered %.4f of %d", about, float64(covered)/float64(cells), cells)
}

func TestBinomialQuantiles(t *testing.T) {
	for _, n := range []float64{1, 2, 10, 50, 1000, 20000} {
		for _, q := range []float64{0.001, 0.1, 0.5, 0.9, 0.999} {
			b := distuv.Binomial{N: n, P: q}
			for _, p := range []float64{1e-5, 0.025, 0.5, 0.975, 1 - 1e-5} {
				j := binomialQuantile(n, q, p)
				require.GreaterOrEqual(t, b.CDF(j)+1e-10, p, "n=%g q=%g p=%g", n, q, p)
				if j > 0 {
					require.Less(t, b.CDF(j-1)-1e-10, p, "n=%g q=%g p=%g", n, q, p)
				}
			}
		}
	}
	for _, q := range []float64{0.01, 0.5, 0.99} { // the expansion meets the search where it takes over
		for _, p := range []float64{0.025, 0.975} {
			require.InDelta(t, binomialQuantile(manyRows, q, p), binomialQuantile(manyRows+1, q, p), 2)
		}
	}
}

func TestRanksCover(t *testing.T) {
	const cells = 2000
	rng := rand.New(rand.NewPCG(8, 8))
	for _, population := range []int{20, 200, 2000} {
		for _, keep := range []float64{0.5, 0.1} {
			for _, q := range []float64{0.5, 0.9, 0.99} {
				covered := 0
				for range cells {
					covered += rankTrial(rng, population, []float64{keep}, q)
				}
				covers(t, 0.95, covered, cells, fmt.Sprint(population, keep, q))
			}
		}
	}
}

func TestRanksOfSeveralKeepsCover(t *testing.T) {
	const cells = 4000
	rng := rand.New(rand.NewPCG(8, 9))
	for _, population := range []int{300, 3000} {
		for _, q := range []float64{0.1, 0.5, 0.9} {
			covered := 0
			for range cells {
				covered += rankTrial(rng, population, []float64{0.5, 0.2, 0.1}, q)
			}
			covers(t, 0.94, covered, cells, fmt.Sprint(population, q))
		}
	}
}

// rankTrial draws the rows 0 to population-1, in turns with the given keeps, and reports 1 where the interval of the
// q-quantile contains it.
func rankTrial(rng *rand.Rand, population int, keeps []float64, q float64) int {
	truth := float64(population)*q - 1 // value of rank ceil(population q), or above
	type row struct{ x, w float64 }
	var kept []row
	total, largest := 0.0, 1.0
	for x := range population {
		keep := keeps[rng.IntN(len(keeps))]
		largest = max(largest, 1/keep)
		if rng.Float64() < keep {
			kept = append(kept, row{float64(x), 1 / keep})
			total += 1 / keep
		}
	}
	at := func(rank float64) float64 { // value where the running weight passes rank
		sum := 0.0
		for _, r := range kept {
			if sum += r.w; sum >= rank-1e-9 {
				return r.x
			}
		}
		return math.Inf(1)
	}
	middle, below, above := at(q*total), 0.0, 0.0
	for _, r := range kept {
		if r.x <= middle {
			below += r.w * (r.w - 1)
		} else {
			above += r.w * (r.w - 1)
		}
	}
	lo, hi := Ranks(RankRows(q, total, below, above, largest), q, 0.95)
	low, high := math.Inf(-1), math.Inf(1)
	if rank := lo * total; len(keeps) == 1 && lo > 0 {
		rank = math.Floor(lo*float64(len(kept))+1e-9) * largest
		if rank > 0 {
			low = at(rank)
		}
	} else if lo > 0 {
		low = at(rank)
	}
	if hi <= 1 {
		high = at(hi * total)
	}
	if low <= truth+1 && truth <= high {
		return 1
	}
	return 0
}

func TestRanksAtTheEdges(t *testing.T) {
	lo, hi := Ranks(math.Inf(1), 0.3, 0.95)
	require.Equal(t, []float64{0.3, 0.3}, []float64{lo, hi}, "nothing was shed")
	lo, hi = Ranks(0, 0.5, 0.95)
	require.True(t, lo <= 0 && hi > 1, "no rows: open on both sides")
	for _, c := range []struct{ q, least float64 }{{0.5, 6}, {0.95, 72}, {0.99, 368}} {
		_, hi = Ranks(c.least, c.q, 0.95)
		require.LessOrEqual(t, hi, 1.0, "q %g closes with %g rows", c.q, c.least)
		_, hi = Ranks(c.least-1, c.q, 0.95)
		require.Greater(t, hi, 1.0, "q %g is open with %g rows", c.q, c.least-1)
	}
	require.InDelta(t, 200, RankRows(0.5, 200, 100, 100, 2), 1e-9, "100 rows of weight 2: n/(1-f)")
	require.True(t, math.IsInf(RankRows(0.5, 200, 0, 0, 1), 1))
	require.Less(t, RankRows(0.5, 200, 0, 0, 100), 5.0, "rows of another weight were not seen")
}
