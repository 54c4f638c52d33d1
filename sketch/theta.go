package sketch

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/aurora-dsms/aurora/synopsis"
)

const (
	// defaultTheta is how many hashes are kept: relative s.d. 1.56 %, 64 KiB to 128 KiB.
	defaultTheta               = 1 << 12
	minTheta, maxTheta         = 16, 1 << 18
	everything                 = math.MaxUint64
	thetaSlots                 = 16 // the least of them
	thetaStep          float64 = 0x1p-64
)

// Theta counts distinct values by the least of their 64-bit hashes, and stays right where values were dropped by a
// threshold on the same hash (Bar-Yossef et al., 2002; Dasgupta, Lang, Rhodes and Thaler, ICDT 2016). It keeps the
// hashes below theta: at first all of them; once there are more than its capacity k, theta is the k+1-st least. The
// number of distinct values is the number of hashes kept over theta, taken as a fraction of 2^64.
//
// A universe drop keeps the values whose hash is below a threshold of its own. Limit says so: theta falls to the threshold
// if it was above, and as thresholds of one hash are nested, the smallest that was in force while values came rules.
//
// The state is a function of the set of hashes and of the smallest limit: merges are exact, order does not show, and adding
// or merging something again changes nothing. The count is exact while theta is all of 2^64. Hashes must be well
// mixed, as those of this package are, and the ones that the drop used.
type Theta struct {
	slots    []uint64 // open addressing; 0 is free
	n        int      // hashes kept, 0 included
	capacity int
	top      uint64 // the greatest hash that is kept: theta - 1
	zero     bool   // the hash 0 is kept
	scratch  []uint64
}

// NewTheta returns an empty counter whose relative standard deviation is at most relError, between 0.002 and 0.25; 0 is
// the default, 0.0157.
func NewTheta(relError float64) (*Theta, error) {
	k := float64(defaultTheta)
	if relError != 0 {
		k = math.Ceil(1/(relError*relError)) + 1
	}
	if !(relError >= 0 && relError <= 0.25 && k <= maxTheta) {
		return nil, fmt.Errorf("relative error %v is not within [0.002, 0.25]", relError)
	}
	return &Theta{capacity: max(int(k), minTheta), top: everything}, nil
}

// AddHash adds the value whose hash is h.
func (t *Theta) AddHash(h uint64) {
	if h > t.top || !t.insert(h) {
		return
	}
	// Twice as many are let in before theta falls, so that it falls seldom.
	if t.n >= 2*t.capacity {
		t.settle()
	}
}

// Limit says that only values whose hash is below a share theta of 2^64 came, or were let through, from here on or
// before; theta is within (0, 1].
func (t *Theta) Limit(theta float64) { t.cut(ThetaTop(theta)) }

// ThetaTop returns the greatest hash that is below the share theta of 2^64: the universe drop with this share keeps a
// value iff its hash is not greater.
func ThetaTop(theta float64) uint64 {
	switch x := math.Ceil(theta / thetaStep); {
	case x >= 0x1p64:
		return everything
	case x >= 1:
		return uint64(x) - 1
	}
	return 0
}

// cut drops the hashes above top.
func (t *Theta) cut(top uint64) {
	if top >= t.top {
		return
	}
	t.top = top
	t.rebuild(t.members())
}

// settle lowers theta to the k+1-st least hash where more than k are kept.
func (t *Theta) settle() {
	if t.n <= t.capacity {
		return
	}
	hashes := t.members()
	slices.Sort(hashes)
	t.top = hashes[t.capacity] - 1
	t.rebuild(hashes[:t.capacity])
}

// members returns the hashes kept, in no stated order, in the scratch array.
func (t *Theta) members() []uint64 {
	t.scratch = t.scratch[:0]
	if t.zero {
		t.scratch = append(t.scratch, 0)
	}
	for _, h := range t.slots {
		if h != 0 {
			t.scratch = append(t.scratch, h)
		}
	}
	return t.scratch
}

// rebuild makes the hashes that theta allows the ones that are kept.
func (t *Theta) rebuild(hashes []uint64) {
	clear(t.slots)
	t.n, t.zero = 0, false
	for _, h := range hashes {
		if h <= t.top {
			t.insert(h)
		}
	}
}

// insert reports whether h is new.
func (t *Theta) insert(h uint64) bool {
	if h == 0 {
		fresh := !t.zero
		if fresh {
			t.zero = true
			t.n++
		}
		return fresh
	}
	if 4*t.n >= 3*len(t.slots) {
		t.grow()
	}
	if !t.place(h) {
		return false
	}
	t.n++
	return true
}

// place puts h into its slot and reports whether it is new. Where hashes are all small their upper bits are alike, so
// slots go by the lower ones.
func (t *Theta) place(h uint64) bool {
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		switch t.slots[i] {
		case h:
			return false
		case 0:
			t.slots[i] = h
			return true
		}
	}
}

func (t *Theta) grow() {
	old := t.slots
	t.slots = make([]uint64, max(thetaSlots, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			t.place(h)
		}
	}
}

// Merge adds everything that o has seen, and the smaller theta rules. o is only read.
func (t *Theta) Merge(o *Theta) error {
	if t.capacity != o.capacity {
		return fmt.Errorf("%w: capacity %d and %d", ErrMismatch, t.capacity, o.capacity)
	}
	t.cut(o.top)
	if o.zero {
		t.AddHash(0)
	}
	for _, h := range o.slots {
		if h != 0 {
			t.AddHash(h)
		}
	}
	return nil
}

// Exact reports whether Estimate is the number of distinct hashes.
func (t *Theta) Exact() bool { return t.top == everything && t.n <= t.capacity }

// Kept returns the number of distinct hashes below theta, which are certain.
func (t *Theta) Kept() int64 {
	t.settle()
	return int64(t.n)
}

// Theta returns the share of hashes that are kept.
func (t *Theta) Theta() float64 {
	t.settle()
	return t.share()
}

func (t *Theta) share() float64 {
	if t.top == everything {
		return 1
	}
	return (float64(t.top) + 1) * thetaStep
}

// Estimate returns the number of distinct values.
func (t *Theta) Estimate() float64 {
	t.settle()
	return math.Round(float64(t.n) / t.share())
}

// Interval returns KeptInterval of the hashes kept. Where theta is the k+1-st least hash it holds as well, by the same
// tails.
func (t *Theta) Interval(confidence float64) synopsis.Estimate {
	t.settle()
	return KeptInterval(float64(t.n), t.share(), confidence)
}

// KeptInterval returns the number of things of which n were kept, each with probability p within (0, 1]: n/p, with the
// numbers D for which it is not improbable that as few, or as many, as n are kept. It is Clopper and Pearson's interval
// for a binomial count of D trials, solved for D.
func KeptInterval(n, p, confidence float64) synopsis.Estimate {
	if p >= 1 {
		return synopsis.Exactly(n)
	}
	tail := (1 - confidence) / 2
	e := synopsis.Estimate{Value: math.Round(n / p), Low: n, Confidence: confidence}
	if n > 0 {
		// P(at least n of D) = I_p(n, D-n+1), which rises with D.
		e.Low = max(n, math.Floor(solveTrials(n, n/p, func(d float64) bool {
			return mathext.RegIncBeta(n, d-n+1, p) >= tail
		})))
	}
	// P(at most n of D) = 1 - I_p(n+1, D-n), which falls with D.
	e.High = math.Ceil(solveTrials(n, max(n, 1)/p, func(d float64) bool {
		return d > n && mathext.RegIncBeta(n+1, d-n, p) >= 1-tail
	}))
	return e
}

// solveTrials returns the least number of trials, from least on, that satisfies a condition which then holds for all
// greater ones; scale is its order of magnitude.
func solveTrials(least, scale float64, holds func(d float64) bool) float64 {
	lo, hi := least, least+scale
	for !holds(hi) {
		lo, hi = hi, hi+2*(hi-least)
		if hi > 0x1p200 {
			return math.Inf(1)
		}
	}
	for range 60 {
		middle := lo + (hi-lo)/2
		if holds(middle) {
			hi = middle
		} else {
			lo = middle
		}
	}
	return hi
}

// RelativeError returns the relative standard deviation of estimates from more than the capacity, without a limit.
func (t *Theta) RelativeError() float64 { return 1 / math.Sqrt(float64(t.capacity-1)) }

// Bytes returns the memory that t takes.
func (t *Theta) Bytes() int { return 96 + 8*(cap(t.slots)+cap(t.scratch)) }

// Reset empties t, theta being everything again, and keeps its arrays.
func (t *Theta) Reset() {
	clear(t.slots)
	t.n, t.zero, t.top = 0, false, everything
}
