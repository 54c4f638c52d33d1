package synopsis

import "math"

// Part is one stratum's share of a cell: what panes keep that serve several windows. The zero value is empty. It is 64
// bytes and holds no pointer.
//
// It holds the power sums of the deviations from its first value, the pivot: as one of the values, the pivot is no
// further from their mean than sqrt(n) standard deviations, so that central moments lose at most a factor n in relative accuracy.
type Part struct {
	k              int64
	pivot          float64
	x1, x2, x3, x4 float64 // sums of powers of (x - pivot)
	low, high      float64
}

// Add adds the value x of a kept row.
func (p *Part) Add(x float64) {
	if p.k == 0 {
		*p = Part{pivot: x, low: x, high: x}
	}
	p.add(x)
}

func (p *Part) add(x float64) {
	y := x - p.pivot
	y2 := y * y
	p.k++
	p.x1 += y
	p.x2 += y2
	p.x3 += y * y2
	p.x4 += y2 * y2
	if x < p.low {
		p.low = x
	}
	if x > p.high {
		p.high = x
	}
}

// Merge adds the rows of o, which are of the same stratum.
func (p *Part) Merge(o *Part) {
	switch {
	case o.k == 0:
		return
	case p.k == 0:
		*p = *o
		return
	}
	q := *o
	q.move(p.pivot)
	p.k += q.k
	p.x1 += q.x1
	p.x2 += q.x2
	p.x3 += q.x3
	p.x4 += q.x4
	p.low, p.high = min(p.low, q.low), max(p.high, q.high)
}

// Rows returns the number of kept rows.
func (p *Part) Rows() int64 { return p.k }

// move changes the pivot.
func (p *Part) move(pivot float64) {
	h := p.pivot - pivot
	p.pivot = pivot
	if h == 0 {
		return
	}
	n := float64(p.k)
	p.x4 += h * (4*p.x3 + h*(6*p.x2+h*(4*p.x1+h*n)))
	p.x3 += h * (3*p.x2 + h*(3*p.x1+h*n))
	p.x2 += h * (2*p.x1 + h*n)
	p.x1 += h * n
}

// sums returns the sums of x, x^2 and x^3 themselves.
func (p *Part) sums() (x1, x2, x3 float64) {
	q := *p
	q.move(0)
	return q.x1, q.x2, q.x3
}

// twoValued returns c and the number of rows with the value c, where all values are in {0, c}: then x(x-c), which is nowhere positive
// between 0 and c, adds up to 0.
func (p *Part) twoValued() (c float64, ones int64, ok bool) {
	switch {
	case p.low == p.high:
		if p.low == 0 {
			return 0, 0, true
		}
		return p.low, p.k, true
	case p.low == 0:
		c = p.high
	case p.high == 0:
		c = p.low
	default:
		return 0, 0, false
	}
	x1, x2, _ := p.sums()
	n := x1 / c
	if !(math.Abs(x2-c*x1) <= 1e-12*c*c*float64(p.k)) {
		return 0, 0, false
	}
	ones = int64(n + 0.5)
	return c, ones, ones >= 0 && ones <= p.k
}
