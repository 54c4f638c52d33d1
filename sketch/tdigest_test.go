package sketch

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func digest(t require.TestingT) *TDigest {
	d, err := NewTDigest(0)
	require.NoError(t, err)
	return d
}

func TestTDigestIsExactTo256(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, exactDigest).Draw(t, "n")
		values := rapid.SampledFrom(streams).Draw(t, "stream").values(rapid.Uint64().Draw(t, "seed"), n)
		a, b := digest(t), digest(t)
		for i, x := range values {
			if i%3 == 0 {
				a.Add(x)
			} else {
				b.Add(x)
			}
		}
		require.NoError(t, a.Merge(b))
		slices.Sort(values)
		for _, q := range quantiles {
			v, ok := a.Quantile(q)
			require.Equal(t, n > 0, ok)
			if ok {
				require.Equal(t, nearestRank(values, q), v)
			}
		}
	})
}

// The figure is what packages of this kind reach on ordinary inputs; there is no
// theorem, and "wide" and "any bits" are left out because they break it.
func TestTDigestRanksOnOrdinaryInputs(t *testing.T) {
	for _, stream := range streams[:8] {
		const n = 30_000
		values := stream.values(3, n)
		whole, parts := digest(t), []*TDigest{digest(t), digest(t)}
		for i, x := range values {
			whole.Add(x)
			parts[i%2].Add(x)
		}
		require.NoError(t, parts[0].Merge(parts[1]))
		slices.Sort(values)
		for _, d := range []*TDigest{whole, parts[0]} {
			require.EqualValues(t, n, d.Weight())
			for _, q := range quantiles {
				v, _ := d.Quantile(q)
				from, to := rankRange(values, v)
				if slices.Contains([]string{"ties", "zipf"}, stream.name) {
					continue // interpolated between ties, where no value is
				}
				require.LessOrEqual(t, float64(from)/n, q+2*digestRankError, "%s %v", stream.name, q)
				require.GreaterOrEqual(t, float64(to)/n, q-2*digestRankError, "%s %v", stream.name, q)
			}
		}
	}
}

func TestTDigestNeverLeavesTheExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, values := drawStream(t)
		d := digest(t)
		weight := rapid.SampledFrom([]float64{1, 1 / 0.3, 1e-3, 1e15}).Draw(t, "weight")
		for _, x := range values {
			d.AddWeighted(x, weight)
		}
		d.Add(math.NaN())
		d.AddWeighted(1e9, -1)
		d.AddWeighted(1e9, math.Inf(1))
		if len(values) == 0 {
			require.Zero(t, d.Weight())
			return
		}
		var loaded TDigest
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, d)))
		lo, hi := slices.Min(values), slices.Max(values)
		for _, d := range []*TDigest{d, &loaded} {
			last := math.Inf(-1)
			for _, q := range quantiles {
				v, ok := d.Quantile(q)
				require.True(t, ok)
				require.True(t, lo <= v && v <= hi, "%v not in [%v, %v]", v, lo, hi)
				require.GreaterOrEqual(t, v, last)
				require.True(t, d.Interval(q).Contains(v))
				last = v
			}
			v, ok := d.Quantile(math.Nextafter(1, 0)) // panics in the library
			require.True(t, ok && last >= v)
			v, _ = d.Quantile(0)
			require.Equal(t, lo, v)
			v, _ = d.Quantile(1)
			require.Equal(t, hi, v)
		}
	})
}

func TestTDigestCountsInfinities(t *testing.T) {
	d := digest(t)
	for i := range 1000 {
		d.Add(float64(i))
		d.Add(math.Inf(1))
		d.Add(math.Inf(-1))
		d.Add(math.Inf(-1))
	}
	for q, want := range map[float64]float64{0.2: math.Inf(-1), 0.5: math.Inf(-1), 0.76: math.Inf(1), 1: math.Inf(1)} {
		v, _ := d.Quantile(q)
		require.Equal(t, want, v, "%v", q)
	}
	v, _ := d.Quantile(0.625)
	require.InDelta(t, 500, v, 1000*2*digestRankError)
}

func TestTDigestResetAndConfiguration(t *testing.T) {
	d := digest(t)
	for i := range 1000 {
		d.Add(float64(i))
	}
	d.Reset()
	_, ok := d.Quantile(0.5)
	require.False(t, ok)
	d.Add(-5)
	v, _ := d.Quantile(1)
	require.Equal(t, -5.0, v)
	for _, c := range []int{-1, 1, 19, 1001} {
		_, err := NewTDigest(c)
		require.Error(t, err)
	}
	other, err := NewTDigest(200)
	require.NoError(t, err)
	require.ErrorIs(t, d.Merge(other), ErrMismatch)
}
