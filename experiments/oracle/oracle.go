// Package oracle answers bound queries slowly, obviously and exactly, to judge the engine by.
//
// # Model
//
// [Run] takes a plan, which is data, and the bytes of the plan's stream. It decodes them with the standard library
// (encoding/json, encoding/csv, regexp, time), keeps every row, and applies the plan's boxes one after the other to
// the whole list: filter, windows and groups, aggregates in rational arithmetic, projection, distinct, order. Expressions are
// walked node by node for each row. Time is taken into account record by record, as the documents of the engine define
// it: the watermark is the greatest time so far less the lateness, and a row is late when every window that contains it has
// ended at or before the watermark.
//
// # Invariants
//
// Nothing of the engine runs here: the oracle shares with it only the types of plans and values. What it does not know, it
// refuses with an error; it never guesses.
//
// # Limits
//
// Approximate aggregates are answered exactly, so comparisons have to allow for the sketches' errors. One stream, event time only,
// no shedding. Formats are NDJSON, CSV, TSV and access logs. Transitions of time zones are looked for at whole minutes.
//
//	answer, err := oracle.Run(bound.Plan, data, oracle.Input{Format: codec.NDJSON, ToEnd: true})
package oracle

import (
	"fmt"
	"math"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Row is the values of one row in the order of its schema.
type Row []expr.Value

// Input says how the stream's bytes are to be read and how its time passes.
type Input struct {
	Format    codec.Format
	Delimiter byte       // CSV; 0 is a comma, for TSV a tab
	Unit      codec.Unit // of numeric times
	// Guessed says that the unit was told from the first records, so that times outside of 1980 to 2199 contradict it.
	Guessed bool
	// Lateness is how far the watermark is behind the newest time, unless ToEnd says that windows close at the end.
	Lateness time.Duration
	ToEnd    bool
}

// Ledger is the account of the records.
type Ledger struct {
	Offered, Used, Filtered, Late, Bad int64

	BadReasons map[string]int64
}

// Answer is what a query gives.
type Answer struct {
	Rows   []Row
	Ledger Ledger
}

// Run answers q over data, the whole of its stream.
func Run(q *plan.Query, data []byte, in Input) (*Answer, error) {
	if len(q.Inputs) != 1 || q.Inputs[0].ByArrival {
		return nil, fmt.Errorf("oracle: one stream with event time, please")
	}
	records, err := decode(q.Inputs[0].Schema, data, in)
	if err != nil {
		return nil, err
	}
	a := &Answer{Ledger: Ledger{BadReasons: map[string]int64{}}}
	rows, err := a.admit(q, records, in)
	if err != nil {
		return nil, err
	}
	for i, b := range q.Boxes {
		if len(b.In) != 1 || b.In[0].Box != i-1 {
			return nil, fmt.Errorf("oracle: box %d is not a link of a chain", i)
		}
		if rows, err = apply(b.Spec, rows); err != nil {
			return nil, err
		}
	}
	for _, r := range rows {
		a.Rows = append(a.Rows, r.values)
	}
	return a, nil
}

// timed is a row with its event time and the watermark that it met.
type timed struct {
	values   Row
	at, mark int64
}

// admit decides what becomes of each record and returns the rows that the boxes see.
func (a *Answer) admit(q *plan.Query, records []record, in Input) ([]timed, error) {
	input, windows, err := q.Inputs[0], func(int64) []span { return nil }, error(nil)
	if w := windowOf(q); w != nil {
		if windows, err = windowsOf(w); err != nil {
			return nil, err
		}
	}
	var rows []timed
	var s scalar
	newest := int64(math.MinInt64)
	for _, rec := range records {
		a.Ledger.Offered++
		t := timed{values: rec.row, mark: math.MinInt64}
		reason := rec.bad
		if reason == "" && q.Windowed {
			t.at, reason = eventTime(rec.row[input.Time], in)
		}
		if reason != "" {
			a.Ledger.Bad++
			a.Ledger.BadReasons[reason]++
			continue
		}
		late := false
		if q.Windowed && !in.ToEnd {
			newest = max(newest, t.at)
			t.mark = newest - int64(in.Lateness)
			spans := windows(t.at)
			late = len(spans) > 0 && spans[len(spans)-1].end <= t.mark
		}
		switch {
		case late:
			a.Ledger.Late++
		case input.Where != nil && !s.holds(input.Where, rec.row):
			a.Ledger.Filtered++
		default:
			a.Ledger.Used++
			rows = append(rows, t)
		}
	}
	return rows, s.err
}

// The years 1980 and 2200, between which times of a guessed unit must lie.
var (
	year1980 = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
	year2200 = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
)

func eventTime(v expr.Value, in Input) (at int64, reason string) {
	switch {
	case v.Null:
		return 0, "time"
	case in.Guessed && (v.I < year1980 || v.I >= year2200):
		return 0, "unit"
	}
	return v.I, ""
}

// windowOf returns the window that the plan groups by, or nil.
func windowOf(q *plan.Query) *op.Window {
	for _, b := range q.Boxes {
		if spec, ok := b.Spec.(*op.Aggregate); ok && spec.Window.Kind != op.NoWindow {
			return &spec.Window
		}
	}
	return nil
}

// apply returns the rows that a box makes of all of its input.
func apply(spec op.Spec, rows []timed) ([]timed, error) {
	switch spec := spec.(type) {
	case *op.Filter:
		return filter(spec, rows)
	case *op.Project:
		return project(spec, rows)
	case *op.Aggregate:
		return aggregate(spec, rows)
	case *op.Distinct:
		return distinct(spec, rows), nil
	case *op.Order:
		return order(spec, rows), nil
	}
	return nil, fmt.Errorf("oracle: %T is an operator that it does not know", spec)
}

func filter(spec *op.Filter, rows []timed) ([]timed, error) {
	var out []timed
	var s scalar
	for _, r := range rows {
		if s.holds(spec.Cond, r.values) {
			out = append(out, r)
		}
	}
	return out, s.err
}

// project computes columns. Those of bounds are left NULL: the oracle's answers are exact.
func project(spec *op.Project, rows []timed) ([]timed, error) {
	var s scalar
	out := make([]timed, len(rows))
	for i, r := range rows {
		out[i] = timed{at: r.at, mark: r.mark}
		for k, n := range spec.Exprs {
			if spec.Fields[k].Role != tuple.Plain {
				out[i].values = append(out[i].values, expr.Value{Type: spec.Fields[k].Type, Null: true})
				continue
			}
			out[i].values = append(out[i].values, as(s.eval(n, r.values), spec.Fields[k].Type))
		}
	}
	return out, s.err
}
