package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/experiments/coverage"
)

// scenario is a query over populations of one distribution, sampled in one way.
type scenario struct {
	name   string
	values distribution
	keep   string // as it is called in tables
	mean   float64
	sql    string
	exact  string // SQL of the exact answer where it differs
	answer query.Settings
	// make returns the rows of population i; nil: path is read.
	make        func(r *rand.Rand, i int) func(func(row))
	path        string
	populations int
	runs        int // of each population
	// window is the length of the windows in ms where quantiles are compared with those of the rows; 0: there are no windows. Negative:
	// quantiles are compared with those of the exact answer, which are a sketch's.
	window int64
	// steady says that one rate is in force, so that the number of kept rows is known from the count.
	steady bool
}

// result is a scenario's figures.
type result struct {
	scenario *scenario
	names    []string
	classes  [][]coverage.Column // by aggregate and size class
	unseen   coverage.Share
	strange  int
}

// classBounds part cells by the rows that are kept of them on average.
var classBounds = []float64{4, 15, 30, 75, 150, 350, 1000}

func classOf(kept float64) int {
	c := 0
	for c < len(classBounds) && kept >= classBounds[c] {
		c++
	}
	return c
}

// className names a class.
func className(c int) string {
	switch c {
	case 0:
		return "0-3"
	case len(classBounds):
		return fmt.Sprintf("%.0f-", classBounds[c-1])
	}
	return fmt.Sprintf("%.0f-%.0f", classBounds[c-1], classBounds[c]-1)
}

// run measures the scenario. Its populations are written to dir.
func (s *scenario) run(ctx context.Context, dir string, seed uint64) (*result, error) {
	out := &result{scenario: s}
	var tallies [][]*coverage.Tally
	for i := range max(s.populations, 1) {
		truths := s.truths()
		q, path, err := s.question(dir, seed, i, truths)
		if err != nil {
			return nil, err
		}
		t, err := coverage.Exact(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("%s, %s, %s: %w", s.name, s.values.name, s.keep, err)
		}
		truths.correct(t)
		if tallies == nil {
			out.names = t.Aggregates
			tallies = makeTallies(len(t.Aggregates), t.Confidence)
		}
		if err := s.replay(ctx, t, tallies, out); err != nil {
			return nil, fmt.Errorf("%s, %s, %s: %w", s.name, s.values.name, s.keep, err)
		}
		if path != "" {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	for a := range tallies {
		out.classes = append(out.classes, nil)
		for c := range tallies[a] {
			out.classes[a] = append(out.classes[a], tallies[a][c].Column(out.names[a]))
		}
	}
	return out, nil
}

// makeTallies returns a tally for every aggregate and size class.
func makeTallies(aggregates int, confidence float64) [][]*coverage.Tally {
	all := make([][]*coverage.Tally, aggregates)
	for a := range all {
		for range len(classBounds) + 1 {
			all[a] = append(all[a], coverage.NewTally(confidence))
		}
	}
	return all
}

// truths returns what collects the rows, nil where it is not needed.
func (s *scenario) truths() *quantiles {
	if s.make == nil || s.window < 0 {
		return nil
	}
	return &quantiles{window: s.window, values: map[cellKey][]float64{}}
}

// question returns what is asked of population i, and the file that the population was written to, if it was. Truths sees the rows.
func (s *scenario) question(dir string, seed uint64, i int, truths *quantiles) (*coverage.Question, string, error) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%s/%s/%d", s.name, s.values.name, s.keep, i)
	q := &coverage.Question{SQL: s.sql, Exact: s.exact, Options: engine.Options{Workers: -1, Answers: s.answer}}
	q.Options.Answers.Seed = seed + uint64(i)<<20
	if s.make == nil {
		q.Streams = []coverage.Stream{{Name: "s", Input: engine.Input{Paths: []string{s.path}}}}
		return q, "", nil
	}
	path := filepath.Join(dir, fmt.Sprintf("%x.csv", h.Sum64()))
	if err := population(path, s.make(rand.New(rand.NewPCG(seed, h.Sum64())), i), truths.see()); err != nil {
		return nil, "", err
	}
	declared := fmt.Sprintf("CREATE STREAM s (ts TIMESTAMP, g BIGINT, x DOUBLE, y BIGINT) WITH (path '%s', format 'csv', time_unit 'ms'); ", path)
	q.SQL = declared + s.sql
	if s.exact != "" {
		q.Exact = declared + s.exact
	}
	return q, path, nil
}

// replay runs the question's samples and adds their cells up by class.
func (s *scenario) replay(ctx context.Context, t *coverage.Twin, tallies [][]*coverage.Tally, out *result) error {
	classes := make([]int, t.Len())
	for i := range classes {
		classes[i] = classOf(t.Truth(i, 0) * s.mean)
	}
	for _, of := range tallies {
		for _, one := range of {
			one.Twin(t.Len())
		}
	}
	for run := range s.runs {
		for _, of := range tallies {
			for _, one := range of {
				one.Begin()
			}
		}
		var kept float64 // rows of the cell, about
		r, err := t.Replay(ctx, t.Seed(run), func(c *coverage.Cell) {
			if c.Aggregate == 0 {
				kept = math.Round(c.Value * s.mean)
			}
			class := classes[c.Row]
			if s.steady && c.Aggregate > 0 && kept < classBounds[0] {
				class = 0
			}
			tallies[c.Aggregate][class].Add(c)
		})
		if err != nil {
			return err
		}
		out.unseen.Cells += r.Unseen.Cells
		out.unseen.Covered += r.Unseen.Covered
		out.strange += r.Strange
	}
	return nil
}

const aggregates = `count(*) AS n, sum(x) AS total, avg(x) AS mean, var_samp(x) AS variance, sum(x) / sum(y) AS ratio,
	count(*) FILTER (WHERE y > 6) / count(*) AS share, p50(x) AS p50, p99(x) AS p99`

const (
	byGroup   = "SELECT g, " + aggregates + " FROM s GROUP BY g"
	inWindows = "SELECT window_start, g, " + aggregates + " FROM tumble(s, ts, '100 seconds') GROUP BY window_start, g"
	sliding   = "SELECT window_start, g, " + aggregates + " FROM hop(s, ts, slide => '50 seconds', size => '100 seconds') GROUP BY window_start, g"
	inAll     = "SELECT " + aggregates + " FROM s"
)

func sampled(keeps ...float64) query.Settings { return query.Settings{Sample: keeps, Confidence: 0.95} }

func keepName(keep float64) string { return strings.TrimRight(fmt.Sprintf("%.3f", keep), "0") }
