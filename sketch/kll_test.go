package sketch

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func kll(t require.TestingT, rankError float64, seed uint64) *KLL {
	s, err := NewKLL(rankError, seed)
	require.NoError(t, err)
	return s
}

// rankMiss returns by how much of n the rank of the answer misses, at the worst
// of 99 quantiles.
func rankMiss(s *KLL, sorted []float64) float64 {
	n, worst := float64(len(sorted)), 0.0
	for percent := 1; percent < 100; percent++ {
		want := n * float64(percent) / 100
		v, _ := s.Quantile(float64(percent) / 100)
		from, to := rankRange(sorted, v.Float())
		worst = max(worst, (float64(from)-want)/n, (want-float64(to))/n)
	}
	return worst
}

// Runs whose rank error passes the stated one anywhere are counted: each does so
// with probability 1 % at most. Merged sketches are held to the same figure.
func TestKLLKeepsItsRankError(t *testing.T) {
	const runs, n = 100, 6000
	for _, name := range []string{"sorted", "zigzag", "ties", "normal", "wide"} {
		i := slices.IndexFunc(streams, func(s stream) bool { return s.name == name })
		misses := 0
		for run := range uint64(runs) {
			values := streams[i].values(run, n)
			whole := kll(t, 0, run)
			parts := []*KLL{kll(t, 0, run+runs), kll(t, 0, run+2*runs), kll(t, 0, run+3*runs)}
			for j, x := range values {
				whole.AddFloat(x)
				parts[j%3].AddFloat(x)
			}
			require.NoError(t, parts[1].Merge(parts[2]))
			require.NoError(t, parts[0].Merge(parts[1]))
			slices.Sort(values)
			for _, s := range []*KLL{whole, parts[0]} {
				require.EqualValues(t, n, s.Count())
				if rankMiss(s, values) > s.RankError() {
					misses++
				}
			}
		}
		require.LessOrEqual(t, misses, binomialLimit(2*runs, 0.01), name)
	}
}

func TestKLLIntervalCovers(t *testing.T) {
	const runs, n = 200, 5000
	misses := 0
	for run := range uint64(runs) {
		s := kll(t, 0.02, run)
		values := streams[4].values(run, n)
		for _, x := range values {
			s.AddFloat(x)
		}
		slices.Sort(values)
		e := s.Interval(0.75)
		require.Equal(t, kllConfidence, e.Confidence)
		require.True(t, e.Contains(e.Value))
		if !e.Contains(nearestRank(values, 0.75)) {
			misses++
		}
	}
	require.LessOrEqual(t, misses, binomialLimit(runs, 0.01))
}

func TestKLLIsExactToK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, defaultKLL).Draw(t, "n")
		values := rapid.SampledFrom(streams).Draw(t, "stream").values(rapid.Uint64().Draw(t, "seed"), n)
		s := kll(t, 0, 1)
		for _, x := range values {
			s.AddFloat(x)
		}
		slices.Sort(values)
		for _, q := range quantiles {
			v, ok := s.Quantile(q)
			require.Equal(t, n > 0, ok)
			if ok {
				require.Equal(t, nearestRank(values, q), v.Float())
				require.True(t, s.Interval(q).Exact)
			}
		}
	})
}

// Weight is conserved: rank by rank the view runs to n, whatever is merged.
func TestKLLConservesWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, total := kll(t, 0.05, 1), 0
		for part := range rapid.IntRange(1, 5).Draw(t, "parts") {
			_, values := drawStream(t)
			o := kll(t, 0.05, uint64(part))
			for _, x := range values {
				o.AddFloat(x)
			}
			require.NoError(t, s.Merge(o))
			total += len(values)
			require.EqualValues(t, total, s.Count())
			s.sortView()
			if total > 0 {
				require.EqualValues(t, total, s.view[len(s.view)-1].cumulative)
			}
			require.LessOrEqual(t, s.size, s.room)
			var loaded KLL
			require.NoError(t, loaded.UnmarshalBinary(marshalled(t, s)))
			require.Equal(t, marshalled(t, s), marshalled(t, &loaded))
		}
	})
}

func TestKLLOfAMillion(t *testing.T) {
	const n = 1_000_000
	s := kll(t, 0, 1)
	for i := range n {
		s.AddInt(int64(i))
	}
	// The stated error is 2.33 standard deviations.
	for _, q := range quantiles {
		v, _ := s.Quantile(q)
		require.InDelta(t, q*n, v.Float(), 1+n*s.RankError()*sigmas/2.33)
	}
	// k times the sum of (2/3)^d is 3k; the least capacities come on top.
	require.LessOrEqual(t, s.size, 3*defaultKLL+leastLevelCapacity*len(s.levels))
}

func TestKLLNumbers(t *testing.T) {
	s := kll(t, 0, 1)
	s.AddInt(1<<53 + 1)
	v, _ := s.Quantile(0.5)
	require.Equal(t, intNumber(1<<53+1), v, "integers keep their digits")
	s.AddFloat(math.NaN())
	require.EqualValues(t, 1, s.Count())
	s.AddFloat(math.Inf(-1))
	s.AddFloat(math.Copysign(0, -1))
	lo, _ := s.Quantile(0)
	mid, _ := s.Quantile(0.5)
	hi, _ := s.Quantile(1)
	require.Equal(t, floatNumber(math.Inf(-1)), lo)
	require.Equal(t, floatNumber(0), mid)
	require.False(t, math.Signbit(mid.Value))
	require.Equal(t, floatNumber(1<<53), hi, "a sketch of floats rounds")
	other := kll(t, 0, 2)
	other.AddInt(5)
	require.NoError(t, s.Merge(other))
	require.EqualValues(t, 4, s.Count())
}

func TestKLLConfiguration(t *testing.T) {
	for _, e := range []float64{0.0001, 0.001, 0.01, 0.0133, 0.1, 0.25} {
		s := kll(t, e, 1)
		for i := range 2 * maxKLL {
			s.AddInt(int64(i))
		}
		require.LessOrEqual(t, s.RankError(), e)
	}
	for _, e := range []float64{-0.1, 1e-5, 0.3, math.NaN(), math.Inf(1)} {
		_, err := NewKLL(e, 1)
		require.Error(t, err, "%v", e)
	}
	require.ErrorIs(t, kll(t, 0.1, 1).Merge(kll(t, 0.01, 1)), ErrMismatch)
}

func TestKLLResetAndReplay(t *testing.T) {
	feed := func(s *KLL) {
		for i := range 5000 {
			s.AddInt(int64(i) * 7919 % 5003)
		}
	}
	a, b := kll(t, 0, 9), kll(t, 0, 9)
	feed(a)
	feed(b)
	require.Equal(t, marshalled(t, a), marshalled(t, b), "same seed, same bytes")
	a.Reset()
	require.True(t, a.Exact())
	_, ok := a.Quantile(0.5)
	require.False(t, ok)
	feed(a)
	require.EqualValues(t, 5000, a.Count())
	v, _ := a.Quantile(0.5)
	require.InDelta(t, 2500, v.Float(), 2*5000*a.RankError())

	a.Reset()
	a.Reseed(9)
	require.Equal(t, marshalled(t, kll(t, 0, 9)), marshalled(t, a), "as at first")
	feed(a)
	require.Equal(t, marshalled(t, b), marshalled(t, a))
}
