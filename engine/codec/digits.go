package codec

import (
	"math/bits"
	"unsafe"
)

// The functions of this file convert literals with words that may begin before the literal: they need
// 16 bytes of data before its end, and leave what is longer or rarer to the functions on slices.

// lastDigits returns the digits of w's last n bytes, from 1 to 8, as the bytes 0 to 9 with zeros before them.
func lastDigits(w uint64, n int) uint64 {
	return (w ^ '0'*lows) & lastBytes[n&15]
}

// lastBytes has masks of the last bytes of a word, by their number from 0 to 8.
var lastBytes = func() (masks [16]uint64) {
	for n := 1; n <= 8; n++ {
		masks[n] = ^uint64(0) << (64 - 8*n)
	}
	return masks
}()

// notDecimal reports whether a byte of d is above 9.
func notDecimal(d uint64) bool { return (d+0x76*lows|d)&highs != 0 }

// shortReal returns the value of the literal from p to end if it has a point, 1 to 7 digits behind and at most 8
// before it, and no exponent. Its digits and the power of ten are exact floats, so that the quotient is rounded correctly.
func shortReal(base unsafe.Pointer, p, end int) (f float64, ok bool) {
	neg := load1(base, p) == '-'
	if neg {
		p++
	}
	if end < 16 {
		return 0, false
	}
	w := load8(base, end-8)
	part := bits.LeadingZeros64(nonDigits(w)) >> 3
	point := end - 1 - part
	whole := point - p
	if part == 0 || whole < 1 || whole > 8 || load1(base, point) != '.' {
		return 0, false
	}
	var m uint64
	if whole+part < 8 {
		behind := ^uint64(0) << (64 - 8*part&63)
		m = eightDigits(lastDigits(w&behind|w<<8&^behind, whole+part))
	} else {
		m = eightDigits(lastDigits(load8(base, point-8), whole))*pow10[part&15] + eightDigits(lastDigits(w, part))
	}
	f = float64(int64(m)) / tens[part&15]
	if neg {
		f = -f
	}
	return f, true
}
