package op

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// sums counts and adds up: COUNT, SUM and AVG of one argument.
type sums struct{ cells []sumCell }

type sumCell struct {
	n   int64
	sum synopsis.Sum
}

func (a *sums) add(in *lane, groups int) {
	a.cells = extend(a.cells, groups)
	cells := a.cells
	switch c := in.col; {
	case c.Type == tuple.Null:
	case c.Rep == tuple.RepInt:
		for i, r := range in.sel {
			cell := &cells[in.ids[i]]
			cell.n++
			cell.sum.AddInt(c.I[r])
		}
	case c.Rep == tuple.RepFloat:
		for i, r := range in.sel {
			cell := &cells[in.ids[i]]
			cell.n++
			cell.sum.AddFloat(c.F[r])
		}
	default:
		for i, r := range in.sel {
			cell := &cells[in.ids[i]]
			cell.n++
			switch c.Tag[r] {
			case tuple.TagInt:
				cell.sum.AddInt(c.I[r])
			case tuple.TagFloat:
				cell.sum.AddFloat(c.F[r])
			default:
				cell.sum.AddInt128(synopsis.Int128{Hi: c.Hi[r], Lo: uint64(c.I[r])})
			}
		}
	}
}

func (a *sums) merge(from accumulator, to []uint32, groups int) {
	a.cells = extend(a.cells, groups)
	other := from.(*sums).cells
	for i := range other {
		cell := &a.cells[to[i]]
		cell.n += other[i].n
		cell.sum.Merge(&other[i].sum)
	}
}

func (a *sums) reset() { a.cells = roomy(a.cells) }

func (a *sums) of(g uint32) *sumCell {
	if int(g) < len(a.cells) {
		return &a.cells[g]
	}
	return new(sumCell)
}

// moments follows variances.
type moments struct{ cells []synopsis.Moments }

func (a *moments) add(in *lane, groups int) {
	a.cells = extend(a.cells, groups)
	cells := a.cells
	switch c := in.col; {
	case c.Type == tuple.Null:
	case c.Rep == tuple.RepInt:
		for i, r := range in.sel {
			cells[in.ids[i]].AddInt(c.I[r])
		}
	case c.Rep == tuple.RepFloat:
		for i, r := range in.sel {
			cells[in.ids[i]].AddFloat(c.F[r])
		}
	default:
		for i, r := range in.sel {
			switch c.Tag[r] {
			case tuple.TagInt:
				cells[in.ids[i]].AddInt(c.I[r])
			default:
				cells[in.ids[i]].AddFloat(numberAt(c, r).float())
			}
		}
	}
}

func (a *moments) merge(from accumulator, to []uint32, groups int) {
	a.cells = extend(a.cells, groups)
	other := from.(*moments).cells
	for i := range other {
		a.cells[to[i]].Merge(&other[i])
	}
}

func (a *moments) reset() { a.cells = roomy(a.cells) }

func (a *moments) of(g uint32) *synopsis.Moments {
	if int(g) < len(a.cells) {
		return &a.cells[g]
	}
	return new(synopsis.Moments)
}
