package op

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Make returns a fresh operator.
func (s *Aggregate) Make() (Operator, error) {
	w, err := s.Window.windows()
	if err != nil {
		return nil, fmt.Errorf("aggregate: %w", err)
	}
	plan, err := newAggPlan(s)
	if err != nil {
		return nil, fmt.Errorf("aggregate: %w", err)
	}
	bound, err := newMemory(s, plan)
	if err != nil {
		return nil, fmt.Errorf("aggregate: %w", err)
	}
	a := &aggregate{
		spec: s, windows: w, plan: plan, memory: bound, schema: s.Schema(nil), mark: math.MinInt64, batch: 1,
		keyCols: make([]*tuple.Column, len(plan.keys)),
	}
	a.strata.open = s.Sampling != nil && s.Sampling.Filtered
	if w.kind == NoWindow {
		a.current = a.take(span{math.MinInt64, math.MaxInt64})
		a.open = append(a.open, a.current)
	}
	return a, nil
}

// Schema returns window_start and window_end, unless there is no window, the keys and the
// aggregates. in is not needed.
func (s *Aggregate) Schema(*tuple.Schema) *tuple.Schema {
	out := &tuple.Schema{}
	if s.Window.Kind != NoWindow {
		out.Fields = append(out.Fields,
			tuple.Field{Name: "window_start", Type: tuple.Timestamp, Zone: s.Window.Zone},
			tuple.Field{Name: "window_end", Type: tuple.Timestamp, Zone: s.Window.Zone})
	}
	for i, f := range s.KeyFields {
		if f.Type == tuple.Null && i < len(s.Keys) {
			f.Type = s.Keys[i].Type
		}
		out.Fields = append(out.Fields, f)
	}
	for i := range s.Aggs {
		f := s.Aggs[i].Field
		f.Type = s.Aggs[i].fieldType()
		if f.Type == tuple.Bigint && s.weighted(&s.Aggs[i]) {
			f.Type = tuple.Number
		}
		out.Fields = append(out.Fields, f)
	}
	out.Fields = s.boundFields(out.Fields)
	return out
}

// String describes the box: "aggregate count(*), avg(v) by host over tumble 1m0s".
func (s *Aggregate) String() string {
	var b strings.Builder
	b.WriteString("aggregate")
	for i := range s.Aggs {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
		b.WriteString(s.Aggs[i].String())
	}
	for i, f := range s.KeyFields {
		if i == 0 {
			b.WriteString(" by ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(f.Name)
	}
	if s.Window.Kind != NoWindow {
		b.WriteString(" over " + s.Window.String())
	}
	return b.String()
}

// String returns a as SQL: "sum(DISTINCT v) FILTER (WHERE ok)".
func (a *Agg) String() string {
	var b strings.Builder
	b.WriteString(a.Func.String() + "(")
	switch {
	case a.Arg == nil:
		b.WriteByte('*')
	case a.Distinct || a.Func == CountDistinct:
		b.WriteString("DISTINCT " + a.Arg.Text)
	default:
		b.WriteString(a.Arg.Text)
	}
	switch {
	case a.Func == TopK:
		fmt.Fprintf(&b, ", %d", a.K)
	case len(a.Quantiles) == 1 && !a.List:
		fmt.Fprintf(&b, ", %v", a.Quantiles[0])
	case len(a.Quantiles) > 0:
		fmt.Fprintf(&b, ", %v", a.Quantiles)
	}
	if a.Error != 0 {
		fmt.Fprintf(&b, ", %v", a.Error)
	}
	b.WriteByte(')')
	if a.Filter != nil {
		b.WriteString(" FILTER (WHERE " + a.Filter.Text + ")")
	}
	return b.String()
}

// aggregate is the operator of Aggregate.
//
// Rows go to the pane that their time is in. Tumbling windows are panes. A hopping window is
// several, merged in order of time when it closes; its groups are then put in order of their first
// rows, which panes remember. Float results may therefore differ in their last digits from those of a
// tumbling window over the same rows, but do not depend on how rows came in batches.
//
// A hopping window costs a merge of all its panes and their groups when it closes. Weights and samples of
// batches are looked at where the spec says Sampling; then batches without rows are, too, for their totals.
//
// A row enters the windows of its time that are still open. Where all are closed, which the input
// box prevents, a tumbling window opens again and is emitted a second time; with hopping windows
// the row is counted in Faults as "late".
type aggregate struct {
	spec    *Aggregate
	windows *windows
	plan    *aggPlan
	schema  *tuple.Schema

	open    []*pane // in order of time
	closed  int     // how many at the front of open are closed; 0 between calls of Advance
	spare   []*pane
	current *pane // the pane of the last row, or nil
	mark    int64 // the greatest time that Advance was given
	next    int64 // hopping: start of the first window that has panes and is not closed
	seen    int64 // position in the input of the batch's row 0
	nans    int64
	late    int64

	boundary int64 // the answer of NextBoundary, once bounded
	bounded  bool

	memory  memory
	strata  strata
	inexact [tuple.MaxRows]bool // of the rows of block
	to      answers             // where the answer that is being written goes

	keyCols []*tuple.Column
	ids     []uint32
	scratch keyScratch
	batch   int64
	paneOf  []*pane
	touched []*pane
	sorted  []uint16

	closing closing
	block   tuple.Block
	emitted tuple.Batch
}

var errNoTime = errors.New("aggregate: batch without event times")

// Process adds a batch's rows to their groups.
func (a *aggregate) Process(_ int, b *tuple.Batch, _ Emitter) error {
	if a.spec.Sampling != nil {
		a.strata.begin(b)
	}
	if len(b.Sel) == 0 {
		a.noRows()
		return nil
	}
	for i := range a.plan.keys {
		a.keyCols[i] = a.plan.keys[i].column(b, b.Sel)
	}
	for i := range a.plan.lanes {
		a.nans += a.plan.lanes[i].begin(b)
	}
	if len(a.strata.empty) > 0 {
		a.closeGap(b)
	}
	var err error
	if a.memory.limit > 0 {
		err = a.piecewise(b)
	} else {
		err = a.place(b)
	}
	a.seen += int64(b.N)
	return err
}

// place adds the rows of the current batch that b selects to their panes.
func (a *aggregate) place(b *tuple.Batch) error {
	switch {
	case a.windows.kind == NoWindow:
		a.addRows(a.current, b.Sel)
	case b.Time == nil:
		return errNoTime
	case a.current != nil && allWithin(a.current.span, b):
		a.addRows(a.current, b.Sel)
	default:
		a.split(b)
	}
	return nil
}

func allWithin(s span, b *tuple.Batch) bool {
	times := b.Time
	for _, r := range b.Sel {
		if t := times[r]; t < s.start || t >= s.end {
			return false
		}
	}
	return true
}

// NextBoundary returns the end of the first window that is not closed, whether rows came for it or not: they may
// still come in the batch that passes it.
func (a *aggregate) NextBoundary() int64 {
	switch {
	case a.windows.kind == NoWindow || a.mark == math.MaxInt64:
		return tuple.End
	case !a.bounded || a.boundary <= a.mark:
		a.boundary, a.bounded = a.windows.end(a.windows.first(a.mark)), true
	}
	return a.boundary
}

// Late reports whether every window that contains t has ended at w.
func (a *aggregate) Late(t, w int64) bool {
	return t < w && a.windows.kind != NoWindow && a.windows.lastEnd(t) <= w
}

// Faults counts "nan", values left out of aggregates; "late", rows of no open window; "overflow", sums of intervals
// beyond 292 years; "range", values outside of a declared range, which take part; and what expressions could not compute.
func (a *aggregate) Faults() map[string]int64 {
	faults := map[string]int64{}
	for _, p := range a.programs() {
		for reason, n := range p.Faults() {
			faults[reason] += n
		}
	}
	for _, own := range [...]struct {
		reason string
		n      int64
	}{{"nan", a.nans}, {"late", a.late}, {"overflow", a.plan.overflows}, {"range", a.plan.outside()}} {
		if own.n != 0 {
			faults[own.reason] += own.n
		}
	}
	return faults
}
