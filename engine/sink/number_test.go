package sink

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestQuickFloatsAreTheShortest(t *testing.T) {
	check := func(t require.TestingT, v float64) {
		require.Equal(t, string(tuple.AppendFloat(nil, v)), string(appendFloat(nil, v)), "%x", v)
	}
	for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-4, 9.9e-5, 123.456789, 0.000001, 999999999.999999, 1e9, 1e15, 0.30000000000000004} {
		check(t, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := float64(rapid.Int64Range(-2e15, 2e15).Draw(t, "i")) / math.Pow10(rapid.IntRange(0, 12).Draw(t, "scale"))
		check(t, v)
		check(t, math.Nextafter(v, math.Inf(1)))
		check(t, rapid.Float64().Draw(t, "any"))
		back, err := strconv.ParseFloat(string(appendFloat(nil, v)), 64)
		require.NoError(t, err)
		require.Equal(t, v, back)
	})
}
