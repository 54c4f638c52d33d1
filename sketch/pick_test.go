package sketch

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNthIsThatOfTheSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64()), 1, 300).Draw(t, "values")
		if rapid.Bool().Draw(t, "sorted") {
			slices.Sort(values)
		}
		k := rapid.IntRange(0, len(values)-1).Draw(t, "k")
		sorted := slices.Sorted(slices.Values(values))
		require.Equal(t, sorted[k], nth(values, k))
		slices.Sort(values)
		require.Equal(t, sorted, values, "the values are the same")
	})
}

func TestQuantilesInAnyOrderOfAsking(t *testing.T) {
	r := random(9)
	for range 200 {
		var s Quantile
		n := r.IntN(exactQuantile) + 1
		var values []float64
		for range n {
			x := float64(r.IntN(100)) / 4
			values = append(values, x)
			s.AddFloat(x)
		}
		slices.Sort(values)
		for range 4 {
			q := r.Float64()
			v, ok := s.Quantile(q)
			require.True(t, ok)
			require.Equal(t, values[Rank(q, int64(n))-1], v.Float())
		}
	}
}
