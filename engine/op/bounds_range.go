package op

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// columnRange is what became of the range that was declared of a lane's values. A value outside breaks the promise: it takes part like
// all others and is counted, and answers about its window and all later ones are labelled and do not rest on the range.
type columnRange struct {
	lane      int
	low, high float64
	outside   int64 // values
	broken    bool  // some window that is closed had one
}

// outsiders counts the values of a pane's rows that lie outside the range of their column.
type outsiders struct {
	column *columnRange
	n      int64
	values []float64 // scratch
}

func (a *outsiders) add(in *lane, _ int) {
	if in.col.Type == tuple.Null {
		return
	}
	a.values = reals(in, a.values)
	n := int64(0)
	for _, x := range a.values {
		if !(x >= a.column.low && x <= a.column.high) {
			n++
		}
	}
	a.n += n
	a.column.outside += n
}

func (a *outsiders) merge(from accumulator, _ []uint32, _ int) { a.n += from.(*outsiders).n }

func (a *outsiders) seal(*pane) { a.column.broken = a.column.broken || a.n > 0 }

func (a *outsiders) reset() { a.n = 0 }

func (a *outsiders) size() int64 { return 0 }

func (a *outsiders) save(w *stateWriter) { w.i64(a.n) }

func (a *outsiders) load(r *stateReader, _ int) {
	a.n = r.i64()
	r.require(a.n >= 0)
}

// ranged finds or adds what follows the declared range of a's argument; nil if there is none.
func (p *aggPlan) ranged(a *Agg, lane int) *columnRange {
	if !a.Ranged {
		return nil
	}
	for _, c := range p.ranges {
		if c.lane == lane {
			return c
		}
	}
	c := &columnRange{lane: lane, low: a.Low, high: a.High}
	p.ranges = append(p.ranges, c)
	p.state(stateSpec{lane: lane, kind: "range", fresh: func() accumulator { return &outsiders{column: c} }})
	return c
}

// promise puts the range, which may be nil, into a question, and reports whether the promise was kept. Where it was not,
// the question is the one that asks for no theorem.
func (c *columnRange) promise(q *synopsis.Question) (kept bool) {
	switch {
	case c == nil:
		return true
	case c.broken:
		q.Method = synopsis.Transform
		return false
	}
	q.Low, q.High = c.low, c.high
	return true
}

func (p *aggPlan) saveRanges(w *stateWriter) {
	for _, c := range p.ranges {
		w.i64(c.outside)
		w.bool(c.broken)
	}
}

func (p *aggPlan) loadRanges(r *stateReader) {
	for _, c := range p.ranges {
		c.outside, c.broken = r.i64(), r.bool()
		r.require(c.outside >= 0)
	}
}

// outside returns the number of values that lay outside of declared ranges.
func (p *aggPlan) outside() (n int64) {
	for _, c := range p.ranges {
		n += c.outside
	}
	return n
}
