package op

import (
	"unsafe"

	"github.com/aurora-dsms/aurora/synopsis"
)

// saveShapes writes the shapes that panes share.
func (p *aggPlan) saveShapes(w *stateWriter) {
	for _, s := range p.shapes {
		w.cell(s.Shape)
	}
}

func (p *aggPlan) loadShapes(r *stateReader) {
	for _, s := range p.shapes {
		r.cell(synopsis.ShapeStateSize, s.Shape)
	}
}

// saveCells writes cells of a fixed size, loadCells reads them.
func saveCells[T any, C interface {
	*T
	AppendBinary(b []byte) ([]byte, error)
}](w *stateWriter, cells []T) {
	w.count(len(cells))
	for i := range cells {
		w.b = must(C(&cells[i]).AppendBinary(w.b))
	}
}

func loadCells[T any, C interface {
	*T
	marshalled
}](r *stateReader, size int) []T {
	return loadList(r, size, func() (v T) {
		r.cell(size, C(&v))
		return v
	})
}

// loadDesigned reads cells that belong to the design of p.
func loadDesigned[T any, C interface {
	*T
	Load(d *synopsis.Design, data []byte) error
}](r *stateReader, size int, p *pane) []T {
	return loadList(r, size, func() (v T) {
		data := r.take(size)
		r.require(data != nil && C(&v).Load(&p.design, data) == nil)
		return v
	})
}

func (a *keyCells) save(w *stateWriter) { saveCells(w, a.cells) }

func (a *keyCells) load(r *stateReader, groups int) {
	a.cells = loadCells[synopsis.Keys](r, synopsis.KeysStateSize)
	r.require(len(a.cells) <= groups)
}

func (a *blockCells) save(w *stateWriter) {
	saveCells(w, a.cells)
	a.parts.save(w, func(p *blockPart) {
		w.cell(&p.Part)
		w.f64(p.w)
	})
}

func (a *blockCells) load(r *stateReader, groups int) {
	a.cells = loadCells[synopsis.Blocks](r, synopsis.BlocksStateSize)
	a.parts.load(r, synopsis.PartStateSize+8, 1<<31-1, func(p *blockPart) {
		r.cell(synopsis.PartStateSize, &p.Part)
		p.w = r.f64()
	})
	r.require(len(a.cells) <= groups && len(a.parts.ends) <= groups)
}

func (a *blockRowsMost) save(w *stateWriter) {
	w.i64(a.block)
	w.i64(a.rows)
	w.i64(a.most)
}

func (a *blockRowsMost) load(r *stateReader, _ int) {
	a.block, a.rows, a.most = r.i64(), r.i64(), r.i64()
}

func (a *spreads) save(w *stateWriter) {
	saveCells(w, a.cells)
	a.parts.save(w, func(p *synopsis.SpreadPart) { w.cell(p) })
	a.rows.save(w)
}

func (a *spreads) load(*stateReader, int) {}

func (a *spreads) loadIn(r *stateReader, p *pane) {
	a.cells = loadDesigned[synopsis.Spread](r, synopsis.SpreadStateSize, p)
	a.parts.load(r, synopsis.SpreadPartStateSize, len(p.design.Strata()), func(v *synopsis.SpreadPart) {
		r.cell(synopsis.SpreadPartStateSize, v)
	})
	a.rows.load(r)
	r.require(len(a.cells) <= p.keys.n && len(a.parts.ends) <= p.keys.n && len(a.rows.of) <= p.keys.n)
}

func (a *quotients) save(w *stateWriter) {
	saveCells(w, a.cells)
	saveCells(w, a.keys)
	saveCells(w, a.blocks)
	a.parts.save(w, func(p *synopsis.QuotientPart) { w.cell(p) })
	a.rows.save(w)
	a.read.save(w)
}

func (a *quotients) load(*stateReader, int) {}

func (a *quotients) loadIn(r *stateReader, p *pane) {
	a.cells = loadDesigned[synopsis.Quotient](r, synopsis.QuotientStateSize, p)
	a.keys = loadCells[synopsis.Keys](r, synopsis.KeysStateSize)
	a.blocks = loadCells[synopsis.Blocks](r, synopsis.BlocksStateSize)
	a.parts.load(r, synopsis.QuotientPartStateSize, len(p.design.Strata()), func(v *synopsis.QuotientPart) {
		r.cell(synopsis.QuotientPartStateSize, v)
	})
	a.rows.load(r)
	a.read.load(r)
	for _, n := range [...]int{len(a.cells), len(a.keys), len(a.blocks), len(a.parts.ends), len(a.rows.of), len(a.read.of)} {
		r.require(n <= p.keys.n)
	}
}

func (a *pairings) save(w *stateWriter) {
	saveList(w, a.of, func(rows []pairing) {
		saveList(w, rows, func(v pairing) {
			w.i64(v.block)
			w.f64(v.num)
			w.f64(v.den)
			w.f64(v.w)
		})
	})
}

func (a *pairings) load(r *stateReader) {
	a.of = loadList(r, 1, func() []pairing {
		return loadList(r, 32, func() pairing { return pairing{r.i64(), r.f64(), r.f64(), r.f64()} })
	})
}

func (a *keyCells) size() int64 { return sliceBytes(a.cells) }

func (a *blockCells) size() int64 { return sliceBytes(a.cells) + a.parts.size() }

func (a *blockRowsMost) size() int64 { return int64(unsafe.Sizeof(*a)) }

func (a *spreads) size() int64 { return sliceBytes(a.cells) + a.parts.size() + a.rows.size() }

func (a *quotients) size() int64 {
	return sliceBytes(a.cells) + sliceBytes(a.keys) + sliceBytes(a.blocks) + a.parts.size() + a.rows.size() + a.read.size()
}

func (a *pairings) size() int64 {
	n := sliceBytes(a.of)
	for _, rows := range a.of {
		n += sliceBytes(rows)
	}
	return n
}
