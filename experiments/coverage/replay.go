package coverage

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Replay is the account of a sampled run.
type Replay struct {
	// Offered and Shed count records.
	Offered, Shed int64
	// Listed and Missing count the twin's rows that the answer has and has not, and Strange its own that the twin has not.
	Listed, Missing, Strange int
	// Unseen counts the twin's rows whose count is above the answer's bound for groups that it does not list (_unseen), and as covered
	// those of them that it lists: each has to be listed with the intervals' confidence.
	Unseen Share
}

// Share is some cells, of which a part is covered.
type Share struct{ Cells, Covered int64 }

// add counts one more cell.
func (s *Share) add(covered bool) {
	s.Cells++
	if covered {
		s.Covered++
	}
}

// Rate returns the covered share, NaN of none.
func (s Share) Rate() float64 { return float64(s.Covered) / float64(s.Cells) }

// Replay answers the question with the seed and gives every cell to visit, in the order of the answer. Aggregates that are NULL in
// both answers are none.
func (t *Twin) Replay(ctx context.Context, seed uint64, visit func(*Cell)) (*Replay, error) {
	asked := t.question.Options.Answers
	asked.Seed, asked.Unsifted, asked.Bounds = seed, true, true
	a, err := t.question.ask(ctx, t.question.SQL, asked)
	if err != nil {
		return nil, err
	}
	l, err := layoutOf(a)
	if err != nil {
		return nil, err
	}
	if len(l.keys) != len(t.layout.keys) || len(l.aggregates) != len(t.layout.aggregates) {
		return nil, errors.New("the sampled answer has other columns than the exact one")
	}
	r := &Replay{Offered: a.ledger.Offered, Shed: a.ledger.Shed}
	listed := make([]bool, t.Len())
	for _, row := range a.rows {
		if l.other >= 0 && row[l.other].num == 1 {
			continue
		}
		at, known := t.rows[l.key(row)]
		switch {
		case !known:
			r.Strange++
			continue
		case listed[at]:
			return nil, fmt.Errorf("the sampled answer has two rows for %s", t.KeyText(at))
		}
		listed[at] = true
		r.Listed++
		t.compare(at, l, row, visit)
	}
	t.unlisted(r, l, a, listed)
	return r, nil
}

// compare visits the cells of the twin's row at.
func (t *Twin) compare(at int, l *layout, row []datum, visit func(*Cell)) {
	for i, g := range l.aggregates {
		truth := &t.truths[at][i]
		c := Cell{
			Row: at, Aggregate: i, Truth: truth.value, TruthLow: truth.low, TruthHigh: truth.high, TruthNull: truth.null,
			Value: row[g.value].number(math.NaN()), SampledNull: row[g.value].null, Low: math.Inf(-1), High: math.Inf(1),
		}
		if c.TruthNull && c.SampledNull {
			continue
		}
		if g.low >= 0 {
			c.Low = row[g.low].number(math.Inf(-1))
		}
		if g.high >= 0 {
			c.High = row[g.high].number(math.Inf(1))
		}
		c.Unreliable = g.unreliable >= 0 && row[g.unreliable].num == 1
		visit(&c)
	}
}

// unlisted counts the rows that an answer does not list, and those that it has to.
func (t *Twin) unlisted(r *Replay, l *layout, a *answer, listed []bool) {
	bounds := map[string]float64{} // by window
	if l.unseen >= 0 {
		for _, row := range a.rows {
			bounds[l.window(row)] = row[l.unseen].number(math.Inf(1))
		}
	}
	for i, there := range listed {
		if !there {
			r.Missing++
		}
		row := t.answer.rows[i]
		bound, given := bounds[t.layout.window(row)]
		if given && t.layout.count >= 0 && row[t.layout.count].num > bound {
			r.Unseen.add(there)
		}
	}
}

// window returns the values of the key columns that tell windows apart as one text.
func (l *layout) window(row []datum) string {
	only := layout{keys: l.windows}
	return only.key(row)
}
