package op

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// lane is what aggregates with the same argument, FILTER and DISTINCT see of some rows of a block: the
// rows that take part, the group of each, the argument's column and, with Sampling, how the rows were chosen.
type lane struct {
	col  *tuple.Column // nil for count(*)
	sel  []uint16
	ids  []uint32
	base int64 // position in the input of the block's row 0
	sample
}

// accumulator is the state of one aggregate, or of several that share it, for all groups of a pane.
type accumulator interface {
	// add takes in rows of groups below the given number.
	add(in *lane, groups int)
	// merge adds each group i of from, an accumulator of the same make, to group to[i].
	merge(from accumulator, to []uint32, groups int)
	// reset empties it and keeps its memory.
	reset()
}

// persistent is implemented by every accumulator.
type persistent interface {
	save(w *stateWriter)
	load(r *stateReader, groups int)
}

// roomy empties s and keeps its memory, unless it is far more than was used.
func roomy[T any](s []T) []T {
	if cap(s) > 1<<12 && len(s) < cap(s)/16 {
		return nil
	}
	return s[:0]
}

// counts counts rows.
type counts struct{ n []int64 }

func (a *counts) add(in *lane, groups int) {
	a.n = extend(a.n, groups)
	n := a.n
	if groups == 1 {
		n[0] += int64(len(in.ids))
		return
	}
	for _, g := range in.ids {
		n[g]++
	}
}

func (a *counts) merge(from accumulator, to []uint32, groups int) {
	a.n = extend(a.n, groups)
	for i, n := range from.(*counts).n {
		a.n[to[i]] += n
	}
}

func (a *counts) reset() { a.n = roomy(a.n) }

func (a *counts) of(g uint32) int64 {
	if int(g) < len(a.n) {
		return a.n[g]
	}
	return 0
}
