package op

import (
	"fmt"
	"io"
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// Tallied is implemented by operators that drop rows by value and know what they dropped.
type Tallied interface {
	// Dropped returns the account of the values dropped so far.
	Dropped() DroppedValues
}

// DroppedValues is the account of values that were dropped by what they are.
type DroppedValues struct {
	Rows     int64
	Sum      float64 // rounded once
	Min, Max float64 // NaN when Rows is 0
}

// Make implements Spec.
func (v *ValueDrop) Make() (Operator, error) {
	if !(v.Low <= v.High) {
		return nil, fmt.Errorf("drop: no values lie in [%v, %v)", v.Low, v.High)
	}
	switch t := v.Value.Type; t {
	case tuple.Timestamp, tuple.Interval, tuple.Null:
	default:
		if !t.Numeric() {
			return nil, fmt.Errorf("drop: values of type %v have no range", t)
		}
	}
	in, err := newInput(v.Value)
	if err != nil {
		return nil, err
	}
	return &valueDrop{spec: v, value: [1]input{in}, min: math.Inf(1), max: math.Inf(-1)}, nil
}

// Schema implements Spec.
func (v *ValueDrop) Schema(in *tuple.Schema) *tuple.Schema { return in }

// String describes the box: "drop values of ms in [0, 10)".
func (v *ValueDrop) String() string {
	return fmt.Sprintf("drop values of %s in [%v, %v)", v.Value, v.Low, v.High)
}

// valueDrop compares values as doubles.
type valueDrop struct {
	spec     *ValueDrop
	value    [1]input
	rows     int64
	sum      synopsis.Sum
	min, max float64
	sel      [tuple.MaxRows]uint16
	out      tuple.Batch
}

// Process implements Operator.
func (v *valueDrop) Process(_ int, b *tuple.Batch, out Emitter) error {
	kept, c := 0, v.value[0].column(b, b.Sel)
	for _, r := range b.Sel {
		if x := numberAt(c, r); x.kind() == kindNull || !v.drops(x) {
			v.sel[kept] = r
			kept++
		}
	}
	v.out = *b
	v.out.Sel = v.sel[:kept]
	return out.Emit(&v.out)
}

// drops reports whether a row of value x goes, and tallies it then.
func (v *valueDrop) drops(x number) bool {
	f := x.float()
	if !(f >= v.spec.Low && f < v.spec.High) {
		return false
	}
	v.rows++
	v.min, v.max = min(v.min, f), max(v.max, f)
	if x.kind() == kindFloat || x.class&looksReal != 0 {
		v.sum.AddFloat(f)
	} else {
		v.sum.AddInt128(x.int128())
	}
	return true
}

// Dropped implements Tallied.
func (v *valueDrop) Dropped() DroppedValues {
	if v.rows == 0 {
		return DroppedValues{Min: math.NaN(), Max: math.NaN()}
	}
	return DroppedValues{Rows: v.rows, Sum: v.sum.Float(), Min: v.min, Max: v.max}
}

// Advance implements Operator.
func (v *valueDrop) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Shed implements Sheds.
func (v *valueDrop) Shed() int64 { return v.rows }

// Faults implements Faults.
func (v *valueDrop) Faults() map[string]int64 {
	sum := map[string]int64{}
	for _, p := range programsOf(v.value[:]) {
		p.AddFaults(sum)
	}
	return sum
}

// Save implements Saver.
func (v *valueDrop) Save(to io.Writer) error {
	return saveState(to, func(w *stateWriter) {
		w.i64(v.rows)
		w.f64(v.min)
		w.f64(v.max)
		w.cell(&v.sum)
		for _, p := range programsOf(v.value[:]) {
			w.faults(p.Faults())
		}
	})
}

// Load implements Saver.
func (v *valueDrop) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		v.rows, v.min, v.max = r.i64(), r.f64(), r.f64()
		r.cell(synopsis.SumSize, &v.sum)
		for _, p := range programsOf(v.value[:]) {
			p.SetFaults(r.faults())
		}
	})
}
