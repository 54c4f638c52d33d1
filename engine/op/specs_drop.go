package op

import (
	"time"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Drop thins rows and says so: it counts what it is offered and stamps Batch.Sample with the running totals of its stratum.
// Decisions depend on Seed, Location and the number of the row alone; those of a universe on Seed and the key alone, so that
// universes of one seed nest, and agree on both sides of a join.
//
// A batch that an epoch ends in is emitted as two. Where the one keep is 1, and for a universe of one keep, the first epoch
// does not end.
type Drop struct {
	// Kind is tuple.Random or tuple.Universe.
	Kind tuple.DropKind
	// Keeps are probabilities of keeping a row (Random) or a key (Universe), in (0, 1]; several take turns, one an epoch.
	Keeps []float64
	// Epoch is the number of rows offered in an epoch; 0: max(32768, ceil(128/keep)).
	Epoch int64
	// Keys are the columns of the universe; absent for Random.
	Keys []*expr.Node
	// Seed is the run's, and Location the name of the place, by which places draw differently.
	Seed     uint64
	Location string
	// Place is the number of the place, unique in an engine: the first byte of the stratum's ID, whose others number epochs.
	Place uint8
	// Composed says that all rows which the drop before this one kept come here: two random drops are then one stage
	// (estimators.md section 2), and batches carry one stratum with the first's offered and the last's kept, whose epochs
	// are the first's. It makes no difference where the stratum before lost nothing or is of another kind.
	Composed bool
}

// GroupDrop keeps rows of rare groups: of each group the first Whole rows of a period are kept, and later ones with
// probability Keep. Batch.Weight says how many rows each stands for; no stratum is stamped, for every row has its own probability.
// Decisions depend on Seed, Location and the rows before.
type GroupDrop struct {
	Keys     []*expr.Node
	Keep     float64 // of rows of heavy groups
	Whole    int64   // rows of a group that are all kept
	Period   int64   // rows offered in a period, which bounds the groups that are remembered; 0: 262,144
	Seed     uint64
	Location string
}

// ValueDrop drops the rows whose Value lies in [Low, High) and tallies what it dropped. NULL and NaN lie nowhere. It stamps no
// stratum: what is left is no sample, and whoever answers for all rows adds the tally.
type ValueDrop struct {
	Value     *expr.Node
	Low, High float64
}

// WindowDrop drops whole windows of event time: of each run of Batch windows all or none, by chance (shedding.md section 8). A row
// goes iff every window that it is in is dropped, so that windows that are not dropped are complete. It stamps no
// stratum: answers are exact or absent. Where Slide < Size, rows of dropped windows that others need still
// come, and whoever answers for a window asks Skips first.
type WindowDrop struct {
	Size     time.Duration
	Slide    time.Duration // 0: Size
	Origin   int64         // windows begin at Origin + i Slide, in ns since the epoch
	Batch    int64         // 0: 1
	Keep     float64       // probability of keeping a run; 0 drops everything
	Seed     uint64
	Location string
}
