package workload

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestOwnFunctionsAgreeWithPackageMath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-300, 300).Draw(t, "x")
		require.InEpsilon(t, math.Exp(x), exp(x), 1e-14)
		y := rapid.Float64Range(1e-300, 1e300).Draw(t, "y")
		require.InDelta(t, math.Log(y), ln(y), 1e-13)
		turn := rapid.Float64Range(0, 1).Draw(t, "turn")
		require.InDelta(t, math.Sin(2*math.Pi*turn), sine(turn), 1e-14)
	})
}

func TestNormalQuantileInvertsTheDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := math.Exp(rapid.Float64Range(-30, math.Log(0.499)).Draw(t, "ln p"))
		require.InEpsilon(t, p, 0.5*math.Erfc(-normalQuantile(p)/math.Sqrt2), 1e-6)
	})
	require.Zero(t, normalQuantile(0.5))
}
