package engine

import (
	"fmt"
	"slices"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
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
	if n := e.opt.Limit; n > 0 {
		script.Settings.Limit = n
	}
	b, err := script.Bind(0, catalog{e})
	if err != nil {
		return nil, err
	}
	b.Plan = plan.PushFilters(b.Plan)
	if in := &b.Plan.Inputs[0]; !e.streams[in.Stream].thinnable(in) || len(e.streams[in.Stream].queries) > 0 {
		b.Plan = plan.PlaceDrop(b.Plan)
	}
	return b, nil
}

// Attach makes a query of a plan that Plan returned, to be run by Run. Its rows go to out.
func (e *Engine) Attach(b *query.Bound, out sink.Sink) (*Query, error) {
	if err := b.Plan.Validate(); err != nil {
		return nil, err
	}
	s := e.streams[b.Plan.Inputs[0].Stream]
	p, raw, err := e.place(b.Plan, s)
	if err != nil {
		return nil, err
	}
	q, err := makeQuery(e, s, p, out)
	if err != nil {
		return nil, err
	}
	q.name = fmt.Sprintf("q%d", len(e.queries)+1)
	q.notes = append(q.notes, b.Warnings...)
	if err := e.decideTime(q); err != nil {
		return nil, err
	}
	if raw != nil {
		raw.ghosts = p.Windowed && !q.box.toEnd
		raw.merge = !s.source.Live() && !p.Inputs[0].ByArrival
		q.raw = raw
	}
	if err := s.checkWeights(&p.Inputs[0]); err != nil {
		return nil, err
	}
	if b.Error > 0 && p.Output.Bounded {
		q.meter, q.suffices = &meter{schema: p.Output}, b.Error
	}
	q.sayDrops()
	if p.Inputs[0].Within {
		if err := s.takePortion(e); err != nil {
			return nil, err
		}
		q.box.toEnd = true // blocks come in any order
		if b.Error > 0 {
			q.gauge = &gauge{most: b.Error}
		}
	}
	e.queries = append(e.queries, q)
	s.queries = append(s.queries, q)
	s.relayout()
	return q, nil
}

// thinnable reports whether the drop of in can act before decoding: it is of records by chance, which can be told apart.
func (s *stream) thinnable(in *plan.Input) bool {
	return in.Drop != nil && in.Drop.Kind == tuple.Random && codec.NewSplitter(s.options) != nil
}

// place returns p with the drop of its input as the first box and all drops numbered, and what acts in the place of the first
// while that can be before decoding, or nil. An engine has room for mostPlaces drops.
func (e *Engine) place(p *plan.Query, s *stream) (*plan.Query, *rawDrop, error) {
	drop, thinnable := p.Inputs[0].Drop, s.thinnable(&p.Inputs[0])
	p = plan.PlaceDrop(p)
	number := func() uint8 {
		e.places = min(e.places+1, mostPlaces+1)
		return e.places
	}
	boxes := slices.Clone(p.Boxes)
	for i, b := range boxes {
		if d, ok := b.Spec.(*op.Drop); ok {
			placed := *d
			placed.Place = number()
			boxes[i].Spec = &placed
		}
	}
	placed := *p
	placed.Boxes = boxes
	var raw *rawDrop
	if thinnable {
		raw = &rawDrop{spec: drop, place: number()}
	}
	if e.places > mostPlaces {
		return nil, nil, fmt.Errorf("more than %d samples are drawn for the queries of one engine: run some of the queries in another", mostPlaces)
	}
	return &placed, raw, nil
}

// mostPlaces is how many drops of an engine can be told apart: strata have eight bits for their place, of which some values are taken.
const mostPlaces = 250

// Detach ends a query at the next chunk boundary: what it was given is processed, its open windows are emitted as
// partial, and its sink is closed. It is called between Steps.
func (e *Engine) Detach(q *Query) {
	if q.closed || q.ending {
		return
	}
	q.stream.detach(q)
	q.ending, q.drains = true, true
}
