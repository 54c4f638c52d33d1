package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// rowFilter remembers the hashes of rows in bounded memory: in a young Bloom filter and, once that was full, in the one
// before it, of half the rate of false positives each. When the young one is full the old one is forgotten. A hash that is given is
// remembered for at least the next room others; one that was never given is taken for an earlier one with at most the rate of both.
//
// The alternative, one filter that fills up without end, comes to take every row for an earlier one.
type rowFilter struct {
	young, old *sketch.Bloom // old is nil until the first was full
	n, room    int64         // hashes in young, and how many it has room for
	share      float64       // the rate of false positives of each
	forgot     bool          // a filter was forgotten
}

// filterMargin is the part of a rate that filters are made for: their whole number of hash functions costs up to 6 %.
const filterMargin = 0.9

// leastFilter is how many rows a filter has to have room for: smaller ones miss their rates.
const leastFilter = 1000

// mostFilter is how many bits a filter has at most: what the sketch takes, but for the rounding of its size.
const mostFilter = 1<<33 - 1<<20

// filterRoom returns how many rows each filter of a rowFilter has room for that takes the given memory, and the rate of false
// positives of each. One of n rows takes n ln(1/p) / ln(2)^2 bits (Broder and Mitzenmacher, Network applications of Bloom
// filters, Internet Mathematics 2004, section 2).
func filterRoom(memory int64, rate float64) (room int64, share float64) {
	share = filterMargin * rate / 2
	bits := min(8*float64(memory/2), mostFilter)
	return int64(bits * math.Ln2 * math.Ln2 / -math.Log(share)), share
}

// newRowFilter returns an empty filter for memory of which filterRoom says that it has the room.
func newRowFilter(memory int64, rate float64) *rowFilter {
	f := &rowFilter{}
	f.room, f.share = filterRoom(memory, rate)
	f.young = must(sketch.NewBloom(uint64(f.room), f.share))
	return f
}

// first takes in a hash and reports whether it is not remembered.
func (f *rowFilter) first(h uint64) bool {
	known := f.old != nil && f.old.Has(h)
	if !f.young.AddIfAbsent(h) {
		return false
	}
	if f.n++; f.n == f.room {
		f.turn()
	}
	return !known
}

// turn forgets the old filter and begins a young one.
func (f *rowFilter) turn() {
	f.n = 0
	if f.old == nil {
		f.old, f.young = f.young, must(sketch.NewBloom(uint64(f.room), f.share))
		return
	}
	f.forgot = true
	f.old, f.young = f.young, f.old
	f.young.Reset()
}

func (f *rowFilter) save(w *stateWriter) {
	w.i64(f.n)
	w.bool(f.old != nil)
	w.bool(f.forgot)
	w.bytes(must(f.young.MarshalBinary()))
	if f.old != nil {
		w.bytes(must(f.old.MarshalBinary()))
	}
}

// load reads a state into an empty filter that was made for the same memory and rate.
func (f *rowFilter) load(r *stateReader) {
	f.n = r.i64()
	aged := r.bool()
	f.forgot = r.bool()
	r.require(f.n >= 0 && f.n < f.room)
	read := func(to *sketch.Bloom) {
		var from sketch.Bloom
		data := r.bytes()
		r.require(r.err == nil && from.UnmarshalBinary(data) == nil)
		if r.err == nil {
			r.require(to.Merge(&from) == nil)
		}
	}
	read(f.young)
	if aged && r.err == nil {
		f.old = must(sketch.NewBloom(uint64(f.room), f.share))
		read(f.old)
	}
}

// hashOf returns the hash of the key in row r: the same for keys that are equal. The row is memory that may be used.
func (t *keyTable) hashOf(cols []*tuple.Column, r uint16, row *[]byte) uint64 {
	switch c := cols[0]; {
	case len(t.types) > 1:
		key, same := t.encode((*row)[:0], cols, r)
		*row = key
		return hashBytes(key[:same])
	case !t.types[0].Bytes():
		return numberAt(c, r).hash()
	case c.IsNull(int(r)):
		return number{class: kindNull}.hash()
	default:
		return hashBytes(c.Str(int(r)))
	}
}

// hashAt returns the hash of key i, as hashOf does.
func (t *keyTable) hashAt(i int) uint64 {
	switch {
	case len(t.types) > 1:
		key := t.key(i)
		return hashBytes(key[:len(key)-t.shown()])
	case !t.types[0].Bytes():
		return t.number(i).hash()
	case i == t.null:
		return number{class: kindNull}.hash()
	}
	return hashBytes(t.key(i))
}
