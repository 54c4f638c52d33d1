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
	values map[string][]float64
}

// watch returns rows that are seen on their way.
func (q *quantiles) watch(rows func(func(row))) func(func(row)) {
	if q == nil {
		return rows
	}
	return func(emit func(row)) {
		rows(func(r row) {
			q.add(&r)
			emit(r)
		})
	}
}

func (q *quantiles) add(r *row) {
	key := ""
	if q.window > 0 {
		at := epochStart + r.ms
		key = time.UnixMilli(at - at%q.window).UTC().Format(time.RFC3339Nano)
	}
	key += "/" + strconv.Itoa(r.group)
	q.values[key] = append(q.values[key], printed(r.x))
}

// correct gives the twin the true quantiles: by nearest rank.
func (q *quantiles) correct(t *coverage.Twin) {
	if q == nil {
		return
	}
	ranks := map[string]float64{"p50": 0.5, "p99": 0.99}
	for i := range t.Len() {
		key := ""
		for k, name := range t.Keys {
			if name == "window_start" {
				key = t.Key(i, k)
			}
		}
		group := "/0"
		for k, name := range t.Keys {
			if name == "g" {
				group = "/" + t.Key(i, k)
			}
		}
		values := q.values[key+group]
		slices.Sort(values)
		for a, name := range t.Aggregates {
			if rank, ok := ranks[name]; ok {
				n := float64(len(values))
				t.Correct(i, a, values[int(max(math.Ceil(rank*n), 1))-1])
			}
		}
	}
}
