package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// The frame of bounds: how answers about a thinned stream come about.
//
// Each batch's Sample is read into the table of strata (strata); each pane has a synopsis.Design with the strata that its
// rows came in. Lanes tell accumulators how their rows were chosen (sample). A state says in stateSpec.takes which
// rows it wants: one that is exact takes wholeRows, one that estimates takes the rest, one that does both takes them all.
// When a window closes, states that are sealers make their cells ready and tell tallies. Then the answer of each
// aggregate writes values and bounds of the window's groups through answers.

// answer writes the values and the bounds of one aggregate, or the bounds of a ratio, for groups of a pane.
type answer func(p *pane, ids []uint32, to *answers)

// answers is where an answer goes: that of group ids[i] to row at+i of columns.
type answers struct {
	value            *tuple.Column  // nil for a ratio
	low, high, label *tuple.Column  // nil where no bounds are wanted; label is true where bounds cannot be relied on
	at, n            int            // the first row, and the length of the columns
	inexact          []bool         // per row of the columns: some value of it is an estimate
	all              []tuple.Column // of the answers, as far as they are written
}

// valued makes an answer of an output that knows nothing of samples: its values are exact where all rows of the window
// are there, and have no bounds elsewhere.
func valued(out output) answer {
	return func(p *pane, ids []uint32, to *answers) {
		out(p, ids, to.value, to.at, to.n)
		if p.whole() {
			to.allKnown(len(ids))
			return
		}
		for i := range ids {
			to.unknown(i)
		}
	}
}

// leastAnswer makes an answer of an output of counts that can only grow with the rows that are not there: elsewhere than in
// whole windows its values are labelled lower bounds.
func leastAnswer(out output) answer {
	return func(p *pane, ids []uint32, to *answers) {
		out(p, ids, to.value, to.at, to.n)
		if p.whole() {
			to.allKnown(len(ids))
			return
		}
		for i := range ids {
			to.between(i, realAt(to.value, to.at+i), math.Inf(1), false)
		}
	}
}

// allKnown says that the first n values, which are written, are the true ones.
func (o *answers) allKnown(n int) {
	if o.low == nil {
		return
	}
	for i := range n {
		o.known(i)
	}
}

// known says that value i, which is written, is the true one: it is its own bounds.
func (o *answers) known(i int) {
	if o.low == nil {
		return
	}
	r := o.at + i
	o.copyValue(o.low, r)
	o.copyValue(o.high, r)
	o.label.B[r] = false
}

func (o *answers) copyValue(to *tuple.Column, r int) {
	switch v := o.value; {
	case v.IsNull(r):
		putNull(to, r, o.n)
	case v.Type.Bytes():
		to.SetStr(r, v.Str(r))
	default:
		numberAt(v, uint16(r)).put(to, r, o.n)
	}
}

// unknown says that nothing bounds value i, which is written.
func (o *answers) unknown(i int) { o.between(i, math.Inf(-1), math.Inf(1), false) }

// between writes the bounds of value i, which is an estimate, and whether they can be relied on. Infinite bounds become
// NULL, and so do all bounds of text. Bounds of integers and times are rounded outwards.
func (o *answers) between(i int, low, high float64, reliable bool) {
	r := o.at + i
	o.inexact[r] = true
	if o.low == nil {
		return
	}
	o.bound(o.low, r, low, math.Floor)
	o.bound(o.high, r, high, math.Ceil)
	o.label.B[r] = !reliable
}

func (o *answers) bound(to *tuple.Column, r int, x float64, outwards func(float64) float64) {
	switch t := to.Type; {
	case x-x != 0 || t.Bytes():
		putNull(to, r, o.n)
	case t.Numeric():
		putReal(to, r, o.n, x, o.value != nil && o.value.Type != tuple.Double)
	default:
		to.I[r] = roundInt(outwards(x))
	}
}

// estimate writes value i and its bounds. Values of integers and times are rounded.
func (o *answers) estimate(i int, e synopsis.Estimate, reliable bool) {
	o.put(i, e.Value)
	if e.Exact {
		o.known(i)
		return
	}
	o.between(i, e.Low, e.High, reliable)
}

// chosen is estimate for a window of p: nothing bounds what was not chosen by chance.
func (o *answers) chosen(p *pane, i int, e synopsis.Estimate, reliable bool) {
	if p.biased {
		e.Low, e.High, e.Exact, reliable = math.Inf(-1), math.Inf(1), false, false
	}
	o.estimate(i, e, reliable)
}

// put writes value i, which is NULL where x is no number.
func (o *answers) put(i int, x float64) {
	r := o.at + i
	switch t := o.value.Type; {
	case math.IsNaN(x):
		putNull(o.value, r, o.n)
	case t == tuple.Double || t == tuple.Number:
		putReal(o.value, r, o.n, x, true)
	default:
		o.value.I[r] = roundInt(x)
	}
}

// null writes the NULL of a group without rows and leaves its bounds open.
func (o *answers) null(i int) {
	putNull(o.value, o.at+i, o.n)
	o.unknown(i)
}

// putReal writes x to row r of a numeric column of n rows, as an integer where it is one and whole asks for that.
func putReal(c *tuple.Column, r, n int, x float64, whole bool) {
	if whole && c.Type != tuple.Double && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		putInt(c, r, n, int64(x))
		return
	}
	putFloat(c, r, n, x)
}
