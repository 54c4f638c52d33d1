package op

import (
	"math"
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// merging is scratch for merging panes.
type merging struct {
	to    []uint32 // the number in the merged pane of each group
	found []uint32 // the number in the merged set of each value
	fresh []uint32 // values that are new to the merged set, and their groups
	group []uint32
	col   [1]tuple.Column
}

// reopen makes sure that hopping windows with a pane that begins at start are emitted. It returns
// false where all of them are closed.
func (a *aggregate) reopen(start int64) bool {
	if a.windows.lastEnd(start) <= a.mark {
		return false
	}
	first := a.windows.first(start)
	for a.windows.end(first) <= a.mark {
		first = a.windows.next(first)
	}
	if len(a.open) == 0 || first < a.next {
		a.next = first
	}
	return true
}

// closeHop is closeNext for hopping windows.
func (a *aggregate) closeHop(t int64) bool {
	w := a.windows
	end := w.end(a.next)
	if end > t && t < tuple.Drain {
		return false
	}
	s := span{a.next, end}
	merged := a.take(s)
	if a.current != nil {
		a.strata.enterEmpty(&a.current.design)
	}
	for _, p := range a.open[a.closed:] {
		if p.start >= s.end && s.end != math.MaxInt64 {
			break
		}
		a.mergePane(merged, p)
		a.fitMerged(merged)
	}
	a.begin(s, merged)
	a.orderGroups(merged)

	a.next = w.next(a.next)
	for ; a.closed < len(a.open); a.closed++ {
		p := a.open[a.closed]
		if p.end > a.next && a.next != math.MaxInt64 {
			break
		}
		if a.current == p {
			a.current = nil
		}
		a.recycle(p)
	}
	if a.closed < len(a.open) && a.open[a.closed].start >= w.end(a.next) {
		a.next = w.first(a.open[a.closed].start)
	}
	return true
}

// orderGroups puts the groups of a merged pane in order of their first rows.
func (a *aggregate) orderGroups(p *pane) {
	order := a.closing.order
	for g := range p.first {
		order = append(order, uint32(g))
	}
	slices.SortFunc(order, func(g, h uint32) int {
		if p.first[g] < p.first[h] {
			return -1
		}
		return 1
	})
	a.closing.order = order
}

// mergePane adds the groups of p to those of merged.
func (a *aggregate) mergePane(merged, p *pane) {
	to := tuple.Resize(a.closing.to, p.keys.n)
	a.closing.to = to
	merged.keys.absorb(&p.keys, to, nil)
	for i, g := range to {
		switch {
		case int(g) == len(merged.first):
			merged.first = append(merged.first, p.first[i])
		case p.first[i] < merged.first[g]:
			merged.first[g] = p.first[i]
			merged.keys.show(int(g), &p.keys, i)
		}
	}
	if a.spec.Sampling != nil {
		a.mergeSample(merged, p)
	}
	if a.memory.limit > 0 {
		merged.fold.merge(&p.fold, to, merged.keys.n)
	}
	set := 0
	for i := range a.plan.lanes {
		l := &a.plan.lanes[i]
		if l.distinct {
			a.mergeSet(merged, &merged.sets[set], &p.sets[set], l, to)
			set++
			continue
		}
		for _, k := range l.states {
			merged.states[k].merge(p.states[k], to, merged.keys.n)
		}
	}
}

// mergeSet adds to merged the values of a set that are new to its own, as if they were rows.
func (a *aggregate) mergeSet(merged *pane, into, from *keyTable, l *laneInput, to []uint32) {
	m := &a.closing.merging
	known := into.n
	m.found = tuple.Resize(m.found, from.n)
	into.absorb(from, m.found, to)
	m.fresh, m.group = m.fresh[:0], m.group[:0]
	for j, id := range m.found {
		if int(id) < known {
			continue
		}
		known++
		m.fresh = append(m.fresh, uint32(j))
		m.group = append(m.group, to[from.scope[j]])
	}
	for at := 0; at < len(m.fresh); at += tuple.MaxRows {
		n := min(len(m.fresh)-at, tuple.MaxRows)
		m.col[0].Reset(l.typ, n)
		from.write(m.col[:], m.fresh[at:at+n], 0, n)
		in := lane{col: &m.col[0], sel: tuple.All(n), ids: m.group[at : at+n]}
		for _, k := range l.states {
			merged.states[k].add(&in, merged.keys.n)
		}
	}
}
