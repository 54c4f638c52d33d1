package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// spreads follows variances of rows that stand for others.
type spreads struct {
	plan  *aggPlan
	shape *synopsis.Shape // of the column
	cells []synopsis.Spread
	// Where panes are merged, they keep this instead, of which the cells are made when a window closes.
	parts shares[synopsis.SpreadPart]
	rows  weighings

	values []float64 // scratch
}

// spreadRows are the rows whose variance is estimated: for those of blocks the variance of what was read is.
const spreadRows = shedRows | weightedRows | keyedRows

func (a *spreads) add(in *lane, groups int) {
	if in.col.Type == tuple.Null {
		return
	}
	a.values = reals(in, a.values)
	weighted := in.rows != shedRows
	switch {
	case a.plan.hop && weighted:
		a.rows.grow(groups)
		for i, g := range in.ids {
			a.rows.add(g, weighing{n: 1, x: a.values[i], w: in.standsFor(i)})
		}
	case a.plan.hop:
		a.parts.grow(groups)
		for i, g := range in.ids {
			a.parts.at(g, in.stratum).Add(a.values[i])
		}
	case weighted:
		a.cells = extend(a.cells, groups)
		for i, g := range in.ids {
			a.cells[g].AddWeighted(in.design, a.values[i], in.standsFor(i))
		}
	default:
		a.cells = extend(a.cells, groups)
		for i, g := range in.ids {
			a.cells[g].Add(in.design, in.stratum, a.values[i])
		}
	}
}

func (a *spreads) merge(from accumulator, to []uint32, groups int) {
	other := from.(*spreads)
	a.parts.grow(groups)
	a.parts.merge(&other.parts, to, a.plan.numbers, (*synopsis.SpreadPart).Merge)
	a.rows.grow(groups)
	a.rows.merge(&other.rows, to)
}

func (a *spreads) seal(p *pane) {
	if a.plan.hop {
		a.cells = extend(a.cells, p.keys.n)
		for g := range a.cells {
			c := &a.cells[g]
			a.parts.each(g, func(stratum int32, v *synopsis.SpreadPart) { c.AddPart(&p.design, stratum, v) })
			a.rows.each(g, func(x, w float64) { c.AddWeighted(&p.design, x, w) })
		}
	}
	for g := range a.cells {
		a.cells[g].Tell(a.shape, &p.design)
	}
}

func (a *spreads) reset() {
	a.cells = roomy(a.cells)
	a.parts.reset()
	a.rows.reset()
}

// of returns the cell of group g.
func (a *spreads) of(g uint32) *synopsis.Spread {
	if int(g) < len(a.cells) {
		return &a.cells[g]
	}
	return new(synopsis.Spread)
}

// varianceAnswer returns the answer of a variance or a standard deviation, of a lane without DISTINCT.
func (p *aggPlan) varianceAnswer(a *Agg, lane int) answer {
	exact, out := p.momentsState(lane), p.varianceOutput(a, lane)
	if p.sampling == nil {
		return valued(out)
	}
	shape := p.shape(lane, "variance")
	k := p.state(stateSpec{lane: lane, kind: "spread", takes: spreadRows, fresh: func() accumulator {
		return &spreads{plan: p, shape: shape}
	}})
	q := p.question(a, nil)
	divisor := a.Func == VarSamp || a.Func == StddevSamp
	estimate := synopsis.Spread.Var
	if a.Func == StddevPop || a.Func == StddevSamp {
		estimate = synopsis.Spread.Stddev
	}
	return func(p *pane, ids []uint32, to *answers) {
		switch {
		case p.whole():
			out(p, ids, to.value, to.at, to.n)
			to.allKnown(len(ids))
			return
		case p.rowSets&spreadRows == 0:
			out(p, ids, to.value, to.at, to.n)
			for i := range ids {
				to.unknown(i)
			}
			return
		}
		for i, g := range ids {
			cell, known := p.states[k].(*spreads).of(g), p.states[exact].(*moments).of(g)
			if cell.Rows()+known.Count() == 0 {
				to.null(i)
				continue
			}
			e, reliable := estimate(*cell, &p.design, known, shape, q, divisor)
			switch {
			case math.IsNaN(e.Value):
				to.null(i)
				continue
			case p.rowSets&unitRows != 0: // rows of a key vary together
				e.Low, e.High, e.Exact, reliable = math.Inf(-1), math.Inf(1), false, false
			}
			to.chosen(p, i, e, reliable)
		}
	}
}
