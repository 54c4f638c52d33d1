package sketch

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/bits-and-blooms/bloom/v3"

	"github.com/aurora-dsms/aurora/synopsis"
)

const (
	// leastBloom is the number of items below which the library's filters miss
	// their rate of false positives, by 4.6 times at 10.
	leastBloom = 1000

	// maxBloomBits is 1 GiB.
	maxBloomBits = 1 << 33

	// maxBloomHashes is above what p = 1e-9 asks for.
	maxBloomHashes = 64
)

// Bloom remembers which values it has seen: never a false no, a false yes with
// probability p while no more than n distinct values were added, and more often
// beyond (15 times as often at 2n for p = 1 %). Merging is exact and order-free.
type Bloom struct {
	filter *bloom.BloomFilter
}

// NewBloom returns an empty filter for n distinct values, sized for 1000 at
// least, with a false positive rate p within [1e-9, 0.5].
func NewBloom(n uint64, p float64) (*Bloom, error) {
	if !(p >= 1e-9 && p <= 0.5) {
		return nil, fmt.Errorf("false positive rate %v is not within [1e-9, 0.5]", p)
	}
	n = max(n, leastBloom)
	if n > maxBloomBits {
		return nil, fmt.Errorf("a filter for %d values is too large", n)
	}
	m, k := bloom.EstimateParameters(uint(n), p)
	if m > maxBloomBits {
		return nil, fmt.Errorf("a filter for %d values at a rate of %v takes %d MiB", n, p, m>>23)
	}
	return &Bloom{filter: bloom.New(m, k)}, nil
}

// AddHash adds the value whose hash is h.
func (b *Bloom) AddHash(h uint64) {
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], h)
	b.filter.Add(key[:])
}

// Has reports whether the value whose hash is h may have been added.
func (b *Bloom) Has(h uint64) bool {
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], h)
	return b.filter.Test(key[:])
}

// AddIfAbsent adds the value whose hash is h and reports whether it was
// certainly not there before.
func (b *Bloom) AddIfAbsent(h uint64) bool {
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], h)
	return !b.filter.TestOrAdd(key[:])
}

// FalsePositives returns the share of the values that were not added of which Has says yes, now: that of the bits which
// are set, to the power of the number of hashes. It is what NewBloom was asked for when n values were added, less before
// and more after.
func (b *Bloom) FalsePositives() float64 {
	set := float64(b.filter.BitSet().Count()) / float64(b.filter.Cap())
	return math.Pow(set, float64(b.filter.K()))
}

// Interval returns the number of distinct values that were added, by the share p of the bits that are set: values set
// k of m bits each, so -m/k ln(1-p) of them (Swamidass and Baldi, 2007), with the variance of the number of occupied
// cells m (e^-t - (1+t) e^-2t), t = kn/m. Infinitely many where all bits are set.
func (b *Bloom) Interval(confidence float64) synopsis.Estimate {
	m, k := float64(b.filter.Cap()), float64(b.filter.K())
	set := float64(b.filter.BitSet().Count())
	if set == 0 {
		return synopsis.Exactly(0)
	}
	load := -math.Log1p(-set / m)
	free := math.Exp(-load)
	width := math.Sqrt2 * math.Erfinv(confidence) * math.Sqrt(m*max(0, free-(1+load)*free*free))
	n := func(set float64) float64 { return -m / k * math.Log1p(-min(max(set, 0), m)/m) }
	return synopsis.Estimate{Value: n(set), Low: n(set - width), High: n(set + width), Confidence: confidence}
}

// Bytes returns the memory that b takes.
func (b *Bloom) Bytes() int { return 64 + int(b.filter.Cap()+63)/64*8 }

// Merge adds everything that o has seen. o is only read.
func (b *Bloom) Merge(o *Bloom) error {
	if b.filter.Cap() != o.filter.Cap() || b.filter.K() != o.filter.K() {
		return fmt.Errorf("%w: %d bits, %d hashes and %d bits, %d hashes", ErrMismatch,
			b.filter.Cap(), b.filter.K(), o.filter.Cap(), o.filter.K())
	}
	return b.filter.Merge(o.filter)
}

// Reset empties b and keeps its array.
func (b *Bloom) Reset() { b.filter.ClearAll() }

// MarshalBinary returns the state.
func (b *Bloom) MarshalBinary() ([]byte, error) {
	words := b.filter.BitSet().Words()
	out := openSeal(kindBloom, 16+8*len(words))
	out = binary.AppendUvarint(out, uint64(b.filter.Cap()))
	out = binary.AppendUvarint(out, uint64(b.filter.K()))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return closeSeal(out), nil
}

// UnmarshalBinary replaces the state.
func (b *Bloom) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindBloom, data)
	if err != nil {
		return err
	}
	m, k := in.uvarint(), in.uvarint()
	in.require(0 < m && m <= maxBloomBits && 0 < k && k <= maxBloomHashes, "bits or hashes")
	in.require(uint64(len(in.rest)) == (m+63)/64*8, "length")
	if in.err != nil {
		return in.err
	}
	words := make([]uint64, (m+63)/64)
	for i := range words {
		words[i] = in.u64()
	}
	if tail := m % 64; tail != 0 && bits.Len64(words[len(words)-1]) > int(tail) {
		in.fail("bits beyond the end")
	}
	if err := in.finish(); err != nil {
		return err
	}
	b.filter = bloom.FromWithM(words, uint(m), uint(k))
	return nil
}
