package codec

import (
	"bytes"
	"math"
	"math/bits"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// cell stores the field b of a format without types in row r, which is not of a Text column. A field of
// nothing but spaces is NULL. It returns false when b does not fit.
func (w *valueWriter) cell(r int, b []byte) bool {
	if len(b) == 0 || b[0] <= ' ' || b[len(b)-1] <= ' ' {
		if b = bytes.Trim(b, " \t"); len(b) == 0 {
			w.dst.SetNull(r, w.n)
			return true
		}
	}
	switch w.dst.Type {
	case tuple.Boolean:
		v, ok := parseTruth(b)
		w.dst.B[r] = v
		return ok
	case tuple.JSON:
		var s jsonScanner
		if end, _ := s.value(b, 0, 0); end != len(b) {
			return false
		}
		w.dst.SetStr(r, b)
		return true
	case tuple.Interval:
		return false
	case tuple.Timestamp:
		return w.text(r, b)
	}
	if w.text(r, b) {
		return true
	}
	f, ok := parseNonFinite(b)
	if !ok || w.dst.Type == tuple.Bigint {
		return false
	}
	w.storeReal(r, f)
	return true
}

// parseTruth reads a truth value in one of the ways that people write them.
func parseTruth(b []byte) (v, ok bool) {
	if len(b) == 1 {
		switch b[0] {
		case '1', 't', 'T', 'y', 'Y':
			return true, true
		case '0', 'f', 'F', 'n', 'N':
			return false, true
		}
		return false, false
	}
	switch {
	case bytes.EqualFold(b, []byte("yes")):
		return true, true
	case bytes.EqualFold(b, []byte("no")):
		return false, true
	}
	return parseBoolean(b)
}

// parseNonFinite reads NaN and the infinities in the ways that programs write them.
func parseNonFinite(b []byte) (f float64, ok bool) {
	sign := 1
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	switch {
	case bytes.EqualFold(b, []byte("nan")):
		return math.NaN(), true
	case bytes.EqualFold(b, []byte("inf")), bytes.EqualFold(b, []byte("infinity")):
		return math.Inf(sign), true
	}
	return 0, false
}

// quickNumber stores the field from p to end in row r of a numeric column if it is written in one of the commonest
// ways: a minus sign perhaps, 1 to 8 digits, and perhaps a point and 1 to 7 digits more. Else it
// returns false and stores nothing, as it does in the first bytes of the data, because it reads words that may begin before p.
func (w *valueWriter) quickNumber(r int, base unsafe.Pointer, p, end int) bool {
	if end < 16 || end <= p {
		return false
	}
	neg := load1(base, p) == '-'
	if neg {
		p++
	}
	n := end - p
	word := load8(base, end-8)
	digits := bits.LeadingZeros64(nonDigits(word)) >> 3
	if n > digits {
		f, ok := shortReal(base, p, end)
		if !ok || w.dst.Type == tuple.Bigint || !digitsBefore(base, p, end-1-digits) {
			return false
		}
		w.storeReal(r, signed(f, neg))
		return true
	}
	if n == 0 || n > 8 {
		return false
	}
	v := int64(eightDigits(lastDigits(word, n)))
	if neg {
		v = -v
	}
	switch w.dst.Type {
	case tuple.Double:
		w.dst.F[r] = signed(math.Abs(float64(v)), neg)
	case tuple.Bigint:
		w.dst.I[r] = v
	default:
		w.integer(r, v)
	}
	return true
}

// digitsBefore reports whether the bytes from p to end, at most 8 of them, are digits.
func digitsBefore(base unsafe.Pointer, p, end int) bool {
	if end < 8 {
		return false
	}
	return bits.LeadingZeros64(nonDigits(load8(base, end-8)))>>3 >= end-p
}

// signed returns f, which is not negative, with a sign.
func signed(f float64, neg bool) float64 {
	if neg {
		return -f
	}
	return f
}

// storeReal stores f in row r of a Number or Double column.
func (w *valueWriter) storeReal(r int, f float64) {
	if w.dst.Type == tuple.Double {
		w.dst.F[r] = f
		return
	}
	w.real(r, f)
}
