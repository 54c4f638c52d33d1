package engine

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/stats"
)

// When an answer is looked at before its time is up: after so many blocks first, and then each time there are that share more. A
// look costs about what closing the query's windows does.
const (
	firstLook = 64
	lookAgain = 1.15
)

// share of the rows whose groups an error is asked of (shedding.md section 2).
const gaugedShare = 0.95

// gauge stops the reading of a query's stream as soon as the answer is as exact as was asked, and those of the stream's other queries.
type gauge struct {
	most float64 // relative half-width that suffices
	next float64 // blocks at the next look
	met  bool
}

// enough looks whether the answer from so many blocks is good enough, and ends the reading when those of all queries of the stream are.
func (q *Query) enough(blocks int64) error {
	g := q.gauge
	if !g.met {
		var err error
		if g.met, err = g.look(q, blocks); err != nil || !g.met {
			return err
		}
	}
	for _, o := range q.stream.queries {
		if o.gauge == nil || !o.gauge.met {
			return nil
		}
	}
	q.stream.portion.enough.Store(true)
	return nil
}

// look answers the query from what it has seen, if it is time to, and reports whether that is good enough.
func (g *gauge) look(q *Query, blocks int64) (enough bool, err error) {
	if float64(blocks) < max(g.next, firstLook) {
		return false, nil
	}
	g.next = float64(blocks) * lookAgain
	m := &meter{schema: q.plan.Output}
	shadow := &Query{engine: q.engine, stream: q.stream, plan: q.plan, sink: m, counts: make([]stats.Counter, len(q.ops))}
	for i, o := range q.ops {
		fresh, err := copyOf(q.plan.Boxes[i].Spec, o)
		if err != nil {
			return false, err
		}
		shadow.ops = append(shadow.ops, fresh)
		shadow.links = append(shadow.links, link{shadow, i + 1})
	}
	shadow.startAdvance(tuple.End)
	for shadow.advancing {
		if err := shadow.advance(); err != nil {
			return false, err
		}
	}
	return m.reached() <= g.most, nil
}

// copyOf returns an operator that stands where o does.
func copyOf(spec op.Spec, o op.Operator) (op.Operator, error) {
	fresh, err := spec.Make()
	if err != nil {
		return nil, err
	}
	saver, ok := o.(op.Saver)
	if !ok {
		return nil, fmt.Errorf("%s cannot be looked at while it runs", spec)
	}
	var state bytes.Buffer
	if err := saver.Save(&state); err != nil {
		return nil, err
	}
	return fresh, fresh.(op.Saver).Load(&state)
}

// mostMetered bounds the rows that a meter holds: of more, it judges so many at a time.
const mostMetered = 1 << 16

// meter is a sink that measures how wide the intervals of an answer are.
type meter struct {
	schema *tuple.Schema
	rows   []metered
	before float64 // what was reached by rows that are not held any more
	any    bool    // there was a row
}

// metered is a row: how many records it stands for, as far as the answer says, and the relative half-width of the widest of its intervals.
type metered struct{ weight, width float64 }

// Begin implements sink.Sink.
func (m *meter) Begin(*tuple.Schema) error { return nil }

// Write implements sink.Sink.
func (m *meter) Write(b *tuple.Batch) error {
	for _, r := range b.Sel {
		if len(m.rows) == mostMetered {
			m.before, m.rows = m.reached(), m.rows[:0]
		}
		m.rows = append(m.rows, m.measure(Row{b, m.schema, int(r)}))
		m.any = true
	}
	return nil
}

// measure looks at all columns of a row that are estimates: they have a label.
func (m *meter) measure(row Row) metered {
	at := metered{weight: 1}
	exact := false
	for _, f := range m.schema.Fields {
		exact = exact || f.Role == tuple.Exact && row.Value(f.Name) == true
	}
	for _, f := range m.schema.Fields {
		if f.Role != tuple.Unreliable {
			continue
		}
		if !exact {
			at.width = max(at.width, m.width(row, f.Of))
		}
		if m.schema.Fields[f.Of].Type == tuple.Bigint && at.weight == 1 {
			at.weight = max(row.Estimate(m.schema.Fields[f.Of].Name).Value, 1)
		}
	}
	return at
}

// width returns the relative half-width of the interval of column i, 0 where its value is known; infinite where that cannot be
// measured, as of texts and lists.
func (m *meter) width(row Row, i int) float64 {
	f := &m.schema.Fields[i]
	bounded := i+2 < len(m.schema.Fields) && m.schema.Fields[i+1].Role == tuple.Low && m.schema.Fields[i+1].Of == i
	switch {
	case !bounded:
		return math.Inf(1)
	case !f.Type.Numeric() && f.Type != tuple.Interval:
		low, high := row.Value(m.schema.Fields[i+1].Name), row.Value(m.schema.Fields[i+2].Name)
		if low != nil && reflect.DeepEqual(low, high) {
			return 0
		}
		return math.Inf(1)
	}
	e := row.Estimate(f.Name)
	switch wide := max(e.High-e.Value, e.Value-e.Low) / math.Abs(e.Value); {
	case e.Exact:
		return 0
	case row.Unreliable(f.Name) || math.IsNaN(wide):
		return math.Inf(1)
	default:
		return wide
	}
}

// Close implements sink.Sink.
func (m *meter) Close() error { return nil }

// reached returns the greatest relative half-width among the heaviest rows that make up gaugedShare of all weight; infinite without
// rows.
func (m *meter) reached() float64 {
	slices.SortStableFunc(m.rows, func(a, b metered) int {
		switch {
		case a.weight > b.weight:
			return -1
		case a.weight < b.weight:
			return 1
		}
		return 0
	})
	total := 0.0
	for _, r := range m.rows {
		total += r.weight
	}
	if total == 0 {
		return math.Inf(1)
	}
	worst, seen := m.before, 0.0
	for _, r := range m.rows {
		worst = max(worst, r.width)
		if seen += r.weight; seen >= gaugedShare*total {
			break
		}
	}
	return worst
}

// warnError says that the error that was asked for was not met, and which was.
func (q *Query) warnError(l *Ledger) {
	m := q.meter
	if m == nil || !m.any {
		return
	}
	switch reached := m.reached(); {
	case reached <= q.suffices:
	case math.IsInf(reached, 1):
		q.engine.note("%s: the error that was asked for, %s, is not met: some answers are estimates whose error is not known", l.Source, percentText(q.suffices))
	default:
		q.engine.note("%s: the error that was asked for, %s, is not met: that of the answers is %s", l.Source, percentText(q.suffices), percentText(reached))
	}
}

// percentText returns a share in percent, of two digits or more.
func percentText(x float64) string {
	if x >= 1 {
		return fmt.Sprintf("%.0f %%", 100*x)
	}
	return fmt.Sprintf("%.2g %%", 100*x)
}
