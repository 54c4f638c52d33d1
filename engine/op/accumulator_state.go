package op

import (
	"github.com/aurora-dsms/aurora/synopsis"
)

func (a *counts) save(w *stateWriter) { saveList(w, a.n, w.i64) }

func (a *counts) load(r *stateReader, groups int) {
	a.n = loadList(r, 8, r.i64)
	r.require(len(a.n) <= groups)
}

// marshalled is an accumulator's cell that knows its own encoding of a fixed size.
type marshalled interface {
	AppendBinary(b []byte) ([]byte, error)
	UnmarshalBinary(data []byte) error
}

func (w *stateWriter) cell(c marshalled) { w.b = must(c.AppendBinary(w.b)) }

func (r *stateReader) cell(size int, c marshalled) {
	data := r.take(size)
	r.require(data != nil && c.UnmarshalBinary(data) == nil)
}

func (a *sums) save(w *stateWriter) {
	w.count(len(a.cells))
	for i := range a.cells {
		w.i64(a.cells[i].n)
		w.cell(&a.cells[i].sum)
	}
}

func (a *sums) load(r *stateReader, groups int) {
	a.cells = loadList(r, 8+synopsis.SumSize, func() (c sumCell) {
		c.n = r.i64()
		r.cell(synopsis.SumSize, &c.sum)
		return c
	})
	r.require(len(a.cells) <= groups)
}

func (a *moments) save(w *stateWriter) {
	w.count(len(a.cells))
	for i := range a.cells {
		w.cell(&a.cells[i])
	}
}

func (a *moments) load(r *stateReader, groups int) {
	a.cells = loadList(r, synopsis.MomentsSize, func() (m synopsis.Moments) {
		r.cell(synopsis.MomentsSize, &m)
		return m
	})
	r.require(len(a.cells) <= groups)
}

func (a *extremes[T]) save(w *stateWriter) {
	saveList(w, a.cells, func(c extreme[T]) {
		w.bool(c.any)
		switch v := any(c.v).(type) {
		case int64:
			w.i64(v)
		case float64:
			w.f64(v)
		}
	})
}

func (a *extremes[T]) load(r *stateReader, groups int) {
	a.cells = loadList(r, 9, func() (c extreme[T]) {
		c.any = r.bool()
		switch v := any(&c.v).(type) {
		case *int64:
			*v = r.i64()
		case *float64:
			*v = r.f64()
		}
		return c
	})
	r.require(len(a.cells) <= groups)
}

func (a *picks) save(w *stateWriter) {
	saveList(w, a.cells, func(c pick) {
		w.bool(c.any)
		w.u8(c.class)
		w.i64(c.at)
		if a.bytes {
			w.bytes(a.text(&c))
			return
		}
		w.i64(c.lo)
		w.i64(c.hi)
	})
}

func (a *picks) load(r *stateReader, groups int) {
	a.cells = loadList(r, 11, func() (c pick) {
		any, class := r.bool(), r.u8()
		at := r.i64()
		if a.bytes {
			a.store(&c, r.bytes())
		} else {
			c.lo, c.hi = r.i64(), r.i64()
		}
		c.any, c.class, c.at = any, class, at
		r.require(validClass(class))
		return c
	})
	r.require(len(a.cells) <= groups)
}

// validClass reports whether class can belong to a number.
func validClass(class uint8) bool {
	return class&kindMask <= kindNull && class&^(kindMask|looksReal|looksNeg0) == 0
}

func (a *summaries[T, P]) save(w *stateWriter) {
	w.count(len(a.of))
	for _, s := range a.of {
		if s == nil {
			w.count(0)
			continue
		}
		w.bytes(must(s.MarshalBinary()))
	}
}

func (a *summaries[T, P]) load(r *stateReader, groups int) {
	a.of = make([]P, r.count(1))
	for i := range a.of {
		data := r.bytes()
		if len(data) == 0 {
			continue
		}
		s := a.stock.take()
		r.require(s.UnmarshalBinary(data) == nil)
		a.of[i] = s
	}
	r.require(len(a.of) <= groups)
}

func (a *distincts) save(w *stateWriter) {
	a.summaries.save(w)
	a.rows.save(w)
}

func (a *distincts) load(r *stateReader, groups int) {
	a.summaries.load(r, groups)
	a.rows.load(r, groups)
}
