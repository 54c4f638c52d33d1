package codec

import (
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// integers converts column c of the first rows in sel, as long as they hold the digits of a common number or time and nothing else. It
// returns how many rows these are.
func (d *csvDecoder) integers(c int, sel []uint16, w *valueWriter) (done int) {
	f := csvField{
		data: unsafe.Pointer(unsafe.SliceData(d.data)),
		seps: unsafe.Pointer(unsafe.SliceData(d.seps[c:])),
		at:   unsafe.Pointer(unsafe.SliceData(d.at)),
		last: c == d.file.total-1,
	}
	switch {
	case w.dst.Type == tuple.Timestamp && w.limit > 0:
		return f.times(sel, w)
	case w.dst.Type.Numeric() && w.dst.Rep == tuple.RepInt:
		done = f.numbers(sel, w.dst.I)
		w.some = w.some || done > 0
	}
	return done
}

// csvField is where a field of each row is: between the positions seps[at[row]] and seps[at[row]+1]. It goes without checks of
// bounds: rows are those of the last Scan.
type csvField struct {
	data unsafe.Pointer
	seps unsafe.Pointer // of uint32
	at   unsafe.Pointer // of uint32
	last bool           // it is the last field of its record, so that a carriage return may follow
}

// span returns the end and the length of the field in a row.
func (f *csvField) span(row uint16) (end, n int) {
	i := int(load4(f.at, int(row)))
	end = int(load4(f.seps, i+1))
	return end, end - int(load4(f.seps, i)+1)
}

// load4 returns number i of an array of uint32.
func load4(base unsafe.Pointer, i int) uint32 { return *(*uint32)(unsafe.Add(base, 4*i)) }

// numbers stores numbers of 1 to 8 digits in out, up to the first row in sel that has none. It returns how many rows are before that.
func (f csvField) numbers(sel []uint16, out []int64) (done int) {
	for k, row := range sel {
		end, n := f.span(row)
		if f.last && n > 0 && load1(f.data, end-1) == '\r' {
			end, n = end-1, n-1
		}
		if n < 1 || n > 8 || end < 8 {
			return k
		}
		digits := lastDigits(load8(f.data, end-8), n)
		if notDecimal(digits) {
			return k
		}
		out[row] = int64(eightDigits(digits))
	}
	return len(sel)
}

// times stores times of 9 to 16 digits in w's column, up to the first row in sel that has none. It returns how many rows are before
// that.
func (f csvField) times(sel []uint16, w *valueWriter) (done int) {
	out, limit, scale := w.dst.I, w.limit, w.scale
	var upper uint64 // the digits before the last eight and the value that they stand for: few times differ in them
	var high int64
	for k, row := range sel {
		end, n := f.span(row)
		if f.last && n > 0 && load1(f.data, end-1) == '\r' {
			end, n = end-1, n-1
		}
		if n < 9 || n > 16 {
			return k
		}
		digits := load8(f.data, end-8) ^ '0'*lows
		if end < 16 || notDecimal(digits) {
			return k
		}
		if u := lastDigits(load8(f.data, end-16), n-8); u != upper {
			if notDecimal(u) {
				return k
			}
			upper, high = u, int64(eightDigits(u))*1e8
		}
		v := high + int64(eightDigits(digits))
		if v > limit {
			return k
		}
		out[row] = v * scale
	}
	return len(sel)
}
