package op

import (
	"fmt"
	"math"
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// The bound of memory (estimators.md section 6).
//
// An aggregate with Memory looks at what its panes hold once in a while and, where that is more than half of the budget, folds the
// lightest groups of the largest pane into one entry of its table of keys, the rest (keyTable.reserve). Half is what
// can be used: tables are made anew while groups are folded, and Go's collector lets garbage lie. Groups are folded by merging
// their accumulators, so that the rest has the exact totals of what was folded.
//
// A group that comes back after it was folded is a new one. What a group that is not in the table may have lost is bounded as in
// SpaceSaving (Metwally, Agrawal, El Abbadi: Efficient computation of frequent and top-k elements in data streams, ICDT 2005):
//
//	lost of a new group = most, the bound of groups that are not there
//	most = max over the groups folded of lost + weight
//
// where the weight is the group's rows, and for each lane with sums of values that are not negative their sum. Groups are folded by
// least lost + weight, and those that came before the first fold have lost nothing.
//
// When groups are folded depends on rows alone, except where sketches take other memory after they were loaded.

// memory decides when an aggregate folds.
type memory struct {
	limit int64 // bytes of state at which groups are folded; 0: never
	until int   // rows until the next look
	lanes []int // of each aggregate

	folded   int64   // groups folded so far; one that came back counts again
	unlisted float64 // the greatest count, in a window that closed, of a group that is not listed
}

// leastGroups is how many groups of a pane are kept however small the budget is.
const leastGroups = 64

// soonest and latest bound the rows between two looks at the memory.
const (
	soonest = leastGroups
	latest  = 1 << 14
)

// groupBytes is what a group is taken to need at least.
const groupBytes = 128

// sized is implemented by accumulators that know how much memory they take, as far as that depends on what they hold and not on how
// it came.
type sized interface{ size() int64 }

// unknownBytes is what a group is taken to need in an accumulator that does not know.
const unknownBytes = 256

func newMemory(s *Aggregate, plan *aggPlan) (memory, error) {
	if s.Memory < 0 {
		return memory{}, fmt.Errorf("a memory of %d bytes", s.Memory)
	}
	m := memory{limit: (s.Memory + 1) / 2, until: soonest}
	for i := range s.Aggs {
		m.lanes = append(m.lanes, plan.lane(&s.Aggs[i]))
	}
	return m, nil
}

// piecewise places the rows of b in pieces, between which it looks at the memory. When that is depends on rows alone.
func (a *aggregate) piecewise(b *tuple.Batch) error {
	piece := *b
	for sel := b.Sel; len(sel) > 0; {
		n := min(len(sel), a.memory.until)
		piece.Sel = sel[:n]
		if err := a.place(&piece); err != nil {
			return err
		}
		sel = sel[n:]
		if a.memory.until -= n; a.memory.until == 0 {
			if err := a.fit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// fit folds groups until the open panes fit the budget, and decides when to look again.
func (a *aggregate) fit() error {
	used := int64(0)
	for _, p := range a.open {
		p.fold.bytes = a.bytes(p)
		used += p.fold.bytes
	}
	if used > a.memory.limit && a.spec.Sampling != nil {
		used = 0
		for _, p := range a.open {
			p.coarsen()
			p.fold.bytes = a.bytes(p)
			used += p.fold.bytes
		}
	}
	for used > a.memory.limit {
		p := a.largest()
		if p == nil {
			if used > a.spec.Memory {
				return a.tooSmall()
			}
			break
		}
		used -= p.fold.bytes
		a.fold(p, p.keys.n/2)
		p.fold.bytes = a.bytes(p)
		used += p.fold.bytes
	}
	groups := 0
	for _, p := range a.open {
		groups += p.keys.n
	}
	need := groupBytes + 2*used/int64(max(groups, leastGroups))
	room := max(a.memory.limit-used, 0) / need
	a.memory.until = max(soonest, groups/8, int(min(latest, room)))
	return nil
}

// tooSmall is the error of state that does not fit the memory even with a group per window.
func (a *aggregate) tooSmall() error {
	size := fmt.Sprintf("%.4g KiB", float64(a.spec.Memory)/(1<<10))
	if a.spec.Memory >= 1<<20 {
		size = fmt.Sprintf("%.4g MiB", float64(a.spec.Memory)/(1<<20))
	}
	remedy := "more memory or fewer windows at a time would do"
	if slices.ContainsFunc(a.spec.Aggs, func(g Agg) bool { return g.Func == CountDistinct }) {
		remedy = "count(DISTINCT x) keeps every value: approx_count_distinct(x) takes a few KiB instead, or give more memory"
	}
	return fmt.Errorf("aggregate: the groups need more than the memory of %s that they may have; %s", size, remedy)
}

// largest returns the pane that holds most and has groups to fold, or nil.
func (a *aggregate) largest() (most *pane) {
	if len(a.plan.keys) == 0 {
		return nil
	}
	for _, p := range a.open {
		if p.folds() && (most == nil || p.fold.bytes > most.fold.bytes) {
			most = p
		}
	}
	return most
}

// folds reports whether p has more groups than are kept however small the budget is.
func (p *pane) folds() bool { return p.keys.n-min(p.keys.rest+1, 1) > leastGroups }

// bytes returns about how much memory p takes.
func (a *aggregate) bytes(p *pane) int64 {
	const words = 2 // a weight and a loss, beside the losses of sums
	n := p.keys.bytes() + 8*int64(len(p.first)+p.keys.n*(words+len(p.fold.sums)))
	for _, s := range p.states {
		if s, ok := s.(sized); ok {
			n += s.size()
		} else {
			n += unknownBytes * int64(p.keys.n)
		}
	}
	for i := range p.sets {
		n += p.sets[i].bytes()
	}
	if a.spec.Sampling != nil {
		n += int64(p.design.Size())
	}
	return n
}

// keeps reports whether an empty pane may be kept for later that held so much: all that are kept take a quarter of what
// can be used.
func (a *aggregate) keeps(p *pane) bool {
	return a.memory.limit == 0 || a.bytes(p) <= a.memory.limit/(4*sparePanes)
}

// fold leaves the heaviest groups of p, as many as keep or leastGroups, and folds the others into the rest.
func (a *aggregate) fold(p *pane, keep int) {
	old := p.keys
	stay := p.fold.heaviest(old.n, max(keep, leastGroups), old.rest)
	p.fold.fold(stay, old.rest, p.states)
	for g := range old.n {
		if !stay[g] && g != old.rest {
			a.memory.folded++
		}
	}
	to := tuple.Resize(a.closing.to, old.n)
	a.closing.to = to
	p.keys = newKeyTable(old.types, false)
	rest := p.keys.reserve()
	for g := range to {
		to[g] = rest
		if stay[g] {
			to[g] = p.keys.adopt(&old, g, 0)
		}
	}
	p.first = moved(p.first, stay, math.MaxInt64)
	numbers := a.plan.numbers[:0]
	for i := range p.design.Strata() {
		numbers = append(numbers, int32(i))
	}
	a.plan.numbers = numbers
	for k, from := range p.states {
		fresh := a.plan.states[k].fresh()
		if m, ok := fresh.(mover); ok {
			m.move(from, to, p.keys.n)
		}
		fresh.merge(from, to, p.keys.n)
		p.states[k] = fresh
	}
	for i := range p.sets {
		p.sets[i] = p.sets[i].within(to, rest)
	}
	p.coarsen()
}

// mover is an accumulator that can take over what another holds of a group, which is then out of it, where it has nothing of
// the group's new number yet.
type mover interface {
	move(from accumulator, to []uint32, groups int)
}

// moved returns first and then the elements of list that stay. An empty list stays empty.
func moved(list []int64, stay []bool, first int64) []int64 {
	if len(list) == 0 {
		return list
	}
	next := []int64{first}
	for g, v := range list {
		if stay[g] {
			next = append(next, v)
		}
	}
	return next
}

// within returns the pairs of t whose scopes stay, renumbered: those that are not sent to rest.
func (t *keyTable) within(to []uint32, rest uint32) keyTable {
	next := newKeyTable(t.types, true)
	for i := range t.n {
		if scope := to[t.scope[i]]; scope != rest {
			next.adopt(t, i, scope)
		}
	}
	return next
}
