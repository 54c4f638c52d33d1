// Package stats is the statistics manager: what the boxes of the network cost and let through.
//
// # Model
//
// The engine times each train and counts the tuples that enter and leave a box. A [Counter] accumulates
// that for one box; a [Snapshot] is an immutable copy of all of them at one time. Cost is in core-seconds
// per input tuple, selectivity is output over input tuples (Abadi et al., "Aurora: a new model and
// architecture for data stream management", VLDB Journal 12(2), 2003, section 4.3).
//
// # Invariants
//
// Counters only grow. Cost and selectivity of a box to which nothing has come are unknown, never 0.
//
// # Limits
//
// Figures are totals since the start: they describe the past evenly and follow change slowly.
package stats

import "time"

// Counter accumulates what one box did. The zero value is ready for use. It is not safe for concurrent use.
type Counter struct {
	In, Out int64         // tuples
	Trains  int64         // how often the box ran
	Busy    time.Duration // core time
}

// Observe adds one train: in tuples taken, out tuples emitted, in busy core time.
func (c *Counter) Observe(in, out int64, busy time.Duration) {
	c.In += in
	c.Out += out
	c.Trains++
	c.Busy += busy
}

// Box is a counter's reading.
type Box struct {
	Name string
	Counter
}

// Cost returns the core-seconds per input tuple, false when nothing came in yet.
func (b Box) Cost() (float64, bool) {
	if b.In == 0 {
		return 0, false
	}
	return b.Busy.Seconds() / float64(b.In), true
}

// Selectivity returns output over input tuples, false (unknown, not 0) when nothing came in yet.
func (b Box) Selectivity() (float64, bool) {
	if b.In == 0 {
		return 0, false
	}
	return float64(b.Out) / float64(b.In), true
}

// Arc is the state of one arc.
type Arc struct {
	Name   string
	Queued int64 // batches waiting
	Passed int64 // tuples that went through
}

// Snapshot is the state of the network at one time on the engine's clock.
type Snapshot struct {
	At    time.Duration
	Boxes []Box // of all queries, in their order
	Arcs  []Arc
}
