package op

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

const (
	hashA = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	hashB = 0xd1b54a32d192ed03 // the same for the plastic number, the next in the series
)

// mix returns a well-mixed hash of two words: the halves of their product, folded.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^hashA, b^hashB)
	return hi ^ lo
}

// hashBytes returns a hash of b: of its two overlapping halves where they are words, else xxhash's.
func hashBytes(b []byte) uint64 {
	n := len(b)
	if n >= 8 && n <= 16 {
		return mix(wordAt(b, 0)^uint64(n), wordAt(b, n-8))
	}
	switch {
	case n > 16:
		return xxhash.Sum64(b)
	case n >= 4:
		return mix(uint64(binary.LittleEndian.Uint32(b))|uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32, uint64(n))
	case n > 0:
		return mix(uint64(b[0])<<16|uint64(b[n>>1])<<8|uint64(b[n-1]), uint64(n))
	}
	return hashA
}

// wordAt returns the eight bytes of b from i on.
func wordAt(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }
