package sink

import (
	"math"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// appendFloat appends what tuple.AppendFloat does, faster for numbers of few decimals.
//
// If i is a whole number below 1e15 and i/1e6 rounds to |v|, then i/1e6 is the decimal wanted: the division of two exact
// doubles rounds as reading the decimal would, and no other decimal of at most 15 digits reads back as the same double.
func appendFloat(dst []byte, v float64) []byte {
	const scale, digits = 1e6, 6
	a := math.Abs(v)
	if !(a < 1e9 && (a >= 1e-4 || a == 0)) {
		return tuple.AppendFloat(dst, v)
	}
	i := uint64(a*scale + 0.5)
	if float64(i)/scale != a {
		return tuple.AppendFloat(dst, v)
	}
	if math.Signbit(v) {
		dst = append(dst, '-')
	}
	dst = strconv.AppendUint(dst, i/scale, 10)
	fraction := i % scale
	if fraction == 0 {
		return append(dst, '.', '0')
	}
	text := [digits + 1]byte{0: '.'}
	end := 1
	for n := digits; n > 0; n-- {
		text[n] = '0' + byte(fraction%10)
		if end == 1 && fraction%10 != 0 {
			end = n + 1
		}
		fraction /= 10
	}
	return append(dst, text[:end]...)
}

// appendValue appends what tuple.AppendValue does, the commonest types without a call.
func appendValue(dst []byte, c *tuple.Column, r int, f *tuple.Field) []byte {
	switch {
	case c.IsNull(r):
		return dst
	case c.Type == tuple.Bigint:
		return strconv.AppendInt(dst, c.I[r], 10)
	case isFloat(c, r):
		return appendFloat(dst, c.F[r])
	}
	return tuple.AppendValue(dst, c, r, f.Zone)
}

// isFloat reports whether row r of c is a number stored as a double.
func isFloat(c *tuple.Column, r int) bool {
	return c.Type.Numeric() && (c.Rep == tuple.RepFloat || c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagFloat)
}
