package synopsis

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// errorShape describes the distribution of the error of an estimate T: the estimated variance v, the third cumulant k3,
// j = 3 Cov(T, v) - k3 and d = Var(v) (intervals.md section 1).
type errorShape struct{ v, k3, j, d float64 }

// add adds what one kept row (or block) of weight w and residual u stands for.
func (e *errorShape) add(w, u float64) {
	c := w * (w - 1) * u * u
	e.v += c
	e.k3 += c * (w - 2) * u
	e.j += c * (2*w - 1) * u
	e.d += c * (w - 1) * (w - 1) * u * u
}

// drawn returns the shape for the sum over M units of which m were drawn without replacement, where sums are those of
// the residual's first four powers over the m.
func drawn(population, m float64, sums [4]float64) errorShape {
	mean := sums[0] / m
	a2, a3, a4 := sums[1]/m, sums[2]/m, sums[3]/m
	m2 := max(a2-mean*mean, 0)
	m3 := a3 - 3*mean*a2 + 2*mean*mean*mean
	m4 := a4 - 4*mean*a3 + 6*mean*mean*a2 - 3*mean*mean*mean*mean
	e := 1/m - 1/population
	s := errorShape{
		v: population * population * e * m2,
		d: population * population * population * population * e * e * e * max(m4-m2*m2, 0),
	}
	if m > 1 {
		s.v *= m / (m - 1)
	}
	if m > 2 {
		third := population * population * population * e * m * m / ((m - 1) * (m - 2)) * m3
		s.k3, s.j = third*(1/m-2/population), third*(2/m-1/population)
	}
	return s
}

// reach returns how far T can be from the truth on the side of quantile q of Student's distribution at df degrees of
// freedom or fewer, by Hall's cubic transform (1992) with the covariance that the finite population leaves.
func (e errorShape) reach(p, df float64) float64 {
	if !(e.v > 0) {
		return 0
	}
	if e.d > 0 {
		df = min(df, 2*e.v*e.v/e.d)
	}
	q := studentQuantile(p, max(df, 1))
	s := math.Sqrt(e.v)
	c, l := e.j/(6*s*s*s), e.k3/(s*s*s)
	if math.Abs(c) < 1e-6 {
		return s * (q - l/6)
	}
	return s * (math.Cbrt(1+3*c*(q-l/6)) - 1) / c
}

// studentQuantile returns the p-quantile of Student's t distribution, right to 1e-4 of itself for df >= 1 and
// tails from 1e-6 on (Hill, algorithm 396, Communications of the ACM 13, 1970).
func studentQuantile(p, df float64) float64 {
	if p < 0.5 {
		return -studentQuantile(1-p, df)
	}
	switch {
	case df > 1e7:
		return distuv.UnitNormal.Quantile(p)
	case df == 1:
		return math.Tan(math.Pi * (p - 0.5))
	case df < 3: // slow, and rare
		return distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(p)
	}
	two := 2 * (1 - p)
	a := 1 / (df - 0.5)
	b := 48 / (a * a)
	c := ((20700*a/b-98)*a-16)*a + 96.36
	d := ((94.5/(b+c)-3)/b + 1) * math.Sqrt(a*math.Pi/2) * df
	y := math.Pow(d*two, 2/df)
	if y <= 0.05+a {
		y = ((1/(((df+6)/(df*y)-0.089*d-0.822)*(df+2)*3)+0.5/(df+4))*y-1)*(df+1)/(df+2) + 1/y
		return math.Sqrt(df * y)
	}
	x := distuv.UnitNormal.Quantile(two / 2)
	y = x * x
	if df < 5 {
		c += 0.3 * (df - 4.5) * (x + 0.6)
	}
	c += (((0.05*d*x-5)*x-7)*x-2)*x + b
	y = (((((0.4*y+6.3)*y+36)*y+94.5)/c-y-3)/b + 1) * x
	return math.Sqrt(df * math.Expm1(a*y*y))
}
