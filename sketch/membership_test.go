package sketch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func filter(t require.TestingT, n uint64, p float64) *Bloom {
	b, err := NewBloom(n, p)
	require.NoError(t, err)
	return b
}

// No false no; false yeses at the rate that was asked for, which the library's
// rounding of sizes passes by a tenth at most.
func TestBloomKeepsItsRate(t *testing.T) {
	const probes = 100_000
	for _, p := range []float64{0.1, 0.01, 0.001} {
		for _, n := range []uint64{0, 10, 1000, 20_000} {
			b := filter(t, n, p)
			for i := range n {
				b.AddHash(i)
			}
			for i := range n {
				require.True(t, b.Has(i))
				require.False(t, b.AddIfAbsent(i))
			}
			wrong := 0
			for i := range uint64(probes) {
				if b.Has(1<<32 + i) {
					wrong++
				}
			}
			limit := 1.1 * p * probes
			require.LessOrEqual(t, float64(wrong), limit+sigmas*math.Sqrt(limit), "n %d, p %v", n, p)
		}
	}
}

func TestBloomMergeEqualsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hashes := rapid.SliceOf(rapid.Uint64()).Draw(t, "hashes")
		whole, left, right := filter(t, 1000, 0.01), filter(t, 1000, 0.01), filter(t, 1000, 0.01)
		for i, h := range hashes {
			whole.AddHash(h)
			if i%2 == 0 {
				left.AddHash(h)
			} else {
				right.AddHash(h)
			}
		}
		require.NoError(t, left.Merge(right))
		require.Equal(t, marshalled(t, whole), marshalled(t, left))
		var loaded Bloom
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, whole)))
		for _, h := range hashes {
			require.True(t, loaded.Has(h))
		}
		require.NoError(t, loaded.Merge(whole))
		require.Equal(t, marshalled(t, whole), marshalled(t, &loaded))
		loaded.Reset()
		for _, h := range hashes {
			require.False(t, loaded.Has(h))
		}
	})
}

func TestBloomConfiguration(t *testing.T) {
	for _, p := range []float64{0, -1, 1, 0.6, 1e-10, math.NaN()} {
		_, err := NewBloom(1000, p)
		require.Error(t, err, "%v", p)
	}
	for _, n := range []uint64{1 << 32, 1 << 40, math.MaxUint64} {
		_, err := NewBloom(n, 0.01)
		require.Error(t, err, "%d", n)
	}
	require.ErrorIs(t, filter(t, 1000, 0.01).Merge(filter(t, 1000, 0.1)), ErrMismatch)
}

// A count is never too low, and passes eps*W with probability delta at most.
func TestCountMinKeepsItsBound(t *testing.T) {
	const eps, delta, values = 0.01, 0.05, 5000
	c, err := NewCountMin(eps, delta)
	require.NoError(t, err)
	truth := make([]uint64, values)
	r := random(5)
	for range 100_000 {
		v := int(values * math.Pow(r.Float64(), 3))
		truth[v]++
		c.AddHash(uint64(v), 1)
	}
	misses := 0
	for v, w := range truth {
		got := c.Estimate(uint64(v))
		require.GreaterOrEqual(t, got, w)
		if float64(got) > float64(w)+eps*float64(c.Total()) {
			misses++
		}
	}
	require.LessOrEqual(t, float64(misses), delta*values+sigmas*math.Sqrt(delta*values))
}

func TestCountMinMergeEqualsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sketches := make([]*CountMin, 3)
		for i := range sketches {
			c, err := NewCountMin(0.1, 0.1)
			require.NoError(t, err)
			sketches[i] = c
		}
		for range rapid.IntRange(0, 50).Draw(t, "n") {
			h, w := rapid.Uint64().Draw(t, "hash"), rapid.Uint64().Draw(t, "weight")
			sketches[0].AddHash(h, w)
			sketches[rapid.IntRange(1, 2).Draw(t, "part")].AddHash(h, w)
			require.GreaterOrEqual(t, sketches[0].Estimate(h), w)
		}
		require.NoError(t, sketches[2].Merge(sketches[1]))
		require.Equal(t, marshalled(t, sketches[0]), marshalled(t, sketches[2]))
		var loaded CountMin
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, sketches[0])))
		require.Equal(t, *sketches[0], loaded)
		loaded.Reset()
		require.Zero(t, loaded.Estimate(1))
	})
}

func TestCountMinConfiguration(t *testing.T) {
	for _, bad := range []float64{0, -1, 1, 1e-9, math.NaN(), math.Inf(1)} {
		_, err := NewCountMin(bad, 0.1)
		require.Error(t, err)
		_, err = NewCountMin(0.1, bad)
		require.Error(t, err)
	}
	a, _ := NewCountMin(0.1, 0.1)
	b, _ := NewCountMin(0.01, 0.1)
	require.ErrorIs(t, a.Merge(b), ErrMismatch)
}
