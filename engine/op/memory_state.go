package op

import (
	"unsafe"

	"github.com/aurora-dsms/aurora/synopsis"
)

// The sizes below are of what is held, with a quarter more where slices grow by that.

func (a *counts) size() int64 { return sliceBytes(a.n) }

func (a *sums) size() int64 { return sliceBytes(a.cells) }

func (a *moments) size() int64 { return sliceBytes(a.cells) }

func (a *extremes[T]) size() int64 { return sliceBytes(a.cells) }

func (a *picks) size() int64 { return sliceBytes(a.cells) + sliceBytes(a.arena) }

func (a *distincts) size() int64 { return a.summaries.size() + a.rows.size() }

func (a *sampledCounts) size() int64 {
	return a.parts.size() + a.rows.size() + synopsis.CountSize*int64(len(a.parts.ends))
}

func (a *sampledSums) size() int64 {
	return a.parts.size() + a.rows.size() + synopsis.CellSize*int64(len(a.parts.ends))
}

func (a *shares[T]) size() int64 { return sliceBytes(a.ends) + sliceBytes(a.list) }

func (a *weighings) size() int64 {
	n := sliceBytes(a.of)
	for _, rows := range a.of {
		n += sliceBytes(rows)
	}
	return n
}

// size counts what sketches say of themselves.
func (a *summaries[T, P]) size() int64 {
	n := sliceBytes(a.of)
	for _, s := range a.of {
		if s != nil {
			n += int64(any(s).(interface{ Bytes() int }).Bytes())
		}
	}
	return n
}

// move implements mover.
func (a *summaries[T, P]) move(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	of := from.(interface{ own() *summaries[T, P] }).own().of
	for i, s := range of {
		if g := to[i]; s != nil && a.of[g] == nil {
			a.of[g], of[i] = s, nil
		}
	}
}

func (a *summaries[T, P]) own() *summaries[T, P] { return a }

func sliceBytes[T any](s []T) int64 {
	var v T
	return int64(len(s)) * int64(unsafe.Sizeof(v)) * 5 / 4
}

// save writes the state of the folds of a pane.
func (f *folds) save(w *stateWriter) {
	saveList(w, f.weight, w.f64)
	f.lost.save(w)
	for i := range f.sums {
		s := &f.sums[i]
		w.f64(s.least)
		w.f64(s.largest)
		s.lost.save(w)
	}
}

func (l *losses) save(w *stateWriter) {
	saveList(w, l.of, w.f64)
	w.f64(l.most)
}

// load reads what save wrote of a pane of n groups.
func (f *folds) load(r *stateReader, n int) {
	f.weight = loadList(r, 8, r.f64)
	r.require(len(f.weight) == n)
	f.lost.load(r, n)
	for i := range f.sums {
		s := &f.sums[i]
		s.least, s.largest = r.f64(), r.f64()
		s.lost.load(r, n)
	}
}

func (l *losses) load(r *stateReader, n int) {
	l.of = loadList(r, 8, r.f64)
	r.require(len(l.of) <= n)
	l.most = r.f64()
}
