package codec

import (
	"bytes"
	"math"

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
	switch {
	case !ok || w.dst.Type == tuple.Bigint:
		return false
	case w.dst.Type == tuple.Double:
		w.dst.F[r] = f
	default:
		w.real(r, f)
	}
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
