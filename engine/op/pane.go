package op

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// pane holds the groups of one pane of time and their accumulators.
type pane struct {
	span
	keys   keyTable
	states []accumulator
	sets   []keyTable // of each lane with DISTINCT, the values seen
	first  []int64    // position of each group's first row, where panes are merged

	design  synopsis.Design // with Sampling: the strata of the rows
	rowSets rowSet          // the kinds of the rows
	biased  bool            // some were not chosen by chance
	total   int64           // rows, before NULLs and FILTER
	given   float64         // sum of the weights given with the rows, 1 where none is

	fold folds // with Memory

	batch int64 // the last batch that had rows here, and how many, and where they start
	rows  int
	from  int
}

// take returns an empty pane for s.
func (a *aggregate) take(s span) *pane {
	if n := len(a.spare); n > 0 {
		p := a.spare[n-1]
		a.spare = a.spare[:n-1]
		p.span = s
		return p
	}
	p := &pane{span: s, keys: newKeyTable(a.plan.types, false)}
	for i := range a.plan.states {
		p.states = append(p.states, a.plan.states[i].fresh())
	}
	for i := range a.plan.lanes {
		if l := &a.plan.lanes[i]; l.distinct {
			p.sets = append(p.sets, newKeyTable([]tuple.Type{l.typ}, true))
		}
	}
	if a.memory.limit > 0 {
		p.fold = a.plan.makeFolds()
	}
	return p
}

// sparePanes bounds the empty panes that are kept: more than a stream has open at a time would
// only hold memory.
const sparePanes = 64

// recycle empties p and keeps it for a later pane.
func (a *aggregate) recycle(p *pane) {
	if !a.keeps(p) {
		return
	}
	p.fold.reset()
	p.keys.reset()
	for _, s := range p.states {
		s.reset()
	}
	for i := range p.sets {
		p.sets[i].reset()
	}
	p.first, p.batch, p.rows = p.first[:0], 0, 0
	if a.spec.Sampling != nil {
		p.design.Reset()
		p.rowSets, p.biased, p.total, p.given = 0, false, 0, 0
	}
	if len(a.spare) < sparePanes {
		a.spare = append(a.spare, p)
	}
}

// addRows adds rows of the current batch to p.
func (a *aggregate) addRows(p *pane, sel []uint16) {
	ids := tuple.Resize(a.ids, len(sel))
	a.ids = ids
	p.keys.find(keyRows{cols: a.keyCols, sel: sel}, ids, &a.scratch)
	groups := p.keys.n
	if a.windows.kind == Hop {
		for i, g := range ids {
			if int(g) == len(p.first) {
				p.first = append(p.first, a.seen+int64(sel[i]))
			}
		}
	}
	set, chosen := 0, sample{}
	if a.spec.Sampling != nil {
		chosen = a.sampleOf(p, sel)
	}
	if a.memory.limit > 0 {
		p.fold.weigh(ids, sel, groups, &chosen)
	}
	for i := range a.plan.lanes {
		l := &a.plan.lanes[i]
		in := l.rows(sel, ids, a.seen)
		in.sample = chosen
		p.fold.look(i, in)
		if l.distinct {
			l.fresh(in, &p.sets[set], &a.scratch)
			set++
		}
		for _, k := range l.states {
			if takes := a.plan.states[k].takes; takes == 0 || takes&chosen.rows != 0 {
				p.states[k].add(in, groups)
			}
		}
	}
}

// split adds the current batch's rows, which are not all of one pane, each to its own.
func (a *aggregate) split(b *tuple.Batch) {
	a.batch++
	touched := a.touched[:0]
	a.paneOf = tuple.Resize(a.paneOf, len(b.Sel))
	p := a.current
	for i, r := range b.Sel {
		if t := b.Time[r]; p == nil || !p.contains(t) {
			p = a.pane(t)
		}
		a.paneOf[i] = p
		if p == nil {
			a.late++
			continue
		}
		if p.batch != a.batch {
			p.batch, p.rows = a.batch, 0
			touched = append(touched, p)
		}
		p.rows++
	}
	a.current = p
	at := 0
	for _, p := range touched {
		p.from = at
		at += p.rows
		p.rows = 0
	}
	a.sorted = tuple.Resize(a.sorted, len(b.Sel))
	for i, r := range b.Sel {
		if p := a.paneOf[i]; p != nil {
			a.sorted[p.from+p.rows] = r
			p.rows++
		}
	}
	for _, p := range touched {
		a.addRows(p, a.sorted[p.from:p.from+p.rows])
	}
	clear(a.paneOf)
	clear(touched)
	a.touched = touched[:0]
}

// pane returns the open pane that contains t, opening it if need be, or nil where every window that
// contains t is closed and panes serve several windows.
func (a *aggregate) pane(t int64) *pane {
	i, found := slices.BinarySearchFunc(a.open, t, func(p *pane, t int64) int {
		switch {
		case p.contains(t):
			return 0
		case p.start > t:
			return 1
		}
		return -1
	})
	if found {
		return a.open[i]
	}
	s := a.windows.panes.at(t)
	if a.windows.kind == Hop && !a.reopen(s.start) {
		return nil
	}
	p := a.take(s)
	a.open = slices.Insert(a.open, i, p)
	return p
}
