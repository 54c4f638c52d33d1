package codec

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Eight bytes at a time: a word holds eight bytes of the input, the first in its low byte, and
// a mask has the high bit of each byte that was found. Borrows make masks unreliable above the first
// byte found, so only the first counts.
const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// load8 returns the eight bytes at p, which the caller has checked to be there.
func load8(base unsafe.Pointer, p int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(base, p))[:])
}

// load1 returns the byte at p, which the caller has checked to be there.
func load1(base unsafe.Pointer, p int) byte { return *(*byte)(unsafe.Add(base, p)) }

// stringStops marks quotes, backslashes and control bytes. Exchanging 0x20 and 0x22 with x^2 puts the quote next to
// the control bytes, so that one comparison finds both.
func stringStops(w uint64) uint64 {
	return ((w ^ 0x02*lows - 0x21*lows) | (w ^ '\\'*lows - lows)) &^ w & highs
}

// bracketStops marks quotes, brackets and braces, and a few characters that JSON has in strings only: the
// brackets and braces are equal but for bits 1, 2 and 5.
func bracketStops(w uint64) uint64 {
	quote, bracket := w^'"'*lows, (w|0x26*lows)^0x7f*lows
	return ((quote - lows) | (bracket - lows)) &^ w & highs
}

// nonDigits marks the bytes that are not decimal digits.
func nonDigits(w uint64) uint64 {
	d := w ^ '0'*lows
	return (d + 0x76*lows | d) & highs
}

// firstByte returns the index of the first byte marked in a mask that is not 0.
func firstByte(mask uint64) int { return bits.TrailingZeros64(mask) >> 3 }

// eightDigits returns the value of eight decimal digits, given as the bytes 0 to 9.
func eightDigits(d uint64) uint64 {
	d = d*10 + d>>8
	return ((d&0x000000ff000000ff)*(100+1000000<<32) + (d>>16&0x000000ff000000ff)*(1+10000<<32)) >> 32
}
