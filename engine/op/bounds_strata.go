package op

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// strata is the table of the strata that rows came in, and how the current batch's rows were chosen.
//
// With several drop locations, the strata are the combinations of epochs that were in force together (intervals.md section 5).
// Each has totals of its own at each location: what was counted there while the combination lasted. Locations that
// drop nothing are left out of the combination, unless all of them are such.
type strata struct {
	open   bool // rows may have been taken out between the first drop and here
	ways   []*way
	read   []*reading
	blocks []*synopsis.Stratum // those of the blocks of files

	now struct {
		*way
		weights []float64
		unit    []uint8
		block   int64
	}
	empty []*way // of batches without rows since the last row
	left  int    // ways after the last sweep
}

// way is a combination of epochs, one of each drop location on the way of rows.
type way struct {
	places  []place
	stratum *synopsis.Stratum // the last one that counts, or nil where there are no drops
	rows    rowSet
	scale   float64
	biased  bool
	given   bool // rows have weights of their own
}

// place is an epoch on a way.
type place struct {
	read    *reading
	stratum *synopsis.Stratum // nil where nothing is dropped that is to be reckoned with
}

// reading is how far the running totals of an epoch have been read.
type reading struct {
	id            uint32
	offered, kept int64
}

// The ways of rows without drops.
var (
	plainWay    = &way{rows: wholeRows, scale: 1}
	weightedWay = &way{rows: weightedRows, scale: 1, given: true}
)

// begin reads the totals of a batch and makes its way the current one.
func (t *strata) begin(b *tuple.Batch) {
	t.now.weights, t.now.unit, t.now.block = b.Weight, b.Unit, 0
	if len(b.Sample) == 0 {
		t.now.way = plainWay
		if b.Weight != nil {
			t.now.way = weightedWay
		}
		return
	}
	t.now.way = t.find(b.Sample, b.Weight != nil)
	for i := range b.Sample {
		s, at := &b.Sample[i], &t.now.places[i]
		if s.Kind == tuple.Cluster {
			t.now.block = s.Block
		}
		if at.stratum != nil {
			at.stratum.Offered += max(s.Offered-at.read.offered, 0)
			at.stratum.Kept += max(s.Kept-at.read.kept, 0)
		}
		at.read.offered = max(at.read.offered, s.Offered)
		at.read.kept = max(at.read.kept, s.Kept)
	}
}

// find returns the way of a sample: the current one most often, else one of the last, where inputs take turns.
func (t *strata) find(sample []tuple.Stratum, weighted bool) *way {
	if w := t.now.way; w != nil && w.is(sample, weighted) {
		return w
	}
	for _, w := range slices.Backward(t.ways[max(len(t.ways)-waysKept, 0):]) {
		if w.is(sample, weighted) {
			return w
		}
	}
	return t.add(sample, weighted)
}

func (w *way) is(sample []tuple.Stratum, weighted bool) bool {
	if len(w.places) != len(sample) || weighted != w.given {
		return false
	}
	for i := range w.places {
		if w.places[i].read.id != sample[i].ID {
			return false
		}
	}
	return true
}

func (t *strata) add(sample []tuple.Stratum, weighted bool) *way {
	w := &way{rows: wholeRows, scale: 1, places: make([]place, len(sample))}
	for i := range sample {
		s := &sample[i]
		w.places[i].read = t.reading(s.ID)
		w.biased = w.biased || s.Biased
		last := i == len(sample)-1 && w.stratum == nil
		if s.Keep >= 1 && s.Kind != tuple.Cluster && !last {
			continue
		}
		w.stratum = t.stratum(s, w.stratum)
		w.places[i].stratum = w.stratum
		if s.Keep > 0 && s.Kind != tuple.Cluster {
			w.scale /= s.Keep
		}
		w.rows = max(w.rows, rowsOf(s))
	}
	if w.given = weighted; weighted {
		w.rows = max(w.rows, weightedRows)
	}
	t.ways = append(t.ways, w)
	return w
}

// stratum returns the stratum of a place on a way, behind up. That of the blocks of a file is the same on all ways: its totals are of all
// that was read.
func (t *strata) stratum(s *tuple.Stratum, up *synopsis.Stratum) *synopsis.Stratum {
	fresh := &synopsis.Stratum{ID: s.ID, Keep: s.Keep, Open: s.Raw || t.open, Up: up}
	if s.Kind == tuple.Cluster {
		return t.sharedBlocks(fresh)
	}
	return fresh
}

// sharedBlocks returns the stratum of blocks with the ID of fresh, which is it where there is none yet.
func (t *strata) sharedBlocks(fresh *synopsis.Stratum) *synopsis.Stratum {
	for _, b := range t.blocks {
		if b.ID == fresh.ID {
			return b
		}
	}
	t.blocks = append(t.blocks, fresh)
	return fresh
}

// rowsOf returns how rows of a stratum were chosen.
func rowsOf(s *tuple.Stratum) rowSet {
	switch {
	case s.Kind == tuple.Cluster:
		return blockRows
	case s.Keep >= 1:
		return wholeRows
	case s.Kind == tuple.Universe:
		return keyedRows
	}
	return shedRows
}

// reading returns how far the totals of an epoch have been read. An epoch may last as long as any number of another location's.
func (t *strata) reading(id uint32) *reading {
	for _, r := range slices.Backward(t.read) {
		if r.id == id {
			return r
		}
	}
	r := &reading{id: id}
	t.read = append(t.read, r)
	return r
}

// noteEmpty remembers that a batch without rows came on the current way, to be entered if the way stays without.
func (t *strata) noteEmpty() {
	if w := t.now.way; w.stratum != nil && w.stratum.Kept == 0 && !slices.Contains(t.empty, w) {
		t.empty = append(t.empty, w)
	}
}

// enterEmpty enters the strata that kept no row in d, a design of rows before or after what they dropped.
func (t *strata) enterEmpty(d *synopsis.Design) {
	for _, w := range t.empty {
		if w.stratum.Kept == 0 {
			d.Enter(w.stratum)
		}
	}
}

// waysKept is how many ways are kept at least, and how many of the last are looked at: more than there are inputs and drop
// locations that can be in turn.
const waysKept = 64

// sweep forgets the ways whose strata are in no design of the panes in use, once there are many more of them than at the last
// sweep. left is the number that was left then.
func (t *strata) sweep(panes []*pane) {
	if len(t.ways) < max(waysKept, 2*t.left) {
		return
	}
	used := map[*synopsis.Stratum]bool{}
	for _, p := range panes {
		for _, s := range p.design.Strata() {
			used[s] = true
		}
	}
	t.ways = slices.DeleteFunc(t.ways, func(w *way) bool {
		return w != t.now.way && !used[w.stratum] && !slices.Contains(t.empty, w)
	})
	t.left = len(t.ways)
	// The last epoch of a location may go on, and is not to be read again from its beginning.
	reads := map[*reading]bool{}
	last := map[uint32]*reading{}
	for _, r := range t.read {
		if l := last[r.id>>24]; l == nil || l.id < r.id {
			last[r.id>>24] = r
		}
	}
	for _, r := range last {
		reads[r] = true
	}
	for _, w := range t.ways {
		for i := range w.places {
			reads[w.places[i].read] = true
		}
	}
	t.read = slices.DeleteFunc(t.read, func(r *reading) bool { return !reads[r] })
}
