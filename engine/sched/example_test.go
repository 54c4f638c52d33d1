package sched_test

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/sched"
)

// FIFO serves the queue whose oldest batch came first.
func ExampleFIFO() {
	view := sched.View{Queues: []sched.Queue{
		{Arc: 0, Batches: 4, Oldest: 12},
		{Arc: 1, Batches: 1, Oldest: 7},
		{Arc: 2},
	}}
	train, ok := sched.FIFO{}.Next(view)
	fmt.Println(train.Arc, train.Batches, ok)
	// Output: 1 1 true
}
