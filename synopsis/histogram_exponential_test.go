package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestExponentialHistogramKeepsItsPromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.Int64Range(1, 300).Draw(t, "width")
		relative := rapid.SampledFrom([]float64{1, 0.5, 0.3, 0.1, 0.01}).Draw(t, "error")
		h, err := NewExponentialHistogram(width, relative)
		require.NoError(t, err)
		var times []int64
		now := int64(0)
		for _, gap := range rapid.SliceOf(rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 5), rapid.Int64Range(0, 500))).Draw(t, "gaps") {
			now += gap
			h.Add(now)
			times = append(times, now)
			requireCount(t, h, times, now, width, relative)
		}
		requireCount(t, h, times, now+width/2, width, relative)
	})
}

func requireCount(t require.TestingT, h *ExponentialHistogram, times []int64, now, width int64, relative float64) {
	truth := 0.0
	for _, at := range times {
		if at > now-width {
			truth++
		}
	}
	e := h.Count(now)
	require.True(t, e.Contains(truth), "%v for %v", e, truth)
	require.InDelta(t, truth, e.Value, relative*truth)
	require.True(t, !e.Exact || e.Value == truth)
}

func TestExponentialHistogramOfManyEventsIsSmall(t *testing.T) {
	h, err := NewExponentialHistogram(1_000_000, 0.05)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 1))
	var times []int64
	now := int64(math.MinInt64)
	for range 300_000 {
		now += rng.Int64N(20)
		h.Add(now)
		times = append(times, now)
	}
	requireCount(t, h, times, now, 1_000_000, 0.05)
	require.LessOrEqual(t, h.Buckets(), 11*18, "12 buckets of each size up to 2^17 at most")
	require.Equal(t, Exactly(0), h.Count(now+1_000_000))
	require.Zero(t, h.Buckets())
}

func TestExponentialHistogramRefusesNonsense(t *testing.T) {
	for _, relative := range []float64{0, -1, 2, math.NaN()} {
		_, err := NewExponentialHistogram(10, relative)
		require.Error(t, err)
	}
	_, err := NewExponentialHistogram(0, 0.1)
	require.Error(t, err)
}

func BenchmarkExponentialHistogramAdd(b *testing.B) {
	h, _ := NewExponentialHistogram(1_000_000, 0.01)
	for i := range b.N {
		h.Add(int64(i))
	}
}
