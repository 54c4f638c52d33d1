package op

import "github.com/aurora-dsms/aurora/engine/tuple"

// extremes follows the least or the greatest value of a column of integers, times or doubles.
type extremes[T int64 | float64] struct {
	greatest bool
	cells    []extreme[T]
}

type extreme[T int64 | float64] struct {
	v   T
	any bool
}

func (a *extremes[T]) add(in *lane, groups int) {
	a.cells = extend(a.cells, groups)
	cells := a.cells
	var values []T
	switch v := any(&values).(type) {
	case *[]int64:
		*v = in.col.I
	case *[]float64:
		*v = in.col.F
	}
	if a.greatest {
		for i, r := range in.sel {
			if c, v := &cells[in.ids[i]], values[r]; !c.any || v > c.v {
				*c = extreme[T]{v, true}
			}
		}
		return
	}
	for i, r := range in.sel {
		if c, v := &cells[in.ids[i]], values[r]; !c.any || v < c.v {
			*c = extreme[T]{v, true}
		}
	}
}

func (a *extremes[T]) merge(from accumulator, to []uint32, groups int) {
	a.cells = extend(a.cells, groups)
	for i, o := range from.(*extremes[T]).cells {
		c := &a.cells[to[i]]
		if o.any && (!c.any || a.greatest && o.v > c.v || !a.greatest && o.v < c.v) {
			*c = o
		}
	}
}

func (a *extremes[T]) reset() { a.cells = roomy(a.cells) }

// put writes the value of group g to row r of a column of n rows.
func (a *extremes[T]) put(c *tuple.Column, g uint32, r, n int) {
	if int(g) >= len(a.cells) || !a.cells[g].any {
		c.SetNull(r, n)
		return
	}
	switch v := any(a.cells[g].v).(type) {
	case int64:
		putInt(c, r, n, v)
	case float64:
		putFloat(c, r, n, v)
	}
}
