package synopsis

import "math"

// ones counts the values c of a cell whose values are in {0, c}: among all rows of its strata, for SUM, and
// among the rows of the cell, for AVG. Its intervals are those of counts and need no label: the transform
// covers 68 % where 5 % of 15 to 29 values are ones.
type ones struct {
	c           float64 // 0 while only zeros were seen
	sum, within tallies
}

// add adds a stratum with n values v among k rows. It returns false where v is not the value so far.
func (o *ones) add(s *Stratum, v float64, n, k int64) bool {
	switch {
	case v == 0:
	case o.c == 0:
		o.c = v
	case o.c != v:
		return false
	}
	o.sum.add(s, n)
	d := s.design(k)
	o.within.sample(n, k, d.w*float64(k), d.w)
	return true
}

// sumOf returns the sum of the values: a count times c.
func (o *ones) sumOf(d *Design, known Known, q Question) Estimate {
	c := o.value(q)
	seen := int64(o.sum.seen())
	low, high := o.sum.interval(&d.totals, quantilesAt(q.Confidence))
	low = max(math.Floor(low), float64(seen))
	high = max(math.Ceil(min(high+d.unknown, d.ceiling(seen))), o.sum.value())
	return Estimate{
		Value: known.Sum + c*o.sum.value(), Low: known.Sum + min(c*low, c*high), High: known.Sum + max(c*low, c*high),
		Confidence: q.Confidence,
	}
}

// meanOf returns the mean of the values of f: the share of the ones times c. The kept rows of a cell are a random sample of its
// rows in each stratum, whose number is estimated.
func (o *ones) meanOf(d *Design, f *fold, known Known, q Question) Estimate {
	c := o.value(q)
	n := f.n + float64(known.Rows)
	all := totals{largest: d.Largest(), offered: f.n, kept: float64(f.seen.k)}
	low, high := o.within.interval(&all, quantilesAt(q.Confidence))
	low, high = max(low, 0), min(high, f.n)
	return Estimate{
		Value: (known.Sum + c*o.within.value()) / n,
		Low:   (known.Sum + min(c*low, c*high)) / n, High: (known.Sum + max(c*low, c*high)) / n,
		Confidence: q.Confidence,
	}
}

// value returns c, that of the column where the cell has only zeros, or an end of the declared range where the column has.
func (o *ones) value(q Question) float64 {
	switch {
	case o.c != 0:
		return o.c
	case q.Tally != nil && q.Tally.one != 0:
		return q.Tally.one
	case q.declared() && q.High != 0:
		return q.High
	case q.declared():
		return q.Low
	}
	return 0
}
