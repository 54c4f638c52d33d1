package synopsis

import (
	"math"
	"math/big"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func sumOf(values ...any) *Sum {
	s := new(Sum)
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			s.AddInt(v)
		case int:
			s.AddInt(int64(v))
		case float64:
			s.AddFloat(v)
		}
	}
	return s
}

func TestSumClaims(t *testing.T) {
	const huge = 1.7e308
	inf := math.Inf(1)
	for _, c := range []struct {
		claim     string
		values    []any
		sum, mean float64
	}{
		{"nothing sums to zero", nil, 0, math.NaN()},
		{"a sum beyond the range has a mean inside it", []any{huge, huge}, inf, huge},
		{"and so below", []any{-huge, -huge}, -inf, -huge},
		{"it comes back into range", []any{huge, huge, -huge}, huge, huge / 3},
		{"an overflow survives a merge with integers", []any{huge, huge, 2}, inf, huge / 3 * 2},
		{"the largest value twice", []any{math.MaxFloat64, math.MaxFloat64}, inf, math.MaxFloat64},
		{"cancellation keeps the small term", []any{1e100, 1.0, -1e100}, 1, 1.0 / 3},
		{"integers and floats cancel exactly", []any{math.MaxInt64, 0.5, float64(-1 << 63)}, -0.5, -0.5 / 3},
		{"ten tenths are one", []any{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}, 1, 0.1},
		{"integers beyond 2^53", []any{1<<53 + 1, 1}, 1<<53 + 2, 1<<52 + 1},
		{"integers beyond 2^63", []any{math.MaxInt64, math.MaxInt64}, 1 << 64, 1 << 63},
		{"infinity is a value", []any{inf, 1.0}, inf, inf},
		{"opposite infinities are not a number", []any{inf, -inf, 1.0}, math.NaN(), math.NaN()},
		{"not a number stays", []any{math.NaN(), 1.0}, math.NaN(), math.NaN()},
		{"an infinity after an overflow", []any{huge, huge, -inf}, -inf, -inf},
	} {
		t.Run(c.claim, func(t *testing.T) {
			s := sumOf(c.values...)
			same(t, c.sum, s.Float())
			same(t, c.mean, s.Mean(int64(len(c.values))))
			merged := new(Sum)
			for _, v := range c.values {
				merged.Merge(sumOf(v))
			}
			same(t, c.sum, merged.Float())
			same(t, c.mean, merged.Mean(int64(len(c.values))))
			for cut := range c.values {
				halves := sumOf(c.values[:cut]...)
				halves.Merge(sumOf(c.values[cut:]...))
				same(t, c.sum, halves.Float())
				same(t, c.mean, halves.Mean(int64(len(c.values))))
			}
		})
	}
}

// same compares to one unit in the last place, NaN equal to NaN.
func same(t *testing.T, want, got float64) {
	t.Helper()
	if math.IsNaN(want) {
		require.True(t, math.IsNaN(got), "want NaN, got %v", got)
		return
	}
	if got != want && math.Nextafter(want, got) != got {
		require.Equal(t, want, got)
	}
}

func TestSumOfIntegersIsExactInAnyPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Int64()).Draw(t, "values")
		want, parts := new(big.Int), make([]Sum, 3)
		for _, v := range values {
			want.Add(want, big.NewInt(v))
			parts[rapid.IntRange(0, 2).Draw(t, "part")].AddInt(v)
		}
		var s Sum
		for i := range parts {
			s.Merge(&parts[i])
		}
		require.True(t, s.IsInt())
		require.Equal(t, want.String(), s.Int().String())
		if n := int64(len(values)); n > 0 {
			mean, _ := new(big.Rat).SetFrac(want, big.NewInt(n)).Float64()
			require.Equal(t, mean, s.Mean(n))
		}
	})
}

// The stated error: one rounding of the sum and n*2^-106 of the magnitudes,
// here with a factor of four for the rounding of the compensation itself.
func TestSumOfFloatsKeepsItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e300, 1e300), 1, 200).Draw(t, "values")
		exact := new(big.Float).SetPrec(2200)
		magnitude := 0.0
		var whole, left, right Sum
		for i, v := range values {
			exact.Add(exact, new(big.Float).SetFloat64(v))
			magnitude += math.Abs(v)
			whole.AddFloat(v)
			if i%2 == 0 {
				left.AddFloat(v)
			} else {
				right.AddFloat(v)
			}
		}
		left.Merge(&right)
		want, _ := exact.Float64()
		n := float64(len(values))
		bound := math.Abs(want)*0x1p-52 + 4*n*n*magnitude*0x1p-106 + 5e-324
		require.LessOrEqual(t, math.Abs(whole.Float()-want), bound)
		require.LessOrEqual(t, math.Abs(left.Float()-want), bound)
	})
}

func TestAccumulatorsAreSmall(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(Sum{}), uintptr(48))
	require.LessOrEqual(t, unsafe.Sizeof(Moments{}), uintptr(48))
}

func TestEstimate(t *testing.T) {
	e := Exactly(3)
	require.True(t, e.Exact && e.Contains(3) && !e.Contains(3.1) && !e.Contains(math.NaN()))
}
