package codec

import (
	"encoding/binary"
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
	for ; (blocks+1)*blockSize <= len(data) && found+blockSize <= len(out) && lines < limit; blocks++ {
		seps, feeds, quote := blockSeparators((*[blockSize]byte)(unsafe.Add(p, blocks*blockSize)), delim)
		if quote {
			break
		}
		lines += feeds
		found += putPositions(out[found:], base+uint32(blocks*blockSize), seps)
	}
	return blocks, found, lines
}

// putPositions writes the positions of the bits in mask to out, bit 0 being position from, and returns how many there are. It
// may write up to 3 more.
func putPositions(out []uint32, from uint32, mask uint64) (n int) {
	n = bits.OnesCount64(mask)
	for k := 0; k < n; k += 4 {
		four := (*[4]uint32)(out[k:])
		four[0] = from + uint32(bits.TrailingZeros64(mask))
		mask &= mask - 1
		four[1] = from + uint32(bits.TrailingZeros64(mask))
		mask &= mask - 1
		four[2] = from + uint32(bits.TrailingZeros64(mask))
		mask &= mask - 1
		four[3] = from + uint32(bits.TrailingZeros64(mask))
		mask &= mask - 1
	}
	return n
}

// blockSeparators returns a bit for each byte of a block that is a delimiter or a line feed, the number of line feeds, and whether there
// is a quote.
func blockSeparators(block *[blockSize]byte, delim byte) (seps uint64, feeds int, quote bool) {
	pattern := lows * uint64(delim)
	var feedsAt, quotes uint64 // feedsAt has a byte for each position modulo 8
	for i := 0; i < blockSize; i += 8 {
		w := binary.LittleEndian.Uint64(block[i:])
		q := w ^ '"'*lows
		quotes |= (q - lows) &^ q
		feed := equalBytes(w, '\n'*lows)
		feedsAt += feed >> 7
		seps = seps>>8 | (feed|equalBytes(w, pattern))>>7*gather&^(1<<56-1)
	}
	return seps, int(feedsAt * lows >> 56), quotes&highs != 0
}

// gather moves the lowest bits of a word's bytes to its highest byte when multiplied with them.
const gather = 0x0102040810204080

// blockMasks returns a bit for each byte of a block, the first byte's being the lowest: whether it is a delimiter or line feed, a line
// feed, and a quote.
var blockMasks = blockMasksByWords

// blockMasksByWords is blockMasks for every processor.
func blockMasksByWords(block *[blockSize]byte, delim byte) (seps, feeds, quotes uint64) {
	feeds = blockMask(block, '\n')
	return feeds | blockMask(block, delim), feeds, blockMask(block, '"')
}

// blockMask returns a bit for each byte of a block: whether it is c.
func blockMask(block *[blockSize]byte, c byte) (mask uint64) {
	pattern := lows * uint64(c)
	for i := 0; i < blockSize; i += 8 {
		mask = mask>>8 | equalBytes(binary.LittleEndian.Uint64(block[i:]), pattern)>>7*gather&^(1<<56-1)
	}
	return mask
}

// equalBytes marks the bytes of w that are those of pattern. All marks count.
func equalBytes(w, pattern uint64) uint64 {
	w ^= pattern
	return ^(w&^highs + ^uint64(highs) | w) & highs
}
