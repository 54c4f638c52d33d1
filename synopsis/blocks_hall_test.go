package synopsis

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestStudentQuantiles(t *testing.T) {
	for _, df := range []float64{1, 1.3, 1.7, 2, 2.5, 3, 4.4, 5, 9, 30.5, 200, 1e5, 1e9} {
		student := distuv.StudentsT{Sigma: 1, Nu: df}
		for _, p := range []float64{0.6, 0.9, 0.975, 0.995, 0.99995, 1 - 5e-7} {
			want := student.Quantile(p)
			require.InEpsilon(t, want, studentQuantile(p, df), 1e-4, "p=%g df=%g", p, df)
			require.InEpsilon(t, -want, studentQuantile(1-p, df), 1e-4, "p=%g df=%g", 1-p, df)
		}
	}
}
