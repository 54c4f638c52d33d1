package op

import (
	"math"

	"github.com/aurora-dsms/aurora/synopsis"
)

// sampledRows are the rows that stand for others, each chosen by itself.
const sampledRows = shedRows | weightedRows

// sampledCounts counts rows that stand for others.
type sampledCounts struct {
	plan  *aggPlan
	cells []synopsis.Count
	// Where panes are merged, they keep this instead, of which the cells are made when a window closes.
	parts shares[int64]
	rows  weighings
}

func (a *sampledCounts) add(in *lane, groups int) {
	switch {
	case a.plan.hop && in.weights != nil:
		a.rows.grow(groups)
		for i, r := range in.sel {
			a.rows.add(in.ids[i], weighing{n: 1, w: in.weights[r] * in.scale})
		}
	case a.plan.hop:
		a.parts.grow(groups)
		for _, g := range in.ids {
			*a.parts.at(g, in.stratum)++
		}
	case in.weights != nil:
		a.cells = extend(a.cells, groups)
		for i, r := range in.sel {
			a.cells[in.ids[i]].AddWeighted(in.design, in.weights[r]*in.scale)
		}
	case groups == 1:
		a.cells = extend(a.cells, groups)
		a.cells[0].Add(in.design, in.stratum, int64(len(in.ids)))
	default:
		a.cells = extend(a.cells, groups)
		cells := a.cells
		for _, g := range in.ids {
			cells[g].Add(in.design, in.stratum, 1)
		}
	}
}

func (a *sampledCounts) merge(from accumulator, to []uint32, groups int) {
	other := from.(*sampledCounts)
	a.parts.grow(groups)
	a.parts.merge(&other.parts, to, a.plan.numbers, func(into, n *int64) { *into += *n })
	a.rows.grow(groups)
	a.rows.merge(&other.rows, to)
}

func (a *sampledCounts) seal(p *pane) {
	if !a.plan.hop {
		return
	}
	a.cells = extend(a.cells, p.keys.n)
	for g := range a.cells {
		c := &a.cells[g]
		a.parts.each(g, func(stratum int32, n *int64) { c.Add(&p.design, stratum, *n) })
		a.rows.each(g, func(_, w float64) { c.AddWeighted(&p.design, w) })
	}
}

func (a *sampledCounts) reset() {
	a.cells = roomy(a.cells)
	a.parts.reset()
	a.rows.reset()
}

// of returns the cell of group g.
func (a *sampledCounts) of(g uint32) *synopsis.Count {
	if int(g) < len(a.cells) {
		return &a.cells[g]
	}
	return new(synopsis.Count)
}

// countAnswer returns the answer of COUNT, of a lane without DISTINCT.
func (p *aggPlan) countAnswer(a *Agg, lane int, all []Agg) answer {
	exact := p.countOf(lane, all)
	if p.sampling == nil {
		return valued(putCount(exact))
	}
	k := p.state(stateSpec{lane: lane, kind: "sampled count", takes: sampledRows, fresh: func() accumulator {
		return &sampledCounts{plan: p}
	}})
	u := p.units(lane)
	q, weighted := p.question(a, nil), p.sampling.Weighted
	q.Domain = q.Domain || a.Arg != nil // rows with NULL do not count
	put := putCount(exact)
	return func(p *pane, ids []uint32, to *answers) {
		if p.whole() {
			put(p, ids, to.value, to.at, to.n)
			to.allKnown(len(ids))
			return
		}
		s := p.states[k].(*sampledCounts)
		for i, g := range ids {
			e, reliable := synopsis.Estimate{}, true
			if p.rowSets&unitRows != 0 {
				c := cellOf{p: p, g: g, known: u.known(p, g, synopsis.Known{Rows: exact(p, g)})}
				if p.rowSets&sampledRows != 0 {
					c.single = func() (synopsis.Estimate, bool) { return s.of(g).Estimate(&p.design, 0, q), true }
				}
				e, reliable = u.count(c, q)
			} else {
				e = s.of(g).Estimate(&p.design, exact(p, g), q)
			}
			if !weighted {
				e.Value = math.Round(e.Value)
			}
			to.chosen(p, i, e, reliable)
		}
	}
}

// countOf returns what counts the known rows of a group: that adds up as well where a sum of the lane is wanted.
func (p *aggPlan) countOf(lane int, all []Agg) func(p *pane, g uint32) int64 {
	if p.summed(lane, all) {
		k := p.sumState(lane)
		return func(p *pane, g uint32) int64 { return p.states[k].(*sums).of(g).n }
	}
	k := p.state(stateSpec{lane: lane, kind: "count", takes: p.exactRows(lane), fresh: func() accumulator { return &counts{} }})
	return func(p *pane, g uint32) int64 { return p.states[k].(*counts).of(g) }
}
