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

// DropKind is the way in which a drop chose its rows.
type DropKind uint8

// The kinds of drops. What each can be answered from is in estimators.md section 4.
const (
	Random   DropKind = iota // each row by chance
	Universe                 // all rows of a key or none, by the key's hash
	Cluster                  // all records of a block of a file or none, blocks by chance
)

// UniverseGroups is the number of groups that a universe drop parts its keys into, Batch.Unit, for the variance
// between keys.
const UniverseGroups = 64

// Stratum says how rows were sampled in one epoch of one drop location (estimators.md
// section 1). Offered and Kept are running totals up to the end of the batch that
// carries them, so the last one wins and a lost copy costs nothing.
type Stratum struct {
	ID   uint32 // unique among all strata of an engine
	Kind DropKind
	// Raw says that records were counted before decoding: some of those dropped may have been bad or late.
	Raw bool
	// Keep is the probability in force; 1: nothing is dropped while the stratum lasts.
	Keep float64
	// Offered and Kept count rows, or records where Raw, blocks where Kind is Cluster: those of all
	// files and those read so far.
	Offered, Kept int64
	// Biased says that what was kept was not chosen by chance, such as the beginning of a file: nothing is known of the rest.
	Biased bool
	// Block is the number of the block that the rows are from, where Kind is Cluster.
	Block int64
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
	// Weight is nil or, per row of the block, how many rows it stands for: given on input, or by a drop of one rate per group.
	// At least 1.
	Weight []float64
	// Sample says how the rows were chosen: one stratum per drop location on their way, in that order, the same for
	// all rows of the batch; nil: nothing was shed. While rows are sampled batches without rows come, too.
	Sample []Stratum
	// Unit tells, per row of the block, which of UniverseGroups its key is in; nil unless a universe drop is in Sample.
	Unit []uint8
	// Late is the number of the query's rows that came late so far; set where batches reach the sink.
	Late int64
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
