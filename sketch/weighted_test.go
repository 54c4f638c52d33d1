package sketch

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/synopsis"
)

// weightedValue is a value with a weight for the slow answer.
type weightedValue struct{ x, w float64 }

// heaviest is the oracle of weighted quantiles on sorted values.
func heaviest(sorted []weightedValue, q float64) float64 {
	total := 0.0
	for _, v := range sorted {
		total += v.w
	}
	sum := 0.0
	for _, v := range sorted {
		if sum += v.w; sum >= q*total {
			return v.x
		}
	}
	return sorted[len(sorted)-1].x
}

// dyadic weights add up without rounding, in any order.
var dyadic = []float64{1, 1, 2, 2.5, 10, 64, 1024}

func drawWeighted(t *rapid.T) []weightedValue {
	_, values := drawStream(t)
	weights := dyadic[:rapid.IntRange(2, len(dyadic)).Draw(t, "weights")]
	r := random(rapid.Uint64().Draw(t, "weight seed"))
	list := make([]weightedValue, len(values))
	for i, x := range values {
		list[i] = weightedValue{x, weights[r.IntN(len(weights))]}
	}
	return list
}

func TestWeightsOfOneAnswerLikeQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, values := drawStream(t)
		whole := rapid.Bool().Draw(t, "whole numbers")
		var want Quantile
		got := make([]WeightedQuantile, rapid.IntRange(1, 4).Draw(t, "parts"))
		for i, x := range values {
			s := &got[i%len(got)]
			if v := int64(math.Float64bits(x)) >> 20; whole || i%7 == 3 {
				want.AddInt(v)
				s.AddInt(v, 1)
				continue
			}
			want.AddFloat(x)
			s.AddFloat(x, 1)
		}
		for i := 1; i < len(got); i++ {
			got[0].Merge(&got[i])
		}
		s := &got[0]
		require.Equal(t, want.Count(), s.Count())
		require.Equal(t, want.Exact(), s.Exact())
		require.EqualValues(t, want.Count(), s.Weight())
		for _, q := range quantiles {
			wantValue, wantOK := want.Quantile(q)
			value, ok := s.Quantile(q)
			require.Equal(t, wantOK, ok)
			require.Equal(t, wantValue, value, "quantile %v", q)
			require.Equal(t, want.Interval(q), s.Interval(q))
			wantLow, wantHigh, _ := want.Bounds(q-0.1, q+0.1)
			low, high, _ := s.Bounds(q-0.1, q+0.1)
			require.Equal(t, [2]Number{wantLow, wantHigh}, [2]Number{low, high})
			if ok {
				require.True(t, math.IsInf(s.EffectiveRows(q, 1), 1), "nothing was left out")
			}
		}
	})
}

func TestWeightedQuantileKeepsItsValueBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawWeighted(t)
		var s WeightedQuantile
		for _, v := range list {
			s.AddFloat(v.x, v.w)
		}
		slices.SortFunc(list, func(a, b weightedValue) int { return floatNumber(a.x).Compare(floatNumber(b.x)) })
		for _, q := range []float64{0, 0.125, 0.5, 0.75, 0.984375, 1} { // q*W is exact
			v, ok := s.Quantile(q)
			require.Equal(t, len(list) > 0, ok)
			if !ok {
				continue
			}
			want := heaviest(list, q)
			checkBound(t, want, v.Float(), "weighted")
			e := s.Interval(q)
			require.True(t, e.Contains(want) && e.Contains(e.Value), "%v: %v not in %v", q, want, e)
			if s.Exact() {
				require.Equal(t, want, v.Float())
				require.True(t, e.Exact)
			}
		}
	})
}

func TestWeightedQuantileIsOrderFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawWeighted(t)
		var whole WeightedQuantile
		for _, v := range list {
			whole.AddFloat(v.x, v.w)
		}
		parts := make([]WeightedQuantile, rapid.IntRange(1, 12).Draw(t, "parts"))
		r := random(rapid.Uint64().Draw(t, "partition"))
		for _, i := range r.Perm(len(list)) {
			parts[r.IntN(len(parts))].AddFloat(list[i].x, list[i].w)
		}
		var merged WeightedQuantile
		for _, i := range r.Perm(len(parts)) {
			merged.Merge(&parts[i])
		}
		require.Equal(t, marshalled(t, &whole), marshalled(t, &merged))
		var loaded WeightedQuantile
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, &whole)))
		require.Equal(t, marshalled(t, &whole), marshalled(t, &loaded))
		for _, q := range quantiles {
			require.Equal(t, whole.Interval(q), loaded.Interval(q))
		}
		merged.Reset()
		require.Equal(t, marshalled(t, new(WeightedQuantile)), marshalled(t, &merged))
	})
}

// EffectiveRows is the formula of intervals.md section 8 over the rows themselves.
func TestEffectiveRows(t *testing.T) {
	r := random(11)
	var list []weightedValue
	var s WeightedQuantile
	for range 5000 {
		v := weightedValue{float64(r.IntN(100)), dyadic[r.IntN(len(dyadic))]}
		list = append(list, v)
		s.AddFloat(v.x, v.w)
	}
	for _, q := range []float64{0.01, 0.5, 0.9, 0.99} {
		x, _ := s.Quantile(q)
		total, spread, far := 0.0, 0.0, 0.0
		for _, v := range list {
			below := 0.0
			if v.x <= x.Float() {
				below = 1
			}
			total += v.w
			spread += v.w * (v.w - 1)
			far += v.w * (v.w - 1) * (below - q) * (below - q)
		}
		const largest = 2000.0
		guard := largest * (largest - 1) * max(q, 1-q) * max(q, 1-q)
		want := min(total*total/spread, q*(1-q)*total*total/(far+guard))
		require.InEpsilon(t, want, s.EffectiveRows(q, largest), 1e-9)
	}
	var few WeightedQuantile
	require.Zero(t, few.EffectiveRows(0.5, 10), "no rows know nothing")
	for range 100 {
		few.AddInt(1, 4)
	}
	require.InEpsilon(t, 100/(1-0.25), few.EffectiveRows(0.5, 4), 1e-9, "n/(1-f) of one rate")
}

// Rows are kept with probabilities that follow the values' order, so that weights and values hang together; the bounds
// of the ranks that the sample leaves, through the histogram, cover the quantile of all rows.
func TestSampledQuantilesCover(t *testing.T) {
	const runs, rows, confidence = 300, 20_000, 0.95
	for _, keeps := range [][]float64{{0.1}, {0.5, 0.2, 0.125}} {
		for _, q := range []float64{0.5, 0.95} {
			misses := 0
			for run := range uint64(runs) {
				r := random(run)
				var s WeightedQuantile
				for i := range rows {
					keep := keeps[i*len(keeps)/rows]
					if r.Float64() < keep {
						s.AddFloat(1+float64(i)/rows, 1/keep)
					}
				}
				lo, hi := synopsis.Ranks(s.EffectiveRows(q, 1/slices.Min(keeps)), q, confidence)
				low, high, _ := s.Bounds(lo, hi)
				if truth := 1 + (q*rows-1)/rows; lo > 0 && low.Float() > truth || hi <= 1 && high.Float() < truth {
					misses++
				}
			}
			require.LessOrEqual(t, misses, binomialLimit(runs, 1-confidence), "keeps %v, quantile %v", keeps, q)
		}
	}
}

func TestWeightedQuantileIgnoresBadWeights(t *testing.T) {
	var s WeightedQuantile
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1), 0x1p63} {
		s.AddInt(1, w)
		s.AddFloat(1, w)
	}
	s.AddFloat(math.NaN(), 1)
	require.Zero(t, s.Count())
	require.Zero(t, s.Interval(0.5))
	s.AddInt(7, 0.5)
	require.Equal(t, 0.5, s.Weight())
	require.True(t, math.IsInf(s.EffectiveRows(0.5, 1), 1), "a weight below 1 is nobody's chance")
}
