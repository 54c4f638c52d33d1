package op

import (
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// laneInput computes a lane: once per batch the argument's column and which rows take part, then
// once per pane the rows and groups that are there.
type laneInput struct {
	arg      *input // nil for count(*)
	typ      tuple.Type
	filter   *expr.Program // or nil
	nulls    bool
	distinct bool
	states   []int // the states that the lane feeds

	col  *tuple.Column
	all  bool   // every row takes part
	mask []bool // else whether each row of the block does
	sel  []uint16
	out  lane
	ids  []uint32
}

// begin evaluates the lane for a batch and returns the number of NaNs left out.
func (l *laneInput) begin(b *tuple.Batch) (nans int64) {
	sel := b.Sel
	l.all = true
	if l.filter != nil {
		l.sel = l.filter.Select(b.Cols, b.N, sel, l.sel[:0])
		sel = l.sel
		l.all = false
		l.mask = tuple.Resize(l.mask, b.N)
		clear(l.mask)
		for _, r := range sel {
			l.mask[r] = true
		}
	}
	if l.arg == nil {
		return 0
	}
	l.col = l.arg.column(b, sel)
	switch {
	case l.col.Type == tuple.Null && !l.nulls:
		l.exclude(b.N)
		clear(l.mask)
		return 0
	case l.col.Null != nil && !l.nulls:
		l.exclude(b.N)
		null := l.col.Null
		for _, r := range sel {
			l.mask[r] = l.mask[r] && !null[r]
		}
	}
	if hasNaN(l.col, sel) {
		return l.excludeNaN(b.N, sel)
	}
	return 0
}

// exclude makes the mask one of all rows, if there is none, so that rows can be taken out of it.
func (l *laneInput) exclude(n int) {
	if !l.all {
		return
	}
	l.all = false
	l.mask = tuple.Resize(l.mask, n)
	for r := range l.mask {
		l.mask[r] = true
	}
}

// hasNaN reports whether some row of sel may be NaN.
func hasNaN(c *tuple.Column, sel []uint16) bool {
	if c.Rep == tuple.RepInt || !c.Type.Numeric() {
		return false
	}
	if c.Rep == tuple.RepMixed {
		return true
	}
	same := 0
	for _, r := range sel {
		if x := c.F[r]; x == x {
			same++
		}
	}
	return same != len(sel)
}

func (l *laneInput) excludeNaN(n int, sel []uint16) (nans int64) {
	c := l.col
	for _, r := range sel {
		if c.Null != nil && c.Null[r] || c.Rep == tuple.RepMixed && c.Tag[r] != tuple.TagFloat {
			continue
		}
		if x := c.F[r]; x != x {
			l.exclude(n)
			l.mask[r] = false
			nans++
		}
	}
	return nans
}

// rows returns the rows of sel that take part, whose groups are ids.
func (l *laneInput) rows(sel []uint16, ids []uint32, base int64) *lane {
	l.out = lane{col: l.col, sel: sel, ids: ids, base: base}
	if l.all {
		return &l.out
	}
	l.sel = tuple.Resize(l.sel, len(sel))
	l.ids = tuple.Resize(l.ids, len(sel))
	k := 0
	for i, r := range sel {
		l.sel[k], l.ids[k] = r, ids[i]
		if l.mask[r] {
			k++
		}
	}
	l.out.sel, l.out.ids = l.sel[:k], l.ids[:k]
	return &l.out
}

// fresh keeps the rows of in whose value is new in its group, by the set of those seen.
func (l *laneInput) fresh(in *lane, set *keyTable, scratch *keyScratch) {
	keys := keyRows{cols: []*tuple.Column{in.col}, sel: in.sel, scope: in.ids}
	before := uint32(set.n)
	scratch.ids = tuple.Resize(scratch.ids, len(in.sel))
	set.find(keys, scratch.ids, scratch)
	l.sel = tuple.Resize(l.sel, len(in.sel))
	l.ids = tuple.Resize(l.ids, len(in.sel))
	k := 0
	for i, r := range in.sel {
		group := in.ids[i]
		if scratch.ids[i] == before {
			before++
			l.sel[k], l.ids[k] = r, group
			k++
		}
	}
	in.sel, in.ids = l.sel[:k], l.ids[:k]
}
