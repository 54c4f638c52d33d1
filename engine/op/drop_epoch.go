package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// minEpoch is the least default length of an epoch in rows: so long that strata cost nothing beside rows, so short that a
// window of any size worth sampling has several.
const minEpoch = 1 << 15

// minKept is how many rows an epoch should keep: four times what an estimate by M/m needs (estimators.md section 1).
const minKept = 128

// epochs parts the rows offered to a drop into epochs, each a stratum, and counts them.
type epochs struct {
	spec    *Drop
	number  int64 // of the epoch; -1 before the first
	left    int64 // rows until it ends; math.MaxInt64: it does not
	keep    float64
	stratum tuple.Stratum
	shed    int64 // in all epochs

	composed bool   // the epoch is that of the stratum before
	above    uint32 // its ID
	sample   []tuple.Stratum
	out      tuple.Batch
}

// next begins the next epoch.
func (e *epochs) next() {
	e.number++
	e.keep = e.spec.Keeps[e.number%int64(len(e.spec.Keeps))]
	e.left = math.MaxInt64
	if !e.composed {
		e.left = e.length()
	}
	e.stratum = tuple.Stratum{
		ID: uint32(e.spec.Place)<<24 | uint32(e.number)&(1<<24-1), Kind: e.spec.Kind, Keep: e.keep,
	}
}

// length returns the number of rows in an epoch that begins.
func (e *epochs) length() int64 {
	once := len(e.spec.Keeps) == 1
	switch {
	case once && (e.keep == 1 || e.spec.Kind == tuple.Universe):
		return math.MaxInt64
	case e.spec.Epoch > 0:
		return e.spec.Epoch
	}
	return int64(max(minEpoch, math.Ceil(minKept/e.keep)))
}

// follow looks at how the rows of a batch were chosen so far, which may begin an epoch. It reports whether one began.
func (e *epochs) follow(b *tuple.Batch) bool {
	up := e.up(b)
	switch {
	case up == nil && e.number >= 0 && !e.composed:
		return false
	case up != nil && e.number >= 0 && e.composed && up.ID == e.above:
		return false
	case up == nil:
		e.composed, e.above = false, 0
	default:
		e.composed, e.above = true, up.ID
	}
	e.next()
	return true
}

// up returns the stratum that this drop composes with, or nil.
func (e *epochs) up(b *tuple.Batch) *tuple.Stratum {
	n := len(b.Sample)
	if !e.spec.Composed || e.spec.Kind != tuple.Random || n == 0 || b.Sample[n-1].Kind != tuple.Random || b.Sample[n-1].Keep >= 1 {
		return nil
	}
	return &b.Sample[n-1]
}

// count takes in that of offered rows kept ones stay.
func (e *epochs) count(offered, kept int) {
	e.left -= int64(offered)
	e.shed += int64(offered - kept)
	e.stratum.Offered += int64(offered)
	e.stratum.Kept += int64(kept)
}

// stamp returns b with the rows kept, and with the totals of its stratum.
func (e *epochs) stamp(b *tuple.Batch, kept []uint16) *tuple.Batch {
	e.out = *b
	e.out.Sel = kept
	before := b.Sample
	stratum := e.stratum
	if up := e.up(b); up != nil {
		before = before[:len(before)-1]
		stratum.Raw, stratum.Offered, stratum.Keep = up.Raw, up.Offered, up.Keep*e.keep
	}
	e.sample = append(append(e.sample[:0], before...), stratum)
	e.out.Sample = e.sample
	return &e.out
}

func (e *epochs) save(w *stateWriter) {
	for _, v := range [...]int64{e.number, e.left, e.stratum.Offered, e.stratum.Kept, e.shed} {
		w.i64(v)
	}
	w.bool(e.composed)
	w.u32(e.above)
}

func (e *epochs) load(r *stateReader) {
	number := r.i64()
	var left, offered, kept int64
	for _, v := range [...]*int64{&left, &offered, &kept, &e.shed} {
		*v = r.i64()
	}
	e.composed, e.above = r.bool(), r.u32()
	r.require(number >= -1 && number < math.MaxInt64 && left >= 0 && 0 <= kept && kept <= offered)
	if number < 0 || r.err != nil {
		return
	}
	e.number = number - 1
	e.next()
	e.left, e.stratum.Offered, e.stratum.Kept = left, offered, kept
}
