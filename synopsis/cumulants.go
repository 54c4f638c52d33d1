package synopsis

import "math"

// cumulants is what the interval of an estimator T is made from: its variance V, its third cumulant K, J = 3 Cov(T, V^) - K, and D,
// the variance of V^ (intervals.md section 1).
type cumulants struct{ v, k, j, d float64 }

func (c *cumulants) add(o cumulants) {
	c.v += o.v
	c.k += o.k
	c.j += o.j
	c.d += o.d
}

// scaled multiplies the variance by g and the others by the powers that belong to it.
func (c cumulants) scaled(g float64) cumulants {
	g = max(g, 0)
	r := g * math.Sqrt(g)
	return cumulants{v: c.v * g, k: c.k * r, j: c.j * r, d: c.d * g * g}
}

// polynomials are the cumulants of T(R) = sum w (X - R k) as polynomials in R: the coefficients of V (3), K (4), J (4), D (5),
// constant terms first.
type polynomials struct {
	v    [3]float64
	k, j [4]float64
	d    [5]float64
}

// at evaluates the polynomials at R = r.
func (p *polynomials) at(r float64) cumulants {
	return cumulants{
		v: max((p.v[2]*r+p.v[1])*r+p.v[0], 0),
		k: ((p.k[3]*r+p.k[2])*r+p.k[1])*r + p.k[0],
		j: ((p.j[3]*r+p.j[2])*r+p.j[1])*r + p.j[0],
		d: max((((p.d[4]*r+p.d[3])*r+p.d[2])*r+p.d[1])*r+p.d[0], 0),
	}
}

func (p *polynomials) add(o *polynomials) {
	for i := range p.v {
		p.v[i] += o.v[i]
	}
	for i := range p.k {
		p.k[i] += o.k[i]
		p.j[i] += o.j[i]
	}
	for i := range p.d {
		p.d[i] += o.d[i]
	}
}

// scale multiplies the variance by g and the others by the powers that belong to it.
func (p *polynomials) scale(g float64) {
	g = max(g, 0)
	r := g * math.Sqrt(g)
	for i := range p.v {
		p.v[i] *= g
	}
	for i := range p.k {
		p.k[i] *= r
		p.j[i] *= r
	}
	for i := range p.d {
		p.d[i] *= g * g
	}
}

// simplePolynomials returns the polynomials of a part in a simple random sample of m of M rows: with e = 1/m - 1/M
// and the central moments m2, m3, m4 of u = y - R z over all m kept rows,
//
//	V = M^2 e m/(m-1) m2                        K = M^3 e (1/m-2/M) m^2/((m-1)(m-2)) m3
//	D = M^4 e^3 (m4 - m2^2)                     J = M^3 e (2/m-1/M) m^2/((m-1)(m-2)) m3
//
// Tukey's k-statistics of a finite population; y is the deviation from the pivot, z = 1 in the cell, both 0 outside. m is at least
// fewRows.
func simplePolynomials(p *Part, m, population float64) (out polynomials) {
	e := 1/m - 1/population
	if !(e > 0) {
		return out
	}
	P, Y := float64(p.k)/m, p.x1/m
	a2, a3, a4 := p.x2/m, p.x3/m, p.x4/m
	o := 1 - P
	if float64(p.k) == m {
		o = 0
	}
	yy, yz, zz := a2-Y*Y, Y*o, P*o
	yyy, yyz := a3-3*Y*a2+2*Y*Y*Y, o*(a2-2*Y*Y)
	yzz, zzz := Y*o*(1-2*P), P*o*(1-2*P)
	y4 := a4 - 4*Y*a3 + 6*Y*Y*a2 - 3*Y*Y*Y*Y
	y3z := o * (a3 - 3*Y*a2 + 3*Y*Y*Y)
	y2z2 := o * (o*(a2-2*Y*Y) + Y*Y*P)
	third := 1 - 3*P + 3*P*P
	yz3, z4 := Y*o*third, P*o*third

	cv := population * population * e * m / (m - 1)
	out.v = [3]float64{cv * yy, -2 * cv * yz, cv * zz}
	c3 := population * population * population * e * m * m / ((m - 1) * (m - 2))
	ck, cj := c3*(1/m-2/population), c3*(2/m-1/population)
	out.k = [4]float64{ck * yyy, -3 * ck * yyz, 3 * ck * yzz, -ck * zzz}
	out.j = [4]float64{cj * yyy, -3 * cj * yyz, 3 * cj * yzz, -cj * zzz}
	cd := population * population * e * population * population * e * e
	out.d = [5]float64{
		cd * (y4 - yy*yy), -4 * cd * (y3z - yy*yz), cd * (6*y2z2 - 2*yy*zz - 4*yz*yz),
		-4 * cd * (yz3 - yz*zz), cd * (z4 - zz*zz),
	}
	return out
}

// poissonPolynomials returns the polynomials of a part whose rows were kept independently, each with weight w: per row
// of residual u, V = w(w-1)u^2, K = w(w-1)(w-2)u^3, J = w(w-1)(2w-1)u^3, D = w(w-1)^3 u^4.
func poissonPolynomials(p *Part, w float64) (out polynomials) {
	k := float64(p.k)
	cv := w * (w - 1)
	ck, cj, cd := cv*(w-2), cv*(2*w-1), cv*(w-1)*(w-1)
	out.v = [3]float64{cv * p.x2, -2 * cv * p.x1, cv * k}
	cube := [4]float64{p.x3, -3 * p.x2, 3 * p.x1, -k}
	for i, c := range cube {
		out.k[i], out.j[i] = ck*c, cj*c
	}
	out.d = [5]float64{cd * p.x4, -4 * cd * p.x3, 6 * cd * p.x2, -4 * cd * p.x1, cd * k}
	return out
}

// stagedVariance returns the variance polynomial of a part whose rows came through several drops with filters between. From the
// last stage up, with X, Q the estimates of the sums of u and u^2 over the rows that the stage was offered, and V the variance so far,
//
//	V <- w^2 V + M^2 (1/m-1/M)/(m-1) (Q - (X^2 - V)/m),    X <- w X,    Q <- w Q      (intervals.md section 5)
func stagedVariance(p *Part, s *Stratum) (v [3]float64) {
	k := float64(p.k)
	x := [2]float64{p.x1, -k}
	q := [3]float64{p.x2, -2 * p.x1, k}
	for ; s != nil; s = s.Up {
		if s.Keep >= 1 {
			continue
		}
		m := max(float64(s.Kept), k)
		population := max(float64(s.Offered), m)
		w := population / m
		c := population * population * (1/m - 1/population) / (m - 1)
		square := [3]float64{x[0] * x[0], 2 * x[0] * x[1], x[1] * x[1]}
		for i := range v {
			v[i] = w*w*v[i] + c*(q[i]-(square[i]-v[i])/m)
			q[i] *= w
		}
		x[0], x[1] = w*x[0], w*x[1]
		k = w * k
	}
	return v
}

// centre returns by how much of the part's sums X and k the residual of a row is moved, b = share (X - R k): 1/m in one
// stage, in several the mean of the stages' w.../m by what they add to the variance, 0 in the Poisson form.
func (d *design) centre(s *Stratum) float64 {
	switch d.form {
	case simpleForm:
		return 1 / d.m
	case stagedForm:
	default:
		return 0
	}
	var sum, all float64
	below := 1.0 // weight of the stages after this one
	for ; s != nil; s = s.Up {
		if s.Keep >= 1 {
			continue
		}
		w := s.stageWeight()
		above := d.w / (below * w)
		share := above * (w - 1)
		sum += share * below / max(float64(s.Kept), 1)
		all += share
		below *= w
	}
	if !(all > 0) {
		return 0
	}
	return sum / all
}
