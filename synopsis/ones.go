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
	low, high := o.counted(d, f, quantilesAt(q.Confidence))
	return Estimate{
		Value: (known.Sum + c*o.within.value()) / n,
		Low:   (known.Sum + min(c*low, c*high)) / n, High: (known.Sum + max(c*low, c*high)) / n,
		Confidence: q.Confidence,
	}
}

// counted returns the bounds of the number of ones among the f.n rows that those of the cell are estimated to be. The rarer of ones and zeros
// come in whole rows. Where none of them may be missing, their number is certain but the number of rows is not, as the share
// of the kept ones is that of a count without them.
func (o *ones) counted(d *Design, f *fold, q *quantiles) (low, high float64) {
	kept := float64(f.seen.k)
	low, high = o.within.interval(&totals{largest: d.Largest(), offered: f.n, kept: kept}, q)
	seen, count := o.within.seen(), o.within.value()
	flip := 2*count > f.n
	if flip {
		seen, count, low, high = kept-seen, f.n-count, f.n-high, f.n-low
	}
	low, high = max(math.Floor(low+1e-9*f.n), 0), min(math.Ceil(high-1e-9*f.n), f.n)
	if low <= seen {
		low = seen * f.n / (f.n + q.student.quantile(math.Inf(1))*math.Sqrt(f.a1*(1-count/f.n)))
	}
	if flip {
		return f.n - high, f.n - low
	}
	return low, high
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
