package tuple

import (
	"math"
	"sync/atomic"
	"time"
)

// MaxRows is the largest number of rows in a block. Larger blocks gain little and
// cost cache.
const MaxRows = 1024

// Marks of the end of a stream, given to Operator.Advance as times.
const (
	// End is the time after every row: the input is finished and all windows close.
	End int64 = math.MaxInt64
	// Drain is End for a stream that was interrupted: what is open is emitted with Partial set.
	Drain int64 = math.MaxInt64 - 1
)

// Stratum says how rows were sampled in one epoch of one drop location (estimators.md
// section 1). Offered and Kept are running totals up to the end of the batch that
// carries them, so the last one wins and a lost copy costs nothing.
type Stratum struct {
	ID            uint32 // unique among all strata of an engine
	Offered, Kept int64
}

// Block is a set of decoded or computed rows, immutable once it is handed on and
// shared by queries through a reference count.
type Block struct {
	Schema *Schema
	N      int    // rows, at most MaxRows
	Source uint16 // tells the streams of a query apart; 0 while queries read one
	// Seq is the number of the first record in its source, Pos its byte position. Records that
	// failed to decode have numbers but no rows.
	Seq, Pos int64
	// Arrived is when the operating system handed the bytes over, on the engine's clock.
	Arrived time.Duration
	Cols    []Column // one per field of the schema, of N rows each

	refs atomic.Int32
	free func(*Block)
}

// Batch is one owner's view of a block.
type Batch struct {
	*Block
	// Sel lists the rows that are still there, ascending. It is never nil; All gives every row.
	Sel []uint16
	// Time is the event time of each row of the block in ns since the Unix epoch, nil when the query has none.
	Time []int64
	// Weight is nil or a weight per row of the block.
	Weight []float64
	// Sample says how the rows were chosen; nil: nothing was shed.
	Sample []Stratum
	// Partial marks answers of windows that had not ended when the stream was interrupted.
	Partial bool
}

var identity = func() (a [MaxRows]uint16) {
	for i := range a {
		a[i] = uint16(i)
	}
	return a
}()

// All returns the selection of rows 0 to n-1. It is shared: do not change it.
func All(n int) []uint16 { return identity[:n:n] }

// Own prepares a block for reference counting with one reference. free is called when the last is
// released, and may reuse the block.
func (b *Block) Own(free func(*Block)) {
	b.refs.Store(1)
	b.free = free
}

// Retain adds a reference.
func (b *Block) Retain() { b.refs.Add(1) }

// Release gives a reference back. Releasing more often than retaining panics.
func (b *Block) Release() {
	switch n := b.refs.Add(-1); {
	case n < 0:
		panic("tuple: block released twice")
	case n == 0 && b.free != nil:
		poison(b)
		b.free(b)
	}
}
