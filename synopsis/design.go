package synopsis

import (
	"math"
	"unsafe"
)

// Design is how the rows of one window were sampled: its strata and the kept rows of the window in each. The cells
// of the window share it, and leave in it what they have of strata that are over. The zero value has no strata.
type Design struct {
	strata []*Stratum
	rows   []int64
	index  map[*Stratum]int32
	last   int32
	passed []bool   // strata of whose location a later one has come
	newest []newest // by location
	totals          // by Seal, but for given

	folds        slab[fold]
	parts        parking[Part]
	ones         slab[ones]
	counts       slab[tallies]
	parkedCounts parking[int64]
}

// totals is what cells need of the strata of their window.
type totals struct {
	lost    bool // some row may have been dropped
	open    bool // some stratum that was shed is Open
	largest float64
	offered float64 // sum of M over the strata that were shed
	kept    float64 // sum of m
	unknown float64 // sum of M over strata that kept nothing and that no weight stands for
	given   float64 // largest weight given with a row; 0: none
}

// newest is the stratum of a location that came last.
type newest struct {
	location uint64
	stratum  int32
}

// Enter returns the index of s in the window and adds s where it is new. It is cheap where s is the
// one that was entered last.
func (d *Design) Enter(s *Stratum) int32 {
	if len(d.strata) > 0 && d.strata[d.last] == s {
		return d.last
	}
	i, ok := d.index[s]
	if !ok {
		i = d.add(s)
	}
	d.last = i
	return i
}

func (d *Design) add(s *Stratum) int32 {
	if d.index == nil {
		d.index = make(map[*Stratum]int32)
	}
	i := int32(len(d.strata))
	d.index[s] = i
	d.strata = append(d.strata, s)
	d.rows = append(d.rows, 0)
	d.passed = append(d.passed, false)
	l := s.location()
	for j := range d.newest {
		if n := &d.newest[j]; n.location == l {
			d.passed[n.stratum] = true
			n.stratum = i
			return i
		}
	}
	d.newest = append(d.newest, newest{l, i})
	return i
}

// over reports whether no more rows of stratum i are to come.
func (d *Design) over(i int32) bool { return d.passed[i] }

// Rows says that n more kept rows of the window came in stratum i.
func (d *Design) Rows(i int32, n int64) { d.rows[i] += n }

// Whole reports whether no stratum of the window was shed.
func (d *Design) Whole() bool {
	for _, s := range d.strata {
		if !s.Whole() {
			return false
		}
	}
	return true
}

// Kept returns the share of the offered rows that was kept, products along Up; 1 without strata.
func (d *Design) Kept() float64 {
	var offered, kept float64
	for _, s := range d.strata {
		m := 1.0
		for u := s; u != nil; u = u.Up {
			if u.Offered > 0 {
				m *= float64(u.Kept) / float64(u.Offered)
			}
		}
		offered += float64(s.root().Offered)
		kept += m * float64(s.root().Offered)
	}
	if offered == 0 {
		return 1
	}
	return kept / offered
}

// Largest returns the largest weight of a kept row, w*; 1 before Seal.
func (d *Design) Largest() float64 { return max(d.largest, d.given, 1) }

// Seal computes what estimates need. Call it before estimating, and again after changes.
func (d *Design) Seal() {
	t := totals{largest: 1, given: d.given}
	for _, s := range d.strata {
		if s.Whole() {
			continue
		}
		k := s.design(0)
		offered, kept := float64(s.root().Offered), float64(s.Kept)
		t.open = t.open || s.Open
		t.offered += offered
		t.kept += kept
		if offered == 0 {
			continue
		}
		t.largest = max(t.largest, k.w)
		t.lost = t.lost || k.w > 1 || kept < offered
		if kept == 0 && !s.poisson() {
			t.unknown += offered
		}
	}
	d.totals = t
}

// ceiling returns the largest count that a cell with the given kept rows can have in the strata that were shed.
func (t *totals) ceiling(rows int64) float64 {
	if t.given > 1 {
		return math.Inf(1)
	}
	return t.offered - t.kept + float64(rows)
}

// Merge adds the strata and rows of o, which then have other indices. Cells of o stay with o.
func (d *Design) Merge(o *Design) {
	for i, s := range o.strata {
		d.Rows(d.Enter(s), o.rows[i])
	}
	d.given = max(d.given, o.given)
}

// Reset forgets all strata and all that cells have left here, and keeps the memory. Cells used with it before must be zeroed.
func (d *Design) Reset() {
	clear(d.index)
	clear(d.strata)
	*d = Design{
		strata: d.strata[:0], rows: d.rows[:0], index: d.index, passed: d.passed[:0], newest: d.newest[:0],
		folds: d.folds, parts: d.parts, ones: d.ones, counts: d.counts, parkedCounts: d.parkedCounts,
	}
	d.folds.reset()
	d.parts.reset()
	d.ones.reset()
	d.counts.reset()
	d.parkedCounts.reset()
}

// Strata returns the strata by index. The slice is the design's own.
func (d *Design) Strata() []*Stratum { return d.strata }

// Size returns about how many bytes the design takes, with what cells have left in it.
func (d *Design) Size() int {
	return len(d.strata)*64 +
		d.folds.size()*int(unsafe.Sizeof(fold{})) + d.parts.size()*int(unsafe.Sizeof(parked[Part]{})) +
		d.ones.size()*int(unsafe.Sizeof(ones{})) + d.counts.size()*int(unsafe.Sizeof(tallies{})) +
		d.parkedCounts.size()*int(unsafe.Sizeof(parked[int64]{}))
}
