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
	Left    []string
	Records int64 // that the exact answer is from
	// Offered and Shed count records over all runs, and the others rows, as in Replay. A run within a time is not offered all.
	Offered, Shed            int64
	Listed, Missing, Strange int
	Unseen                   Share
}

// Tolerance is how much below their confidence intervals may cover.
const Tolerance = 0.01

// Looked returns the share of the records that a run looked at, on average: those that it was offered and did not drop.
func (r *Result) Looked() float64 {
	return float64(r.Offered-r.Shed) / float64(max(r.Records, 1)) / float64(r.Runs)
}

// Verify answers the question exactly, and then runs times sampled. Notes are those of the exact and of the first sampled run, each
// with what it is about before it; what the first says again is left out.
func Verify(ctx context.Context, q *Question, runs int) (*Result, error) {
	said := map[string]bool{}
	t, err := Exact(ctx, q.labelled("exact answer: ", said))
	if err != nil {
		return nil, err
	}
	tallies := make([]*Tally, len(t.Aggregates))
	for i := range tallies {
		tallies[i] = NewTally(t.Confidence)
		tallies[i].Twin(t.Len())
	}
	r := &Result{Confidence: t.Confidence, Runs: runs, Rows: t.Len(), Records: t.answer.ledger.Offered, Left: t.Left}
	t.question = q.labelled(fmt.Sprintf("run 1 of %d, seed %d: ", runs, t.Seed(0)), said)
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

// labelled returns q with notes behind a label, but for those that were said.
func (q *Question) labelled(label string, said map[string]bool) *Question {
	to := q.Options.Note
	if to == nil {
		return q
	}
	one := *q
	one.Options.Note = func(text string) {
		if !said[text] {
			said[text] = true
			to(label + text)
		}
	}
	return &one
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
