package sketch

import (
	"math"
	"slices"

	"github.com/aurora-dsms/aurora/synopsis"
)

// exactQuantile is how many values are kept as they are. They take 2 KiB, as
// much as counts over eight octaves.
const exactQuantile = 256

// Quantile answers nearest-rank quantiles: the value at rank ceil(q*n). It is
// exact up to 256 values, and later within 1/128 (0.78 %) of that value, by a
// histogram of 64 buckets an octave; zeros, infinities, the least and the
// greatest value, and integers below 128 stay exact, and an answer lies between
// the least and the greatest. The bound always holds; window.go has the proof.
//
// Integers and floats may come mixed. While there are only integers answers are
// integers, of any length. The state is a function of the multiset of values, so
// merges are exact. The zero value is empty. A group takes 8 bytes a value while
// exact, then 256 bytes an octave between its least and greatest magnitudes: 10
// octaves are a factor of a thousand, all of float64 takes 512 KiB a sign.
type Quantile struct {
	ints   []int64 // while not dense
	floats []float64
	sorted bool
	asked  bool // since the last reset
	dense  bool
	hist   *logHist
}

// AddInt adds v.
func (s *Quantile) AddInt(v int64) {
	if s.dense {
		s.hist.addInt(v)
		return
	}
	s.ints = append(s.ints, v)
	s.sorted = false
	s.spill()
}

// AddFloat adds x. NaN is ignored, and -0 is 0.
func (s *Quantile) AddFloat(x float64) {
	if s.dense {
		// What addFloat does for a value in the middle of those seen.
		h := s.hist
		i := math.Float64bits(x)>>bucketShift - uint64(h.pos.first)
		if counts := h.pos.counts; i < uint64(len(counts)) && counts[i] != math.MaxUint32 && x >= h.minFloat && x <= h.maxFloat && h.floats > 0 {
			counts[i]++
			h.floats++
			return
		}
		h.addFloat(x)
		return
	}
	if x != x {
		return
	}
	s.floats = append(s.floats, x+0)
	s.sorted = false
	s.spill()
}

// spill moves the values into the histogram where they have become too many.
func (s *Quantile) spill() {
	if len(s.ints)+len(s.floats) > exactQuantile {
		s.condense()
	}
}

func (s *Quantile) condense() {
	if s.hist == nil {
		s.hist = new(logHist)
	}
	s.dense = true
	s.replay(s.hist)
	s.ints, s.floats = s.ints[:0], s.floats[:0]
}

func (s *Quantile) replay(h *logHist) {
	for _, v := range s.ints {
		h.addInt(v)
	}
	for _, x := range s.floats {
		h.addFloat(x)
	}
}

// Count returns the number of values added.
func (s *Quantile) Count() int64 {
	if s.dense {
		return s.hist.count()
	}
	return int64(len(s.ints) + len(s.floats))
}

// Exact reports whether every quantile is the exact nearest-rank value.
func (s *Quantile) Exact() bool { return !s.dense }

// Quantile returns the value at rank Rank(q, n); ok is false where there is none.
func (s *Quantile) Quantile(q float64) (v Number, ok bool) {
	v, _, _, ok = s.at(q)
	return v, ok
}

// Bounds returns the least that the value at rank Rank(qLow, n) can be, and the greatest that the value at rank
// Rank(qHigh, n) can be. With ranks between which a quantile of a whole lies of which s holds a sample, they are bounds of that.
func (s *Quantile) Bounds(qLow, qHigh float64) (lo, hi Number, ok bool) {
	_, lo, hi, ok = s.at(qLow)
	if qHigh != qLow {
		_, _, hi, _ = s.at(qHigh)
	}
	return lo, hi, ok
}

// Interval returns Quantile and Bounds as floats, with confidence 1; the zero
// estimate where there is no value.
func (s *Quantile) Interval(q float64) synopsis.Estimate {
	v, lo, hi, ok := s.at(q)
	if !ok {
		return synopsis.Estimate{}
	}
	return synopsis.Estimate{
		Value: v.Float(), Low: lo.Float(), High: hi.Float(), Confidence: 1,
		Exact: lo.Compare(hi) == 0,
	}
}

func (s *Quantile) at(q float64) (v, lo, hi Number, ok bool) {
	n := s.Count()
	if n == 0 {
		return v, lo, hi, false
	}
	rank := Rank(q, n)
	if s.dense {
		v, lo, hi = s.hist.locate(rank)
		return v, lo, hi, true
	}
	v = s.pick(int(rank))
	return v, v, v, true
}

func (s *Quantile) sort() {
	if !s.sorted {
		slices.Sort(s.ints)
		slices.Sort(s.floats)
		s.sorted = true
	}
}

// pick returns the value of the rank among those kept. The lists are sorted for a
// second question; most are asked one.
func (s *Quantile) pick(rank int) Number {
	if !s.asked {
		s.asked = true
		switch {
		case len(s.ints) == 0:
			return floatNumber(nth(s.floats, rank-1))
		case len(s.floats) == 0:
			return intNumber(nth(s.ints, rank-1))
		}
	}
	s.sort()
	return s.merged(rank)
}

// merged merges the two sorted lists, integers first among equals, up to the rank.
func (s *Quantile) merged(rank int) Number {
	i, f := 0, 0
	for {
		takeInt := f == len(s.floats) || i < len(s.ints) && compareIntFloat(s.ints[i], s.floats[f]) <= 0
		if i+f+1 == rank {
			if takeInt {
				return intNumber(s.ints[i])
			}
			return floatNumber(s.floats[f])
		}
		if takeInt {
			i++
		} else {
			f++
		}
	}
}

// Merge adds everything that o has seen. o is only read.
func (s *Quantile) Merge(o *Quantile) {
	switch {
	case o.dense:
		if !s.dense {
			s.condense()
		}
		s.hist.merge(o.hist)
	case s.dense:
		o.replay(s.hist)
	default:
		s.ints = append(s.ints, o.ints...)
		s.floats = append(s.floats, o.floats...)
		s.sorted = false
		s.spill()
	}
}

// Bytes returns the memory that s takes.
func (s *Quantile) Bytes() int {
	n := 64 + 8*(cap(s.ints)+cap(s.floats))
	if s.hist != nil {
		n += 192 + s.hist.pos.bytes() + s.hist.neg.bytes()
	}
	return n
}

// Reset empties s and keeps its arrays.
func (s *Quantile) Reset() {
	s.ints, s.floats = s.ints[:0], s.floats[:0]
	if s.dense {
		s.hist.reset()
	}
	s.sorted, s.asked, s.dense = false, false, false
}
