package enginetest

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Column returns a column of type t with the given values, which are of that type or NULL. Number columns have the
// simplest representation that holds them.
func Column(t tuple.Type, values ...expr.Value) tuple.Column {
	var c tuple.Column
	c.Reset(t, len(values))
	if t == tuple.Number && allFloat(values) {
		c.SetRep(tuple.RepFloat, len(values))
	}
	for r, v := range values {
		expr.SetValue(&c, r, len(values), v)
	}
	return c
}

func allFloat(values []expr.Value) bool {
	some := false
	for _, v := range values {
		if !v.Null && !v.Float {
			return false
		}
		some = some || v.Float
	}
	return some
}

// Batch builds a batch of at most tuple.MaxRows rows, all selected. times is nil or one per row.
func Batch(schema *tuple.Schema, rows [][]expr.Value, times []int64) *tuple.Batch {
	block := &tuple.Block{Schema: schema, N: len(rows), Cols: make([]tuple.Column, len(schema.Fields))}
	values := make([]expr.Value, len(rows))
	for i, f := range schema.Fields {
		for r, row := range rows {
			values[r] = row[i]
		}
		block.Cols[i] = Column(f.Type, values...)
	}
	return &tuple.Batch{Block: block, Sel: tuple.All(len(rows)), Time: times}
}

// scribble overwrites a batch that nobody may read any more.
func scribble(b *tuple.Batch) {
	for i := range b.Cols {
		c := &b.Cols[i]
		for r := range c.I {
			c.I[r] = math.MinInt64 + 0xdead
		}
		for r := range c.F {
			c.F[r] = math.NaN()
		}
		for r := range c.B {
			c.B[r] = !c.B[r]
		}
		for r := range c.Tag {
			c.Tag[r] = 0xff
		}
		for r := range c.Buf {
			c.Buf[r] = '?'
		}
		for r := range c.Span {
			c.Span[r] = tuple.Span{Off: math.MaxUint32}
		}
		for r := range c.Null {
			c.Null[r] = !c.Null[r]
		}
	}
	for i := range b.Time {
		b.Time[i] = math.MinInt64 + 0xdead
	}
}

// Collector is an emitter that copies what it gets.
type Collector struct {
	// Rows are the rows emitted, in order.
	Rows [][]expr.Value
	// Partial says for each row whether its batch was marked so.
	Partial []bool
	// Batches is the number of batches emitted, Largest the rows of the largest.
	Batches, Largest int
	// Fail, if set, is returned by every Emit.
	Fail error
}

// Emit copies the batch's rows.
func (c *Collector) Emit(b *tuple.Batch) error {
	c.Batches++
	c.Largest = max(c.Largest, b.N)
	for _, r := range b.Sel {
		row := make([]expr.Value, len(b.Cols))
		for i := range b.Cols {
			row[i] = expr.ValueAt(&b.Cols[i], int(r))
		}
		c.Rows = append(c.Rows, row)
		c.Partial = append(c.Partial, b.Partial)
	}
	return c.Fail
}

// Reset forgets what was collected.
func (c *Collector) Reset() { *c = Collector{Fail: c.Fail} }
