package synopsis

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMomentsClaims(t *testing.T) {
	const big = 1 << 60
	for _, c := range []struct {
		claim        string
		ints         []int64
		floats       []float64
		popVariance  float64
		sampVariance float64
	}{
		{"nothing has no variance", nil, nil, math.NaN(), math.NaN()},
		{"one value varies by zero, its sample not at all", []int64{7}, nil, 0, math.NaN()},
		{"one float likewise", nil, []float64{1e300}, 0, math.NaN()},
		{"integers near 1e9", []int64{1e9, 1e9 + 1, 1e9 + 2}, nil, 2. / 3, 1},
		{"floats near 1e9", nil, []float64{1e9, 1e9 + 1, 1e9 + 2}, 2. / 3, 1},
		{"floats near 1e15", nil, []float64{1e15, 1e15 + 1, 1e15 + 2}, 2. / 3, 1},
		{"integers beyond 2^53", []int64{big, big + 1, big + 2}, nil, 2. / 3, 1},
		{"the whole range", []int64{math.MinInt64, math.MaxInt64}, nil, 0x1p126, 0x1p127},
		{"mixed", []int64{1e9}, []float64{1e9 + 1, 1e9 + 2}, 2. / 3, 1},
		{"constant", nil, []float64{.1, .1, .1, .1}, 0, 0},
		{"a far first value", nil, []float64{1e6, 0, 0, 0}, 1.875e11, 2.5e11},
	} {
		t.Run(c.claim, func(t *testing.T) {
			var m, merged Moments
			for _, v := range c.ints {
				m.AddInt(v)
				var one Moments
				one.AddInt(v)
				merged.Merge(&one)
			}
			for _, v := range c.floats {
				m.AddFloat(v)
				var one Moments
				one.AddFloat(v)
				merged.Merge(&one)
			}
			for _, m := range []*Moments{&m, &merged} {
				near(t, c.popVariance, m.VarPop())
				near(t, c.sampVariance, m.VarSamp())
				near(t, math.Sqrt(c.popVariance), m.StddevPop())
				near(t, math.Sqrt(c.sampVariance), m.StddevSamp())
				require.EqualValues(t, len(c.ints)+len(c.floats), m.Count())
			}
		})
	}
}

func near(t *testing.T, want, got float64) {
	t.Helper()
	switch {
	case math.IsNaN(want):
		require.True(t, math.IsNaN(got))
	case want == 0:
		require.Zero(t, got)
	default:
		require.InEpsilon(t, want, got, 1e-9)
	}
}

// exactVariance computes the population variance in rationals.
func exactVariance(values []float64) float64 {
	sum, squares := new(big.Rat), new(big.Rat)
	for _, v := range values {
		x := new(big.Rat).SetFloat64(v)
		sum.Add(sum, x)
		squares.Add(squares, x.Mul(x, x))
	}
	n := big.NewRat(int64(len(values)), 1)
	mean := sum.Quo(sum, n)
	v, _ := squares.Sub(squares.Quo(squares, n), mean.Mul(mean, mean)).Float64()
	return v
}

// The bound: Welford on deviations from the first value loses at most about
// n*kappa roundings, and kappa is at most sqrt(n) because the first value
// belongs to the data.
func TestMomentsAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.Float64Range(-1e12, 1e12).Draw(t, "offset")
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 2, 100).Draw(t, "values")
		var whole Moments
		parts := make([]Moments, 3)
		for i := range values {
			values[i] += offset
			whole.AddFloat(values[i])
			parts[rapid.IntRange(0, 2).Draw(t, "part")].AddFloat(values[i])
		}
		var merged Moments
		for i := range parts {
			merged.Merge(&parts[i])
		}
		n := float64(len(values))
		want := exactVariance(values)
		bound := want * 8 * n * math.Sqrt(n) * 0x1p-53
		require.GreaterOrEqual(t, whole.VarPop(), 0.0)
		require.InDelta(t, want, whole.VarPop(), bound)
		require.InDelta(t, want, merged.VarPop(), bound)
		require.InDelta(t, whole.Mean(), merged.Mean(), (math.Abs(whole.Mean())+2e3*n)*0x1p-50)
	})
}
