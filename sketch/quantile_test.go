package sketch

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// checkBound fails unless got is within 1/128 of want.
func checkBound(t require.TestingT, want, got float64, what string) {
	if want == got {
		return
	}
	require.False(t, math.IsNaN(got) || math.IsInf(want, 0) || math.IsInf(got, 0), "%s: want %v, got %v", what, want, got)
	// Divided first: the difference of opposite extremes has no float64.
	require.LessOrEqual(t, math.Abs(got/2-want/2), math.Abs(want)/256, "%s: want %v, got %v", what, want, got)
}

func TestQuantileKeepsItsValueBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream, values := drawStream(t)
		var s Quantile
		for _, x := range values {
			s.AddFloat(x)
			s.AddFloat(math.NaN())
		}
		require.EqualValues(t, len(values), s.Count())
		slices.Sort(values)
		for _, q := range quantiles {
			v, ok := s.Quantile(q)
			require.Equal(t, len(values) > 0, ok)
			if !ok {
				continue
			}
			want := nearestRank(values, q)
			what := fmt.Sprintf("%s %v", stream.name, q)
			checkBound(t, want, v.Float(), what)
			e := s.Interval(q)
			require.True(t, e.Contains(want) && e.Contains(e.Value), "%s: %v not in %v", what, want, e)
			if len(values) <= exactQuantile || q == 0 || q == 1 {
				require.Equal(t, want, v.Float())
				require.True(t, e.Exact)
			}
		}
	})
}

// Integers of every length: answers are integers, within the bound, and exact
// below 128 and beyond 2^53 at the extremes.
func TestQuantileOfIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 10), rapid.IntRange(250, 2000)).Draw(t, "n")
		r := random(rapid.Uint64().Draw(t, "seed"))
		shift := rapid.IntRange(0, 63).Draw(t, "shift")
		var s Quantile
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(r.Uint64()) >> min(63, shift+r.IntN(3))
			s.AddInt(values[i])
		}
		slices.Sort(values)
		for _, q := range quantiles {
			want := values[Rank(q, int64(n))-1]
			v, _ := s.Quantile(q)
			require.True(t, v.IsInt)
			checkBound(t, float64(want), float64(v.Int), "integers")
			lo, hi, _ := s.Bounds(q, q)
			require.True(t, lo.IsInt && hi.IsInt && lo.Int <= want && want <= hi.Int)
			if s.Exact() || q == 0 || q == 1 || (-128 < want && want < 128) {
				require.Equal(t, want, v.Int)
			}
		}
	})
}

func TestQuantileOfLongIntegersInTheirBuckets(t *testing.T) {
	// Just below a power of two a rounding conversion would carry into the bucket above.
	for _, v := range []int64{1<<62 - 1, 1<<54 - 1, math.MaxInt64, math.MinInt64, -(1<<62 - 1), 1 << 62} {
		var s Quantile
		for range exactQuantile {
			s.AddInt(0)
			s.AddInt(v)
			s.AddInt(math.MinInt64 + 1)
			s.AddInt(math.MaxInt64 - 1)
		}
		for _, q := range []float64{0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9} {
			lo, hi, _ := s.Bounds(q, q)
			got, _ := s.Quantile(q)
			all := []int64{0, v, math.MinInt64 + 1, math.MaxInt64 - 1}
			slices.Sort(all)
			want := all[(Rank(q, s.Count())-1)/exactQuantile]
			require.True(t, lo.Int <= want && want <= hi.Int, "%d at %v: [%d, %d]", want, q, lo.Int, hi.Int)
			checkBound(t, float64(want), float64(got.Int), "long integers")
		}
	}
}

func TestQuantileOfMixedNumbersIsExactWhileSmall(t *testing.T) {
	var s Quantile
	s.AddFloat(0.5)
	s.AddInt(1<<53 + 1)
	s.AddFloat(1 << 53)
	s.AddInt(-3)
	s.AddFloat(math.Inf(-1))
	for i, want := range []Number{
		floatNumber(math.Inf(-1)), intNumber(-3), floatNumber(0.5), floatNumber(1 << 53), intNumber(1<<53 + 1),
	} {
		got, ok := s.Quantile(float64(i+1) / 5)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	for i := range 1000 {
		s.AddInt(int64(i))
		s.AddFloat(float64(i) + 0.5)
	}
	hi, _ := s.Quantile(1)
	require.Equal(t, intNumber(1<<53+1), hi, "extremes keep their digits")
	mid, _ := s.Quantile(0.5)
	require.False(t, mid.IsInt)
	checkBound(t, 499.5, mid.Value, "mixed")
}

func TestQuantileHasNoNegativeZero(t *testing.T) {
	for _, n := range []int{1, 1000} {
		var s Quantile
		for range n {
			s.AddFloat(math.Copysign(0, -1))
		}
		for _, q := range quantiles {
			v, _ := s.Quantile(q)
			require.False(t, math.Signbit(v.Value))
		}
	}
}

func TestQuantileMergeEqualsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, values := drawStream(t)
		r := random(rapid.Uint64().Draw(t, "partition"))
		parts := make([]Quantile, rapid.IntRange(1, 4).Draw(t, "parts"))
		ints := rapid.SampledFrom([]int{0, 1, 2}).Draw(t, "ints in two")
		var whole, merged Quantile
		for _, x := range values {
			part := &parts[r.IntN(len(parts))]
			if r.IntN(2) < ints && math.Abs(x) < 0x1p63 {
				whole.AddInt(int64(x))
				part.AddInt(int64(x))
			} else {
				whole.AddFloat(x)
				part.AddFloat(x)
			}
		}
		for _, i := range r.Perm(len(parts)) {
			merged.Merge(&parts[i])
		}
		require.Equal(t, marshalled(t, &whole), marshalled(t, &merged))
		var loaded Quantile
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, &whole)))
		require.Equal(t, marshalled(t, &whole), marshalled(t, &loaded))
		for _, q := range quantiles {
			v, _ := whole.Quantile(q)
			m, _ := merged.Quantile(q)
			l, _ := loaded.Quantile(q)
			require.Equal(t, v, m)
			require.Equal(t, v, l)
		}
	})
}

func TestQuantileOfAMillion(t *testing.T) {
	for _, name := range []string{"zipf", "normal", "wide"} {
		i := slices.IndexFunc(streams, func(s stream) bool { return s.name == name })
		values := streams[i].values(1, 1_000_000)
		var s Quantile
		for _, x := range values {
			s.AddFloat(x)
		}
		slices.Sort(values)
		for _, q := range quantiles {
			v, _ := s.Quantile(q)
			checkBound(t, nearestRank(values, q), v.Float(), name)
		}
	}
}

func TestQuantileReset(t *testing.T) {
	var used Quantile
	for _, stream := range streams {
		values := stream.values(7, 1000)
		var fresh Quantile
		for _, x := range values {
			used.AddFloat(x)
			fresh.AddFloat(x)
		}
		require.Equal(t, marshalled(t, &fresh), marshalled(t, &used), stream.name)
		used.Reset()
		_, ok := used.Quantile(0.5)
		require.False(t, ok)
	}
}

func TestWindowWidensBeforeItOverflows(t *testing.T) {
	var h logHist
	h.addFloat(1)
	h.pos.counts[bucketKey(math.Float64bits(1))-h.pos.first] = math.MaxUint32
	h.floats = math.MaxUint32
	h.addFloat(1)
	h.addFloat(1)
	require.Nil(t, h.pos.counts)
	require.EqualValues(t, math.MaxUint32+2, h.pos.at(bucketKey(math.Float64bits(1))-h.pos.first))
	v, _, _ := h.locate(math.MaxUint32)
	require.Equal(t, 1.0, v.Float())
}

// Every bucket: starts rise, and start, middle and last float belong to it.
func TestBucketsAreConsistent(t *testing.T) {
	for key := firstBucket; key <= lastFinite; key++ {
		start, next := bucketStart(key), bucketStart(key+1)
		require.LessOrEqual(t, start, next)
		if start == next {
			continue // below 2^-1068 an octave has fewer than 64 floats
		}
		require.Equal(t, key, bucketKey(start))
		require.Equal(t, key, bucketKey(next-1))
		require.Equal(t, key, bucketKey(math.Float64bits(bucketMiddle(key))))
	}
}

func TestQuantileMemoryIsProportionalToTheRange(t *testing.T) {
	var s Quantile
	for i := range 100_000 {
		s.AddFloat(10 + float64(i%300)) // five octaves
	}
	require.LessOrEqual(t, cap(s.hist.pos.counts), 10*octave)
}
