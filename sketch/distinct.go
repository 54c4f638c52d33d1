package sketch

import (
	"fmt"
	"math"

	"github.com/axiomhq/hyperloglog"

	"github.com/aurora-dsms/aurora/synopsis"
)

const (
	// exactDistinct is how many distinct values are kept as they are. At twice
	// that many slots of eight bytes the set costs half of a dense sketch, so a
	// sparse form between the two would save a factor of two at best, for
	// insertions ten to a hundred times as slow.
	exactDistinct = 512

	// defaultPrecision is 2^14 registers: relative s.d. 0.81 %, the least that
	// keeps it below 1 %, in 16 KiB a group.
	defaultPrecision = 14

	minPrecision, maxPrecision = 4, 18

	// hllSigma is the relative standard deviation times the root of the number
	// of registers. TestDistinctKeepsItsPromisedError holds intervals to it.
	hllSigma = 1.04
)

// Distinct counts distinct values by their 64-bit hashes: exactly up to 512,
// then by HyperLogLog. The zero value is empty and has the default precision.
//
// A group takes 64 bytes, as many again for up to 6 values, 8 KiB from 193 to 512, and
// 2^p bytes (16 KiB by default) beyond, when the set is let go. The state is a
// function of the set of hashes, so that merges are exact and order does not
// matter.
type Distinct struct {
	set       hashSet
	registers *hyperloglog.Sketch
	estimate  int64 // where current
	current   bool
	dense     bool
	precision uint8 // 0 is the default
}

// NewDistinct returns an empty counter whose relative standard deviation is at
// most relError, between 0.00204 and 0.26; 0 is the default, 0.0081.
func NewDistinct(relError float64) (*Distinct, error) {
	if relError == 0 {
		return &Distinct{precision: defaultPrecision}, nil
	}
	p := math.Ceil(2 * math.Log2(hllSigma/relError))
	if !(relError > 0 && relError <= 0.26 && p <= maxPrecision) {
		return nil, fmt.Errorf("relative error %v is not within [0.00204, 0.26]", relError)
	}
	return &Distinct{precision: uint8(max(p, minPrecision))}, nil
}

func (d *Distinct) bits() uint8 {
	if d.precision == 0 {
		return defaultPrecision
	}
	return d.precision
}

// AddHash adds the value whose hash is h. Any injective h will do: it is mixed here.
func (d *Distinct) AddHash(h uint64) {
	h = remix(h)
	if !d.dense {
		d.addExact(h)
		return
	}
	d.current = false
	d.registers.InsertHash(h)
}

func (d *Distinct) addExact(h uint64) {
	if d.set.add(h) && d.set.n > exactDistinct {
		d.densify()
	}
}

func (d *Distinct) addMixed(h uint64) {
	if !d.dense {
		d.addExact(h)
		return
	}
	d.current = false
	d.registers.InsertHash(h)
}

// densify moves the set into registers and lets its array go.
func (d *Distinct) densify() {
	if d.registers == nil {
		r, err := hyperloglog.NewSketch(d.bits(), false)
		if err != nil {
			panic(err) // the precision was checked when it was set
		}
		d.registers = r
	}
	if d.set.zero {
		d.registers.InsertHash(0)
	}
	for _, h := range d.set.members() {
		d.registers.InsertHash(h)
	}
	d.set.release()
	d.dense, d.current = true, false
}

// Merge adds everything that o has seen. o is only read.
func (d *Distinct) Merge(o *Distinct) error {
	if d.bits() != o.bits() {
		return fmt.Errorf("%w: precision %d and %d", ErrMismatch, d.bits(), o.bits())
	}
	if !o.dense {
		o.set.each(d.addMixed)
		return nil
	}
	if !d.dense {
		d.densify()
	}
	d.current = false
	return d.registers.Merge(o.registers)
}

// Exact reports whether Estimate is the number of distinct hashes.
func (d *Distinct) Exact() bool { return !d.dense }

// Estimate returns the number of distinct values. It is cached until the next
// change.
func (d *Distinct) Estimate() int64 {
	if !d.dense {
		return int64(d.set.n)
	}
	if !d.current {
		// More than exactDistinct are certain once the set has overflowed.
		d.estimate = max(int64(math.Round(ertl(d.registers, d.bits()))), exactDistinct+1)
		d.current = true
	}
	return d.estimate
}

// Interval returns the estimate with the range of true counts D for which
// |estimate/D - 1| is within z standard deviations, z being the normal quantile
// of the confidence, within (0, 1).
func (d *Distinct) Interval(confidence float64) synopsis.Estimate {
	v := float64(d.Estimate())
	if !d.dense {
		return synopsis.Exactly(v)
	}
	width := math.Sqrt2 * math.Erfinv(confidence) * d.RelativeError()
	e := synopsis.Estimate{Value: v, Low: max(v/(1+width), exactDistinct+1), High: math.Inf(1), Confidence: confidence}
	if width < 1 {
		e.High = v / (1 - width)
	}
	return e
}

// RelativeError returns the relative standard deviation beyond the exact range.
func (d *Distinct) RelativeError() float64 {
	return hllSigma / math.Sqrt(float64(uint64(1)<<d.bits()))
}

// Bytes returns the memory that d takes.
func (d *Distinct) Bytes() int {
	n := 64 + 8*len(d.set.slots)
	if d.registers != nil {
		n += 64 + 1<<d.bits()
	}
	return n
}

// Reset empties d and keeps its registers. The set's array is kept, or the next one
// taken at once in the size that was reached.
func (d *Distinct) Reset() {
	d.set.reset()
	if d.dense {
		d.registers.Reset()
		d.set.eager = true
	}
	d.dense, d.current = false, false
}
