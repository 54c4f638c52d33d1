package op

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

var errSorting = errors.New("order: save between two calls of Advance for one time")

// Make implements Spec.
func (o *Order) Make() (Operator, error) {
	for _, k := range o.Keys {
		if k.Col < 0 {
			return nil, fmt.Errorf("order by column %d", k.Col)
		}
	}
	if o.Offset < 0 {
		return nil, fmt.Errorf("a negative offset: %d", o.Offset)
	}
	if o.Total < 0 {
		return nil, fmt.Errorf("a limit of %d rows in all", o.Total)
	}
	if len(o.Keys) == 0 {
		return &limit{spec: o, end: o.end(0), run: windowRun{col: o.Window}}, nil
	}
	return &order{spec: o, end: o.end(0), run: windowRun{col: o.Window}, worst: -1, rivals: newRivals(o)}, nil
}

// end returns how many rows of a window matter, offset plus limit, when so many were sent of those before; 0 when none do.
func (o *Order) end(sent int64) int64 {
	limit := o.Limit
	if left := o.Total - sent; o.Total > 0 && (limit < 0 || left < limit) {
		limit = max(left, 0)
	}
	switch {
	case limit == 0:
		return 0
	case limit < 0 || limit > math.MaxInt64-o.Offset:
		return math.MaxInt64
	}
	return o.Offset + limit
}

// othersOf returns the column that is true of rows that stand for groups without room, or nil.
func othersOf(b *tuple.Batch) *tuple.Column {
	for i, f := range b.Schema.Fields {
		if f.Role == tuple.Other && i < len(b.Cols) {
			return &b.Cols[i]
		}
	}
	return nil
}

// other reports whether row r of a batch with the column others, or nil, stands for groups without room.
func other(others *tuple.Column, r uint16) bool {
	return others != nil && !others.IsNull(int(r)) && others.B[r]
}

// Schema implements Spec.
func (o *Order) Schema(in *tuple.Schema) *tuple.Schema {
	return &tuple.Schema{Fields: in.Fields[:o.Keep]}
}

// String implements Spec.
func (o *Order) String() string {
	var b strings.Builder
	b.WriteString("order")
	for i, k := range o.Keys {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " #%d", k.Col)
		if k.Desc {
			b.WriteString(" desc")
		}
		if k.NullsFirst {
			b.WriteString(" nulls first")
		}
	}
	if o.Limit >= 0 {
		fmt.Fprintf(&b, " limit %d", o.Limit)
	}
	if o.Offset > 0 {
		fmt.Fprintf(&b, " offset %d", o.Offset)
	}
	if o.Window >= 0 {
		b.WriteString(" in each window")
	}
	if o.Total > 0 {
		fmt.Fprintf(&b, ", %d rows in all", o.Total)
	}
	if o.Pick != nil {
		b.WriteString(", lucky ones labelled")
	}
	return b.String()
}

// order sorts. It holds the rows of the window that is being filled; with a limit, at most about twice as many
// as can still be in the answer.
type order struct {
	spec *Order
	end  int64 // rows of the sorted window that matter: offset plus limit
	sent int64 // rows of windows before, as far as they count
	run  windowRun

	rows, spare rowStore
	others      rowStore // rows of the window that stand for groups without room
	perm        []uint32
	// worst is the row that a new one must come before to be in the answer, or -1 while every row may be.
	worst   int
	rivals  rivals
	partial bool
	sample  []tuple.Stratum

	emitting bool
	at       int // of perm, the next to emit

	schema *tuple.Schema
	block  tuple.Block
	out    tuple.Batch
}

// slack is by how many rows the store may exceed what is needed before it is thinned, beyond doubling.
const slack = 4 * tuple.MaxRows

// Process implements Operator.
func (o *order) Process(_ int, b *tuple.Batch, out Emitter) error {
	if o.schema == nil {
		o.schema = o.spec.Schema(b.Schema)
	}
	if b.Sample != nil {
		o.sample = append(o.sample[:0], b.Sample...)
	}
	for sel := b.Sel; len(sel) > 0; {
		run, rest, other := o.run.next(b.Cols, sel)
		if other {
			for done := false; !done; {
				var err error
				if done, err = o.emit(out); err != nil {
					return err
				}
			}
		}
		if err := o.add(b, run); err != nil {
			return err
		}
		sel = rest
	}
	return nil
}

func (o *order) add(b *tuple.Batch, run []uint16) error {
	if o.end == 0 {
		return nil
	}
	o.partial = o.partial || b.Partial
	o.rows.shape(b.Cols)
	others := othersOf(b)
	for _, r := range run {
		if other(others, r) {
			o.others.shape(b.Cols)
			if err := o.others.add(b.Cols, int(r)); err != nil {
				return err
			}
			continue
		}
		if o.worst >= 0 && o.compare(b.Cols, int(r), o.worst) >= 0 {
			o.rivals.lose(b.Cols, int(r))
			continue
		}
		if err := o.rows.add(b.Cols, int(r)); err != nil {
			return err
		}
		if int64(o.rows.n)-slack > o.end && int64(o.rows.n)-o.end > o.end {
			o.thin()
		}
	}
	return nil
}

// compare orders row r of cols and a stored row by the keys.
func (o *order) compare(cols []tuple.Column, r, stored int) int {
	for _, k := range o.spec.Keys {
		a, b := &cols[k.Col], &o.rows.cols[k.Col]
		na, nb := a.IsNull(r), b.IsNull(stored)
		var c int
		switch {
		case na && nb:
			continue
		case na != nb:
			if c = 1; na == k.NullsFirst {
				c = -1
			}
			return c
		}
		if c = expr.Compare(a, r, b, stored); c != 0 {
			if k.Desc {
				return -c
			}
			return c
		}
	}
	return 0
}

// sort lists the stored rows in order, equal ones as they came, as far as they matter.
func (o *order) sort() {
	o.perm = tuple.Resize(o.perm, o.rows.n)
	for i := range o.perm {
		o.perm[i] = uint32(i)
	}
	slices.SortFunc(o.perm, func(i, j uint32) int {
		if c := o.compare(o.rows.cols, int(i), int(j)); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	})
	if int64(len(o.perm)) > o.end {
		for _, r := range o.perm[o.end:] {
			o.rivals.lose(o.rows.cols, int(r))
		}
		o.perm = o.perm[:o.end]
	}
}

// thin drops the rows that cannot be in the answer any more.
func (o *order) thin() {
	o.sort()
	o.spare.shape(o.rows.cols)
	o.spare.clear()
	for _, r := range o.perm {
		// The rows are some of those that fitted before.
		_ = o.spare.add(o.rows.cols, int(r))
	}
	o.rows, o.spare = o.spare, o.rows
	o.worst = o.rows.n - 1
}

// emit sends at most a batch of the sorted rows; after the last it forgets the window and reports true.
func (o *order) emit(out Emitter) (done bool, err error) {
	if !o.emitting {
		o.sort()
		o.emitting, o.at = true, int(min(o.spec.Offset, int64(len(o.perm))))
		o.rivals.label(o.rows.cols, o.perm, o.at)
		o.sent += int64(len(o.perm) - o.at)
		for r := range o.others.n {
			o.perm = append(o.perm, uint32(o.rows.n))
			if err := o.rows.add(o.others.cols, r); err != nil {
				return false, err
			}
		}
	}
	rows := o.perm[o.at:min(o.at+tuple.MaxRows, len(o.perm))]
	o.at += len(rows)
	if len(rows) > 0 {
		o.block.Schema, o.block.N = o.schema, len(rows)
		if o.block.Cols == nil {
			o.block.Cols = make([]tuple.Column, o.spec.Keep)
		}
		o.rows.gather(o.block.Cols, rows)
		o.out = tuple.Batch{Block: &o.block, Sel: tuple.All(len(rows)), Partial: o.partial}
		if len(o.sample) > 0 {
			o.out.Sample = o.sample
		}
		if err := out.Emit(&o.out); err != nil {
			return false, err
		}
	}
	if o.at < len(o.perm) {
		return false, nil
	}
	o.rows.clear()
	o.others.clear()
	o.end = o.spec.end(o.sent)
	o.emitting, o.partial, o.worst = false, false, -1
	o.rivals.clear()
	return true, nil
}

// Advance implements Operator. Without a window only the end of input brings rows out.
func (o *order) Advance(_ int, t int64, out Emitter) (bool, error) {
	if o.spec.Window < 0 {
		if t < tuple.Drain {
			return true, nil
		}
		o.partial = o.partial || t == tuple.Drain
	}
	return o.emit(out)
}

// Stopped implements Stopper.
func (o *order) Stopped() bool { return o.end == 0 }

// Save implements Saver.
func (o *order) Save(to io.Writer) error {
	if o.emitting {
		return errSorting
	}
	return saveState(to, func(w *stateWriter) {
		o.run.last.save(w)
		o.rows.save(w)
		o.others.save(w)
		w.i64(o.sent)
		w.i64(int64(o.worst))
		w.f64(o.rivals.most)
		w.bool(o.partial)
		saveSample(w, o.sample)
		saveSchema(w, o.schema)
	})
}

// Load implements Saver.
func (o *order) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		o.run.last.load(r)
		o.rows.load(r)
		o.others.load(r)
		o.sent = r.i64()
		o.end = o.spec.end(o.sent)
		o.worst = int(r.i64())
		o.rivals.most = r.f64()
		o.partial = r.bool()
		o.sample = loadSample(r)
		o.schema = loadSchema(r)
		r.require(o.sent >= 0 && o.worst >= -1 && o.worst < max(o.rows.n, 1) && o.fits())
	})
}

// fits reports whether the loaded columns are ones that the spec can sort.
func (o *order) fits() bool {
	if o.rows.cols == nil {
		return o.worst == -1 && o.others.cols == nil
	}
	if o.others.cols != nil && !slices.EqualFunc(o.others.cols, o.rows.cols, func(a, b tuple.Column) bool { return a.Type == b.Type }) {
		return false
	}
	widest := o.spec.Keep - 1
	for _, k := range o.spec.Keys {
		widest = max(widest, k.Col)
	}
	return widest < len(o.rows.cols) && o.worst < o.rows.n && o.schema != nil && o.rivals.fits(o.rows.cols)
}
