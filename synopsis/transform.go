package synopsis

import "math"

// reach returns how far T may be from the truth on the side of the guard g, whose residual has the sign of that side, at the quantile q of
// Student's distribution, positive below T and negative above: Hall's (1992) cubic transformation,
//
//	s (cbrt(1 + 3c (q - l/6)) - 1)/c,    s^2 = V,  c = J/(6 s^3),  l = K/s^3
//
// with the cumulants of the rows that were kept and one more of them, the guard.
func (c cumulants) reach(g guard, q float64) float64 {
	c = c.with(g)
	s := math.Sqrt(c.v)
	if s == 0 {
		return 0
	}
	b, x := c.j/c.v/(6*s), q-c.k/c.v/(6*s)
	if math.Abs(b) < 1e-6 {
		return s * x
	}
	return s * (math.Cbrt(1+3*b*x) - 1) / b
}

// with returns the cumulants with one more kept row.
func (c cumulants) with(g guard) cumulants {
	lost := g.w * (g.w - 1)
	u2 := g.u * g.u
	c.v += lost * u2
	c.j += lost * (2*g.w - 1) * u2 * g.u
	c.k += lost * (g.w - 2) * u2 * g.u
	c.d += lost * (g.w - 1) * (g.w - 1) * u2 * u2
	return c
}

// freedom returns the degrees of freedom of the variance with the guard g: at most n-1 for n effective rows, and by how much the variance
// itself varies.
func (c cumulants) freedom(g guard, n float64) float64 {
	c = c.with(g)
	f := n - 1
	if c.d > 0 {
		f = min(f, 2*c.v*c.v/c.d)
	}
	return max(f, 1)
}

// span returns how far below and above T the truth may be.
func (c cumulants) span(down, up guard, n float64, q *quantiles) (below, above float64) {
	below = c.reach(down, q.student.quantile(c.freedom(down, n)))
	above = -c.reach(up, -q.student.quantile(c.freedom(up, n)))
	return max(below, 0), max(above, 0)
}

// effective returns n*, the number of effective rows: (A1 + a)^2/(A2 + a^2) - 1 with a = w*(w*-1). With one weight it is the number of kept rows;
// a cell that has rows of small weights only, while others of the window stand for many, has few.
func (f *fold) effective(largest float64) float64 {
	a := largest * (largest - 1)
	s := f.a1 + a
	if !(s > 0) {
		return 0
	}
	return max(s*s/(f.a2+a*a)-1, 0)
}
