package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestVarOptAddsUpToTheTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 20).Draw(t, "capacity")
		s, err := NewVarOpt[int](capacity, rapid.Uint64().Draw(t, "seed"), 1)
		require.NoError(t, err)
		weights := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0.1, 10), rapid.Just(1.0), rapid.Float64Range(1, 1e6)), 0, 100).Draw(t, "weights")
		total := 0.0
		for i, w := range weights {
			s.Add(i, w)
			total += w
		}
		require.Equal(t, min(capacity, len(weights)), s.Len())
		sum, seen := 0.0, map[int]bool{}
		s.Each(func(i int, w float64) {
			require.False(t, seen[i])
			seen[i] = true
			require.GreaterOrEqual(t, w, weights[i]*(1-1e-9))
			sum += w
		})
		require.InDelta(t, total, sum, 1e-9*total)
		require.InDelta(t, total, s.Total(), 1e-9*total)
		if len(weights) <= capacity {
			require.True(t, s.Sum(func(int) bool { return true }, 0.95).Exact)
		}
	})
}

// Subset sums have no bias, are covered, and vary less than those of a sample that draws items alike.
func TestVarOptEstimatesSubsets(t *testing.T) {
	const items, size, samples = 1000, 100, 3000
	weights := make([]float64, items)
	rng := rand.New(rand.NewPCG(17, 1))
	for i := range weights {
		weights[i] = math.Pow(rng.Float64(), -1/1.3)
	}
	for name, in := range map[string]func(i int) bool{
		"a tenth": func(i int) bool { return i%10 == 3 },
		"half":    func(i int) bool { return i%2 == 0 },
		"few":     func(i int) bool { return i%100 == 7 },
	} {
		t.Run(name, func(t *testing.T) {
			truth, uniform := 0.0, 0.0
			for i, w := range weights {
				if in(i) {
					truth += w
					uniform += w * w * (items/size - 1)
				}
			}
			var m Moments
			var sum claims
			for seed := range uint64(samples) {
				s, _ := NewVarOpt[int](size, seed, 2)
				for i, w := range weights {
					s.Add(i, w)
				}
				e := s.Sum(in, 0.95)
				m.AddFloat(e.Value)
				sum.take(e, true, truth)
			}
			z := distuv.UnitNormal.Quantile(1 - 1e-6/2)
			require.InDelta(t, truth, m.Mean(), z*m.StddevSamp()/math.Sqrt(samples))
			if name != "few" { // the least variance on average is not the least for every subset
				require.Less(t, m.VarSamp(), uniform/2)
			}
			sum.check(t, 0.95, "sum")
		})
	}
}

func TestVarOptTakesNoWrongWeights(t *testing.T) {
	s, err := NewVarOpt[int](3, 1, 1)
	require.NoError(t, err)
	for i, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		s.Add(i, w)
	}
	require.Zero(t, s.Len())
	_, err = NewVarOpt[int](0, 1, 1)
	require.Error(t, err)
}
