package op

import (
	"fmt"
	"io"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

type filter struct {
	cond *expr.Program
	sel  []uint16
	out  tuple.Batch
}

// Make implements Spec.
func (f *Filter) Make() (Operator, error) {
	if t := f.Cond.Type; t != tuple.Boolean && t != tuple.Null {
		return nil, fmt.Errorf("a filter needs a condition, not %v", t)
	}
	p, err := expr.Compile(f.Cond)
	if err != nil {
		return nil, err
	}
	return &filter{cond: p, sel: make([]uint16, 0, tuple.MaxRows)}, nil
}

// Schema implements Spec.
func (f *Filter) Schema(in *tuple.Schema) *tuple.Schema { return in }

// String implements Spec.
func (f *Filter) String() string { return "filter " + f.Cond.String() }

// Process implements Operator.
func (f *filter) Process(_ int, b *tuple.Batch, out Emitter) error {
	f.out = *b
	f.out.Sel = f.cond.Select(b.Cols, b.N, b.Sel, f.sel[:0])
	return out.Emit(&f.out)
}

// Advance implements Operator.
func (f *filter) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Faults implements Faults.
func (f *filter) Faults() map[string]int64 { return f.cond.Faults() }

// Save implements Saver.
func (f *filter) Save(w io.Writer) error { return saveFaults(w, f.cond) }

// Load implements Saver.
func (f *filter) Load(r io.Reader) error { return loadFaults(r, f.cond) }
