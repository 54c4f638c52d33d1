package op

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// closing is the window that is being emitted.
type closing struct {
	span
	pane  *pane    // nil: none is
	order []uint32 // of its groups; empty: that of their numbers
	at    int      // groups emitted
	ids   [tuple.MaxRows]uint32
	// kept is the share of the window's rows that was kept, unseen the greatest count of a group without a row.
	kept, unseen float64
	merging
}

// Advance emits the windows that end at or before t, up to one block of rows a call.
func (a *aggregate) Advance(_ int, t int64, out Emitter) (done bool, err error) {
	a.mark = max(a.mark, t)
	done, err = a.closeDue(t, out)
	a.open = slices.Delete(a.open, 0, a.closed)
	a.closed = 0
	return done, err
}

func (a *aggregate) closeDue(t int64, out Emitter) (done bool, err error) {
	rows := 0
	for {
		if a.closing.pane == nil && !a.closeNext(t) {
			break
		}
		if rows == 0 {
			a.beginBlock()
		}
		rows += a.fill(rows)
		if rows == tuple.MaxRows {
			return false, a.emit(rows, t, out)
		}
	}
	if rows > 0 {
		err = a.emit(rows, t, out)
	}
	return true, err
}

// closeNext makes the first window that is due at t the one that is emitted. It returns false when none is.
func (a *aggregate) closeNext(t int64) bool {
	if a.closed == len(a.open) {
		return false
	}
	if a.windows.kind == Hop {
		return a.closeHop(t)
	}
	p := a.open[a.closed]
	if p.end > t && t < tuple.Drain {
		return false
	}
	if a.windows.kind == NoWindow && len(a.plan.keys) == 0 {
		p.keys.n = 1
	}
	a.closed++
	if a.current == p {
		a.strata.enterEmpty(&p.design)
		a.current = nil
	}
	a.begin(p.span, p)
	return true
}

func (a *aggregate) begin(s span, p *pane) {
	c := &a.closing
	c.span, c.pane, c.at = s, p, 0
	c.order = c.order[:0]
	a.closeSample(p)
	a.restLast(p)
}

// fill writes groups of the closing window to the block from row at on, as many as there are and
// fit, and returns their number.
func (a *aggregate) fill(at int) int {
	c := &a.closing
	n := min(c.pane.keys.n-c.at, tuple.MaxRows-at)
	ids := c.ids[:n]
	if len(c.order) > 0 {
		copy(ids, c.order[c.at:])
	} else {
		for i := range ids {
			ids[i] = uint32(c.at + i)
		}
	}
	cols := a.block.Cols
	if a.windows.kind != NoWindow {
		for i := range ids {
			cols[0].I[at+i], cols[1].I[at+i] = c.start, c.end
		}
		cols = cols[2:]
	}
	c.pane.keys.write(cols[:len(a.plan.keys)], ids, at, tuple.MaxRows)
	a.fillAnswers(ids, at)
	if c.at += n; c.at == c.pane.keys.n {
		a.recycle(c.pane)
		c.pane = nil
		for _, t := range a.plan.tallies {
			t.EndWindow()
		}
		for _, s := range a.plan.shapes {
			s.EndWindow()
		}
	}
	return n
}

func (a *aggregate) beginBlock() {
	if a.block.Cols == nil {
		a.block.Schema = a.schema
		a.block.Cols = make([]tuple.Column, len(a.schema.Fields))
	}
	for i, f := range a.schema.Fields {
		a.block.Cols[i].Reset(f.Type, tuple.MaxRows)
	}
}

// emit hands the first rows of the block on.
func (a *aggregate) emit(rows int, t int64, out Emitter) error {
	a.block.N = rows
	for i := range a.block.Cols {
		trim(&a.block.Cols[i], rows)
	}
	a.emitted = tuple.Batch{Block: &a.block, Sel: tuple.All(rows), Partial: t == tuple.Drain}
	return out.Emit(&a.emitted)
}

// trim makes c a column of its first n rows.
func trim(c *tuple.Column, n int) {
	if c.Null != nil {
		c.Null = c.Null[:n]
	}
	switch {
	case c.Type == tuple.Boolean:
		c.B = c.B[:n]
	case c.Type.Bytes():
		c.Span = c.Span[:n]
	case c.Type == tuple.Null:
	default:
		if c.Rep != tuple.RepFloat {
			c.I = c.I[:n]
		}
		if c.Rep != tuple.RepInt {
			c.F = c.F[:n]
		}
		if c.Rep == tuple.RepMixed {
			c.Tag, c.Hi = c.Tag[:n], c.Hi[:n]
		}
	}
}
