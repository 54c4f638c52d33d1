package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// rivals follows how far the intervals of the rows reach that a limit leaves out, to label those that it picks by luck.
// Distances are counted along the order: for an ascending key signs are turned.
type rivals struct {
	pick *Pick   // nil: nothing is followed
	most float64 // the farthest end of an interval of the rows left out; -Inf while there are none
}

func newRivals(o *Order) rivals {
	var v rivals
	if o.Limit >= 0 || o.Offset > 0 || o.Total > 0 {
		v.pick = o.Pick
	}
	v.clear()
	return v
}

// clear forgets the rows of a window.
func (v *rivals) clear() { v.most = math.Inf(-1) }

// near and far return the ends of a row's interval along the order; a bound that is not known is infinite.
func (v *rivals) near(cols []tuple.Column, r int) float64 {
	if v.pick.Desc {
		return boundAt(&cols[v.pick.Low], r, math.Inf(-1))
	}
	return -boundAt(&cols[v.pick.High], r, math.Inf(1))
}

func (v *rivals) far(cols []tuple.Column, r int) float64 {
	if v.pick.Desc {
		return boundAt(&cols[v.pick.High], r, math.Inf(1))
	}
	return -boundAt(&cols[v.pick.Low], r, math.Inf(-1))
}

// boundAt returns a bound that is a number or a time, or open where it is not known.
func boundAt(c *tuple.Column, r int, open float64) float64 {
	if c.IsNull(r) || c.Type.Bytes() {
		return open
	}
	x := numberAt(c, uint16(r)).float()
	if math.IsNaN(x) {
		return open
	}
	return x
}

// lose says that a row is left out behind those that are picked.
func (v *rivals) lose(cols []tuple.Column, r int) {
	switch {
	case v.pick == nil:
	case v.pick.Blind:
		v.most = math.Inf(1)
	default:
		v.most = max(v.most, v.far(cols, r))
	}
}

// label labels those rows from the first one on that might not have been picked: their intervals meet one of the rows left
// out behind them, or of those before the first.
func (v *rivals) label(cols []tuple.Column, rows []uint32, first int) {
	if v.pick == nil {
		return
	}
	sure := v.surely(cols, rows[:first])
	for _, r := range rows[first:] {
		if sure(int(r)) {
			continue
		}
		for _, e := range v.pick.Labels {
			if !known(cols, e, int(r)) {
				c := &cols[e.Label]
				c.B[r], c.Null[r] = true, false
			}
		}
		for _, list := range v.pick.Lists {
			if exact := &cols[v.pick.Exact]; exact.IsNull(int(r)) || !exact.B[r] {
				c := &cols[list]
				c.B[r], c.Null[r] = true, false
			}
		}
	}
}

// surely returns what reports of a row that it would have been picked whatever the errors, behind the rows before.
func (v *rivals) surely(cols []tuple.Column, before []uint32) func(r int) bool {
	if v.pick.Blind {
		all := len(before) == 0 && math.IsInf(v.most, -1)
		return func(int) bool { return all }
	}
	least := math.Inf(1)
	for _, r := range before {
		least = min(least, v.near(cols, int(r)))
	}
	return func(r int) bool { return v.near(cols, r) > v.most && v.far(cols, r) < least }
}

// known reports whether an estimate is the true value.
func known(cols []tuple.Column, e Estimate, r int) bool {
	low, high := &cols[e.Low], &cols[e.High]
	return !low.IsNull(r) && sameValue(low, r, high, r)
}

// fits reports whether columns are ones whose rows can be labelled.
func (v *rivals) fits(cols []tuple.Column) bool {
	if v.pick == nil {
		return true
	}
	bounds := func(low, high int) bool {
		return low >= 0 && high >= 0 && max(low, high) < len(cols) && cols[low].Type == cols[high].Type
	}
	for _, e := range v.pick.Labels {
		if !bounds(e.Low, e.High) || e.Label < 0 || e.Label >= len(cols) || cols[e.Label].Type != tuple.Boolean {
			return false
		}
	}
	truth := func(i int) bool { return i >= 0 && i < len(cols) && cols[i].Type == tuple.Boolean }
	for _, i := range v.pick.Lists {
		if !truth(i) || !truth(v.pick.Exact) {
			return false
		}
	}
	return v.pick.Blind || bounds(v.pick.Low, v.pick.High)
}
