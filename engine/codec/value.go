package codec

import (
	"bytes"
	"math"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// literal says what kind of number a text is.
type literal uint8

const (
	notNumber literal = iota
	intLiteral
	realLiteral // with a fraction or an exponent
)

// classify says what number the whole of b is in JSON's grammar.
func classify(b []byte) literal {
	if end, lit := scanNumber(b, 0); end == len(b) {
		return lit
	}
	return notNumber
}

// classifyText is classify for formats without types, where numbers may also be
// written +1, 007, .5 and 5. as other tools write them.
func classifyText(b []byte) literal {
	i := 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i++
	}
	whole := digitRun(b, i)
	i += whole
	if i == len(b) && whole > 0 {
		return intLiteral
	}
	if i < len(b) && b[i] == '.' {
		part := digitRun(b, i+1)
		whole += part
		i += 1 + part
	}
	if whole == 0 {
		return notNumber
	}
	if i = scanExponent(b, i); i != len(b) {
		return notNumber
	}
	return realLiteral
}

// scanNumber finds the end of the number in JSON's grammar that begins at p. end is -1 when there is none.
func scanNumber(b []byte, p int) (end int, lit literal) {
	if p < len(b) && b[p] == '-' {
		p++
	}
	n := digitRun(b, p)
	if n == 0 || n > 1 && b[p] == '0' {
		return -1, notNumber
	}
	p, lit = p+n, intLiteral
	if p < len(b) && b[p] == '.' {
		n = digitRun(b, p+1)
		if n == 0 {
			return -1, notNumber
		}
		p, lit = p+1+n, realLiteral
	}
	end = scanExponent(b, p)
	if end != p {
		lit = realLiteral
	}
	return end, lit
}

// scanExponent returns the end of the exponent at p: p when there is none, -1 when it is broken.
func scanExponent(b []byte, p int) int {
	if p >= len(b) || b[p]|0x20 != 'e' {
		return p
	}
	p++
	if p < len(b) && (b[p] == '-' || b[p] == '+') {
		p++
	}
	n := digitRun(b, p)
	if n == 0 {
		return -1
	}
	return p + n
}

// digitRun returns how many decimal digits stand at p.
func digitRun(b []byte, p int) int {
	q := p
	for q < len(b) && b[q]-'0' <= 9 {
		q++
	}
	return q - p
}

// parseInt returns the value of an integer literal, and false when it does not fit 64 bits.
func parseInt(b []byte) (v int64, ok bool) {
	neg := b[0] == '-'
	if neg || b[0] == '+' {
		b = b[1:]
	}
	for len(b) > 19 && b[0] == '0' {
		b = b[1:]
	}
	if len(b) > 19 {
		return 0, false
	}
	u := parseDigits(b)
	if u > math.MaxInt64 {
		return math.MinInt64, neg && u == 1<<63
	}
	if neg {
		return -int64(u), true
	}
	return int64(u), true
}

// parseDigits returns the value of at most 19 decimal digits.
func parseDigits(b []byte) uint64 {
	var u uint64
	for len(b) >= 8 {
		u = u*1e8 + eightDigits(load8(unsafe.Pointer(unsafe.SliceData(b)), 0)^'0'*lows)
		b = b[8:]
	}
	for _, c := range b {
		u = u*10 + uint64(c-'0')
	}
	return u
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// parseReal returns the float64 nearest to a number literal, and false when it lies beyond the
// largest one. Short literals are a quotient of two exact floats, which rounds correctly (Clinger 1990, section 4).
func parseReal(b []byte) (float64, bool) {
	digits := b
	neg := b[0] == '-'
	if neg {
		digits = b[1:]
	}
	if len(digits) <= 16 {
		dot := bytes.IndexByte(digits, '.')
		if dot < 0 {
			dot = len(digits)
		}
		fraction := digits[min(dot+1, len(digits)):]
		if digitRun(digits, 0) == dot && digitRun(fraction, 0) == len(fraction) {
			m := parseDigits(digits[:dot])*pow10[len(fraction)] + parseDigits(fraction)
			if m <= 1<<53 {
				f := float64(m) / tens[len(fraction)]
				if neg {
					f = -f
				}
				return f, true
			}
		}
	}
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 64)
	return f, err == nil
}

// pow10 are the powers of ten that fit 64 bits.
var pow10 = [...]uint64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// decimal is the number ±digits * 10^exp; lost says that nonzero digits beyond the 19th were cut off.
type decimal struct {
	digits uint64
	exp    int
	neg    bool
	lost   bool
}

// parseDecimal takes a number literal apart.
func parseDecimal(b []byte) (d decimal) {
	d.neg = b[0] == '-'
	point := false
	for i, c := range b {
		switch {
		case c == '.':
			point = true
		case c|0x20 == 'e':
			d.exp += exponent(b[i+1:])
			return d
		case c-'0' > 9: // the sign
		case d.digits < 1e18:
			d.digits = d.digits*10 + uint64(c-'0')
			if point {
				d.exp--
			}
		default:
			d.lost = d.lost || c != '0'
			if !point {
				d.exp++
			}
		}
	}
	return d
}

// exponent returns the value of the digits of an exponent, bounded far beyond any use.
func exponent(b []byte) int {
	e := 0
	for _, c := range b {
		if c-'0' <= 9 && e < 1<<40 {
			e = e*10 + int(c-'0')
		}
	}
	if b[0] == '-' {
		return -e
	}
	return e
}

// scaled returns literal b times 10^k as an integer. What is below 1 is cut off, exact then
// being false; ok is false when the result does not fit 64 bits.
func scaled(b []byte, k int) (v int64, exact, ok bool) {
	d := parseDecimal(b)
	d.exp += k
	exact = !d.lost
	switch {
	case d.digits == 0:
		return 0, true, true
	case d.exp > 18:
		return 0, false, false
	case d.exp >= 0:
		hi, lo := bits.Mul64(d.digits, pow10[d.exp])
		if hi != 0 {
			return 0, false, false
		}
		d.digits = lo
	case d.exp >= -19:
		exact = exact && d.digits%pow10[-d.exp] == 0
		d.digits /= pow10[-d.exp]
	default:
		return 0, false, true
	}
	switch {
	case d.neg && d.digits <= 1<<63:
		return -int64(d.digits), exact, true
	case !d.neg && d.digits <= math.MaxInt64:
		return int64(d.digits), exact, true
	}
	return 0, false, false
}

// parseBigint returns the value of a number literal that is an integer of 64 bits, in whatever way it is written.
func parseBigint(b []byte, lit literal) (v int64, ok bool) {
	if lit == intLiteral {
		return parseInt(b)
	}
	v, exact, ok := scaled(b, 0)
	return v, exact && ok
}

// digitsOf is the number of decimal digits by which a unit is coarser than nanoseconds.
func digitsOf(u Unit) (k int, ok bool) {
	switch u {
	case UnitSeconds:
		return 9, true
	case UnitMillis:
		return 6, true
	case UnitMicros:
		return 3, true
	case UnitNanos:
		return 0, true
	}
	return 0, false
}

// parseBoolean reads a truth value written as text.
func parseBoolean(b []byte) (v, ok bool) {
	switch {
	case bytes.EqualFold(b, []byte("true")):
		return true, true
	case bytes.EqualFold(b, []byte("false")):
		return false, true
	}
	return false, false
}

// valueWriter converts values into the numeric, Boolean or Timestamp column dst of n rows. Its methods
// return false when the value does not fit the column; the caller then makes the row NULL.
type valueWriter struct {
	dst   *tuple.Column
	n     int
	unit  int   // decimal digits of the unit of numeric times, below 0: numbers are not times
	scale int64 // ns in the unit
	limit int64 // largest time in the unit, below 0: numbers are not times
	some  bool  // dst has a value already
}

// newValueWriter resets dst to n rows of type t.
func newValueWriter(dst *tuple.Column, t tuple.Type, n int, u Unit) valueWriter {
	dst.Reset(t, n)
	w := valueWriter{dst: dst, n: n, unit: -1, limit: -1}
	if k, ok := digitsOf(u); ok {
		w.unit, w.scale = k, int64(pow10[k])
		w.limit = math.MaxInt64 / w.scale
	}
	return w
}

// number stores a number literal in row r.
func (w *valueWriter) number(r int, b []byte, lit literal) bool {
	switch w.dst.Type {
	case tuple.Number:
		if lit == intLiteral {
			if v, ok := parseInt(b); ok {
				w.integer(r, v)
				return true
			}
		}
		f, ok := parseReal(b)
		if ok {
			w.real(r, f)
		}
		return ok
	case tuple.Bigint:
		v, ok := parseBigint(b, lit)
		w.dst.I[r] = v
		return ok
	case tuple.Double:
		f, ok := parseReal(b)
		w.dst.F[r] = f
		return ok
	case tuple.Timestamp:
		if w.unit < 0 {
			return false
		}
		v, _, ok := scaled(b, w.unit)
		w.dst.I[r] = v
		return ok
	}
	return false
}

// integer stores v in row r of a Number column.
func (w *valueWriter) integer(r int, v int64) {
	if w.dst.Rep == tuple.RepFloat {
		w.dst.Mix(w.n)
	}
	if w.dst.Rep == tuple.RepMixed {
		w.dst.Tag[r] = tuple.TagInt
	}
	w.dst.I[r] = v
	w.some = true
}

// real stores f in row r of a Number column. A column is RepMixed only when it has both kinds.
func (w *valueWriter) real(r int, f float64) {
	if w.dst.Rep == tuple.RepInt {
		if w.some {
			w.dst.Mix(w.n)
		} else {
			w.dst.SetRep(tuple.RepFloat, w.n)
		}
	}
	if w.dst.Rep == tuple.RepMixed {
		w.dst.Tag[r] = tuple.TagFloat
	}
	w.dst.F[r] = f
	w.some = true
}

// text stores b in row r as formats without types mean it.
func (w *valueWriter) text(r int, b []byte) bool {
	switch w.dst.Type {
	case tuple.Boolean:
		v, ok := parseBoolean(b)
		w.dst.B[r] = v
		return ok
	case tuple.Timestamp:
		if lit := classifyText(b); lit != notNumber {
			return w.number(r, b, lit)
		}
		v, ok := tuple.ParseTime(b)
		w.dst.I[r] = v
		return ok
	}
	lit := classifyText(b)
	return lit != notNumber && w.number(r, b, lit)
}
