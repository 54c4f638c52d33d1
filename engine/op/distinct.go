package op

import (
	"fmt"
	"io"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Make implements Spec.
func (d *Distinct) Make() (Operator, error) {
	if d.Keep < 1 {
		return nil, fmt.Errorf("distinct rows of %d columns", d.Keep)
	}
	return &distinct{spec: d, run: windowRun{col: d.Window}}, nil
}

// Schema implements Spec.
func (d *Distinct) Schema(in *tuple.Schema) *tuple.Schema { return in }

// String implements Spec.
func (d *Distinct) String() string {
	if d.Window >= 0 {
		return "distinct in each window"
	}
	return "distinct"
}

// distinct keeps the keys of the rows that it has passed on, as long as their window lasts.
type distinct struct {
	spec    *Distinct
	run     windowRun
	seen    keyTable
	scratch keyScratch
	cols    []*tuple.Column
	ids     []uint32
	sel     []uint16
	out     tuple.Batch
}

// Process implements Operator.
func (d *distinct) Process(_ int, b *tuple.Batch, out Emitter) error {
	d.cols = d.cols[:0]
	for i := range d.spec.Keep {
		d.cols = append(d.cols, &b.Cols[i])
	}
	if d.seen.types == nil {
		d.seen = newKeyTable(typesOf(d.cols), false)
	}
	d.sel = tuple.Resize(d.sel, len(b.Sel))[:0]
	for sel := b.Sel; len(sel) > 0; {
		run, rest, other := d.run.next(b.Cols, sel)
		if other {
			d.seen.reset()
		}
		d.pass(run)
		sel = rest
	}
	d.out = *b
	d.out.Sel = d.sel
	return out.Emit(&d.out)
}

// pass selects the rows of run whose keys are new. New keys are numbered upwards from those before.
func (d *distinct) pass(run []uint16) {
	d.ids = tuple.Resize(d.ids, len(run))
	next := uint32(d.seen.n)
	d.seen.find(keyRows{cols: d.cols, sel: run}, d.ids, &d.scratch)
	for i, id := range d.ids {
		if id == next {
			d.sel = append(d.sel, run[i])
			next++
		}
	}
}

func typesOf(cols []*tuple.Column) []tuple.Type {
	types := make([]tuple.Type, len(cols))
	for i, c := range cols {
		types[i] = c.Type
	}
	return types
}

// Advance implements Operator.
func (d *distinct) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Save implements Saver.
func (d *distinct) Save(to io.Writer) error {
	return saveState(to, func(w *stateWriter) {
		d.run.last.save(w)
		saveList(w, d.seen.types, func(t tuple.Type) { w.u8(uint8(t)) })
		if d.seen.types != nil {
			d.seen.save(w)
		}
	})
}

// Load implements Saver.
func (d *distinct) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		d.run.last.load(r)
		types := loadList(r, 1, func() tuple.Type { return tuple.Type(r.u8()) })
		r.require(len(types) == 0 || len(types) == d.spec.Keep)
		if r.err == nil && len(types) > 0 {
			d.seen = newKeyTable(types, false)
			d.seen.load(r)
		}
	})
}
