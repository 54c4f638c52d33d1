package synopsis

// SpreadPart is one stratum's share of a Spread: what panes keep that serve several windows. The zero value is empty.
type SpreadPart struct {
	pivot float64    // the first value
	sums  [9]float64 // of the powers 0 to 8 of the deviations from the pivot
	ends  limits     // of the values
}

// Add adds the value x of a kept row.
func (p *SpreadPart) Add(x float64) {
	if p.sums[0] == 0 {
		p.pivot = x
	}
	p.add(x)
}

func (p *SpreadPart) add(x float64) {
	p.ends.take(x, p.sums[0] == 0)
	y, t := x-p.pivot, 1.0
	for r := range p.sums {
		p.sums[r] += t
		t *= y
	}
}

// Merge adds the rows of o, which are of the same stratum.
func (p *SpreadPart) Merge(o *SpreadPart) {
	if o.sums[0] == 0 {
		return
	}
	if p.sums[0] == 0 && p.pivot == 0 {
		p.pivot = o.pivot
	}
	p.ends.take(o.ends.low, p.sums[0] == 0)
	p.ends.take(o.ends.high, false)
	// (y + h)^r by the binomial theorem.
	h := o.pivot - p.pivot
	for r := range p.sums {
		choose, t := 1.0, 1.0
		for j := r; j >= 0; j-- {
			p.sums[r] += choose * t * o.sums[j]
			t *= h
			choose = choose * float64(j) / float64(r-j+1)
		}
	}
}
