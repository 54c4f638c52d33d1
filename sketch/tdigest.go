package sketch

import (
	"fmt"
	"math"
	"slices"

	"github.com/influxdata/tdigest"

	"github.com/aurora-dsms/aurora/synopsis"
)

const (
	minCompression, maxCompression = 20, 1000
	defaultCompression             = 100

	// exactDigest is how many values are kept as they are.
	exactDigest = 256

	// digestScale keeps the library's differences of means, times weights up to
	// maxWeight, within the range of float64. Being a power of two it is exact,
	// save below 1e-288, where values lose digits.
	digestScale = 0x1p-66

	// maxWeight is far above any count, and keeps sums of weights finite.
	maxWeight = 0x1p62

	// digestRankError is the rank error that is seldom exceeded: 1e-3 on smooth
	// inputs, 3e-3 with ties.
	digestRankError = 3e-3

	// digestTop is where the library's Quantile is not asked: at 1 rounding takes
	// it past its last centroid.
	digestTop = 1 - 1e-9
)

// TDigest answers quantiles with sharp tails by the merging t-digest of Dunning
// and Ertl in influxdata's implementation.
//
// No theorem bounds its error: on adversarial inputs of wide range ranks are off
// by tens of per cent. Quantile and KLL have bounds. It is exact to 256 values of
// weight 1, nearest rank; later answers are interpolated between centroids. The
// least, the greatest and infinite values are always exact, and answers lie
// between the least and the greatest. The order of values and of merges shows in
// the answers. NaN is ignored. 2 KiB while exact, 20 KiB at compression 100.
type TDigest struct {
	values         []float64 // while not spilled
	digest         *tdigest.TDigest
	weight         float64 // of the finite values
	negInf, posInf float64 // weights of the infinities
	least          float64 // finite; where weight > 0
	greatest       float64
	compression    int
	spilled        bool
	sorted         bool
}

// NewTDigest returns an empty digest of about compression centroids, between 20
// and 1000; 0 is the default, 100.
func NewTDigest(compression int) (*TDigest, error) {
	if compression == 0 {
		compression = defaultCompression
	}
	if compression < minCompression || compression > maxCompression {
		return nil, fmt.Errorf("compression %d is not within [%d, %d]", compression, minCompression, maxCompression)
	}
	return &TDigest{compression: compression}, nil
}

// Add adds x with weight 1.
func (t *TDigest) Add(x float64) { t.AddWeighted(x, 1) }

// AddWeighted adds x with weight w; weights outside (0, 2^62] are ignored.
func (t *TDigest) AddWeighted(x, w float64) {
	if !(w > 0 && w <= maxWeight) || x != x {
		return
	}
	switch {
	case x > math.MaxFloat64:
		t.posInf += w
		return
	case x < -math.MaxFloat64:
		t.negInf += w
		return
	}
	x += 0 // -0 is 0
	t.widen(x, x)
	t.weight += w
	if !t.spilled && (w != 1 || len(t.values) >= exactDigest) {
		t.spill()
	}
	if t.spilled {
		t.digest.Add(x*digestScale, w)
		return
	}
	t.values = append(t.values, x)
	t.sorted = false
}

// widen extends the extremes. It comes before the weight is added.
func (t *TDigest) widen(lo, hi float64) {
	if t.weight == 0 {
		t.least, t.greatest = lo, hi
	}
	t.least = min(t.least, lo)
	t.greatest = max(t.greatest, hi)
}

func (t *TDigest) spill() {
	if t.digest == nil {
		t.digest = tdigest.NewWithCompression(float64(t.compression))
	}
	t.spilled = true
	for _, x := range t.values {
		t.digest.Add(x*digestScale, 1)
	}
	t.values = t.values[:0]
}

// Merge adds everything that o has seen. o's answers stay; its buffers may be
// compacted.
func (t *TDigest) Merge(o *TDigest) error {
	if t.compression != o.compression {
		return fmt.Errorf("%w: compression %d and %d", ErrMismatch, t.compression, o.compression)
	}
	t.negInf += o.negInf
	t.posInf += o.posInf
	if !o.spilled {
		for _, x := range o.values {
			t.Add(x)
		}
		return nil
	}
	if !t.spilled {
		t.spill()
	}
	t.widen(o.least, o.greatest)
	t.weight += o.weight
	t.digest.Merge(o.digest)
	return nil
}

// Weight returns the total weight added, which is the count where all are 1.
func (t *TDigest) Weight() float64 { return t.negInf + t.weight + t.posInf }

// Exact reports whether every quantile is the exact nearest-rank value.
func (t *TDigest) Exact() bool {
	return !t.spilled && t.negInf == math.Trunc(t.negInf) && t.posInf == math.Trunc(t.posInf)
}

// Quantile returns the value at quantile q, within [0, 1]; ok is false where
// there is none.
func (t *TDigest) Quantile(q float64) (v float64, ok bool) {
	total := t.Weight()
	if !(total > 0) {
		return 0, false
	}
	if t.Exact() {
		return t.pick(Rank(q, int64(total))), true
	}
	target := min(max(q, 0), 1) * total
	switch {
	case t.negInf > 0 && target <= t.negInf:
		return math.Inf(-1), true
	case t.posInf > 0 && target > t.negInf+t.weight, t.weight == 0:
		return math.Inf(1), true
	}
	return t.finite((target - t.negInf) / t.weight), true
}

func (t *TDigest) sort() {
	if !t.sorted {
		slices.Sort(t.values)
		t.sorted = true
	}
}

func (t *TDigest) pick(rank int64) float64 {
	t.sort()
	switch i := rank - 1 - int64(t.negInf); {
	case i < 0:
		return math.Inf(-1)
	case i >= int64(len(t.values)):
		return math.Inf(1)
	default:
		return t.values[i]
	}
}

// finite returns the quantile of the finite values.
func (t *TDigest) finite(q float64) float64 {
	switch {
	case q <= 0:
		return t.least
	case q >= 1:
		return t.greatest
	}
	if !t.spilled {
		t.sort()
		return t.values[Rank(q, int64(len(t.values)))-1]
	}
	v := t.digest.Quantile(min(q, digestTop)) / digestScale
	return min(max(v, t.least), t.greatest)
}

// Bounds returns the values at the quantiles qLow - 0.003 and qHigh + 0.003, of whose ranks no more than experience is
// known.
func (t *TDigest) Bounds(qLow, qHigh float64) (lo, hi float64, ok bool) {
	slack := digestRankError
	if t.Exact() {
		slack = 0
	}
	lo, ok = t.Quantile(qLow - slack)
	hi, _ = t.Quantile(qHigh + slack)
	return lo, hi, ok
}

// Interval returns the quantile and those at q ± 0.003, confidence 0: the range
// is experience, not a bound. It is the zero estimate where there is no value.
func (t *TDigest) Interval(q float64) synopsis.Estimate {
	v, ok := t.Quantile(q)
	switch {
	case !ok:
		return synopsis.Estimate{}
	case t.Exact():
		return synopsis.Exactly(v)
	}
	lo, hi, _ := t.Bounds(q, q)
	return synopsis.Estimate{Value: v, Low: min(lo, v), High: max(hi, v)}
}

// Bytes returns the memory that t takes, once it is spilled that of the library's buffers too: 2c and 8c centroids of
// 16 bytes, and 2c sums.
func (t *TDigest) Bytes() int {
	n := 128 + 8*cap(t.values)
	if t.digest != nil {
		n += 176*t.compression + 128
	}
	return n
}

// Reset empties t and keeps its arrays.
func (t *TDigest) Reset() {
	if t.spilled {
		t.digest.Reset()
	}
	*t = TDigest{values: t.values[:0], digest: t.digest, compression: t.compression}
}
