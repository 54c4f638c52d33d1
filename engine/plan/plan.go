// Package plan holds query networks as data: boxes, the arcs between them, what they read,
// and the rewrites and the EXPLAIN that work on them.
//
// # Model
//
// A [Query] reads streams through [Input]s and pushes rows through [Box]es to one sink. Boxes are
// listed in topological order and name the boxes or inputs that feed their ports; the last box feeds the sink. A
// query without boxes hands its input to the sink. Nothing here runs: the engine makes operators from the boxes' specs.
//
// # Invariants
//
// A query that passed [Query.Validate] can be run. Rewrites return queries with the same answers and leave
// the one that they are given as it is.
//
// # Limits
//
// A box has one output, and only [Explain] and Validate know boxes of several inputs: the engine runs chains.
package plan

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Query is the network of one query.
type Query struct {
	Text   string        // the SQL it came from
	Inputs []Input       // at least one
	Boxes  []Box         // in topological order
	Output *tuple.Schema // of the rows that come to the sink
	// Windowed says that answers are per window of event time, so that time, lateness and watermarks matter.
	Windowed bool
	// AtEnd says that rows come only at the end of input (no window, but an aggregate or ORDER BY).
	AtEnd bool
	// Sorted says that ORDER BY needs the end of input: refused on live streams.
	Sorted bool
}

// Input is the reading of one stream by one query.
type Input struct {
	Stream string // its name in the catalogue
	// Schema lists the fields to decode: those that the query reads and no others. Column indices of
	// the boxes above refer to it.
	Schema *tuple.Schema
	// Time is the index of the event-time column (a Timestamp), or -1: none is needed, or arrival
	// time is used (ByArrival).
	Time int
	// ByArrival says that event time is the time of arrival.
	ByArrival bool
	// Where is the filter that is evaluated while decoding, or nil.
	Where *expr.Node
	// Drop thins the stream for this query, as the user asked, or is nil. A random one acts before decoding where that
	// serves no other query, else where a box of it would stand: first.
	Drop *op.Drop
	// Weighted says that column Weight tells how many records each one stands for.
	Weighted bool
	Weight   int
	// Share says that the weight is one over column Weight, which tells with which probability the record was kept.
	Share bool
	// Within says that a part of the input is read, in blocks by chance, as far as the time allows.
	Within bool
}

// Box is a node of the network.
type Box struct {
	Spec   op.Spec
	In     []Port        // what feeds each input port
	Schema *tuple.Schema // of its output
}

// Port names what feeds an input port of a box: box number Box, or input number Input when Box is negative.
type Port struct {
	Box   int
	Input int
}

// FromInput is the port fed by input i.
func FromInput(i int) Port { return Port{Box: -1, Input: i} }

// FromBox is the port fed by box b.
func FromBox(b int) Port { return Port{Box: b} }

// Append adds a box above the current last one (or above input 0) and returns its number. Rows come with an account of
// themselves if they did before.
func (q *Query) Append(spec op.Spec) int {
	from, in := FromInput(0), q.Inputs[0].Schema
	if n := len(q.Boxes); n > 0 {
		from, in = FromBox(n-1), q.Boxes[n-1].Schema
	}
	q.Boxes = append(q.Boxes, Box{Spec: spec, In: []Port{from}, Schema: spec.Schema(in)})
	out := &tuple.Schema{Fields: q.Boxes[len(q.Boxes)-1].Schema.Fields}
	if q.Output != nil {
		out.Bounded, out.Confidence = q.Output.Bounded, q.Output.Confidence
	}
	q.Output = out
	return len(q.Boxes) - 1
}

// Validate reports the first thing that would keep the query from running.
func (q *Query) Validate() error {
	if len(q.Inputs) == 0 {
		return fmt.Errorf("query reads no stream")
	}
	for i, in := range q.Inputs {
		if in.Time >= len(in.Schema.Fields) {
			return fmt.Errorf("input %d (%s): no column %d to take event time from", i, in.Stream, in.Time)
		}
		if in.Time >= 0 && in.Schema.Fields[in.Time].Type != tuple.Timestamp {
			f := in.Schema.Fields[in.Time]
			return fmt.Errorf("input %d (%s): event time %q is %s, not TIMESTAMP", i, in.Stream, f.Name, f.Type)
		}
		if q.Windowed && in.Time < 0 && !in.ByArrival {
			return fmt.Errorf("input %d (%s): windows need an event time", i, in.Stream)
		}
	}
	for i, b := range q.Boxes {
		if len(b.In) == 0 {
			return fmt.Errorf("box %d (%s) has no input", i, b.Spec)
		}
		for _, p := range b.In {
			if p.Box >= i || p.Box < 0 && p.Input >= len(q.Inputs) {
				return fmt.Errorf("box %d (%s) is fed by something that does not stand before it", i, b.Spec)
			}
		}
		if _, err := b.Spec.Make(); err != nil {
			return fmt.Errorf("box %d (%s): %w", i, b.Spec, err)
		}
	}
	return nil
}
