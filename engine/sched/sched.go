// Package sched holds scheduling policies: pure functions from what stands in the queues to
// what runs next.
//
// # Model
//
// Queues stand on arcs where the scheduler has a choice. A [Policy] sees the [View] of all of them and
// picks a [Train]: how many batches of which queue are pushed through the chain of boxes behind it (the
// superbox) in one step.
//
// # Invariants
//
// A policy picks only from queues that are not empty, keeps no reference to the view, and reads no clock.
//
// # Limits
//
// [FIFO] is the only policy so far. A view does not say what boxes cost, nor what answers are worth.
package sched

// Queue describes the queue on one arc.
type Queue struct {
	Arc     int   // the number by which a train names it
	Batches int   // how many wait
	Oldest  int64 // order of arrival of its oldest batch, over all queues
}

// View is what a policy sees.
type View struct{ Queues []Queue }

// Train is what runs next: so many batches of an arc.
type Train struct{ Arc, Batches int }

// Policy picks what runs next.
type Policy interface {
	// Next returns the next train; false when all queues are empty. v is valid until it returns.
	Next(v View) (Train, bool)
}

// FIFO serves batches in the order of their arrival, one at a time.
type FIFO struct{}

// Next implements Policy.
func (FIFO) Next(v View) (Train, bool) {
	best := -1
	for i, q := range v.Queues {
		if q.Batches > 0 && (best < 0 || q.Oldest < v.Queues[best].Oldest) {
			best = i
		}
	}
	if best < 0 {
		return Train{}, false
	}
	return Train{Arc: v.Queues[best].Arc, Batches: 1}, true
}
