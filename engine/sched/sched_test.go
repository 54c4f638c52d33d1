package sched_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/aurora-dsms/aurora/engine/sched"
)

func TestFIFOServesTheOldestBatchFirst(t *testing.T) {
	for _, c := range []struct {
		claim  string
		queues []sched.Queue
		train  sched.Train
		ok     bool
	}{
		{"nothing to do", nil, sched.Train{}, false},
		{"empty queues are passed over, however old", []sched.Queue{{Arc: 0, Oldest: 1}, {Arc: 1, Batches: 2, Oldest: 5}}, sched.Train{Arc: 1, Batches: 1}, true},
		{"the oldest head wins", []sched.Queue{{Arc: 3, Batches: 9, Oldest: 7}, {Arc: 4, Batches: 1, Oldest: 2}}, sched.Train{Arc: 4, Batches: 1}, true},
		{"the first of equals wins", []sched.Queue{{Arc: 3, Batches: 1, Oldest: 2}, {Arc: 4, Batches: 1, Oldest: 2}}, sched.Train{Arc: 3, Batches: 1}, true},
	} {
		train, ok := sched.FIFO{}.Next(sched.View{Queues: c.queues})
		assert.Equal(t, c.ok, ok, c.claim)
		assert.Equal(t, c.train, train, c.claim)
	}
}
