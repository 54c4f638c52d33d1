package codec

import (
	"math/bits"
	"unsafe"
)

// blockSize is how many bytes a search for separators looks at at once.
const blockSize = 64

// findSeparators writes the positions of the delimiters and line feeds in data to out, data's first byte being at position base. It
// looks at whole blocks of 64 bytes and stops before a block with a quote, before a block whose separators out might
// not hold, or after the one with line feed number limit. It returns how many blocks it has looked at, how many
// separators are in them and how many of those are line feeds. It may write beyond the separators that it reports.
var findSeparators = separatorsByWords

// separatorsByWords is findSeparators for every processor.
func separatorsByWords(out []uint32, data []byte, base uint32, delim byte, limit int) (blocks, found, lines int) {
	p := unsafe.Pointer(unsafe.SliceData(data))
	pattern := lows * uint64(delim)
	for ; (blocks+1)*blockSize <= len(data) && found+blockSize <= len(out) && lines < limit; blocks++ {
		at := blocks * blockSize
		if hasQuote(p, at) {
			break
		}
		for q := at; q < at+blockSize; q += 8 {
			w := load8(p, q)
			feeds := equalBytes(w, '\n'*lows)
			lines += bits.OnesCount64(feeds)
			for m := feeds | equalBytes(w, pattern); m != 0; m &= m - 1 {
				out[found] = base + uint32(q+firstByte(m))
				found++
			}
		}
	}
	return blocks, found, lines
}

// hasQuote reports whether there is a quote in the block at p.
func hasQuote(base unsafe.Pointer, p int) bool {
	var any uint64
	for q := p; q < p+blockSize; q += 8 {
		w := load8(base, q) ^ '"'*lows
		any |= (w - lows) &^ w & highs
	}
	return any != 0
}

// equalBytes marks the bytes of w that are those of pattern. All marks count.
func equalBytes(w, pattern uint64) uint64 {
	w ^= pattern
	return ^(w&^highs + ^uint64(highs) | w) & highs
}
