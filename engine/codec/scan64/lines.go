package scan64

import (
	"encoding/binary"
	"math/bits"
)

// Lines counts line feeds in data, which begins a line. It looks at whole blocks and stops before the block that has line feed number
// limit, which is at least 1, and before one that is odd: with a byte stop, or with a line that begins with a byte of at most 0x20 and so
// may be blank. It returns how many blocks it has passed, how many line feeds are in them, and of the block that it stopped
// before the line feeds, bit i for byte i, and whether it is odd. Where it stopped because less than a block is left, these are zero.
type Lines func(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool)

// LineKernel is a way to count line feeds.
type LineKernel struct {
	Name  string
	Count Lines
}

// LineKernels returns the kernels that this processor can run, the fastest first. The last runs everywhere.
func LineKernels() []LineKernel { return append(vectorLines(), LineKernel{"words", linesByWords}) }

// linesByWords looks at eight bytes at a time, and at blocks without a line feed once.
func linesByWords(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool) {
	begins := uint64(1)
	pattern := lows * uint64(stop)
	for ; (blocks+1)*Block <= len(data); blocks++ {
		block := (*[Block]byte)(data[blocks*Block:])
		var any, stops uint64
		for i := 0; i < Block; i += 8 {
			w := binary.LittleEndian.Uint64(block[i:])
			any |= equalBytes(w, '\n'*lows)
			stops |= equalBytes(w, pattern)
		}
		if any|stops|begins == 0 {
			continue
		}
		var low uint64
		if feeds, low = lineMasks(block); (begins|feeds<<1)&low|stops != 0 {
			return blocks, found, feeds, true
		}
		n := bits.OnesCount64(feeds)
		if found+n >= limit {
			return blocks, found, feeds, false
		}
		found += n
		begins = feeds >> 63
	}
	return blocks, found, 0, false
}

// lineMasks returns a bit for each byte of a block: whether it is a line feed, and whether it is at most 0x20.
func lineMasks(block *[Block]byte) (feeds, low uint64) {
	for i := 0; i < Block; i += 8 {
		w := binary.LittleEndian.Uint64(block[i:])
		feeds |= onePerByte(equalBytes(w, '\n'*lows)) << i
		low |= onePerByte(^(w&^highs+0x5f*lows|w)&highs) << i
	}
	return feeds, low
}

// equalBytes has the high bit of each byte of w that is that of pattern.
func equalBytes(w, pattern uint64) uint64 {
	w ^= pattern
	return ^(w&^highs + ^uint64(highs) | w) & highs
}
