package sketch

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func topk(t require.TestingT, k int) *TopK {
	s, err := NewTopK(k)
	require.NoError(t, err)
	return s
}

func show(s *TopK) string {
	var b bytes.Buffer
	for _, it := range s.Top(nil) {
		fmt.Fprintf(&b, "%s %v [%v, %v] %v\n", it.Value, it.Count, it.Low, it.High, it.Certain)
	}
	return b.String()
}

// checkTop holds a sketch to its bounds against the true weights.
func checkTop(t require.TestingT, s *TopK, truth map[string]float64) {
	total := 0.0
	for _, w := range truth {
		total += w
	}
	require.Equal(t, total, s.Total())
	counted := map[string]bool{}
	for i := range s.items {
		it := &s.items[i]
		value := string(s.value(it))
		require.False(t, counted[value], "counted once")
		counted[value] = true
		require.LessOrEqual(t, it.count-it.slack, truth[value])
		require.GreaterOrEqual(t, it.count, truth[value])
		require.EqualValues(t, i, s.heap[it.place], "items know their place")
		require.EqualValues(t, i, s.find(it.hash, []byte(value)))
	}
	for value, w := range truth {
		if !counted[value] {
			require.LessOrEqual(t, w, s.Floor(), "%s is not counted", value)
		}
	}
	last := math.Inf(1)
	for _, it := range s.Top(nil) {
		require.LessOrEqual(t, it.Count, last)
		last = it.Count
		if it.Certain {
			heavier := 0
			for _, w := range truth {
				if w > truth[string(it.Value)] {
					heavier++
				}
			}
			require.Less(t, heavier, s.k, "%s is certain", it.Value)
		}
	}
	if len(truth) <= s.capacity && s.Exact() {
		require.Len(t, s.items, len(truth))
	}
	live := 0
	for i := range s.items {
		live += s.items[i].size
	}
	require.Equal(t, len(s.arena), live+s.wasted)
}

func TestTopKBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 12).Draw(t, "k")
		spread := rapid.SampledFrom([]int{3, 60, 64, 65, 200, 2000}).Draw(t, "values")
		parts := make([]*TopK, rapid.IntRange(1, 4).Draw(t, "parts"))
		for i := range parts {
			parts[i] = topk(t, k)
		}
		truth := map[string]float64{}
		r := random(rapid.Uint64().Draw(t, "seed"))
		for range rapid.IntRange(0, 3000).Draw(t, "n") {
			v := int(float64(spread) * math.Pow(r.Float64(), 3))
			value := strconv.Itoa(v) + string(make([]byte, v%37))
			w := float64(1 + r.IntN(3))
			truth[value] += w
			parts[r.IntN(len(parts))].Add([]byte(value), w)
		}
		merged := parts[0]
		for _, p := range parts[1:] {
			require.NoError(t, merged.Merge(p))
		}
		checkTop(t, merged, truth)
		var loaded TopK
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, merged)))
		checkTop(t, &loaded, truth)
		require.Equal(t, show(merged), show(&loaded))
		require.Equal(t, marshalled(t, merged), marshalled(t, &loaded))
	})
}

// Without merges the error is at most W/capacity.
func TestTopKErrorIsBoundedByTheTotal(t *testing.T) {
	s := topk(t, 10)
	r := random(1)
	for range 50_000 {
		s.Add(strconv.AppendInt(nil, int64(1/(r.Float64()+1e-6)), 10), 1)
	}
	require.False(t, s.Exact())
	require.LessOrEqual(t, s.Floor(), s.Total()/float64(s.capacity))
	top := s.Top(nil)
	require.Len(t, top, 10)
	for i := range 5 {
		require.Equal(t, strconv.Itoa(i+1), string(top[i].Value), "zipf's heaviest come in order")
		require.True(t, top[i].Certain)
	}
}

func TestTopKOrder(t *testing.T) {
	s := topk(t, 3)
	for _, v := range []string{"d", "b", "a", "b", "", "d", "c"} {
		s.Add([]byte(v), 1)
	}
	require.Equal(t, "d 2 [2, 2] true\nb 2 [2, 2] true\na 1 [1, 1] true\n", show(s), "ties by first appearance")
	require.True(t, s.Exact())
	s.Add([]byte("c"), 0)
	s.Add([]byte("c"), math.NaN())
	s.Add([]byte("c"), math.Inf(1))
	s.Add([]byte("c"), -3)
	require.Equal(t, 7.0, s.Total())
	s.Reset()
	require.Empty(t, s.Top(nil))
	s.Add([]byte("x"), 2.5)
	require.Equal(t, "x 2.5 [2.5, 2.5] true\n", show(s))
}

// A stream of ever new and ever longer values must not make the arena grow.
func TestTopKEvictionDoesNotLeak(t *testing.T) {
	s := topk(t, 1)
	value := make([]byte, 100)
	for i := range 100_000 {
		n := copy(value, strconv.Itoa(i))
		s.Add(value[:n+i%90], 1)
	}
	require.LessOrEqual(t, len(s.arena), 3*s.capacity*len(value))
	require.Len(t, s.items, s.capacity)
	require.LessOrEqual(t, len(s.index.slots), 4*s.capacity)
}

func TestTopKConfiguration(t *testing.T) {
	for _, k := range []int{-1, 0, 8193, math.MaxInt / 8} {
		_, err := NewTopK(k)
		require.Error(t, err, "%d", k)
	}
	require.ErrorIs(t, topk(t, 1).Merge(topk(t, 2)), ErrMismatch)
}
