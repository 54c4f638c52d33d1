package op

import "github.com/aurora-dsms/aurora/engine/tuple"

// pickAnswer finds or adds the state of a function that picks one of the values, and returns what writes its values and
// bounds. Of rows that are not all there the least value seen is an upper bound of the least, and the greatest a lower
// one of the greatest, and nothing bounds the other side; the first and the last may be others; any value is any value.
func (p *aggPlan) pickAnswer(a *Agg, lane int) answer {
	out := p.pickOutput(a, lane)
	if p.sampling == nil {
		return valued(out)
	}
	return func(pn *pane, ids []uint32, to *answers) {
		out(pn, ids, to.value, to.at, to.n)
		whole := pn.whole()
		for i := range ids {
			if whole || a.Func == AnyValue && !to.value.IsNull(to.at+i) {
				to.known(i)
				continue
			}
			to.oneSided(i, a.Func)
		}
	}
}

// oneSided writes the bounds of value i, picked by f, on the side where it is itself one.
func (o *answers) oneSided(i int, f AggFunc) {
	r := o.at + i
	o.inexact[r] = true
	if o.low == nil {
		return
	}
	o.label.B[r] = true
	if f == Max {
		o.copyValue(o.low, r)
	} else {
		putNull(o.low, r, o.n)
	}
	if f == Min {
		o.copyValue(o.high, r)
	} else {
		putNull(o.high, r, o.n)
	}
}

// pickOutput finds or adds the state of a function that picks one of the values and returns what writes these.
func (p *aggPlan) pickOutput(a *Agg, lane int) output {
	t, kind := a.Arg.Type, "min"
	if a.Func == Max {
		kind = "max"
	}
	extremal := a.Func == Min || a.Func == Max
	if k := -1; extremal && (t == tuple.Bigint || t == tuple.Timestamp || t == tuple.Interval) {
		k = p.state(stateSpec{lane: lane, kind: kind, fresh: func() accumulator {
			return &extremes[int64]{greatest: kind == "max"}
		}})
		return putEach(k, (*extremes[int64]).put)
	} else if extremal && t == tuple.Double {
		k = p.state(stateSpec{lane: lane, kind: kind, fresh: func() accumulator {
			return &extremes[float64]{greatest: kind == "max"}
		}})
		return putEach(k, (*extremes[float64]).put)
	}
	kind, fresh := pickState(a.Func, t)
	return putEach(p.state(stateSpec{lane: lane, kind: kind, fresh: fresh}), (*picks).put)
}
