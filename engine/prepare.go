package engine

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/sink"
)

// Query parses sql, which is one SELECT and may have CREATE STREAM statements before it, binds it to its stream and
// attaches it to the engine. Its rows go to out. Mistakes in the text that need no look at the data are found
// before any input is opened; all others before the first record is processed.
func (e *Engine) Query(sql string, out sink.Sink) (*Query, error) {
	b, err := e.Plan(sql)
	if err != nil {
		return nil, err
	}
	if b.Explain {
		return nil, fmt.Errorf("EXPLAIN has a plan and no rows: ask Engine.Plan for it")
	}
	return e.Attach(b, out)
}

// Plan returns the network of the SELECT in sql, or of the one that sql wants explained, without running it.
func (e *Engine) Plan(sql string) (*query.Bound, error) {
	script, err := query.Parse(sql)
	if err != nil {
		return nil, err
	}
	for _, c := range script.Streams {
		if err := e.create(c); err != nil {
			return nil, err
		}
	}
	switch len(script.Queries) {
	case 1:
	case 0:
		return nil, fmt.Errorf("there is no SELECT to run")
	default:
		return nil, fmt.Errorf("there are %d SELECT statements: give one to each query", len(script.Queries))
	}
	script.Settings = e.opt.Answers
	b, err := script.Bind(0, catalog{e})
	if err != nil {
		return nil, err
	}
	if n := e.opt.Limit; n > 0 {
		b.Plan.Append(&op.Order{Limit: n, Window: -1, Keep: len(b.Plan.Output.Fields)})
	}
	b.Plan = plan.PushFilters(b.Plan)
	return b, nil
}

// Attach makes a query of a plan that Plan returned, to be run by Run. Its rows go to out.
func (e *Engine) Attach(b *query.Bound, out sink.Sink) (*Query, error) {
	if err := b.Plan.Validate(); err != nil {
		return nil, err
	}
	s := e.streams[b.Plan.Inputs[0].Stream]
	q, err := makeQuery(e, s, b.Plan, out)
	if err != nil {
		return nil, err
	}
	q.name = fmt.Sprintf("q%d", len(e.queries)+1)
	q.notes = append(q.notes, b.Warnings...)
	if err := e.decideTime(q); err != nil {
		return nil, err
	}
	e.queries = append(e.queries, q)
	s.queries = append(s.queries, q)
	s.relayout()
	return q, nil
}

// Detach ends a query at the next chunk boundary: what it was given is processed, its open windows are emitted as
// partial, and its sink is closed. It is called between Steps.
func (e *Engine) Detach(q *Query) {
	if q.closed || q.ending {
		return
	}
	q.stream.detach(q)
	q.ending, q.drains = true, true
}
