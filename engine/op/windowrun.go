package op

import (
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// windowRun tells where rows of another window begin.
type windowRun struct {
	col  int      // the column that identifies the window, or -1: all rows are of one
	last rowStore // the window of the last row, once there was one
}

// next cuts off the rows at the front of sel that are of one window, and says whether it is another than that of
// the rows before.
func (w *windowRun) next(cols []tuple.Column, sel []uint16) (run, rest []uint16, other bool) {
	if w.col < 0 || len(sel) == 0 {
		return sel, nil, false
	}
	c := &cols[w.col]
	end := 1
	for end < len(sel) && sameValue(c, int(sel[end]), c, int(sel[0])) {
		end++
	}
	if w.last.n == 1 && sameValue(c, int(sel[0]), &w.last.cols[0], 0) {
		return sel[:end], sel[end:], false
	}
	other = w.last.n == 1
	one := cols[w.col : w.col+1]
	w.last.shape(one)
	w.last.clear()
	// A window is never long text: the store's limit does not matter.
	_ = w.last.add(one, int(sel[0]))
	return sel[:end], sel[end:], other
}

// sameValue is IS NOT DISTINCT FROM.
func sameValue(a *tuple.Column, i int, b *tuple.Column, j int) bool {
	if a.IsNull(i) || b.IsNull(j) {
		return a.IsNull(i) && b.IsNull(j)
	}
	return expr.Compare(a, i, b, j) == 0
}
