package sketch

import (
	"cmp"
	"math"
	"slices"

	"github.com/aurora-dsms/aurora/synopsis"
)

// WeightedQuantile is Quantile for rows each of which stands for several: the value at quantile q is the least for which
// the weights up to and including it come to q of all. Its buckets and its bounds are those of Quantile, and as long as
// all weights are 1 so are its answers, digit for digit.
//
// Each bucket has the sum of w and that of w(w-1), which is the variance of its weight where w is the reciprocal of the
// probability with which a row was kept. EffectiveRows says how well the sample knows a quantile.
//
// The state is a function of the multiset of values and weights, up to the rounding of sums of weights. The zero value is
// empty. A group takes 32 bytes a value while exact, then 1 KiB an octave between its least and greatest magnitudes, four
// times what Quantile takes.
type WeightedQuantile struct {
	kept     []weightedNumber // while not dense
	pos, neg masses
	zeros    mass
	posInf   mass
	negInf   mass
	rows     int64
	least    Number // where rows > 0
	greatest Number
	sorted   bool
	dense    bool
	floating bool // some value was a float
	weighted bool // some weight was not 1
	largest  float64
}

// weightedNumber is a value as it came.
type weightedNumber struct {
	Number
	w float64
}

func (a weightedNumber) compare(b weightedNumber) int {
	if c := a.Compare(b.Number); c != 0 {
		return c
	}
	if a.IsInt != b.IsInt {
		if a.IsInt {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.w, b.w)
}

// AddInt adds v with weight w; weights outside (0, 2^62] are ignored.
func (s *WeightedQuantile) AddInt(v int64, w float64) { s.add(intNumber(v), w) }

// AddFloat adds x with weight w; weights outside (0, 2^62] are ignored, and so is NaN. -0 is 0.
func (s *WeightedQuantile) AddFloat(x, w float64) {
	if x == x {
		s.add(floatNumber(x+0), w)
	}
}

func (s *WeightedQuantile) add(v Number, w float64) {
	if !(w > 0 && w <= maxWeight) {
		return
	}
	s.note(v, v)
	s.rows++
	s.floating = s.floating || !v.IsInt
	s.weighted = s.weighted || w != 1
	s.largest = max(s.largest, w)
	if s.dense {
		s.count(v, massOf(w))
		return
	}
	s.kept = append(s.kept, weightedNumber{v, w})
	s.sorted = false
	s.spill()
}

// note extends the extremes, for which integers go before floats that are equal. It comes before rows are added.
func (s *WeightedQuantile) note(lo, hi Number) {
	if c := lo.Compare(s.least); s.rows == 0 || c < 0 || c == 0 && lo.IsInt {
		s.least = lo
	}
	if c := hi.Compare(s.greatest); s.rows == 0 || c > 0 || c == 0 && hi.IsInt {
		s.greatest = hi
	}
}

func (s *WeightedQuantile) spill() {
	if len(s.kept) > exactQuantile {
		s.condense()
	}
}

func (s *WeightedQuantile) condense() {
	s.dense = true
	s.sort() // sums of weights then do not depend on the order of values so far
	for _, v := range s.kept {
		s.count(v.Number, massOf(v.w))
	}
	s.kept = s.kept[:0]
}

// count puts a mass into the bucket of a value.
func (s *WeightedQuantile) count(v Number, m mass) {
	switch x := v.towardZero(); {
	case x == 0:
		s.zeros.add(m)
	case x > math.MaxFloat64:
		s.posInf.add(m)
	case x < -math.MaxFloat64:
		s.negInf.add(m)
	case x > 0:
		s.pos.add(bucketKey(math.Float64bits(x)), m)
	default:
		s.neg.add(bucketKey(math.Float64bits(-x)), m)
	}
}

// Count returns the number of values added.
func (s *WeightedQuantile) Count() int64 { return s.rows }

// Exact reports whether every quantile is the exact one of the values and weights added.
func (s *WeightedQuantile) Exact() bool { return !s.dense }

// Largest returns the largest weight, 0 where there is none.
func (s *WeightedQuantile) Largest() float64 { return s.largest }

// Weight returns the sum of all weights.
func (s *WeightedQuantile) Weight() float64 { return s.total().w }

// total returns the sum of all masses, in the order in which find goes through them.
func (s *WeightedQuantile) total() mass {
	if !s.dense {
		s.sort()
		var sum mass
		for i := range s.kept {
			sum.add(massOf(s.kept[i].w))
		}
		return sum
	}
	_, sum := s.find(math.Inf(1))
	return sum
}

// find returns the bucket in which the sum of weights reaches the target, and the sum of masses up to and including it.
func (s *WeightedQuantile) find(target float64) (b bucket, sum mass) {
	if sum.add(s.negInf); sum.w >= target {
		return bucket{-1, infiniteKey}, sum
	}
	for i := len(s.neg.cells) - 1; i >= 0; i-- {
		if sum.add(s.neg.cells[i]); sum.w >= target {
			return bucket{-1, s.neg.first + i}, sum
		}
	}
	if sum.add(s.zeros); sum.w >= target {
		return bucket{}, sum
	}
	for i := range s.pos.cells {
		if sum.add(s.pos.cells[i]); sum.w >= target {
			return bucket{1, s.pos.first + i}, sum
		}
	}
	sum.add(s.posInf)
	return bucket{1, infiniteKey}, sum
}

// position is the place of a quantile among the values.
type position struct {
	value, lo, hi Number
	upTo, all     mass
}

// targetSlack is what a sum of weights may be short of q of all: rounding of the sums must not take an answer to the
// next value.
const targetSlack = 0x1p-40

// locate returns the place of quantile q; there is at least one value.
func (s *WeightedQuantile) locate(q float64) (at position) {
	at.all = s.total()
	target := q * at.all.w * (1 - targetSlack)
	if !s.weighted {
		target = float64(Rank(q, s.rows))
	}
	if q >= 1 {
		target = math.Inf(1)
	}
	if !s.dense {
		for i := range s.kept {
			at.value = s.kept[i].Number
			if at.upTo.add(massOf(s.kept[i].w)); at.upTo.w >= target {
				break
			}
		}
		at.lo, at.hi = at.value, at.value
		return at
	}
	var b bucket
	b, at.upTo = s.find(target)
	switch {
	case q <= 0, !s.weighted && target <= 1:
		at.value, at.lo, at.hi = s.least, s.least, s.least
	case q >= 1, !s.weighted && target == float64(s.rows):
		at.value, at.lo, at.hi = s.greatest, s.greatest, s.greatest
	case s.floating:
		at.value, at.lo, at.hi = b.floatRange()
	default:
		at.value, at.lo, at.hi = b.intRange()
	}
	at.value = clampNumber(at.value, s.least, s.greatest)
	at.lo, at.hi = clampNumber(at.lo, s.least, s.greatest), clampNumber(at.hi, s.least, s.greatest)
	return at
}

// Quantile returns the value at quantile q; ok is false where there is none.
func (s *WeightedQuantile) Quantile(q float64) (v Number, ok bool) {
	if s.rows == 0 {
		return v, false
	}
	return s.locate(q).value, true
}

// Bounds returns the least that the value at quantile qLow can be, and the greatest that the value at quantile qHigh can be.
func (s *WeightedQuantile) Bounds(qLow, qHigh float64) (lo, hi Number, ok bool) {
	if s.rows == 0 {
		return lo, hi, false
	}
	return s.locate(qLow).lo, s.locate(qHigh).hi, true
}

// Interval returns the quantile of the values and weights added, with confidence 1; the zero estimate where there is
// no value. What the values are a sample of is not in it.
func (s *WeightedQuantile) Interval(q float64) synopsis.Estimate {
	if s.rows == 0 {
		return synopsis.Estimate{}
	}
	at := s.locate(q)
	return synopsis.Estimate{
		Value: at.value.Float(), Low: at.lo.Float(), High: at.hi.Float(), Confidence: 1,
		Exact: at.lo.Compare(at.hi) == 0,
	}
}

// EffectiveRows returns how many rows drawn with replacement know the quantile q as well as the values added do, where their
// weights are the reciprocals of the probabilities with which they were kept: synopsis.RankRows with the sums of w(w-1) on
// both sides of the quantile. largest is the greatest weight that rows may have had, those not kept included. It is
// infinite where all weights are 1.
func (s *WeightedQuantile) EffectiveRows(q, largest float64) float64 {
	if s.rows == 0 {
		return 0
	}
	at := s.locate(q)
	return synopsis.RankRows(q, at.all.w, at.upTo.spread, at.all.spread-at.upTo.spread, largest)
}

func (s *WeightedQuantile) sort() {
	if !s.sorted {
		slices.SortFunc(s.kept, weightedNumber.compare)
		s.sorted = true
	}
}

// Merge adds everything that o has seen. o is only read, or sorted.
func (s *WeightedQuantile) Merge(o *WeightedQuantile) {
	if o.rows == 0 {
		return
	}
	s.note(o.least, o.greatest)
	s.rows += o.rows
	s.floating = s.floating || o.floating
	s.weighted = s.weighted || o.weighted
	s.largest = max(s.largest, o.largest)
	if !o.dense && !s.dense {
		s.kept = append(s.kept, o.kept...)
		s.sorted = false
		s.spill()
		return
	}
	if !s.dense {
		s.condense()
	}
	o.sort()
	for _, v := range o.kept {
		s.count(v.Number, massOf(v.w))
	}
	s.zeros.add(o.zeros)
	s.posInf.add(o.posInf)
	s.negInf.add(o.negInf)
	s.pos.merge(&o.pos)
	s.neg.merge(&o.neg)
}

// Bytes returns the memory that s takes.
func (s *WeightedQuantile) Bytes() int {
	return 256 + 32*cap(s.kept) + 16*(cap(s.pos.cells)+cap(s.neg.cells))
}

// Reset empties s and keeps its arrays.
func (s *WeightedQuantile) Reset() {
	*s = WeightedQuantile{
		kept: s.kept[:0],
		pos:  masses{cells: s.pos.cells[:0]}, neg: masses{cells: s.neg.cells[:0]},
	}
}
