package op

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// rowSet is a set of kinds of rows, by how they were chosen.
type rowSet uint8

const (
	wholeRows    rowSet = 1 << iota // of strata that lost nothing
	shedRows                        // of strata of random drops
	weightedRows                    // with weights of their own, whatever strata they are in
	keyedRows                       // of strata of universe drops
	blockRows                       // of strata of blocks of a file
)

// sample says how the rows of a lane were chosen: all of them alike, as batches never span two epochs.
type sample struct {
	rows   rowSet // one of the constants
	design *synopsis.Design
	// stratum is the number of the rows' stratum in the design of the pane; -1 where they have none. With several
	// drops on the way it is the last one, and the others are its Up.
	stratum int32
	// scale is the product of 1/keep along the way: what a row stands for in the Poisson form. With weights it is theirs
	// that is to be multiplied.
	scale   float64
	weights []float64 // per row of the block; nil but for weightedRows
	unit    []uint8   // per row of the block: the group of its key; nil but for keyedRows
	block   int64     // the number of the rows' block, for blockRows
}

// sealer is an accumulator that has something to do when a window closes, before its answers are written: to make
// cells of the shares that panes keep, and to add cells to the tally of its column.
type sealer interface {
	// seal is called once a window, when p holds all its rows and the design of p is sealed.
	seal(p *pane)
}

// sampleOf enters rows of the current batch in the design of p.
func (a *aggregate) sampleOf(p *pane, sel []uint16) sample {
	w := a.strata.now
	s := sample{rows: w.rows, design: &p.design, stratum: -1, scale: w.scale, weights: w.weights, unit: w.unit, block: w.block}
	p.rowSets |= w.rows
	p.biased = p.biased || w.biased
	n := int64(len(sel))
	p.total += n
	if w.weights == nil {
		p.given += float64(n)
	}
	for _, r := range sel[:min(len(sel), len(w.weights))] {
		p.given += w.weights[r]
	}
	if w.stratum != nil {
		s.stratum = p.design.Enter(w.stratum)
		p.design.Rows(s.stratum, n)
	}
	return s
}

// noRows takes note of a batch without rows: records that were offered, or lost, belong somewhere.
func (a *aggregate) noRows() {
	switch {
	case a.spec.Sampling == nil:
	case a.windows.kind != NoWindow:
		a.strata.noteEmpty()
	case a.strata.now.stratum != nil:
		a.current.design.Enter(a.strata.now.stratum)
	}
}

// closeGap enters the strata that kept no row since the last row, in the panes of that row and of the first of b.
func (a *aggregate) closeGap(b *tuple.Batch) {
	if a.current != nil {
		a.strata.enterEmpty(&a.current.design)
	}
	if b.Time != nil {
		if p := a.pane(b.Time[b.Sel[0]]); p != nil {
			a.strata.enterEmpty(&p.design)
		}
	}
	a.strata.empty = a.strata.empty[:0]
}

// mergeSample adds the strata of p to those of merged, and notes their numbers there for the merge of states.
func (a *aggregate) mergeSample(merged, p *pane) {
	to := a.plan.numbers[:0]
	for _, s := range p.design.Strata() {
		to = append(to, merged.design.Enter(s))
	}
	a.plan.numbers = to
	merged.design.Merge(&p.design)
	merged.rowSets |= p.rowSets
	merged.biased = merged.biased || p.biased
	merged.total += p.total
	merged.given += p.given
}

// whole reports whether all rows of p's window are there, each standing for itself.
func (p *pane) whole() bool {
	switch {
	case p.biased:
		return false
	case p.rowSets&^wholeRows == 0:
		return p.design.Whole()
	}
	return p.rowSets&^(wholeRows|blockRows) == 0 && p.allBlocks()
}

// question is what is asked of the cells of a window.
func (p *aggPlan) question(a *Agg, tally *synopsis.Tally) synopsis.Question {
	return synopsis.Question{
		Confidence: p.sampling.Confidence,
		Domain:     p.domain || a.Filter != nil,
		Tally:      tally,
		Method:     synopsis.Method(p.sampling.Method),
	}
}

// closeSample makes the answers of a closing window ready, and its row columns.
func (a *aggregate) closeSample(p *pane) {
	c := &a.closing
	c.kept, c.unseen = 1, 0
	if a.spec.Sampling == nil {
		return
	}
	p.design.Seal()
	for _, s := range p.states {
		if s, ok := s.(sealer); ok {
			s.seal(p)
		}
	}
	a.strata.sweep(a.open)
	c.kept = p.design.Kept()
	if p.given > 0 {
		c.kept *= float64(p.total) / p.given
	}
	if !p.whole() {
		c.unseen = p.unseen(a.plan)
	}
}

// fillAnswers writes the aggregates, their bounds and the columns about the row, for the closing window's groups ids.
func (a *aggregate) fillAnswers(ids []uint32, at int) {
	p, s, cols := a.closing.pane, a.spec, a.block.Cols
	clear(a.inexact[at : at+len(ids)])
	lead := s.leading()
	to := &a.to
	for i, write := range a.plan.answers {
		a.answerTo(s.BoundsOf(i), at)
		to.value = &cols[lead+i]
		write(p, ids, to)
		a.widen(i, p, ids, to)
	}
	for i, write := range a.plan.ratios {
		a.answerTo(s.RatioBounds(i), at)
		write(p, ids, to)
		a.widenRatio(p, ids, to)
	}
	a.fillRow(p, ids, at)
}

// answerTo makes the next answer go to rows from at on, and its bounds to the columns from bounds on, if there are any.
func (a *aggregate) answerTo(bounds, at int) {
	a.to = answers{at: at, n: tuple.MaxRows, inexact: a.inexact[:], all: a.block.Cols}
	if bounds >= 0 {
		cols := a.block.Cols
		a.to.low, a.to.high, a.to.label = &cols[bounds], &cols[bounds+1], &cols[bounds+2]
	}
}

// fillRow writes the columns about the rows of groups.
func (a *aggregate) fillRow(p *pane, ids []uint32, at int) {
	kept, exact, unseen, other := a.spec.RowColumns()
	cols, c := a.block.Cols, &a.closing
	for i, g := range ids {
		r := at + i
		if kept >= 0 {
			cols[kept].F[r] = c.kept
			cols[exact].B[r] = !a.inexact[r]
		}
		if unseen >= 0 {
			to := answers{n: tuple.MaxRows, value: &cols[unseen]}
			to.bound(to.value, r, c.unseen, nil)
		}
		if other >= 0 {
			cols[other].B[r] = int(g) == p.keys.rest
		}
	}
}
