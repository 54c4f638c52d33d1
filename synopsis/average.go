package synopsis

import "math"

// Known is what is known of the rows of whole strata, which exact accumulators hold.
type Known struct {
	Rows int64
	Sum  float64
}

// Sum returns the sum of the cell's values, and whether its interval can be relied on (Tally). The values of whole strata are not in the
// cell but in known. d is sealed.
func (c *Cell) Sum(d *Design, known Known, q Question) (e Estimate, reliable bool) {
	f, o, two := c.total(d)
	pivot := c.part.pivot
	value := f.t + pivot*f.n
	if !d.lost && d.given <= 1 {
		return Exactly(known.Sum + value), true
	}
	if two && !q.guaranteed() && q.Tally.twoValued(o.c) && (q.Domain || d.open || q.Tally.flags()) {
		return o.sumOf(d, known, q), true
	}
	e = Estimate{Value: known.Sum + value, Low: math.Inf(-1), High: math.Inf(1), Confidence: q.Confidence}
	if q.guaranteed() {
		half := d.guaranteed(q, q.reachOfRow(d), f.sum.v)
		e.Low, e.High = e.Value-half, e.Value+half
		return f.clampSum(e, d, known, q), true
	}
	if f.seen.k == 0 || !finite(f.sum) || !finite(cumulants{v: known.Sum}) {
		return f.clampSum(e, d, known, q), false
	}
	n := f.effective(d.Largest())
	below, above := f.sum.span(f.sumDown, f.sumUp, n, quantilesAt(q.Confidence))
	e.Low, e.High = e.Value-below, e.Value+above
	reliable = q.reliable(n, f.sum.v, f.drawn/max(d.offered, f.n)) && d.unknown == 0
	return f.clampSum(e.loose(reliable), d, known, q), reliable
}

// clampSum keeps the bounds of a sum within what is certain: what was seen, and what was declared of the rest.
func (f *fold) clampSum(e Estimate, d *Design, known Known, q Question) Estimate {
	x1, _, _ := f.seen.sums()
	seen := known.Sum + x1
	if !(seen-seen == 0) {
		return e
	}
	if q.declared() {
		rest := max(d.ceiling(0), 0) // rows that may be missing
		least, most := 0.0, 0.0
		if !math.IsInf(rest, 1) {
			least, most = rest*min(q.Low, 0), rest*max(q.High, 0)
			e.Low, e.High = max(e.Low, seen+least), min(e.High, seen+most)
			e.Value = min(max(e.Value, seen+least), seen+most)
		}
	}
	if q.nonNegative() && (f.seen.k == 0 || f.seen.low >= 0) {
		e.Low = max(e.Low, seen)
	}
	e.Low, e.High = min(e.Low, e.Value), max(e.High, e.Value)
	return e
}

// Mean returns the mean of the cell's values, and whether its interval can be relied on (Tally). The values of whole strata are not in
// the cell but in known. d is sealed. Without any row all of the estimate is NaN.
func (c *Cell) Mean(d *Design, known Known, q Question) (e Estimate, reliable bool) {
	f, o, two := c.total(d)
	pivot := c.part.pivot
	n := f.n + float64(known.Rows)
	if n == 0 {
		return Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN(), Confidence: q.Confidence, Exact: !d.lost && d.given <= 1}, !d.lost
	}
	r := (f.t + known.Sum - pivot*float64(known.Rows)) / n
	if !d.lost && d.given <= 1 {
		return Exactly(pivot + r), true
	}
	rows := f.effective(d.Largest())
	if two && !q.guaranteed() && q.Tally.twoValued(o.c) && q.Tally.flags() {
		return o.meanOf(d, &f, known, q), true
	}
	t := f.mean.at(r)
	e = Estimate{Value: pivot + r, Low: math.Inf(-1), High: math.Inf(1), Confidence: q.Confidence}
	switch {
	case q.guaranteed():
		half := d.guaranteed(q, q.High-q.Low, t.v) / n
		far := max(t.v, f.mean.at(r-half).v, f.mean.at(r+half).v)
		half = d.guaranteed(q, q.High-q.Low, far) / n
		e.Low, e.High, reliable = e.Value-half, e.Value+half, true
	case f.seen.k == 0 || !finite(t) || !(r-r == 0):
	default:
		below, above := t.span(f.meanDown.at(r, -1), f.meanUp.at(r, 1), rows, quantilesAt(q.Confidence))
		if q.Domain || f.drawn < f.n {
			// The number of rows is estimated, too.
			wider := math.Sqrt(rows / max(rows-1, 1))
			below, above = below*wider, above*wider
		}
		e.Low, e.High = e.Value-below/n, e.Value+above/n
		reliable = q.reliable(rows, t.v, 1) && d.unknown == 0
		e = e.loose(reliable)
	}
	if math.IsInf(e.Low, -1) && q.nonNegative() && f.seen.low >= 0 && known.Rows == 0 {
		e.Low = 0
	}
	if q.declared() {
		e.Low, e.High = max(e.Low, q.Low), min(e.High, q.High)
	}
	e.Low, e.High = min(e.Low, e.Value), max(e.High, e.Value)
	return e, reliable
}

func finite(c cumulants) bool { return c.v-c.v == 0 && c.j-c.j == 0 && c.k-c.k == 0 && c.d-c.d == 0 }

// declared reports whether the range of the column is known.
func (q *Question) declared() bool { return q.Low < q.High }

// guaranteed reports whether the interval is to hold by a theorem.
func (q *Question) guaranteed() bool { return q.declared() && q.Method != Transform }

// reachOfRow returns how far apart the contributions of two rows to a sum may be: those outside the cell count as 0, and so do those that were
// dropped where rows are kept independently of each other.
func (q *Question) reachOfRow(d *Design) float64 {
	if q.Domain || d.open || d.independent() {
		return max(q.High, 0) - min(q.Low, 0)
	}
	return q.High - q.Low
}

// nonNegative reports whether values below 0 can be ruled out: by declaration, or as none came among many rows.
func (q *Question) nonNegative() bool {
	return q.declared() && q.Low >= 0 || !q.guaranteed() && q.Tally != nil && q.Tally.rows >= tallyRows && q.Tally.low >= 0
}
