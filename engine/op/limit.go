package op

import (
	"io"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// limit is an Order without keys: it passes rows on as they come and counts them, window by window.
type limit struct {
	spec *Order
	end  int64 // offset plus limit
	run  windowRun
	seen int64 // rows of the window so far

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
	for sel := b.Sel; len(sel) > 0; {
		run, rest, other := l.run.next(b.Cols, sel)
		if other {
			l.seen = 0
		}
		n := int64(len(run))
		from, to := min(max(l.spec.Offset-l.seen, 0), n), min(l.end-l.seen, n)
		if from < to {
			l.sel = append(l.sel, run[from:to]...)
		}
		// The count stops at the end, where it has said all that matters.
		l.seen = min(l.seen+n, l.end)
		sel = rest
	}
	l.block.Schema, l.block.N, l.block.Cols = l.schema, b.N, b.Cols[:l.spec.Keep]
	l.block.Source, l.block.Seq, l.block.Pos, l.block.Arrived = b.Source, b.Seq, b.Pos, b.Arrived
	l.out = *b
	l.out.Block, l.out.Sel = &l.block, l.sel
	return out.Emit(&l.out)
}

// Advance implements Operator.
func (l *limit) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Stopped implements Stopper.
func (l *limit) Stopped() bool { return l.spec.Window < 0 && l.seen >= l.end }

// Save implements Saver.
func (l *limit) Save(to io.Writer) error {
	return saveState(to, func(w *stateWriter) {
		l.run.last.save(w)
		w.i64(l.seen)
	})
}

// Load implements Saver.
func (l *limit) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		l.run.last.load(r)
		l.seen = r.i64()
		r.require(l.seen >= 0 && l.seen <= l.end)
	})
}
