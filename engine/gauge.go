package engine

import (
	"bytes"
	"fmt"
	"math"
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

// gauge stops the reading of a query's stream as soon as the answer is as exact as was asked.
type gauge struct {
	error float64 // relative half-width that suffices
	next  float64 // blocks at the next look
}

// enough ends the reading when the answer from so many blocks is good enough.
func (q *Query) enough(blocks int64) error {
	ok, err := q.gauge.look(q, blocks)
	if ok {
		q.gauge = nil
		q.stream.portion.enough.Store(true)
	}
	return err
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
	return m.error() <= g.error, nil
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

// meter is a sink that measures how wide the intervals of an answer are.
type meter struct {
	schema *tuple.Schema
	rows   []metered
}

// metered is a row: how many records it stands for, as far as the answer says, and the widest of its intervals.
type metered struct{ weight, error float64 }

// Begin implements sink.Sink.
func (m *meter) Begin(*tuple.Schema) error { return nil }

// Write implements sink.Sink.
func (m *meter) Write(b *tuple.Batch) error {
	for _, r := range b.Sel {
		row := Row{b, m.schema, int(r)}
		at := metered{weight: 1}
		for i, f := range m.schema.Fields {
			if f.Role != tuple.Low || f.Of != i-1 {
				continue
			}
			name := m.schema.Fields[f.Of].Name
			if t := m.schema.Fields[f.Of].Type; t.Bytes() || t == tuple.Boolean {
				continue
			}
			e := row.Estimate(name)
			switch wide := max(e.High-e.Value, e.Value-e.Low) / math.Abs(e.Value); {
			case e.Exact:
			case row.Unreliable(name) || math.IsNaN(wide):
				at.error = math.Inf(1)
			default:
				at.error = max(at.error, wide)
			}
			if m.schema.Fields[f.Of].Type == tuple.Bigint && at.weight == 1 && e.Value > 1 {
				at.weight = e.Value
			}
		}
		m.rows = append(m.rows, at)
	}
	return nil
}

// Close implements sink.Sink.
func (m *meter) Close() error { return nil }

// error returns the greatest error among the heaviest rows that make up gaugedShare of all weight; infinite without rows.
func (m *meter) error() float64 {
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
	worst, seen := 0.0, 0.0
	for _, r := range m.rows {
		worst = max(worst, r.error)
		if seen += r.weight; seen >= gaugedShare*total {
			break
		}
	}
	return worst
}
