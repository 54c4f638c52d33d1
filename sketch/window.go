package sketch

import (
	"math"
	"math/bits"
)

// Buckets of the log-histogram.
//
// A bucket is an interval of positive floats that share the exponent and the
// six leading bits of the mantissa: 64 an octave, all of the width that the
// octave's lower end is 64 times of. Its key is the float's upper 17 bits, so
// that bucketing is one shift. Subnormal numbers continue the scale downwards
// by their leading bit, where a shift of the float's bits would be linear; with
// seven or fewer significant bits they have a bucket each.
//
// Proof of the bound. Let v lie in [a, a+w), w = a'/64 with a' = 2^e <= a. The
// middle m = a + w/2 differs from v by at most w/2 = a'/128 <= v/128. A subnormal
// bucket holds integers in units of 2^-1074 and the same holds for the middle
// rounded down. Values keep their order across buckets, so the bucket that holds
// the rank holds the value of that rank: the answer is within v/128 of it.
const (
	bucketShift  = 46 // 52 bits of mantissa less the six that are kept
	octave       = 64
	firstNormal  = octave          // key of the least normal float
	lastFinite   = 2047*octave - 1 // key of the greatest finite float
	infiniteKey  = lastFinite + 1  // key of the infinity
	firstBucket  = -51 * octave    // key of the least subnormal float
	signBit      = 1 << 63
	implicitBit  = 1 << 52
	mantissaBits = 52
)

// bucketKey returns the key of the positive float that has these bits.
func bucketKey(u uint64) int {
	if u >= implicitBit {
		return int(u >> bucketShift)
	}
	lead := bits.Len64(u) - 1
	return (lead-mantissaBits+1)*octave + int(u<<(mantissaBits-lead)>>bucketShift&(octave-1))
}

// bucketStart returns the bits of the least float of the bucket.
func bucketStart(key int) uint64 {
	if key >= firstNormal {
		return uint64(key) << bucketShift
	}
	lead := key>>6 + mantissaBits - 1
	significant := uint64(octave + key&(octave-1))
	if lead >= 6 {
		return significant << (lead - 6)
	}
	return (significant + 1<<(6-lead) - 1) >> (6 - lead)
}

// bucketMiddle returns the float in the middle of the bucket, which has few digits: 98.5. Of subnormal buckets it is
// rounded down.
func bucketMiddle(key int) float64 {
	if key >= infiniteKey {
		return math.Inf(1)
	}
	lo, above := bucketStart(key), bucketStart(key+1)
	return math.Float64frombits(lo + (above-lo)/2)
}

// bucketEdges returns the least float of the bucket and the least above it.
func bucketEdges(key int) (lo, above float64) {
	if key >= infiniteKey {
		return math.Inf(1), math.Inf(1)
	}
	return math.Float64frombits(bucketStart(key)), math.Float64frombits(bucketStart(key + 1))
}

// window counts values per bucket over a contiguous range of keys that grows as
// needed, whole octaves at a time and by at least a quarter, so that growth is
// amortised and a group of narrow range stays small: 256 bytes an octave.
//
// Counts are 32 bits wide until one overflows or a subnormal key comes; then all
// become 64 bits. While counts is in use, its keys are those of normal floats:
// the fast path of logHist relies on it.
type window struct {
	first  int // key of the first count
	counts []uint32
	wide   []uint64
}

func (w *window) size() int { return len(w.counts) + len(w.wide) }

func (w *window) bytes() int { return 4*cap(w.counts) + 8*cap(w.wide) }

func (w *window) at(i int) int64 {
	if w.wide != nil {
		return int64(w.wide[i])
	}
	return int64(w.counts[i])
}

// add counts weight values in the bucket.
func (w *window) add(key int, weight uint64) {
	if i := key - w.first; i < 0 || i >= w.size() {
		w.cover(key, key)
	}
	i := key - w.first
	if w.wide == nil {
		if sum := uint64(w.counts[i]) + weight; sum <= math.MaxUint32 {
			w.counts[i] = uint32(sum)
			return
		}
		w.widen()
	}
	w.wide[i] += weight
}

// cover extends the window to the keys from lo to hi.
func (w *window) cover(lo, hi int) {
	if lo < firstNormal {
		w.widen()
	}
	least := firstNormal
	if w.wide != nil {
		least = firstBucket
	}
	from, to := widened(w.first, w.size(), lo, hi, least)
	shift := w.first - from
	if w.wide != nil {
		w.wide = stretch(w.wide, to-from, shift)
	} else {
		w.counts = stretch(w.counts, to-from, shift)
	}
	w.first = from
}

// widened returns the range of keys, not below least, of a window of n keys from first on that has to reach from lo to hi.
func widened(first, n, lo, hi, least int) (from, to int) {
	from, to = lo, hi+1
	if n > 0 {
		from, to = first, first+n
		if lo < from {
			from = max(least, min(lo, from-n/4))
		}
		if hi >= to {
			to = min(infiniteKey, max(hi+1, to+n/4))
		}
	}
	return from &^ (octave - 1), (to + octave - 1) &^ (octave - 1)
}

// stretch returns counts moved up by shift in a slice of n, in place where the
// capacity allows.
func stretch[T any](counts []T, n, shift int) []T {
	old := len(counts)
	if old == 0 {
		shift = 0
	}
	if n > cap(counts) {
		grown := make([]T, n)
		copy(grown[shift:], counts)
		return grown
	}
	counts = counts[:n]
	copy(counts[shift:], counts[:old])
	clear(counts[:shift])
	clear(counts[shift+old:])
	return counts
}

func (w *window) widen() {
	if w.wide != nil {
		return
	}
	w.wide = make([]uint64, len(w.counts))
	for i, c := range w.counts {
		w.wide[i] = uint64(c)
	}
	w.counts = nil
}

// occupied returns the window's keys less the empty ones at both ends.
func (w *window) occupied() (from, to int) {
	for to = w.size(); to > 0 && w.at(to-1) == 0; to-- {
	}
	for from < to && w.at(from) == 0 {
		from++
	}
	return w.first + from, w.first + to
}

func (w *window) merge(o *window) {
	from, to := o.occupied()
	if from == to {
		return
	}
	if w.size() == 0 || from < w.first || to > w.first+w.size() {
		w.cover(from, to-1)
	}
	for key := from; key < to; key++ {
		if c := o.at(key - o.first); c != 0 {
			w.add(key, uint64(c))
		}
	}
}

// reset forgets the range too: the next group's may lie elsewhere.
func (w *window) reset() { w.counts, w.wide, w.first = w.counts[:0], nil, 0 }
