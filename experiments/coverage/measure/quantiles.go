package main

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/aurora-dsms/aurora/experiments/coverage"
)

// quantiles keeps all values of a population by window and group, for the exact answer's own quantiles are a sketch's. Nil keeps nothing.
type quantiles struct {
	window int64 // length in ms, 0: none
	values map[cellKey][]float64
}

// cellKey is the beginning of a window in ms, 0 without windows, and a group.
type cellKey struct {
	start int64
	group int
}

// see returns what takes in the rows, nil when nothing has to.
func (q *quantiles) see() func(*row) {
	if q == nil {
		return nil
	}
	return q.add
}

func (q *quantiles) add(r *row) {
	key := cellKey{group: r.group}
	if q.window > 0 {
		at := epochStart + r.ms
		key.start = at - at%q.window
	}
	q.values[key] = append(q.values[key], r.x)
}

// correct gives the twin the true quantiles: by nearest rank.
func (q *quantiles) correct(t *coverage.Twin) {
	if q == nil {
		return
	}
	ranks := map[string]float64{"p50": 0.5, "p99": 0.99}
	for i := range t.Len() {
		values := q.values[keyOf(t, i)]
		slices.Sort(values)
		for a, name := range t.Aggregates {
			if rank, ok := ranks[name]; ok {
				n := float64(len(values))
				t.Correct(i, a, values[int(max(math.Ceil(rank*n), 1))-1])
			}
		}
	}
}

// keyOf returns the window and group of row i.
func keyOf(t *coverage.Twin, i int) (key cellKey) {
	for k, name := range t.Keys {
		text := t.Key(i, k)
		var err error
		switch name {
		case "window_start":
			var start time.Time
			start, err = time.Parse(time.RFC3339Nano, text)
			key.start = start.UnixMilli()
		case "g":
			key.group, err = strconv.Atoi(text)
		}
		if err != nil {
			panic(err) // the populations have only such keys
		}
	}
	return key
}
