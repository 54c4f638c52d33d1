package op

import (
	"time"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Drop thins rows and says so: it counts what it is offered and stamps Batch.Sample with the running totals of its stratum.
// Decisions depend on Seed, Location and the number of the row alone.
type Drop struct {
	// Kind is tuple.Random or tuple.Universe.
	Kind tuple.DropKind
	// Keeps are probabilities of keeping a row (Random) or a key (Universe), in (0, 1]; several take turns, one an epoch.
	Keeps []float64
	// Epoch is the number of rows offered in an epoch; 0: the default.
	Epoch int64
	// Keys are the columns of the universe; absent for Random.
	Keys []*expr.Node
	// Seed is the run's, and Location the name of the place, by which places draw differently.
	Seed     uint64
	Location string
}

// GroupDrop keeps rows of rare groups: of each group the first Whole rows of a window of Period are kept, and later ones with
// the probability that makes about Rows of them, as Batch.Weight says.
type GroupDrop struct {
	Keys     []*expr.Node
	Keep     float64 // of rows of heavy groups
	Whole    int64   // rows of a group that are all kept
	Seed     uint64
	Location string
}

// ValueDrop drops the rows whose Value lies in [Low, High) and tallies what it dropped.
type ValueDrop struct {
	Value     *expr.Node
	Low, High float64
}

// WindowDrop drops whole windows of event time: of each run of Batch windows all or none, by chance (shedding.md section 8).
type WindowDrop struct {
	Size     time.Duration
	Slide    time.Duration
	Batch    int64
	Keep     float64
	Seed     uint64
	Location string
}
