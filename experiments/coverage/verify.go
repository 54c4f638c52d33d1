package coverage

import (
	"context"
	"fmt"
)

// Result is what the runs of a question came to.
type Result struct {
	Confidence float64
	Runs       int
	Rows       int // of the exact answer
	Columns    []Column
	// Left are columns that were not compared.
	Left []string
	// Offered and Shed count records over all runs, and the others rows, as in Replay.
	Offered, Shed            int64
	Listed, Missing, Strange int
	Unseen                   Share
}

// Tolerance is how much below their confidence intervals may cover.
const Tolerance = 0.01

// Verify answers the question exactly, and then runs times sampled. Notes are those of the exact and of the first sampled run.
func Verify(ctx context.Context, q *Question, runs int) (*Result, error) {
	t, err := Exact(ctx, q)
	if err != nil {
		return nil, err
	}
	tallies := make([]*Tally, len(t.Aggregates))
	for i := range tallies {
		tallies[i] = NewTally(t.Confidence)
		tallies[i].Twin(t.Len())
	}
	r := &Result{Confidence: t.Confidence, Runs: runs, Rows: t.Len(), Left: t.Left}
	for i := range runs {
		for _, tally := range tallies {
			tally.Begin()
		}
		one, err := t.Replay(ctx, t.Seed(i), func(c *Cell) { tallies[c.Aggregate].Add(c) })
		if err != nil {
			return nil, err
		}
		r.add(one)
		t.mute()
	}
	for i, tally := range tallies {
		r.Columns = append(r.Columns, tally.Column(t.Aggregates[i]))
	}
	return r, nil
}

// mute keeps later runs from saying again what the first said.
func (t *Twin) mute() {
	q := *t.question
	q.Options.Note = nil
	t.question = &q
}

func (r *Result) add(one *Replay) {
	r.Offered += one.Offered
	r.Shed += one.Shed
	r.Listed += one.Listed
	r.Missing += one.Missing
	r.Strange += one.Strange
	r.Unseen.Cells += one.Unseen.Cells
	r.Unseen.Covered += one.Unseen.Covered
}

// Faults returns what does not hold, a sentence each: intervals that cover less than their confidence less Tolerance, and rows that
// the exact answer does not have.
func (r *Result) Faults() []string {
	var all []string
	promised := r.Confidence - Tolerance
	say := func(what string, s Share) {
		if s.Short(promised) {
			all = append(all, fmt.Sprintf("%s: %.2f %% of %d intervals hold the true value: less than %.4g %%, and not by chance", what, 100*s.Rate(), s.Cells, 100*promised))
		}
	}
	for i := range r.Columns {
		say(r.Columns[i].Name, r.Columns[i].Plain)
	}
	if r.Unseen.Short(promised) {
		all = append(all, fmt.Sprintf("%.2f %% of %d groups larger than _unseen are listed: fewer than %.4g %%, and not by chance", 100*r.Unseen.Rate(), r.Unseen.Cells, 100*promised))
	}
	if r.Strange > 0 {
		all = append(all, fmt.Sprintf("%d rows of sampled answers are not in the exact one", r.Strange))
	}
	return all
}
