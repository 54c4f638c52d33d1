package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// blockCells counts and adds up rows of blocks of a file: COUNT, SUM and AVG of one argument.
type blockCells struct {
	plan   *aggPlan
	shape  *synopsis.Shape // of the rows of the column
	shapes synopsis.UnitShapes
	cells  []synopsis.Blocks
	parts  shares[blockPart] // where panes are merged: by the numbers of blocks in place of strata

	values []float64 // scratch
}

// blockPart is what a group of a pane has of a block, in rows that stand for w of it each.
type blockPart struct {
	synopsis.Part
	w float64
}

func (a *blockCells) add(in *lane, groups int) {
	a.values = unitValues(in, a.values)
	if a.plan.hop {
		a.parts.grow(groups)
		for i, g := range in.ids {
			p := a.parts.at(g, int32(in.block))
			p.w = in.standsFor(i)
			p.Add(a.values[i])
		}
		return
	}
	a.cells = extend(a.cells, groups)
	for i, g := range in.ids {
		a.cells[g].AddWeighted(in.block, a.values[i], in.standsFor(i))
	}
}

// standsFor returns how many rows of its block, or of its key, row i of the lane stands for: by weights of its own and by
// drops of another kind.
func (in *lane) standsFor(i int) float64 {
	if in.weights != nil {
		return in.scale * in.weights[in.sel[i]]
	}
	return in.scale
}

// unitValues returns the argument of each row of the lane as a double, 1 where there is none or where it is no number and
// can only be counted.
func unitValues(in *lane, values []float64) []float64 {
	if in.col != nil && (in.col.Type.Numeric() || in.col.Type == tuple.Interval) {
		return reals(in, values)
	}
	values = tuple.Resize(values, len(in.sel))
	for i := range values {
		values[i] = 1
	}
	return values
}

func (a *blockCells) merge(from accumulator, to []uint32, groups int) {
	a.parts.grow(groups)
	other := from.(*blockCells)
	for i := range other.parts.ends {
		other.parts.each(i, func(block int32, p *blockPart) {
			into := a.parts.at(to[i], block)
			into.w = p.w
			into.Merge(&p.Part)
		})
	}
}

func (a *blockCells) seal(p *pane) {
	if a.plan.hop {
		a.cells = extend(a.cells, p.keys.n)
		for g := range a.cells {
			a.parts.each(g, func(block int32, p *blockPart) { a.cells[g].AddPart(int64(block), &p.Part, p.w) })
		}
	}
	for g := range a.cells {
		a.cells[g].Tell(p.clusters(), a.shape, &a.shapes)
	}
}

func (a *blockCells) reset() {
	a.cells = roomy(a.cells)
	a.parts.reset()
}

// of returns the cell of group g.
func (a *blockCells) of(g uint32) *synopsis.Blocks {
	if int(g) < len(a.cells) {
		return &a.cells[g]
	}
	return new(synopsis.Blocks)
}

// clusters returns how many blocks there are and how many were read.
func (p *pane) clusters() (c synopsis.Clusters) {
	for _, s := range p.design.Strata() {
		for s.Up != nil {
			s = s.Up
		}
		c.Population, c.Sampled = max(c.Population, s.Offered), max(c.Sampled, s.Kept)
	}
	return c
}

// allBlocks reports whether every block was read and nothing else was dropped.
func (p *pane) allBlocks() bool {
	for _, s := range p.design.Strata() {
		if s.Up != nil || s.Kept < s.Offered {
			return false
		}
	}
	return true
}

// blockRowsMost follows the largest number of rows of a pane in one block, for the bound of groups without any row.
type blockRowsMost struct {
	block      int64
	rows, most int64
}

func (a *blockRowsMost) add(in *lane, _ int) {
	if in.block != a.block {
		a.block, a.rows = in.block, 0
	}
	a.rows += int64(len(in.sel))
	a.most = max(a.most, a.rows)
}

func (a *blockRowsMost) merge(from accumulator, _ []uint32, _ int) {
	o := from.(*blockRowsMost)
	if a.most == 0 {
		*a = *o
		return
	}
	a.most += o.most
}

func (a *blockRowsMost) reset() { *a = blockRowsMost{} }

// blockRowsState finds or adds the state that follows the rows of blocks.
func (p *aggPlan) blockRowsState() int {
	return p.state(stateSpec{
		lane: p.lane(&Agg{Func: CountAll}), kind: "rows of blocks", takes: blockRows,
		fresh: func() accumulator { return new(blockRowsMost) },
	})
}

// unseen returns the greatest count of a group without any row: that of rows where each was chosen by itself, of blocks with as many rows as
// any that was read, and none that can be told for keys, as one key may have any number of rows.
func (p *pane) unseen(plan *aggPlan) float64 {
	q := plan.question(&Agg{}, nil)
	switch {
	case p.biased || p.rowSets&keyedRows != 0:
		return math.Inf(1)
	case p.rowSets&blockRows == 0:
		return synopsis.Unseen(&p.design, q)
	}
	c := p.clusters()
	if c.Sampled == 0 {
		return math.Inf(1)
	}
	var d synopsis.Design
	i := d.Enter(&synopsis.Stratum{Keep: float64(c.Sampled) / float64(c.Population), Offered: c.Population, Kept: c.Sampled, Open: true})
	d.Rows(i, c.Sampled)
	d.Seal()
	most := p.states[plan.most].(*blockRowsMost).most
	return synopsis.Unseen(&d, q) * float64(most)
}
