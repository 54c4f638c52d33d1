package sketch

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/aurora-dsms/aurora/synopsis"
)

// Bounds of a sketch that is loaded: what eps and delta of 1e-6, the least that are taken, ask for is a
// width of e * 10^6 < 2^22 and a depth of ln 10^6 < 16.
const (
	maxCountMinBits  = 22 // of the width
	maxCountMinDepth = 16
)

// CountMin estimates how much weight each value has, never too low, and too high
// by more than eps*W with probability at most delta, W being the total (Cormode
// and Muthukrishnan, 2005): width e/eps, rounded up to a power of two, depth
// ln(1/delta). Counters saturate. Merging is exact and order-free.
type CountMin struct {
	counts []uint64 // row by row
	mask   uint64
	depth  int
	total  uint64
}

// NewCountMin returns an empty sketch; eps is within [1e-6, 1), delta within
// [1e-6, 1).
func NewCountMin(eps, delta float64) (*CountMin, error) {
	if !(eps >= 1e-6 && eps < 1) {
		return nil, fmt.Errorf("eps %v is not within [1e-6, 1)", eps)
	}
	if !(delta >= 1e-6 && delta < 1) {
		return nil, fmt.Errorf("delta %v is not within [1e-6, 1)", delta)
	}
	width := 1 << bits.Len(uint(math.Ceil(math.E/eps))-1)
	depth := max(1, int(math.Ceil(math.Log(1/delta))))
	return &CountMin{counts: make([]uint64, width*depth), mask: uint64(width - 1), depth: depth}, nil
}

// slot returns the counter of row i. Each row mixes the hash anew, with a key of
// its own.
func (c *CountMin) slot(h uint64, i int) *uint64 {
	row := HashInt(h + uint64(i)*0xd1342543de82ef95)
	return &c.counts[uint64(i)*(c.mask+1)+row&c.mask]
}

// AddHash adds weight w to the value whose hash is h.
func (c *CountMin) AddHash(h, w uint64) {
	c.total = saturatingAdd(c.total, w)
	for i := range c.depth {
		p := c.slot(h, i)
		*p = saturatingAdd(*p, w)
	}
}

// Estimate returns an upper bound of the weight of the value whose hash is h.
func (c *CountMin) Estimate(h uint64) uint64 {
	least := c.total
	for i := range c.depth {
		least = min(least, *c.slot(h, i))
	}
	return least
}

// Interval returns the estimate of the weight of the value whose hash is h. The true one is never above it, and below
// it by more than Error with probability exp(-depth), at most the delta asked for.
func (c *CountMin) Interval(h uint64) synopsis.Estimate {
	v := float64(c.Estimate(h))
	if v == 0 {
		return synopsis.Exactly(0)
	}
	return synopsis.Estimate{
		Value: v, Low: max(0, v-c.Error()), High: v,
		Confidence: 1 - math.Exp(-float64(c.depth)),
	}
}

// Error returns what an estimate is too high by at most, save with probability delta: e*W/width, at most the eps*W asked
// for.
func (c *CountMin) Error() float64 { return math.E * float64(c.total) / float64(c.mask+1) }

// Bytes returns the memory that c takes.
func (c *CountMin) Bytes() int { return 64 + 8*len(c.counts) }

// Total returns the weight of all values.
func (c *CountMin) Total() uint64 { return c.total }

// Merge adds everything that o has seen. o is only read.
func (c *CountMin) Merge(o *CountMin) error {
	if c.mask != o.mask || c.depth != o.depth {
		return fmt.Errorf("%w: %d x %d and %d x %d", ErrMismatch, c.depth, c.mask+1, o.depth, o.mask+1)
	}
	c.total = saturatingAdd(c.total, o.total)
	for i, w := range o.counts {
		c.counts[i] = saturatingAdd(c.counts[i], w)
	}
	return nil
}

// Reset empties c and keeps its arrays.
func (c *CountMin) Reset() {
	clear(c.counts)
	c.total = 0
}

func saturatingAdd(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	return sum | -carry
}

// MarshalBinary returns the state; small counts are short.
func (c *CountMin) MarshalBinary() ([]byte, error) {
	b := openSeal(kindCountMin, 32+2*len(c.counts))
	b = append(b, byte(bits.Len64(c.mask)), byte(c.depth))
	b = binary.AppendUvarint(b, c.total)
	for _, w := range c.counts {
		b = binary.AppendUvarint(b, w)
	}
	return closeSeal(b), nil
}

// UnmarshalBinary replaces the state.
func (c *CountMin) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindCountMin, data)
	if err != nil {
		return err
	}
	width, depth := in.u8(), in.u8()
	in.require(width <= maxCountMinBits && 0 < depth && depth <= maxCountMinDepth, "width or depth")
	if in.err != nil {
		return in.err
	}
	loaded := CountMin{mask: 1<<width - 1, depth: int(depth), total: in.uvarint()}
	n := int(depth) << width
	in.require(n <= len(in.rest), "truncated")
	if in.err != nil {
		return in.err
	}
	loaded.counts = make([]uint64, n)
	for i := range loaded.counts {
		loaded.counts[i] = in.uvarint()
	}
	if err := in.finish(); err != nil {
		return err
	}
	*c = loaded
	return nil
}
