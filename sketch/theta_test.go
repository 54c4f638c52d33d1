package sketch

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func theta(t require.TestingT, relError float64) *Theta {
	s, err := NewTheta(relError)
	require.NoError(t, err)
	return s
}

func TestThetaIsExactToItsCapacity(t *testing.T) {
	s := theta(t, 0)
	for i := range uint64(defaultTheta) {
		s.AddHash(HashInt(i))
		s.AddHash(HashInt(i))
	}
	require.True(t, s.Exact())
	require.EqualValues(t, defaultTheta, s.Estimate())
	require.True(t, s.Interval(0.95).Exact)
	s.AddHash(HashInt(1 << 40))
	require.False(t, s.Exact())
	require.InEpsilon(t, defaultTheta, s.Estimate(), sigmas*s.RelativeError())
}

// The state is that of the set of hashes and the smallest limit: whatever the order, the partition, repetition and the
// time at which limits come.
func TestThetaIsOrderFreeAndIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 400)).Draw(t, "n")
		limits := rapid.SliceOfN(rapid.Float64Range(1e-3, 1), 0, 3).Draw(t, "limits")
		r := random(rapid.Uint64().Draw(t, "seed"))
		whole := theta(t, 0.25)
		for i := range n {
			whole.AddHash(HashInt(uint64(i)))
		}
		for _, limit := range limits {
			whole.Limit(limit)
		}
		parts := make([]*Theta, rapid.IntRange(1, 12).Draw(t, "parts"))
		for i := range parts {
			parts[i] = theta(t, 0.25)
		}
		for _, i := range r.Perm(n + len(limits)) {
			for range 1 + r.IntN(2) {
				p := parts[r.IntN(len(parts))]
				if i < n {
					p.AddHash(HashInt(uint64(i)))
				} else {
					p.Limit(limits[i-n])
				}
			}
		}
		merged := theta(t, 0.25)
		for _, i := range append(r.Perm(len(parts)), r.Perm(len(parts))...) {
			require.NoError(t, merged.Merge(parts[i]))
		}
		require.NoError(t, merged.Merge(merged))
		require.Equal(t, marshalled(t, whole), marshalled(t, merged))
		var loaded Theta
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, whole)))
		require.NoError(t, loaded.Merge(whole))
		require.Equal(t, marshalled(t, whole), marshalled(t, &loaded))
		require.Equal(t, whole.Interval(0.9), loaded.Interval(0.9))
		loaded.Reset()
		require.Equal(t, marshalled(t, theta(t, 0.25)), marshalled(t, &loaded))
	})
}

// Thresholds change while keys come, each key several times; keys are dropped by them before they get here.
func TestThetaIntervalsCoverUnderUniverseDrops(t *testing.T) {
	const runs, confidence = 200, 0.95
	for _, c := range []struct {
		keys   int
		limits []float64
	}{
		{5000, nil},
		{30_000, nil},
		{3, []float64{0.5}},
		{40, []float64{0.1}},
		{5000, []float64{0.5, 0.1, 0.3}},
		{30_000, []float64{0.01, 1}},
		{30_000, []float64{0.9, 0.8}},
	} {
		misses := 0
		for run := range uint64(runs) {
			s := theta(t, 0.05)
			for i := range c.keys {
				h := HashInt(run<<32 + uint64(i))
				if len(c.limits) == 0 {
					s.AddHash(h)
					continue
				}
				limit := c.limits[i%len(c.limits)]
				s.Limit(limit)
				if h <= ThetaTop(limit) {
					s.AddHash(h)
				}
			}
			e := s.Interval(confidence)
			require.True(t, e.Low <= e.Value && e.Value <= e.High && float64(s.Kept()) <= e.Low)
			if !e.Contains(float64(c.keys)) {
				misses++
			}
		}
		require.LessOrEqual(t, misses, binomialLimit(runs, 1-confidence), "%+v", c)
	}
}

// The interval is Clopper and Pearson's: at both ends the tail of the binomial distribution is what is left of the
// confidence.
func TestThetaIntervalEnds(t *testing.T) {
	const confidence, limit = 0.9, 0.25
	s := theta(t, 0)
	s.Limit(limit)
	for i := range uint64(7) {
		s.AddHash(i + 1)
	}
	e := s.Interval(confidence)
	tail := func(n, d float64) (atMost float64) {
		for k := 0.0; k <= n; k++ {
			a, _ := math.Lgamma(d + 1)
			b, _ := math.Lgamma(k + 1)
			c, _ := math.Lgamma(d - k + 1)
			atMost += math.Exp(a - b - c + k*math.Log(limit) + (d-k)*math.Log1p(-limit))
		}
		return atMost
	}
	require.Equal(t, 28.0, e.Value)
	require.Less(t, 1-tail(6, e.Low-1), 0.05)
	require.GreaterOrEqual(t, 1-tail(6, e.Low+1), 0.05)
	require.LessOrEqual(t, tail(7, e.High), 0.05)
	require.Greater(t, tail(7, e.High-1), 0.05)

	empty := theta(t, 0)
	empty.Limit(0.5)
	e = empty.Interval(0.95)
	require.Zero(t, e.Low)
	require.InDelta(t, math.Log(0.025)/math.Log(0.5), e.High, 1, "nothing was seen of what half is seen of")
}

func TestThetaTop(t *testing.T) {
	for _, c := range []struct {
		theta float64
		want  uint64
	}{{1, everything}, {0.5, 1<<63 - 1}, {0x1p-64, 0}, {0, 0}, {2, everything}} {
		require.Equal(t, c.want, ThetaTop(c.theta), "%v", c.theta)
	}
}

func TestThetaConfiguration(t *testing.T) {
	for _, bad := range []float64{-1, 1e-5, 0.3, math.NaN(), math.Inf(1)} {
		_, err := NewTheta(bad)
		require.Error(t, err, fmt.Sprint(bad))
	}
	require.ErrorIs(t, theta(t, 0).Merge(theta(t, 0.1)), ErrMismatch)
	require.LessOrEqual(t, theta(t, 0.1).RelativeError(), 0.1)
}

// The hashes kept are the least, and theta the next one.
func TestThetaKeepsTheLeastHashes(t *testing.T) {
	s := theta(t, 0.25)
	var hashes []uint64
	for i := range uint64(1000) {
		hashes = append(hashes, HashInt(i))
		s.AddHash(HashInt(i))
	}
	slices.Sort(hashes)
	require.EqualValues(t, s.capacity, s.Kept())
	require.Equal(t, float64(hashes[s.capacity])/0x1p64, s.Theta())
	members := slices.Clone(s.members())
	slices.Sort(members)
	require.Equal(t, hashes[:s.capacity], members)
}
