package op

import (
	"fmt"
	"slices"

	"github.com/aurora-dsms/aurora/synopsis"
)

// designed is an accumulator whose cells belong to the design of their pane. It is loaded by loadIn and not by load.
type designed interface {
	loadIn(r *stateReader, p *pane)
}

// appendTo adds to a spec's text what operators that pass a state on must have in common.
func (s *Sampling) appendTo(text string) string {
	if s == nil {
		return text
	}
	return fmt.Sprintf("%s %v %v %v %d %d", text, s.Confidence, s.Weighted, s.Filtered, s.Method, s.Seed)
}

// save writes the table; ways are numbered in its order.
func (t *strata) save(w *stateWriter) {
	saveList(w, t.read, func(r *reading) {
		w.u32(r.id)
		w.i64(r.offered)
		w.i64(r.kept)
	})
	saveList(w, t.ways, func(v *way) {
		w.u8(uint8(v.rows))
		w.bool(v.biased)
		w.bool(v.given)
		w.f64(v.scale)
		saveList(w, v.places, func(p place) {
			w.count(slices.Index(t.read, p.read))
			w.bool(p.stratum != nil)
			if s := p.stratum; s != nil {
				w.bool(slices.Contains(t.blocks, s))
				w.f64(s.Keep)
				w.i64(s.Offered)
				w.i64(s.Kept)
				w.bool(s.Open)
			}
		})
	})
	saveList(w, t.empty, func(v *way) { w.count(slices.Index(t.ways, v)) })
	w.count(t.left)
}

func (t *strata) load(r *stateReader) {
	t.blocks = nil
	t.read = loadList(r, 20, func() *reading { return &reading{r.u32(), r.i64(), r.i64()} })
	t.ways = loadList(r, 12, func() *way {
		v := &way{rows: rowSet(r.u8()), biased: r.bool(), given: r.bool(), scale: r.f64()}
		v.places = loadList(r, 2, func() (p place) {
			if len(t.read) == 0 {
				r.require(false)
				return p
			}
			p.read = t.read[r.index(len(t.read))]
			if r.bool() {
				blocks := r.bool()
				p.stratum = &synopsis.Stratum{ID: p.read.id, Keep: r.f64(), Offered: r.i64(), Kept: r.i64(), Open: r.bool(), Up: v.stratum}
				if blocks {
					p.stratum = t.sharedBlocks(p.stratum)
				}
				v.stratum = p.stratum
				r.require(p.stratum.Keep >= 0 && p.stratum.Keep <= 1 && p.stratum.Kept >= 0 && p.stratum.Offered >= p.stratum.Kept)
			}
			return p
		})
		r.require(v.stratum != nil && v.rows != 0 && v.rows&(v.rows-1) == 0 && v.rows <= blockRows)
		return v
	})
	t.empty = loadList(r, 1, func() *way { return t.way(r) })
	t.left = int(r.index(1 << 31))
	t.now.way = nil
}

// way reads the number of a way.
func (t *strata) way(r *stateReader) *way {
	i := r.index(len(t.ways))
	if r.err != nil {
		return nil
	}
	return t.ways[i]
}

// saveSample writes the design of p and what else is known of how its rows were chosen.
func (a *aggregate) saveSample(w *stateWriter, p *pane) {
	saveList(w, p.design.Strata(), func(s *synopsis.Stratum) {
		w.count(slices.IndexFunc(a.strata.ways, func(v *way) bool { return v.stratum == s }))
	})
	w.bytes(must(p.design.AppendBinary(nil)))
	w.u8(uint8(p.rowSets))
	w.bool(p.biased)
	w.i64(p.total)
	w.f64(p.given)
	w.bool(p == a.current)
}

func (a *aggregate) loadSample(r *stateReader, p *pane) {
	list := loadList(r, 1, func() *synopsis.Stratum {
		if v := a.strata.way(r); v != nil {
			return v.stratum
		}
		return nil
	})
	data := r.bytes()
	if r.err != nil {
		return
	}
	r.require(p.design.Load(data, list) == nil)
	p.rowSets = rowSet(r.u8())
	p.biased = r.bool()
	p.total = r.i64()
	p.given = r.f64()
	if r.bool() {
		a.current = p
	}
	r.require(p.rowSets < 2*blockRows)
}

// saveSampling writes what panes share.
func (a *aggregate) saveSampling(w *stateWriter) {
	a.strata.save(w)
	for _, t := range a.plan.tallies {
		w.cell(t)
	}
	a.plan.saveShapes(w)
	a.plan.saveRanges(w)
}

func (a *aggregate) loadSampling(r *stateReader) {
	a.strata.load(r)
	for _, t := range a.plan.tallies {
		r.cell(synopsis.TallyStateSize, t)
	}
	a.plan.loadShapes(r)
	a.plan.loadRanges(r)
}

func (a *sampledCounts) save(w *stateWriter) {
	w.count(len(a.cells))
	for i := range a.cells {
		w.b = must(a.cells[i].AppendBinary(w.b))
	}
	a.parts.save(w, func(n *int64) { w.i64(*n) })
	a.rows.save(w)
}

func (a *sampledCounts) load(*stateReader, int) {}

func (a *sampledCounts) loadIn(r *stateReader, p *pane) {
	a.cells = loadDesigned[synopsis.Count](r, synopsis.CountStateSize, p)
	a.parts.load(r, 8, len(p.design.Strata()), func(n *int64) {
		*n = r.i64()
		r.require(*n >= 0)
	})
	a.rows.load(r)
	r.require(len(a.cells) <= p.keys.n && len(a.parts.ends) <= p.keys.n && len(a.rows.of) <= p.keys.n)
}

func (a *sampledSums) save(w *stateWriter) {
	w.count(len(a.cells))
	for i := range a.cells {
		w.b = must(a.cells[i].AppendBinary(w.b))
	}
	a.parts.save(w, func(p *synopsis.Part) { w.cell(p) })
	a.rows.save(w)
}

func (a *sampledSums) load(*stateReader, int) {}

func (a *sampledSums) loadIn(r *stateReader, p *pane) {
	a.cells = loadDesigned[synopsis.Cell](r, synopsis.CellStateSize, p)
	a.parts.load(r, synopsis.PartStateSize, len(p.design.Strata()), func(v *synopsis.Part) { r.cell(synopsis.PartStateSize, v) })
	a.rows.load(r)
	r.require(len(a.cells) <= p.keys.n && len(a.parts.ends) <= p.keys.n && len(a.rows.of) <= p.keys.n)
}
