package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// direct computes the cumulants of T(R) from the residuals of all kept rows of a stratum, as the formulas of simplePolynomials are written.
func direct(values []float64, m int, population, r float64) cumulants {
	u := make([]float64, m)
	mean := 0.0
	for i, x := range values {
		u[i] = x - r
		mean += u[i]
	}
	mean /= float64(m)
	var m2, m3, m4 float64
	for _, x := range u {
		d := x - mean
		m2 += d * d
		m3 += d * d * d
		m4 += d * d * d * d
	}
	n := float64(m)
	m2, m3, m4 = m2/n, m3/n, m4/n
	e, p := 1/n-1/population, population
	third := p * p * p * e * n * n / ((n - 1) * (n - 2)) * m3
	return cumulants{
		v: p * p * e * n / (n - 1) * m2,
		k: third * (1/n - 2/p),
		j: third * (2/n - 1/p),
		d: p * p * p * p * e * e * e * (m4 - m2*m2),
	}
}

func closeCumulants(t require.TestingT, want, got cumulants, tolerance float64) {
	near := func(name string, want, got, scale float64) {
		require.InDelta(t, 0, (got-want)/scale, tolerance, "%s: want %g, got %g", name, want, got)
	}
	s := math.Sqrt(want.v)
	near("V", want.v, got.v, want.v)
	near("K", want.k, got.k, math.Max(math.Abs(want.k), s*want.v))
	near("J", want.j, got.j, math.Max(math.Abs(want.j), s*want.v))
	near("D", want.d, got.d, want.d)
}

func TestPolynomialsAgreeWithDirectEvaluation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		k := 5 + r.IntN(200)
		m := k + r.IntN(300)
		population := float64(m) * (1 + 20*r.Float64())
		var p Part
		values := make([]float64, k)
		offset := []float64{0, 10, 1000}[r.IntN(3)]
		for i := range values {
			values[i] = offset + r.NormFloat64()*r.ExpFloat64()
			p.Add(values[i])
		}
		for _, at := range []float64{offset - 0.3, offset, offset + 2} {
			terms := simplePolynomials(&p, float64(m), population)
			closeCumulants(t, direct(values, m, population, at), terms.at(at-p.pivot), 3e-12)
		}
		terms := simplePolynomials(&p, float64(m), population)
		// The fourth moment of nearly constant values is a small difference of large ones.
		closeCumulants(t, direct(values, m, population, 0), terms.at(-p.pivot), 3e-9)
	}
}

func TestPoissonPolynomialsAreSumsOverRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var p Part
	var values []float64
	for range 50 {
		x := 5 + r.ExpFloat64()
		values = append(values, x)
		p.Add(x)
	}
	w, at := 7.5, 5.5
	var want cumulants
	for _, x := range values {
		want = want.with(guard{w, x - at})
	}
	got := poissonPolynomials(&p, w)
	closeCumulants(t, want, got.at(at-p.pivot), 1e-12)
}

func TestStagedVarianceOfOneStageIsTheSimpleOne(t *testing.T) {
	var p Part
	for i := range 40 {
		p.Add(math.Sqrt(float64(i)))
	}
	s := &Stratum{Keep: 0.1, Offered: 700, Kept: 70, Up: &Stratum{Keep: 1, Offered: 900, Kept: 900}}
	want := simplePolynomials(&p, 70, 700)
	got := polynomials{v: stagedVariance(&p, s)}
	for _, r := range []float64{-3, 0, 1.5} {
		require.InEpsilon(t, want.at(r).v, got.at(r).v, 1e-12)
	}
}

func TestStagedVarianceIsTheFormulaOfTwoStages(t *testing.T) {
	var p Part
	for i := range 30 {
		p.Add(1 + float64(i%7))
	}
	p.move(0)
	s := &Stratum{Keep: 0.3, Offered: 200, Kept: 60, Up: &Stratum{Keep: 0.1, Offered: 9000, Kept: 900}}
	x, q := p.x1, p.x2
	v2 := 200.0 * 200 * (1.0/60 - 1.0/200) / 59 * (q - x*x/60)
	w2 := 200.0 / 60
	v1 := 9000.0 * 9000 * (1.0/900 - 1.0/9000) / 899 * (w2*q - (w2*x*w2*x-v2)/900)
	got := polynomials{v: stagedVariance(&p, s)}
	require.InEpsilon(t, 100*v2+v1, got.at(0).v, 1e-12)
}

func TestPartsMergeWhateverTheirPivots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1000, 1000), 1, 60).Draw(t, "values")
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		var all, a, b Part
		for i, x := range values {
			all.Add(x)
			if i < cut {
				a.Add(x)
			} else {
				b.Add(x)
			}
		}
		a.Merge(&b)
		require.Equal(t, all.k, a.k)
		require.Equal(t, all.low, a.low)
		require.Equal(t, all.high, a.high)
		a.move(all.pivot)
		n := float64(all.k)
		require.InDelta(t, all.x1, a.x1, 1e-9*n*2e3)
		require.InDelta(t, all.x2, a.x2, 1e-9*n*4e6)
		require.InDelta(t, all.x3, a.x3, 1e-9*n*8e9)
		require.InDelta(t, all.x4, a.x4, 1e-9*n*16e12)
	})
}

func TestPartsKnowWhetherTheyHaveTwoValues(t *testing.T) {
	for _, tc := range []struct {
		about  string
		values []float64
		c      float64
		ones   int64
		ok     bool
	}{
		{"flags", []float64{0, 1, 1, 0, 1}, 1, 3, true},
		{"only zeros", []float64{0, 0}, 0, 0, true},
		{"a constant", []float64{0.1, 0.1, 0.1}, 0.1, 3, true},
		{"negative amounts", []float64{-7.3, 0, -7.3}, -7.3, 2, true},
		{"a third value", []float64{0, 1, 0.5, 1}, 0, 0, false},
		{"two values other than 0", []float64{1, 2}, 0, 0, false},
		{"signs", []float64{-1, 0, 1}, 0, 0, false},
		{"infinity", []float64{0, math.Inf(1)}, 0, 0, false},
	} {
		var p Part
		for _, x := range tc.values {
			p.Add(x)
		}
		c, ones, ok := p.twoValued()
		require.Equal(t, tc.ok, ok, tc.about)
		if ok {
			require.Equal(t, tc.c, c, tc.about)
			require.Equal(t, tc.ones, ones, tc.about)
		}
	}
}
