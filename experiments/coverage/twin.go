package coverage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query"
)

// Question is a query whose sampled answers are judged by its exact one.
type Question struct {
	SQL string
	// Exact is the SQL of the exact answer where it is not SQL, which then samples by itself; it has the same columns.
	Exact   string
	Streams []Stream
	// Options configure every run. Options.Answers is what is asked of the sampled ones, which have to be sampled, weighted or
	// bounded in memory by it.
	Options engine.Options
}

// Stream is an input of a question: files, for every run reads it anew.
type Stream struct {
	Name  string
	Input engine.Input
}

// ErrQuestion is wrapped by errors about questions that cannot be verified, whatever their streams hold.
var ErrQuestion = errors.New("this cannot be verified")

func unfit(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrQuestion, fmt.Errorf(format, args...))
}

// Twin is the exact answer of a question.
type Twin struct {
	// Keys are the columns by which rows are told apart, and Aggregates the others that can be compared, in the order of the query.
	Keys, Aggregates []string
	// Confidence is that of the sampled answers' intervals.
	Confidence float64
	// Left are the columns that are not compared: lists and texts.
	Left []string

	question *Question
	layout   *layout
	answer   *answer
	rows     map[string]int // by key
	truths   [][]truth      // by row and aggregate
}

// Cell is an aggregate of a row that both answers have. Unknown bounds are infinite, and NULL is NaN.
type Cell struct {
	Row, Aggregate         int // numbers in the twin
	Truth                  float64
	TruthLow, TruthHigh    float64 // the truth is between them: apart where the exact answer itself is a sketch's
	Value, Low, High       float64
	Unreliable             bool
	SampledNull, TruthNull bool
}

// Covered reports whether the truth lies in the interval, up to the rounding of sums; or may lie in it, where it is not known better.
func (c *Cell) Covered() bool {
	if c.TruthNull {
		return c.SampledNull
	}
	const rounding = 1e-9
	slack := rounding * math.Abs(c.Truth)
	return c.Low-slack <= c.TruthHigh && c.TruthLow <= c.High+slack
}

// Exact answers q exactly.
func Exact(ctx context.Context, q *Question) (*Twin, error) {
	asked := &q.Options.Answers
	if len(asked.Sample) == 0 && q.Exact == "" && !asked.Within && asked.Memory == 0 {
		return nil, unfit("every answer would be exact: sample it, as in --sample 10%%")
	}
	sql := q.Exact
	if sql == "" {
		sql = q.SQL
	}
	a, err := q.ask(ctx, sql, query.Settings{Bounds: true, Unsifted: true, Confidence: asked.Confidence, Weight: asked.Weight, Insist: asked.Insist})
	if err != nil {
		return nil, err
	}
	l, err := layoutOf(a)
	if err != nil {
		return nil, err
	}
	if _, spec := aggregateOf(a.plan); spec.Sampling != nil && asked.Weight == "" {
		return nil, unfit("the query samples by itself: leave TABLESAMPLE out, and write --sample")
	}
	t := &Twin{Confidence: a.confidence, Left: l.left, question: q, layout: l, answer: a, rows: map[string]int{}}
	for _, i := range l.keys {
		t.Keys = append(t.Keys, a.schema.Fields[i].Name)
	}
	for _, g := range l.aggregates {
		t.Aggregates = append(t.Aggregates, g.name)
	}
	if len(t.Aggregates) == 0 {
		return nil, unfit("the query has no aggregate that is a number: there is nothing to verify")
	}
	for i, row := range a.rows {
		key := l.key(row)
		if _, twice := t.rows[key]; twice {
			return nil, unfit("two rows of the answer have the same keys%s: select every column of GROUP BY, and window_start", t.inBrackets(i))
		}
		t.rows[key] = i
		var truths []truth
		for _, g := range l.aggregates {
			truths = append(truths, g.truth(row))
		}
		t.truths = append(t.truths, truths)
	}
	return t, nil
}

// truth is the true value of a cell, or what is known of it.
type truth struct {
	null             bool
	value, low, high float64
}

// truth returns what the exact answer says: its value, between bounds of its own where it is a sketch's.
func (g *aggregate) truth(row []datum) truth {
	v := row[g.value].number(math.NaN())
	t := truth{row[g.value].null, v, v, v}
	if g.low >= 0 {
		t.low = min(v, row[g.low].number(v))
	}
	if g.high >= 0 {
		t.high = max(v, row[g.high].number(v))
	}
	return t
}

// Correct replaces what the twin knows of an aggregate in row i by its true value.
func (t *Twin) Correct(i, aggregate int, value float64) {
	t.truths[i][aggregate] = truth{false, value, value, value}
}

// Seed returns the seed of a run, counted from 0.
func (t *Twin) Seed(run int) uint64 { return t.question.Options.Answers.Seed + uint64(run) }

// Len returns the number of rows.
func (t *Twin) Len() int { return len(t.answer.rows) }

// Key returns the value of row i in a column of Keys, as text.
func (t *Twin) Key(i, column int) string { return t.answer.rows[i][t.layout.keys[column]].text }

// KeyText returns all keys of row i, for messages.
func (t *Twin) KeyText(i int) string {
	var parts []string
	for k, name := range t.Keys {
		parts = append(parts, name+"="+t.Key(i, k))
	}
	return strings.Join(parts, ", ")
}

func (t *Twin) inBrackets(i int) string {
	if len(t.Keys) == 0 {
		return ""
	}
	return " (" + t.KeyText(i) + ")"
}

// Truth returns an aggregate's value in row i: NaN for NULL.
func (t *Twin) Truth(i, aggregate int) float64 { return t.truths[i][aggregate].value }

// number returns the value of d, and null for NULL.
func (d datum) number(null float64) float64 {
	if d.null {
		return null
	}
	return d.num
}

// key returns the values of the key columns as one text.
func (l *layout) key(row []datum) string {
	var b strings.Builder
	for _, i := range l.keys {
		if row[i].null {
			b.WriteByte('-')
			continue
		}
		b.WriteString(strconv.Itoa(len(row[i].text)))
		b.WriteByte(':')
		b.WriteString(row[i].text)
	}
	return b.String()
}
