package op

import (
	"math"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// tops answers top-k. Each item says its own bounds; the columns of bounds stay NULL, and the label says of all of them
// whether they can be relied on.
type tops struct {
	plan  *aggPlan
	agg   *Agg
	state int
}

// topAnswer finds or adds the state of a top-k function and returns what writes its values.
func (p *aggPlan) topAnswer(a *Agg, lane int) (answer, error) {
	if _, err := sketch.NewTopK(a.K); err != nil {
		return nil, err
	}
	k := a.K
	shared := &stock[*sketch.TopK]{fresh: func() *sketch.TopK { return must(sketch.NewTopK(k)) }}
	state := p.state(stateSpec{lane: lane, kind: "top", param: float64(k), fresh: func() accumulator {
		h := &heavies{scratch: &p.text}
		h.stock = shared
		return h
	}})
	return (&tops{plan: p, agg: a, state: state}).write, nil
}

func (o *tops) write(pn *pane, ids []uint32, to *answers) {
	p, s := o.plan, pn.states[o.state].(*heavies)
	sampled := p.sampling != nil && !pn.whole()
	largest, blocks := 1.0, pn.rowSets&blockRows != 0
	if sampled {
		largest = pn.largestScale()
	}
	for i, g := range ids {
		r := to.at + i
		t := s.look(g)
		if to.low != nil {
			putNull(to.low, r, to.n)
			putNull(to.high, r, to.n)
			to.label.B[r] = sampled && (t == nil || blocks || pn.biased || pn.rowSets&keyedRows != 0)
		}
		if t == nil {
			putNull(to.value, r, to.n)
			to.inexact[r] = to.inexact[r] || sampled
			continue
		}
		p.top = t.Top(p.top[:0])
		switch {
		case blocks || sampled && pn.biased:
			p.text = appendSeen(p.text[:0], p.top, o.agg.Arg.Type, pn.design.Kept())
		case sampled:
			p.text = o.appendSampled(p.text[:0], p.top, max(largest, t.Largest()))
		default:
			p.text = appendTop(p.text[:0], p.top, o.agg.Arg.Type)
		}
		to.value.SetStr(r, p.text)
		to.inexact[r] = to.inexact[r] || sampled || !t.Exact()
	}
}

// appendSampled appends the items with the bounds of their numbers of rows in the whole. Items are there for being many
// among the candidates, those that are counted, and the bounds hold for all of these at once (Bonferroni).
func (o *tops) appendSampled(dst []byte, top []sketch.TopItem, largest float64) []byte {
	confidence := 1 - (1-o.plan.sampling.Confidence)/float64(sketch.TopCapacity(o.agg.K))
	dst = append(dst, '[')
	for i := range top {
		e := top[i].Interval(confidence, largest)
		if !o.plan.sampling.Weighted {
			e.Value, e.Low, e.High = math.Round(e.Value), math.Floor(e.Low), math.Ceil(e.High)
		}
		dst = appendItem(dst, i, &top[i], o.agg.Arg.Type)
		dst = appendCount(append(dst, `,"count":`...), e.Value)
		dst = appendCount(append(dst, `,"lo":`...), e.Low)
		dst = append(appendCount(append(dst, `,"hi":`...), e.High), '}')
	}
	return append(dst, ']')
}

// appendSeen appends the items of a sample that was drawn otherwise than row by row: counts by the share kept, and what
// was seen as their lower bounds.
func appendSeen(dst []byte, top []sketch.TopItem, t tuple.Type, kept float64) []byte {
	dst = append(dst, '[')
	for i := range top {
		dst = appendItem(dst, i, &top[i], t)
		dst = appendCount(append(dst, `,"count":`...), math.Round(top[i].Count/kept))
		dst = appendCount(append(dst, `,"lo":`...), top[i].Low)
		dst = append(dst, `,"hi":null}`...)
	}
	return append(dst, ']')
}

// appendItem begins item i of a list.
func appendItem(dst []byte, i int, item *sketch.TopItem, t tuple.Type) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return appendJSON(append(dst, `{"value":`...), item.Value, t)
}

// appendCount appends a sum of weights, without a fraction where it has none.
func appendCount(dst []byte, x float64) []byte {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.AppendInt(dst, int64(x), 10)
	}
	return tuple.AppendFloat(dst, x)
}
