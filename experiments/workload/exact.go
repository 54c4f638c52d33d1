package workload

import "math"

// mul returns the product rounded to a float64. The conversion forbids fusing
// it with an addition, which would change the last bit on some machines.
func mul(x, y float64) float64 { return float64(x * y) }

const (
	ln2High = 6.93147180369123816490e-01 // the upper 33 bits of ln 2
	ln2Low  = 1.90821492927058770002e-10
)

// exp returns e to the x for |x| < 700, within 2 units in the last place.
func exp(x float64) float64 {
	k := math.Floor(mul(x, 1/math.Ln2) + 0.5)
	r := x - mul(k, ln2High) - mul(k, ln2Low)
	sum := 1.0
	for i := 14.0; i >= 1; i-- {
		sum = 1 + mul(sum, r)/i
	}
	return math.Ldexp(sum, int(k))
}

// ln returns the natural logarithm of a positive finite x, by the series
// 2 (s + s^3/3 + s^5/5 ...) of s = (m-1)/(m+1), where x = m 2^k.
func ln(x float64) float64 {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := (m - 1) / (m + 1)
	s2 := mul(s, s)
	sum := 0.0
	for i := 23.0; i >= 1; i -= 2 {
		sum = 1/i + mul(sum, s2)
	}
	e := float64(k)
	return mul(e, ln2High) + (mul(2, mul(s, sum)) + mul(e, ln2Low))
}

// sine returns sin(2 pi turn) for turn in [0,1].
func sine(turn float64) float64 {
	switch {
	case turn > 0.75:
		turn--
	case turn > 0.25:
		turn = 0.5 - turn
	}
	x := mul(turn, 2*math.Pi)
	x2 := mul(x, x)
	sum := 1.0
	for i := 20.0; i >= 2; i -= 2 {
		sum = 1 - mul(sum, x2)/mul(i, i+1)
	}
	return mul(x, sum)
}

// polynomial evaluates c[0] x^n + ... + c[n] by Horner's rule.
func polynomial(x float64, c ...float64) float64 {
	sum := 0.0
	for _, a := range c {
		sum = mul(sum, x) + a
	}
	return sum
}

// normalQuantile returns the standard normal quantile of p in (0, 1/2], within
// a relative 1.2e-9 (P. J. Acklam's rational approximation).
func normalQuantile(p float64) float64 {
	if p < 0.02425 {
		q := math.Sqrt(mul(-2, ln(p)))
		return polynomial(q, -7.784894002430293e-03, -3.223964580411365e-01,
			-2.400758277161838e+00, -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00) /
			polynomial(q, 7.784695709041462e-03, 3.224671290700398e-01,
				2.445134137142996e+00, 3.754408661907416e+00, 1)
	}
	q := p - 0.5
	r := mul(q, q)
	return mul(q, polynomial(r, -3.969683028665376e+01, 2.209460984245205e+02,
		-2.759285104469687e+02, 1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00)) /
		polynomial(r, -5.447609879822406e+01, 1.615858368580409e+02,
			-1.556989798598866e+02, 6.680131188771972e+01, -1.328068155288572e+01, 1)
}
