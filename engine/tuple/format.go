package tuple

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"time"
)

// AppendValue appends row r of c as text: integers exactly, doubles by AppendFloat, booleans as true and
// false, timestamps by AppendTime in zone, intervals by AppendInterval, text and JSON as they
// are. NULL appends nothing.
func AppendValue(dst []byte, c *Column, r int, zone *time.Location) []byte {
	if c.IsNull(r) {
		return dst
	}
	switch c.Type {
	case Boolean:
		return strconv.AppendBool(dst, c.B[r])
	case Bigint:
		return strconv.AppendInt(dst, c.I[r], 10)
	case Double:
		return AppendFloat(dst, c.F[r])
	case Number:
		return appendNumber(dst, c, r)
	case Text, JSON:
		return append(dst, c.Str(r)...)
	case Timestamp:
		return AppendTime(dst, c.I[r], zone)
	case Interval:
		return AppendInterval(dst, c.I[r])
	}
	return dst
}

func appendNumber(dst []byte, c *Column, r int) []byte {
	switch {
	case c.Rep == RepInt, c.Rep == RepMixed && c.Tag[r] == TagInt:
		return strconv.AppendInt(dst, c.I[r], 10)
	case c.Rep == RepFloat, c.Tag[r] == TagFloat:
		return AppendFloat(dst, c.F[r])
	}
	return AppendHuge(dst, c.Hi[r], uint64(c.I[r]))
}

// AppendFloat appends the shortest decimal that reads back as v, with a point or an exponent so that it
// is told from an integer: 3.0, 0.1, 1e+16, 1e-05. What is not finite prints as nan, inf and -inf.
func AppendFloat(dst []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "nan"...)
	case math.IsInf(v, 1):
		return append(dst, "inf"...)
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	}
	// The exponent form begins where 17 digits no longer reach the point, as in DuckDB and Python.
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, v, 'e', -1, 64)
	}
	dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
	if v == math.Trunc(v) {
		dst = append(dst, '.', '0')
	}
	return dst
}

// AppendHuge appends the 128-bit integer with high half hi and low half lo.
func AppendHuge(dst []byte, hi int64, lo uint64) []byte {
	if hi == int64(lo)>>63 {
		return strconv.AppendInt(dst, int64(lo), 10)
	}
	if hi < 0 {
		dst = append(dst, '-')
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		high, _ := bits.Sub64(0, uint64(hi), borrow)
		hi = int64(high)
	}
	// 2^127 has the bit pattern of a negative hi, which uint64 reads rightly.
	if uint64(hi) < 1e18 {
		quotient, remainder := bits.Div64(uint64(hi), lo, 1e18)
		return appendTail(strconv.AppendUint(dst, quotient, 10), remainder)
	}
	n := new(big.Int).SetUint64(uint64(hi))
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(lo))
	return n.Append(dst, 10)
}

// appendTail appends the last 18 digits of a longer number.
func appendTail(dst []byte, n uint64) []byte { return appendPadded(dst, int64(n), 18) }

// AppendInterval appends a length of time given in ns as hours, minutes and seconds, leaving out what is
// zero: 1h30m, 90s is 1m30s, 2.5s, 1.5ms, 0s. time.ParseDuration reads it.
func AppendInterval(dst []byte, ns int64) []byte {
	rest := uint64(ns)
	if ns < 0 {
		dst = append(dst, '-')
		rest = -rest
	}
	switch {
	case rest == 0:
		return append(dst, "0s"...)
	case rest < 1e3:
		return append(strconv.AppendUint(dst, rest, 10), "ns"...)
	case rest < 1e6:
		return append(appendFixed(dst, rest, 1e3), "µs"...)
	case rest < 1e9:
		return append(appendFixed(dst, rest, 1e6), "ms"...)
	}
	if hours := rest / 3600e9; hours > 0 {
		dst = append(strconv.AppendUint(dst, hours, 10), 'h')
		rest %= 3600e9
	}
	if minutes := rest / 60e9; minutes > 0 {
		dst = append(strconv.AppendUint(dst, minutes, 10), 'm')
		rest %= 60e9
	}
	if rest > 0 {
		dst = append(appendFixed(dst, rest, 1e9), 's')
	}
	return dst
}

// appendFixed appends n/unit exactly, unit being a power of ten.
func appendFixed(dst []byte, n, unit uint64) []byte {
	dst = strconv.AppendUint(dst, n/unit, 10)
	n %= unit
	if n == 0 {
		return dst
	}
	dst = append(dst, '.')
	for n > 0 {
		unit /= 10
		dst = append(dst, '0'+byte(n/unit))
		n %= unit
	}
	return dst
}
