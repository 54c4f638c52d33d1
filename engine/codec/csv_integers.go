package codec

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// integers converts column c of the first rows in sel, as long as they have nothing there but 1 to 16 digits that fit w's column
// in its present form. It returns how many rows these are.
func (d *csvDecoder) integers(c int, sel []uint16, w *valueWriter) (done int) {
	limit, scale := int64(math.MaxInt64), int64(1)
	switch {
	case w.dst.Type == tuple.Timestamp:
		limit, scale = w.limit, w.scale
	case !w.dst.Type.Numeric() || w.dst.Rep != tuple.RepInt:
		return 0
	}
	out, base := w.dst.I, unsafe.Pointer(unsafe.SliceData(d.data))
	var upper, high uint64 // the digits before the last eight, and their value: times have the same ones for long
	for k, row := range sel {
		off, end := d.field(int(row), c)
		n := end - off
		if n < 1 || n > 16 || end < 16 {
			return k
		}
		low := load8(base, end-8)
		if digits := bits.LeadingZeros64(nonDigits(low)) >> 3; digits < min(n, 8) {
			return k
		}
		v := int64(0)
		if n <= 8 {
			v = int64(eightDigits(lastDigits(low, n)))
		} else {
			word := load8(base, end-16)
			if u := lastDigits(word, n-8); u != upper {
				if bits.LeadingZeros64(nonDigits(word))>>3 < n-8 {
					return k
				}
				upper, high = u, eightDigits(u)*1e8
			}
			v = int64(high + eightDigits(low^'0'*lows))
		}
		if v > limit {
			return k
		}
		out[row] = v * scale
		w.some = true
	}
	return len(sel)
}
