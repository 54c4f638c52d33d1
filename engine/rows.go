package engine

import (
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Row is one row of an answer. It is valid until the function that it was given to returns.
type Row struct {
	batch *tuple.Batch
	row   int
}

// Each returns a sink that calls f for every row of an answer, in order, on the goroutine that runs the engine. An error
// from f ends the run and is returned by it.
func Each(f func(Row) error) sink.Sink { return each{f} }

type each struct{ f func(Row) error }

func (e each) Begin(*tuple.Schema) error { return nil }

func (e each) Write(b *tuple.Batch) error {
	for _, r := range b.Sel {
		if err := e.f(Row{b, int(r)}); err != nil {
			return err
		}
	}
	return nil
}

func (e each) Close() error { return nil }

// Final reports whether the row's window had ended, which it had not when the run was interrupted.
func (r Row) Final() bool { return !r.batch.Partial }

// Value returns the value of the column called name: nil for NULL, else an int64, float64, string, bool, time.Time,
// time.Duration, *big.Int (a sum beyond 64 bits) or json.RawMessage (lists). A name that the answer does not have panics.
func (r Row) Value(name string) any {
	i := r.batch.Schema.Index(name)
	if i < 0 {
		panic(fmt.Sprintf("engine: the answer has no column %q", name))
	}
	c := &r.batch.Cols[i]
	if c.IsNull(r.row) {
		return nil
	}
	switch c.Type {
	case tuple.Boolean:
		return c.B[r.row]
	case tuple.Timestamp:
		zone := r.batch.Schema.Fields[i].Zone
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
