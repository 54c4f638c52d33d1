package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// Row is one row of an answer. It is valid until the function that it was given to returns.
type Row struct {
	batch  *tuple.Batch
	schema *tuple.Schema
	row    int
}

// Each returns a sink that calls f for every row of an answer, in order, on the goroutine that runs the engine. An error
// from f ends the run and is returned by it.
func Each(f func(Row) error) sink.Sink { return &each{f: f} }

type each struct {
	f      func(Row) error
	schema *tuple.Schema
}

func (e *each) Begin(schema *tuple.Schema) error {
	e.schema = schema
	return nil
}

func (e *each) Write(b *tuple.Batch) error {
	for _, r := range b.Sel {
		if err := e.f(Row{b, e.schema, int(r)}); err != nil {
			return err
		}
	}
	return nil
}

func (e *each) Close() error { return nil }

// Final reports whether the row's window had ended, which it had not when the run was interrupted.
func (r Row) Final() bool { return !r.batch.Partial }

// Value returns the value of the column called name: nil for NULL, else an int64, float64, string, bool, time.Time,
// time.Duration, *big.Int (a sum beyond 64 bits) or json.RawMessage (lists). Bounds are columns like others, n_lo and n_hi, and so are
// _kept, _exact, _unseen and _other, where the answer has them; "aurora help answers" says what they mean. A name that the
// answer does not have panics.
func (r Row) Value(name string) any {
	i := r.column(name)
	c := &r.batch.Cols[i]
	if c.IsNull(r.row) {
		return nil
	}
	switch c.Type {
	case tuple.Boolean:
		return c.B[r.row]
	case tuple.Timestamp:
		zone := r.schema.Fields[i].Zone
		if zone == nil {
			zone = time.UTC
		}
		return time.Unix(0, c.I[r.row]).In(zone)
	case tuple.Interval:
		return time.Duration(c.I[r.row])
	case tuple.Text:
		return string(c.Str(r.row))
	case tuple.JSON:
		return json.RawMessage(string(c.Str(r.row)))
	}
	return number(c, r.row)
}

func (r Row) column(name string) int {
	i := r.schema.Index(name)
	if i < 0 {
		panic(fmt.Sprintf("engine: the answer has no column %q", name))
	}
	return i
}

// Estimate returns the value of the column called name with its bounds; times and lengths of time are in ns. A NULL is NaN,
// a bound that is not known infinite. A column without bounds is exact, unless it is NULL. Confidence is that of the answer's intervals, 1 of
// an exact value, and 0 where Unreliable: nothing is promised then. A name that the answer does not have, or whose values are no numbers, panics.
func (r Row) Estimate(name string) synopsis.Estimate {
	i := r.column(name)
	e := synopsis.Estimate{Value: r.real(i, math.NaN())}
	e.Low, e.High, e.Confidence = e.Value, e.Value, 1
	if i+2 < len(r.schema.Fields) && r.schema.Fields[i+1].Role == tuple.Low && r.schema.Fields[i+1].Of == i {
		e.Low, e.High = r.real(i+1, math.Inf(-1)), r.real(i+2, math.Inf(1))
	}
	e.Exact = e.Low == e.Value && e.High == e.Value
	switch {
	case r.Unreliable(name):
		e.Confidence = 0
	case !e.Exact:
		e.Confidence = r.schema.Confidence
	}
	return e
}

// Unreliable reports whether the bounds of the column called name cannot be relied on, as those of an extreme of a sample or of a
// mean of few rows: they may be shown, with a mark, but miss the true value more often than the confidence says. A name that the answer does not have panics.
func (r Row) Unreliable(name string) bool {
	i := r.column(name)
	for k, f := range r.schema.Fields {
		if c := &r.batch.Cols[k]; f.Role == tuple.Unreliable && f.Of == i {
			return !c.IsNull(r.row) && c.B[r.row]
		}
	}
	return false
}

// real returns a number of column i as a double, or null.
func (r Row) real(i int, null float64) float64 {
	c := &r.batch.Cols[i]
	switch {
	case c.IsNull(r.row):
		return null
	case c.Type == tuple.Timestamp || c.Type == tuple.Interval:
		return float64(c.I[r.row])
	case !c.Type.Numeric():
		panic(fmt.Sprintf("engine: %s is %s, not a number", r.schema.Fields[i].Name, c.Type))
	}
	switch v := number(c, r.row).(type) {
	case int64:
		return float64(v)
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	case float64:
		return v
	}
	return null
}

func number(c *tuple.Column, r int) any {
	switch {
	case c.Rep == tuple.RepFloat, c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagFloat:
		return c.F[r]
	case c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagHuge:
		v := new(big.Int).Lsh(big.NewInt(c.Hi[r]), 64)
		return v.Add(v, new(big.Int).SetUint64(uint64(c.I[r])))
	}
	return c.I[r]
}
