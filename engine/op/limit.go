package op

import (
	"io"
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// limit is an Order without keys: it passes rows on as they come and counts them, window by window.
type limit struct {
	spec *Order
	end  int64 // offset plus limit
	run  windowRun
	seen int64 // rows of the window so far
	sent int64 // rows that were let through, of all windows
	shut bool  // no row of the window is let through, as Total rows were before it
	rest bool  // rows that stand for groups without room may come, uncounted

	schema *tuple.Schema
	sel    []uint16
	block  tuple.Block
	out    tuple.Batch
}

// Process implements Operator.
func (l *limit) Process(_ int, b *tuple.Batch, out Emitter) error {
	if l.schema == nil {
		l.schema = l.spec.Schema(b.Schema)
	}
	l.sel = tuple.Resize(l.sel, len(b.Sel))[:0]
	others := othersOf(b)
	l.rest = others != nil
	for sel := b.Sel; len(sel) > 0; {
		run, rest, other := l.run.next(b.Cols, sel)
		if other {
			l.seen, l.shut = 0, l.full()
		}
		l.pass(run, others)
		sel = rest
	}
	l.block.Schema, l.block.N, l.block.Cols = l.schema, b.N, b.Cols[:l.spec.Keep]
	l.block.Source, l.block.Seq, l.block.Pos, l.block.Arrived = b.Source, b.Seq, b.Pos, b.Arrived
	l.out = *b
	l.out.Block, l.out.Sel = &l.block, l.sel
	return out.Emit(&l.out)
}

// pass takes those of the next rows of a window that the limits leave.
func (l *limit) pass(run []uint16, others *tuple.Column) {
	for others != nil && len(run) > 0 {
		n := slices.IndexFunc(run, func(r uint16) bool { return other(others, r) })
		if n < 0 {
			break
		}
		l.count(run[:n])
		if !l.shut && l.end > 0 {
			l.sel = append(l.sel, run[n])
		}
		run = run[n+1:]
	}
	l.count(run)
}

// count takes those of the next rows that count.
func (l *limit) count(run []uint16) {
	n := int64(len(run))
	from, to := min(max(l.spec.Offset-l.seen, 0), n), min(l.end-l.seen, n)
	if l.spec.Total > 0 {
		to = min(to, from+l.spec.Total-l.sent)
	}
	if from < to {
		l.sel = append(l.sel, run[from:to]...)
		l.sent += to - from
	}
	// The count stops at the end, where it has said all that matters.
	l.seen = min(l.seen+n, l.end)
}

// full reports whether no later window has rows that matter.
func (l *limit) full() bool { return l.spec.Total > 0 && l.sent >= l.spec.Total }

// Advance implements Operator.
func (l *limit) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Stopped implements Stopper.
func (l *limit) Stopped() bool {
	return l.shut || l.end == 0 || !l.rest && (l.full() || l.spec.Window < 0 && l.seen >= l.end)
}

// Save implements Saver.
func (l *limit) Save(to io.Writer) error {
	return saveState(to, func(w *stateWriter) {
		l.run.last.save(w)
		w.i64(l.seen)
		w.i64(l.sent)
		w.bool(l.shut)
		w.bool(l.rest)
	})
}

// Load implements Saver.
func (l *limit) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		l.run.last.load(r)
		l.seen = r.i64()
		l.sent, l.shut, l.rest = r.i64(), r.bool(), r.bool()
		r.require(l.seen >= 0 && l.seen <= l.end && l.sent >= 0)
	})
}
