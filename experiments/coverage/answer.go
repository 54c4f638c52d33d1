package coverage

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// answer is the whole answer of one run. It is a sink.
type answer struct {
	schema     *tuple.Schema
	plan       *plan.Query
	confidence float64
	rows       [][]datum
	ledger     engine.Ledger
}

// datum is one value: a number, a text, or NULL.
type datum struct {
	null bool
	num  float64 // of numbers, times (ns since the epoch), intervals (ns) and booleans (0, 1)
	text string  // of texts and lists; of numbers in keys: all digits
}

// ask answers sql about the question's streams.
func (q *Question) ask(ctx context.Context, sql string, settings query.Settings) (*answer, error) {
	opt := q.Options
	opt.Answers = settings
	if !settings.Within {
		opt.Within = 0
	}
	e := engine.New(opt)
	for _, s := range q.Streams {
		if err := e.AddStream(s.Name, s.Input); err != nil {
			return nil, err
		}
	}
	b, err := e.Plan(sql)
	if err != nil {
		return nil, err
	}
	if b.Explain {
		return nil, unfit("EXPLAIN has no rows to verify")
	}
	a := &answer{plan: b.Plan, confidence: b.Confidence}
	attached, err := e.Attach(b, a)
	if err != nil {
		return nil, err
	}
	if err := e.Run(ctx); err != nil {
		return nil, err
	}
	a.ledger = attached.Ledger()
	return a, nil
}

// Begin implements sink.Sink.
func (a *answer) Begin(schema *tuple.Schema) error {
	a.schema = schema
	return nil
}

// Write implements sink.Sink.
func (a *answer) Write(b *tuple.Batch) error {
	for _, r := range b.Sel {
		row := make([]datum, len(a.schema.Fields))
		for i := range row {
			row[i] = value(&b.Cols[i], int(r))
		}
		a.rows = append(a.rows, row)
	}
	return nil
}

// Close implements sink.Sink.
func (a *answer) Close() error { return nil }

// value returns the value of row r of c.
func value(c *tuple.Column, r int) datum {
	switch {
	case c.IsNull(r):
		return datum{null: true}
	case c.Type.Bytes():
		return datum{text: string(c.Str(r)), num: math.NaN()}
	case c.Type == tuple.Boolean && c.B[r]:
		return datum{num: 1, text: "true"}
	case c.Type == tuple.Boolean:
		return datum{text: "false"}
	case c.Rep == tuple.RepFloat, c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagFloat:
		v := c.F[r] + 0 // -0 and 0 are one key
		return datum{num: v, text: strconv.FormatFloat(v, 'g', -1, 64)}
	case c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagHuge:
		huge := math.Ldexp(float64(c.Hi[r]), 64) + float64(uint64(c.I[r]))
		return datum{num: huge, text: strconv.FormatFloat(huge, 'g', -1, 64)}
	case c.Type == tuple.Timestamp:
		return datum{num: float64(c.I[r]), text: time.Unix(0, c.I[r]).UTC().Format(time.RFC3339Nano)}
	}
	return datum{num: float64(c.I[r]), text: strconv.FormatInt(c.I[r], 10)}
}
