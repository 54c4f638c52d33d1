package codec

import (
	"math/bits"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/codec/scan64"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// findMarks is the kernel that finds the marks in JSON.
var findMarks = scan64.Kernels()[0].Find

// markWindow holds the marks of a piece of the data, the quotes, backslashes and control bytes, and which bytes are digits.
// Everything but marks can stand inside of a string as it is.
type markWindow struct {
	digits     []uint64 // a bit for each byte of the piece, and a word more that means nothing
	at         []uint32
	found      int  // marks in use
	next       int  // one of them, before which all lie before the place that was last asked for
	begin, end int  // the piece
	plain      span // the form of a string without marks
}

const (
	firstMarks = 1024
	maxMarks   = 1 << 20
	// windowRoom is how many bytes the data goes on behind the window, so that what begins inside of it may be
	// loaded as words without asking: the first 16 bytes of a piece of layout, a number's sign and its first 8 digits.
	windowRoom = 64
)

// forget empties the window, for other data. One that long records made long becomes shorter, for each Scan fills it
// anew, however little it reads.
func (w *markWindow) forget() {
	w.found, w.next, w.begin, w.end = 0, 0, 0, 0
	if len(w.at) > firstMarks {
		w.grow(len(w.at) / 2)
	}
}

// seek returns the number of the first mark not before p, which does not go down between calls, and fills the window anew
// when p lies behind it.
func (w *markWindow) seek(data []byte, p int) (s int) {
	if p >= w.end {
		w.fill(data, p)
		return 0
	}
	return w.skip(w.next, p)
}

// skip returns the number of the first mark from s on that is not before p; found when there is none in the window.
func (w *markWindow) skip(s, p int) int {
	for s < w.found && int(w.at[s]) < p {
		s++
	}
	return s
}

// fill moves the window to p. A window that begins there already has been too short for some record and becomes
// longer. It reports whether there is anything to be gained by trying again.
func (w *markWindow) fill(data []byte, p int) bool {
	limit := (len(data) - windowRoom - p) &^ (scan64.Block - 1)
	if limit <= 0 {
		w.found, w.next, w.begin, w.end = 0, 0, p, p
		return false
	}
	if w.begin == p && w.end > p {
		if len(w.at) >= maxMarks || w.end == p+limit {
			return false
		}
		w.grow(2 * len(w.at))
	} else if w.at == nil {
		w.grow(firstMarks)
	}
	blocks, found, high := findMarks(w.at, w.digits[:len(w.digits)-1], data[p:p+limit], uint32(p))
	w.found, w.next, w.begin, w.end = found, 0, p, p+blocks*scan64.Block
	w.plain = makeSpan(0, 0, formASCII)
	if high {
		w.plain = makeSpan(0, 0, formUTF8)
	}
	return true
}

// grow makes room for marks in a piece where one byte in 16 is one.
func (w *markWindow) grow(marks int) {
	w.at = tuple.Resize(w.at, marks)
	w.digits = tuple.Resize(w.digits, marks/4+1)
}

// digitRun returns how many digits stand at p, which is inside of the window; up to 56 are certain, and if they are more, that there
// are at least as many.
func (w *markWindow) digitRun(p int) int {
	p -= w.begin
	run := load8(unsafe.Pointer(unsafe.SliceData(w.digits)), int(uint(p)>>3)) >> (p & 7)
	return bits.TrailingZeros64(^run | 1<<63)
}
