package synopsis

import "math"

// fold is what a cell keeps of the strata that are over, and of rows with given weights. It stands in a side table of
// the design: most cells live in one stratum and have none.
type fold struct {
	n, t   float64 // sums of w k and of w X, X from the pivot
	a1, a2 float64 // sums of k w(w-1) and of k (w(w-1))^2
	drawn  float64 // the part of n in strata of a known number of kept rows
	sum    cumulants
	mean   polynomials
	// The rows that would move the sum and the mean most, if there were one more of them: up and down.
	sumUp, sumDown   guard
	meanUp, meanDown sloped
	// seen is what the kept rows are without weights.
	seen   Part
	parked int32 // first of the parts whose strata may have more rows, +1
	ones   int32 // the counts of the values that are not zero, +1; -1: values are not in {0, c}
}

// guard is an imagined kept row of weight w and residual u.
type guard struct{ w, u float64 }

// take keeps the row that adds more to the variance.
func (g *guard) take(w, u float64) {
	if w*(w-1)*u*u > g.w*(g.w-1)*g.u*g.u {
		*g = guard{w, u}
	}
}

// sloped is a guard whose residual is u - R z; none while w is 0. As R is not known until the end, it may come to lie on the wrong side.
type sloped struct{ w, u, z float64 }

// take keeps the row that adds more to the variance on the side of sign when R is r.
func (g *sloped) take(o sloped, r, sign float64) {
	if g.w == 0 || sign*o.signed(r) > sign*g.signed(r) {
		*g = o
	}
}

// signed returns what the row adds to the variance, with the sign of its residual.
func (g *sloped) signed(r float64) float64 {
	x := g.u - r*g.z
	return g.w * (g.w - 1) * x * math.Abs(x)
}

// at returns the guard at R = r, none where its residual does not have the sign.
func (g *sloped) at(r, sign float64) guard {
	u := g.u - r*g.z
	if !(u*sign > 0) {
		return guard{w: 1}
	}
	return guard{g.w, u}
}

// add folds the part p, all that the cell has in stratum s. Its pivot is the cell's.
func (f *fold) add(s *Stratum, p *Part) {
	if p.k == 0 {
		return
	}
	d := s.design(p.k)
	f.count(p, d.w)
	if d.form == simpleForm || d.form == stagedForm {
		f.drawn += d.w * float64(p.k)
	}
	r := f.t / f.n
	switch d.form {
	case wholeForm:
		return
	case simpleForm:
		terms := simplePolynomials(p, d.m, d.M)
		f.mean.add(&terms)
		f.sum.add(terms.at(-p.pivot))
	case poissonForm:
		terms := poissonPolynomials(p, d.w)
		f.mean.add(&terms)
		f.sum.add(terms.at(-p.pivot))
	case stagedForm:
		terms := poissonPolynomials(p, d.w)
		staged := polynomials{v: stagedVariance(p, s)}
		f.sum.add(terms.at(-p.pivot).scaled(ratio(staged.at(-p.pivot).v, terms.at(-p.pivot).v)))
		terms.scale(ratio(staged.at(r).v, terms.at(r).v))
		terms.v = staged.v
		f.mean.add(&terms)
	}
	f.guards(p, &d, d.centre(s), r)
}

// weigh folds one row of weight w.
func (f *fold) weigh(p *Part, w float64) {
	d := design{form: poissonForm, w: w}
	f.count(p, w)
	terms := poissonPolynomials(p, w)
	f.mean.add(&terms)
	f.sum.add(terms.at(-p.pivot))
	f.guards(p, &d, 0, f.t/f.n)
}

func (f *fold) count(p *Part, w float64) {
	k, lost := float64(p.k), w*(w-1)
	f.n += w * k
	f.t += w * p.x1
	f.a1 += k * lost
	f.a2 += k * lost * lost
	f.seen.Merge(p)
}

// guards offers the part's extreme rows, as residuals from the mean of what its stratum kept, and a row outside the cell.
func (f *fold) guards(p *Part, d *design, share, r float64) {
	k := float64(p.k)
	high, low := p.high-p.pivot, p.low-p.pivot
	// At R: u = (x - R) - (X - R k) share, of which z = 1 - k share is the part that moves with R.
	z := 1 - k*share
	centre := p.x1 * share
	f.offer(d.w, high-centre, z, r, p.pivot)
	f.offer(d.w, low-centre, z, r, p.pivot)
	if share > 0 && k*share < 1 {
		f.offer(d.w, -centre, -k*share, r, p.pivot)
	}
}

func (f *fold) offer(w, u, z, r, pivot float64) {
	switch x := u + pivot*z; {
	case x > 0:
		f.sumUp.take(w, x)
	case x < 0:
		f.sumDown.take(w, x)
	}
	row := sloped{w, u, z}
	f.meanUp.take(row, r, 1)
	f.meanDown.take(row, r, -1)
}

func ratio(a, b float64) float64 {
	if !(b > 0) {
		return 0
	}
	return a / b
}
