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
	switch {
	case o.sums[0] == 0:
		return
	case p.sums[0] == 0:
		*p = *o
		return
	}
	q := *o
	q.move(p.pivot)
	addTo(p.sums[:], q.sums[:])
	p.ends.take(q.ends.low, false)
	p.ends.take(q.ends.high, false)
}

// move changes the pivot: the sums of (y + h)^r by the binomial theorem.
func (p *SpreadPart) move(pivot float64) {
	h := p.pivot - pivot
	p.pivot = pivot
	if h == 0 {
		return
	}
	for r := len(p.sums) - 1; r > 0; r-- {
		choose, t, sum := 1.0, 1.0, 0.0
		for j := r; j >= 0; j-- {
			sum += choose * t * p.sums[j]
			t *= h
			choose = choose * float64(j) / float64(r-j+1)
		}
		p.sums[r] = sum
	}
}
