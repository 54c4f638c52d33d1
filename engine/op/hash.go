package op

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"github.com/aurora-dsms/aurora/engine/tuple"
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

// hashBytes returns a hash of b: of overlapping words that cover it, or, of long ones, xxhash's.
func hashBytes(b []byte) uint64 {
	n := len(b)
	switch {
	case n > 32:
		return xxhash.Sum64(b)
	case n > 16:
		return mix(wordAt(b, n-16)^mix(wordAt(b, 0)^uint64(n), wordAt(b, 8)), wordAt(b, n-8))
	case n >= 8:
		return mix(wordAt(b, 0)^uint64(n), wordAt(b, n-8))
	case n >= 4:
		return mix(halves(b), uint64(n))
	case n > 0:
		return mix(uint64(b[0])<<16|uint64(b[n>>1])<<8|uint64(b[n-1]), uint64(n))
	}
	return hashA
}

// hashSpans writes the hash of each row of sel of a column of bytes to hash.
func hashSpans(c *tuple.Column, sel []uint16, hash []uint64) {
	spans, buf := c.Span, c.Buf
	hash = hash[:len(sel)]
	for i, r := range sel {
		s := spans[r]
		b := buf[s.Off : s.Off+s.Len]
		switch n := len(b); { // as hashBytes, without the call
		case n >= 8 && n <= 16:
			hash[i] = mix(wordAt(b, 0)^uint64(n), wordAt(b, n-8))
		case n >= 4 && n < 8:
			hash[i] = mix(halves(b), uint64(n))
		default:
			hash[i] = hashBytes(b)
		}
	}
}

// sameBytes reports whether a and b, which are equally long, are equal.
func sameBytes(a, b []byte) bool {
	n := len(a)
	switch {
	case n > 32:
		return string(a) == string(b)
	case n > 16:
		return (wordAt(a, 0)^wordAt(b, 0))|(wordAt(a, 8)^wordAt(b, 8))|
			(wordAt(a, n-16)^wordAt(b, n-16))|(wordAt(a, n-8)^wordAt(b, n-8)) == 0
	case n >= 8:
		return wordAt(a, 0) == wordAt(b, 0) && wordAt(a, n-8) == wordAt(b, n-8)
	case n >= 4:
		return halves(a) == halves(b)
	}
	return string(a) == string(b)
}

// wordAt returns the eight bytes of b from i on.
func wordAt(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// halves returns the first and the last four bytes of b.
func halves(b []byte) uint64 {
	return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))<<32
}
