package sketch

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// weightedMiss is rankMiss by weight.
func weightedMiss(s *KLL, sorted []weightedValue) float64 {
	total := 0.0
	for _, v := range sorted {
		total += v.w
	}
	worst := 0.0
	for percent := 1; percent < 100; percent++ {
		want := total * float64(percent) / 100
		got, _ := s.Quantile(float64(percent) / 100)
		below, upTo := 0.0, 0.0
		for _, v := range sorted {
			if v.x < got.Float() {
				below += v.w
			}
			if v.x <= got.Float() {
				upTo += v.w
			}
		}
		worst = max(worst, (below-want)/total, (want-upTo)/total)
	}
	return worst
}

// Weights as drops leave them: of one rate, of several, far apart, not whole, and merged.
func TestKLLKeepsItsRankErrorByWeight(t *testing.T) {
	const runs, n = 40, 3000
	for name, weights := range map[string][]float64{
		"one rate": {10}, "not whole": {1 / 0.3}, "several": {1, 2, 5, 10}, "not whole, several": {1 / 0.7, 1 / 0.3, 7},
		"far apart": {1, 1024}, "seldom heavy": {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100},
	} {
		misses := 0
		for run := range uint64(runs) {
			r := random(run)
			list := make([]weightedValue, n)
			parts := []*KLL{kll(t, 0, run), kll(t, 0, run+runs)}
			for i := range list {
				list[i] = weightedValue{r.NormFloat64(), weights[r.IntN(len(weights))]}
				parts[r.IntN(2)].AddFloatWeighted(list[i].x, list[i].w)
			}
			require.NoError(t, parts[0].Merge(parts[1]))
			require.EqualValues(t, n, parts[0].Count())
			slices.SortFunc(list, func(a, b weightedValue) int { return floatNumber(a.x).Compare(floatNumber(b.x)) })
			if weightedMiss(parts[0], list) > parts[0].RankError() {
				misses++
			}
		}
		require.LessOrEqual(t, misses, binomialLimit(runs, 0.01), name)
	}
}

// What a weight is held as is right to 1/16, on the average without error, and whole weights are held as they are.
func TestKLLWeights(t *testing.T) {
	s := kll(t, 0, 1)
	s.AddIntWeighted(5, 12)
	s.AddInt(7)
	require.Equal(t, 13.0, s.Weight())
	require.EqualValues(t, 2, s.Count())
	const n = 10_000
	for range n {
		s.AddIntWeighted(6, 1.01)
	}
	// The coin's outcomes have the variance 0.16 * 0.84 of a sixteenth.
	require.InDelta(t, 13+1.01*n, s.Weight(), sigmas*100*0.367/16)
	for _, w := range []float64{0, -1, 0x1p33} {
		s.AddIntWeighted(1, w)
		s.AddFloatWeighted(1, w)
	}
	require.EqualValues(t, n+2, s.Count())
	least, _ := s.Quantile(0)
	require.EqualValues(t, 5, least.Float())
}

// Sketches of either unit merge, and come back from their bytes.
func TestKLLWeightIsConservedByMerges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, total, rows := kll(t, 0.05, 1), 0.0, int64(0)
		for part := range rapid.IntRange(1, 4).Draw(t, "parts") {
			o := kll(t, 0.05, uint64(part))
			weight := rapid.SampledFrom([]float64{1, 1, 3, 2.5, 1024}).Draw(t, "weight")
			for _, x := range random(uint64(part)).Perm(rapid.IntRange(0, 2000).Draw(t, "n")) {
				o.AddIntWeighted(int64(x), weight)
				total += weight
				rows++
			}
			before := marshalled(t, o)
			require.NoError(t, whole.Merge(o))
			require.Equal(t, before, marshalled(t, o), "only read")
		}
		require.Equal(t, total, whole.Weight())
		require.Equal(t, rows, whole.Count())
		sum := int64(0)
		for h, level := range whole.levels {
			sum += int64(len(level)) << h
			require.True(t, h == 0 || slices.IsSorted(level))
		}
		require.Equal(t, whole.n, sum)
		var loaded KLL
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, whole)))
		require.Equal(t, marshalled(t, whole), marshalled(t, &loaded))
		require.Equal(t, rows, loaded.Count())
	})
}
