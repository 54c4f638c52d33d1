package op

import (
	"fmt"
	"io"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// DefaultDistinctError is the rate of false positives of a Distinct with Memory for which nobody named another.
const DefaultDistinctError = 0.01

// leastDistinctError keeps filters within what 64 bits of a hash can tell apart.
const leastDistinctError = 1e-8

// Make implements Spec.
func (d *Distinct) Make() (Operator, error) {
	o := &distinct{spec: d, run: windowRun{col: d.Window}, until: soonest}
	rate := d.rate()
	switch {
	case d.Keep < 1:
		return nil, fmt.Errorf("distinct rows of %d columns", d.Keep)
	case d.Memory < 0:
		return nil, fmt.Errorf("distinct: a memory of %d bytes", d.Memory)
	case d.Memory == 0:
	case !(rate >= leastDistinctError && rate <= 0.5):
		return nil, fmt.Errorf("distinct: an error of %v is not within [%v, 0.5]", rate, leastDistinctError)
	default:
		if room, _ := filterRoom(d.filterMemory(), rate); room < leastFilter {
			return nil, fmt.Errorf("distinct: a memory of %d bytes is too small for an error of %s", d.Memory, percent(rate))
		}
	}
	return o, nil
}

// rate returns the rate of false positives.
func (d *Distinct) rate() float64 {
	if d.Error == 0 {
		return DefaultDistinctError
	}
	return d.Error
}

// filterMemory is what of the memory filters take: less than all, as they are filled from the keys in the rest.
func (d *Distinct) filterMemory() int64 { return d.Memory / 4 * 3 }

// Schema implements Spec.
func (d *Distinct) Schema(in *tuple.Schema) *tuple.Schema { return in }

// String implements Spec.
func (d *Distinct) String() string {
	s := "distinct"
	if d.Window >= 0 {
		s += " in each window"
	}
	if d.Memory > 0 {
		s += fmt.Sprintf("   [exact within a memory of %d bytes, then by Bloom filters: a new row is missing with probability %s at most]", d.Memory, percent(d.rate()))
	}
	return s
}

// distinct keeps the keys of the rows that it has passed on, as long as their window lasts. With Memory, keys may take half of it; when
// they take more, only their hashes are kept from there on until the window ends, in filters of three quarters of it. When that is
// depends on rows alone.
type distinct struct {
	spec    *Distinct
	run     windowRun
	seen    keyTable
	filter  *rowFilter // nil while keys are kept
	until   int        // rows until the next look at the memory
	account distinctAccount
	scratch keyScratch
	cols    []*tuple.Column
	ids     []uint32
	sel     []uint16
	out     tuple.Batch
}

// distinctAccount is what became of rows, with Memory.
type distinctAccount struct {
	passed   int64 // rows
	filtered int64 // those of them that a filter let pass
	sifted   int64 // rows that a filter was asked about
	forgot   bool  // a filter was forgotten
}

func (d *distinct) newFilter() *rowFilter { return newRowFilter(d.spec.filterMemory(), d.spec.rate()) }

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
			d.forget()
		}
		if d.spec.Memory > 0 {
			d.piecewise(run)
		} else {
			d.pass(run)
		}
		sel = rest
	}
	d.out = *b
	d.out.Sel = d.sel
	return out.Emit(&d.out)
}

// forget begins a window.
func (d *distinct) forget() {
	d.seen.reset()
	d.account.forgot = d.forgot()
	d.filter, d.until = nil, soonest
}

// forgot reports whether a filter was forgotten in this window or an earlier one.
func (d *distinct) forgot() bool { return d.account.forgot || d.filter != nil && d.filter.forgot }

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

// piecewise passes the rows of run in pieces, between which it looks at the memory.
func (d *distinct) piecewise(run []uint16) {
	before := len(d.sel)
	for len(run) > 0 && d.filter == nil {
		n := min(len(run), d.until)
		d.pass(run[:n])
		run = run[n:]
		if d.until -= n; d.until == 0 {
			d.fit()
		}
	}
	d.account.passed += int64(len(d.sel) - before)
	if len(run) > 0 {
		d.sift(run)
	}
}

// fit goes over to filters when the keys take their half of the memory, or else decides when to look again.
func (d *distinct) fit() {
	used, half := d.seen.bytes(), d.spec.Memory/2
	if used < half {
		room := (half - used) / (2 * (used/int64(max(d.seen.n, 1)) + 1))
		d.until = int(min(max(room, 1), latest))
		return
	}
	d.filter = d.newFilter()
	for i := range d.seen.n {
		d.filter.first(d.seen.hashAt(i))
	}
	d.seen = newKeyTable(d.seen.types, false)
	d.scratch = keyScratch{}
}

// sift selects the rows of run that the filter does not remember.
func (d *distinct) sift(run []uint16) {
	before := len(d.sel)
	for _, r := range run {
		if d.filter.first(d.seen.hashOf(d.cols, r, &d.scratch.row)) {
			d.sel = append(d.sel, r)
		}
	}
	n := int64(len(d.sel) - before)
	d.account.passed += n
	d.account.filtered += n
	d.account.sifted += int64(len(run))
}

// Notes says what may be missing, once keys did not fit the memory.
func (d *distinct) Notes() []string {
	a := d.account
	if a.sifted == 0 {
		return nil
	}
	text := fmt.Sprintf("DISTINCT: %d rows passed; the memory of %d bytes held the first %d of them, and of the new rows from there on up to %s may be missing, taken for earlier ones",
		a.passed, d.spec.Memory, a.passed-a.filtered, percent(d.spec.rate()))
	if d.spec.Window >= 0 {
		text = fmt.Sprintf("DISTINCT: %d rows passed; the memory of %d bytes was too small for all rows of a window, and of the new rows that were not among its first up to %s may be missing, taken for earlier ones",
			a.passed, d.spec.Memory, percent(d.spec.rate()))
	}
	if d.forgot() {
		room, _ := filterRoom(d.spec.filterMemory(), d.spec.rate())
		text += fmt.Sprintf("; a row may have passed again after %d others", room)
	}
	return []string{text}
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
		w.count(d.until)
		for _, n := range [...]int64{d.account.passed, d.account.filtered, d.account.sifted} {
			w.i64(n)
		}
		w.bool(d.account.forgot)
		w.bool(d.filter != nil)
		if d.filter != nil {
			d.filter.save(w)
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
		d.until = int(r.index(latest + 1))
		for _, n := range [...]*int64{&d.account.passed, &d.account.filtered, &d.account.sifted} {
			*n = r.i64()
		}
		d.account.forgot = r.bool()
		if filtered := r.bool(); filtered && r.err == nil {
			r.require(d.spec.Memory > 0 && len(types) > 0)
			d.loadFilter(r)
		}
		r.require(d.until > 0 || d.filter != nil)
	})
}

func (d *distinct) loadFilter(r *stateReader) {
	if r.err == nil {
		d.filter = d.newFilter()
		d.filter.load(r)
	}
}
