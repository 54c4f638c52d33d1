// Package op holds the operators: the code inside the boxes of a query network.
//
// # Model
//
// An operator consumes batches and marks of time and emits batches. It owns no
// goroutine, reads no clock and does no I/O; the engine pushes batches through chains of
// operators. Each operator is described by a Spec, which is plain data that plans,
// EXPLAIN and oracles read, and which makes running operators.
//
// # Protocol
//
// Process is called with batches in stream order and Advance with non-decreasing
// times; rows given after Advance(t) are still accepted whatever their time (the input
// box has decided lateness before). The last call is Advance with [tuple.End] or
// [tuple.Drain], repeated until it reports done. Nothing is called after an error.
//
// # Invariants
//
// How the input was cut into batches changes nothing in what is emitted, except where
// batches of output are cut. Everything is out when the last Advance has reported done.
//
// # Limits
//
// Every operator has one input port. Aggregates without Sampling take neither weights nor samples of batches into
// account: they answer for the rows that reach them. What an operator holds is bounded by the keys
// and rows of the windows that are open, and by a budget only where the spec of an aggregate or a Distinct says Memory. Hopping windows
// keep rows with weights of their own as they are. Answers without a window remember every epoch.
package op

import (
	"io"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Emitter receives what an operator emits. The batch is borrowed: the receiver must not
// keep it or change it, and the operator may reuse its memory when Emit returns. Emit's
// error ends the query and must be returned by the operator unchanged.
type Emitter interface {
	Emit(b *tuple.Batch) error
}

// Operator is the code inside a box. In is the number of the input port, 0 for operators
// with one input. Operators are not safe for concurrent use.
type Operator interface {
	// Process consumes a batch, which is borrowed until it returns. An error stops the query; unusable
	// data is counted, never an error.
	Process(in int, b *tuple.Batch, out Emitter) error
	// Advance says that time has reached t on port in. The operator emits what is due. It may return
	// false after about tuple.MaxRows rows of output when there is more to emit: the engine then calls it
	// again with the same t before anything else. The engine passes the mark on downstream by itself once
	// done is true.
	Advance(in int, t int64, out Emitter) (done bool, err error)
}

// Spec describes an operator: immutable data from which any number of operators can be made.
type Spec interface {
	// Make returns a fresh operator. It fails iff the spec is invalid.
	Make() (Operator, error)
	// Schema returns the schema of the rows it emits, given that of its input.
	Schema(in *tuple.Schema) *tuple.Schema
	// String is one line for EXPLAIN, beginning with the operator's name: "filter v > 1".
	String() string
}

// Saver is implemented by operators with state. Load is called on a fresh operator, and
// afterwards the operator continues exactly where the saved one stood.
type Saver interface {
	Save(w io.Writer) error
	Load(r io.Reader) error
}

// Stopper is implemented by operators that may need no more input, such as LIMIT.
type Stopper interface {
	// Stopped reports that further input cannot change the output.
	Stopped() bool
}

// Boundary is implemented by operators that must be told about time before rows pass it.
type Boundary interface {
	// NextBoundary returns the first watermark, in ns since the epoch, at which the operator has
	// something to emit; [tuple.End] when only the end of input will do. It may be early but never late,
	// and changes only in Process and Advance.
	NextBoundary() int64
	// Late reports whether a row of event time t would come too late when the watermark stands at w:
	// every window that contains t has ended at or before w.
	Late(t, w int64) bool
}

// Noter is implemented by operators that may have something to tell a person at the end.
type Noter interface {
	// Notes returns a sentence each. The last word is spoken once the operator has seen the end.
	Notes() []string
}

// Faults counts values that an operator's expressions could not compute, by reason ("overflow", "cast").
type Faults interface {
	Faults() map[string]int64
}
