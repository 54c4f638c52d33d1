// Package scan64 finds the bytes of JSON that end a run of plain text, and the digits, 64 bytes at a time, and counts lines.
//
// # Model
//
// A mark is the position of a quote, a backslash or a control byte (below 0x20, line feeds among them). The bytes between two
// marks can stand inside of a string as they are; everything that can begin or end a string, an escape or a line is a
// mark itself. A scanner that knows the marks knows where strings and lines end without looking at them, so that it can
// check one value of a record while the check of the one before is still under way.
//
// A [Kernel] is one way to find marks. All find the same; [Kernels] tells which the processor can run:
//
//	k := scan64.Kernels()[0]
//	blocks, found, high := k.Find(marks, digits, data, 0)
//
// A [LineKernel] counts line feeds, for whoever steps over lines unread, and stops where lines alone do not tell how many
// records there are.
//
// # Limits
//
// Kernels look at whole blocks of [Block] bytes and never beyond the data given to them, so the last few bytes are left to
// the caller.
package scan64

import (
	"encoding/binary"
	"math/bits"
)

// Block is how many bytes a kernel looks at at once, and so the room it needs for their marks.
const Block = 64

// Find writes the marks in data to marks, in order, the first byte of data being at position base, and a word for each block to
// digits, bit i of which tells whether byte i is a decimal digit. It looks at whole blocks and stops before one whose marks might
// not fit or that has no word. It returns how many blocks it has looked at, how many marks are in them, and whether any of their
// bytes is not ASCII. Behind the marks that it reports, marks is undefined.
type Find func(marks []uint32, digits []uint64, data []byte, base uint32) (blocks, found int, high bool)

// Kernel is a way to find marks and digits.
type Kernel struct {
	Name string
	Find Find
}

// Kernels returns the kernels that this processor can run, the fastest first. The last runs everywhere.
func Kernels() []Kernel { return append(vectorKernels(), Kernel{"words", byWords}) }

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// byWords looks at eight bytes at a time.
func byWords(marks []uint32, digits []uint64, data []byte, base uint32) (blocks, found int, high bool) {
	blocks, found, high = marksByWords(marks, data[:min(len(data), Block*len(digits))], base)
	for i := range blocks {
		digits[i] = digitsByWords((*[Block]byte)(data[i*Block:]))
	}
	return blocks, found, high
}

// marksByWords finds the marks alone.
func marksByWords(marks []uint32, data []byte, base uint32) (blocks, found int, high bool) {
	var seen uint64
	for len(data) >= Block && len(marks)-found >= Block {
		for i := 0; i < Block; i += 8 {
			w := binary.LittleEndian.Uint64(data[i:])
			seen |= w
			for m := marksIn(w); m != 0; m &= m - 1 {
				marks[found] = base + uint32(i+bits.TrailingZeros64(m)>>3)
				found++
			}
		}
		data = data[Block:]
		base += Block
		blocks++
	}
	return blocks, found, seen&highs != 0
}

// digitsByWords returns a block's digits.
func digitsByWords(block *[Block]byte) (digits uint64) {
	for i := 0; i < Block; i += 8 {
		digits |= onePerByte(digitsIn(binary.LittleEndian.Uint64(block[i:]))) << i
	}
	return digits
}

// marksIn has the high bit of each byte of w that is a mark. Exchanging 0x20 and 0x22 with x^2 puts the quote next to the
// control bytes.
func marksIn(w uint64) uint64 {
	x, y := w^0x02*lows, w^'\\'*lows
	beyond := x&^highs + 0x5f*lows | x
	other := y&^highs + 0x7f*lows | y
	return ^(beyond & other) & highs
}

// digitsIn has the high bit of each byte of w that is a decimal digit.
func digitsIn(w uint64) uint64 {
	d := w ^ '0'*lows
	return ^(d&^highs + 0x76*lows | d) & highs
}

// onePerByte gathers the high bits of m's bytes, the others being zero.
func onePerByte(m uint64) uint64 { return m >> 7 * 0x0102040810204080 >> 56 }
