package op

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// sampledSums counts and adds up rows that stand for others: SUM and AVG of one argument.
type sampledSums struct {
	plan  *aggPlan
	tally *synopsis.Tally // of the column
	cells []synopsis.Cell
	// Where panes are merged, they keep this instead, of which the cells are made when a window closes.
	parts shares[synopsis.Part]
	rows  weighings

	values []float64 // scratch
}

func (a *sampledSums) add(in *lane, groups int) {
	if in.col.Type == tuple.Null {
		return
	}
	values := reals(in, a.values)
	a.values = values
	switch {
	case a.plan.hop && in.weights != nil:
		a.rows.grow(groups)
		for i, r := range in.sel {
			a.rows.add(in.ids[i], weighing{n: 1, x: values[i], w: in.weights[r] * in.scale})
		}
	case a.plan.hop:
		a.parts.grow(groups)
		for i, g := range in.ids {
			a.parts.at(g, in.stratum).Add(values[i])
		}
	case in.weights != nil:
		a.cells = extend(a.cells, groups)
		for i, r := range in.sel {
			a.cells[in.ids[i]].AddWeighted(in.design, values[i], in.weights[r]*in.scale)
		}
	default:
		a.cells = extend(a.cells, groups)
		cells, d, stratum := a.cells, in.design, in.stratum
		for i, g := range in.ids {
			cells[g].Add(d, stratum, values[i])
		}
	}
}

// reals returns the argument of each row of the lane as a double, in values where there is room.
func reals(in *lane, values []float64) []float64 {
	values = tuple.Resize(values, len(in.sel))
	switch c := in.col; c.Rep {
	case tuple.RepInt:
		for i, r := range in.sel {
			values[i] = float64(c.I[r])
		}
	case tuple.RepFloat:
		for i, r := range in.sel {
			values[i] = c.F[r]
		}
	default:
		for i, r := range in.sel {
			values[i] = numberAt(c, r).float()
		}
	}
	return values
}

func (a *sampledSums) merge(from accumulator, to []uint32, groups int) {
	other := from.(*sampledSums)
	a.parts.grow(groups)
	a.parts.merge(&other.parts, to, a.plan.numbers, (*synopsis.Part).Merge)
	a.rows.grow(groups)
	a.rows.merge(&other.rows, to)
}

func (a *sampledSums) seal(p *pane) {
	if a.plan.hop {
		a.cells = extend(a.cells, p.keys.n)
		for g := range a.cells {
			c := &a.cells[g]
			a.parts.each(g, func(stratum int32, v *synopsis.Part) { c.AddPart(&p.design, stratum, v) })
			a.rows.each(g, func(x, w float64) { c.AddWeighted(&p.design, x, w) })
		}
	}
	for g := range a.cells {
		if c := &a.cells[g]; c.Rows(&p.design) > 0 {
			a.tally.Add(c, &p.design)
		}
	}
}

func (a *sampledSums) reset() {
	a.cells = roomy(a.cells)
	a.parts.reset()
	a.rows.reset()
}

// of returns the cell of group g.
func (a *sampledSums) of(g uint32) *synopsis.Cell {
	if int(g) < len(a.cells) {
		return &a.cells[g]
	}
	return new(synopsis.Cell)
}

// columnTally is the tally of a lane.
type columnTally struct {
	lane int
	*synopsis.Tally
}

// sampledSum returns the number of the state for the rows of a lane that stand for others, and the tally of its column.
func (p *aggPlan) sampledSum(lane int) (int, *synopsis.Tally) {
	var tally *synopsis.Tally
	for _, t := range p.tallies {
		if t.lane == lane {
			tally = t.Tally
		}
	}
	if tally == nil {
		tally = new(synopsis.Tally)
		p.tallies = append(p.tallies, columnTally{lane, tally})
	}
	return p.state(stateSpec{lane: lane, kind: "sampled sum", takes: sampledRows, fresh: func() accumulator {
		return &sampledSums{plan: p, tally: tally}
	}}), tally
}

// sumAnswer returns the answer of SUM or AVG, of a lane without DISTINCT.
func (p *aggPlan) sumAnswer(a *Agg, lane int) answer {
	exact, out := p.sumState(lane), p.sumOutput(a, lane)
	if p.sampling == nil {
		return valued(out)
	}
	k, tally := p.sampledSum(lane)
	u, declared := p.units(lane), p.ranged(a, lane)
	q, estimate := p.question(a, tally), (*synopsis.Cell).Sum
	if a.Func == Avg {
		estimate = (*synopsis.Cell).Mean
	}
	return func(p *pane, ids []uint32, to *answers) {
		if p.whole() {
			out(p, ids, to.value, to.at, to.n)
			to.allKnown(len(ids))
			return
		}
		s, q := p.states[k].(*sampledSums), q
		kept := declared.promise(&q)
		for i, g := range ids {
			cell, whole := s.of(g), p.states[exact].(*sums).of(g)
			rows := cell.Rows(&p.design) + u.rows(p, g)
			known := u.known(p, g, synopsis.Known{Rows: whole.n, Sum: whole.sum.Float()})
			if rows+known.Rows == 0 {
				to.null(i)
				continue
			}
			q := q
			q.Domain = q.Domain || rows+known.Rows < p.total // some rows were NULL
			var e synopsis.Estimate
			reliable := false
			if p.rowSets&unitRows != 0 {
				e, reliable = u.sumOrMean(cellOf{p: p, g: g, known: known}, cell, a.Func, q)
			} else {
				e, reliable = estimate(cell, &p.design, known, q)
			}
			if e.Exact && rows == 0 {
				out(p, ids[i:i+1], to.value, to.at+i, to.n)
				to.known(i)
				continue
			}
			to.chosen(p, i, e, reliable && kept)
		}
	}
}
