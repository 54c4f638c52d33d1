package sketch

import "math"

// logHist counts values by sign and logarithmic bucket; window.go describes and
// proves the buckets. It is a function of the multiset of values.
type logHist struct {
	// What each positive float touches lies in one line of the processor's cache.
	floats, ints       int64   // values of each kind, all counted in buckets as well
	minFloat, maxFloat float64 // where floats > 0
	pos                window
	minInt, maxInt     int64 // where ints > 0
	neg                window

	zeros, posInf, negInf int64
}

// addFloat adds x and reports whether it was a number.
func (h *logHist) addFloat(x float64) bool {
	w, u := &h.pos, math.Float64bits(x)
	if u&signBit != 0 {
		w, u = &h.neg, u&^signBit
	}
	// NaN and the infinities are above every window that has counts, zero and
	// subnormals below: they miss.
	i := u>>bucketShift - uint64(w.first)
	if i < uint64(len(w.counts)) && w.counts[i] != math.MaxUint32 {
		w.counts[i]++
	} else if !h.countFloat(x) {
		return false
	}
	if h.floats == 0 {
		h.minFloat, h.maxFloat = x, x
	}
	h.floats++
	if x < h.minFloat {
		h.minFloat = x
	}
	if x > h.maxFloat {
		h.maxFloat = x
	}
	return true
}

func (h *logHist) countFloat(x float64) bool {
	switch {
	case x == 0:
		h.zeros++
	case x > math.MaxFloat64:
		h.posInf++
	case x < -math.MaxFloat64:
		h.negInf++
	case x > 0:
		h.pos.add(bucketKey(math.Float64bits(x)), 1)
	case x < 0:
		h.neg.add(bucketKey(math.Float64bits(-x)), 1)
	default:
		return false
	}
	return true
}

func (h *logHist) addInt(v int64) {
	if h.ints == 0 {
		h.minInt, h.maxInt = v, v
	}
	h.ints++
	h.minInt = min(h.minInt, v)
	h.maxInt = max(h.maxInt, v)
	switch {
	case v > 0:
		h.countInt(&h.pos, uint64(v))
	case v < 0:
		h.countInt(&h.neg, -uint64(v))
	default:
		h.zeros++
	}
}

// countInt counts a magnitude.
func (h *logHist) countInt(w *window, magnitude uint64) {
	u := math.Float64bits(truncated(magnitude))
	i := u>>bucketShift - uint64(w.first)
	if i < uint64(len(w.counts)) && w.counts[i] != math.MaxUint32 {
		w.counts[i]++
		return
	}
	w.add(bucketKey(u), 1)
}

func (h *logHist) count() int64 { return h.ints + h.floats }

// least and greatest return the exact extremes; there is at least one value.
func (h *logHist) least() Number {
	lo := floatNumber(h.minFloat + 0) // -0 is 0
	if h.floats == 0 || h.ints > 0 && intNumber(h.minInt).Compare(lo) <= 0 {
		return intNumber(h.minInt)
	}
	return lo
}

func (h *logHist) greatest() Number {
	hi := floatNumber(h.maxFloat + 0)
	if h.floats == 0 || h.ints > 0 && intNumber(h.maxInt).Compare(hi) >= 0 {
		return intNumber(h.maxInt)
	}
	return hi
}

// bucket is a bucket of either sign; sign 0 is zero itself.
type bucket struct{ sign, key int }

// find returns the bucket that holds the value of the rank, in [1, count].
func (h *logHist) find(rank int64) bucket {
	if rank -= h.negInf; rank <= 0 {
		return bucket{-1, infiniteKey}
	}
	for i := h.neg.size() - 1; i >= 0; i-- {
		if rank -= h.neg.at(i); rank <= 0 {
			return bucket{-1, h.neg.first + i}
		}
	}
	if rank -= h.zeros; rank <= 0 {
		return bucket{}
	}
	for i := range h.pos.size() {
		if rank -= h.pos.at(i); rank <= 0 {
			return bucket{1, h.pos.first + i}
		}
	}
	return bucket{1, infiniteKey}
}

// locate returns the estimate of the value of the rank with certain bounds,
// which are also within the extremes. The first and the last rank are exact.
func (h *logHist) locate(rank int64) (value, lo, hi Number) {
	least, greatest := h.least(), h.greatest()
	switch rank {
	case 1:
		return least, least, least
	case h.count():
		return greatest, greatest, greatest
	}
	b := h.find(rank)
	if h.floats == 0 {
		value, lo, hi = b.intRange()
	} else {
		value, lo, hi = b.floatRange()
	}
	return clampNumber(value, least, greatest), clampNumber(lo, least, greatest), clampNumber(hi, least, greatest)
}

func clampNumber(v, lo, hi Number) Number {
	switch {
	case v.Compare(lo) < 0:
		return lo
	case v.Compare(hi) > 0:
		return hi
	}
	return v
}

func (b bucket) floatRange() (value, lo, hi Number) {
	if b.sign == 0 {
		return floatNumber(0), floatNumber(0), floatNumber(0)
	}
	inner, outer := bucketEdges(b.key)
	middle := bucketMiddle(b.key)
	if b.sign < 0 {
		return floatNumber(-middle), floatNumber(-outer), floatNumber(-inner)
	}
	return floatNumber(middle), floatNumber(inner), floatNumber(outer)
}

// intRange returns the middle, least and greatest of the integers in the bucket,
// one of which it holds. Buckets below 128 hold one.
func (b bucket) intRange() (value, lo, hi Number) {
	if b.sign == 0 {
		return intNumber(0), intNumber(0), intNumber(0)
	}
	inner, above := bucketEdges(b.key)
	from := uint64(math.Ceil(inner))
	to := max(from, uint64(math.Ceil(above))-1)
	middle := from + (to-from)/2
	if b.sign < 0 {
		return negated(middle), negated(to), negated(from)
	}
	return saturated(middle), saturated(from), saturated(to)
}

func saturated(magnitude uint64) Number { return intNumber(int64(min(magnitude, math.MaxInt64))) }

func negated(magnitude uint64) Number { return intNumber(-int64(min(magnitude, signBit))) }

// merge adds everything that o has counted.
func (h *logHist) merge(o *logHist) {
	if o.ints > 0 {
		if h.ints == 0 {
			h.minInt, h.maxInt = o.minInt, o.maxInt
		}
		h.minInt, h.maxInt = min(h.minInt, o.minInt), max(h.maxInt, o.maxInt)
	}
	if o.floats > 0 {
		if h.floats == 0 {
			h.minFloat, h.maxFloat = o.minFloat, o.maxFloat
		}
		h.minFloat, h.maxFloat = min(h.minFloat, o.minFloat), max(h.maxFloat, o.maxFloat)
	}
	h.ints += o.ints
	h.floats += o.floats
	h.zeros += o.zeros
	h.posInf += o.posInf
	h.negInf += o.negInf
	h.pos.merge(&o.pos)
	h.neg.merge(&o.neg)
}

func (h *logHist) reset() {
	pos, neg := h.pos, h.neg
	pos.reset()
	neg.reset()
	*h = logHist{pos: pos, neg: neg}
}
