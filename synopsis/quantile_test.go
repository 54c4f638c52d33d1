package synopsis

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestGammaQuantilesInvertTheDistribution(t *testing.T) {
	for _, confidence := range []float64{0.5, 0.8, 0.9, 0.95, 0.99, 0.999} {
		q := quantilesAt(confidence)
		for _, side := range []*gammaTable{&q.low, &q.high} {
			for a := 1e-5; a < 1e9; a *= 1.37 {
				x := side.quantile(a)
				if x < 1e-290 || a > 1e6 {
					continue
				}
				require.InDelta(t, side.p, mathext.GammaIncReg(a, x), 2e-6, "shape %g, probability %g", a, side.p)
			}
		}
	}
}

func TestStudentQuantilesInvertTheDistribution(t *testing.T) {
	for _, confidence := range []float64{0.5, 0.9, 0.95, 0.999} {
		table := &quantilesAt(confidence).student
		for f := 1.0; f < 1e7; f *= 1.23 {
			want := distuv.StudentsT{Sigma: 1, Nu: f}.Quantile((1 + confidence) / 2)
			require.InDelta(t, 1, table.quantile(f)/want, 1e-4, "%g degrees of freedom", f)
		}
		require.InDelta(t, table.quantile(1), table.quantile(0.3), 0)
		require.InDelta(t, distuv.UnitNormal.Quantile((1+confidence)/2), table.quantile(math.Inf(1)), 1e-12)
	}
}

func BenchmarkGammaQuantile(b *testing.B) {
	q := quantilesAt(0.95)
	a, sum := 0.3, 0.0
	for b.Loop() {
		sum += q.high.quantile(a)
		if a *= 1.1; a > 1e4 {
			a = 0.3
		}
	}
	_ = sum
}
