package sketch

import (
	"cmp"
	"math"
)

// Number is a 64-bit integer or a float. An integer answer keeps all its digits.
type Number struct {
	Int   int64   // where IsInt
	Value float64 // where not IsInt
	IsInt bool
}

// Float returns n as a float64, rounded where it is a long integer.
func (n Number) Float() float64 {
	if n.IsInt {
		return float64(n.Int)
	}
	return n.Value
}

// towardZero returns n as a float64. A long integer is cut to the digits that fit: rounding up could carry it past the
// end of its bucket.
func (n Number) towardZero() float64 {
	switch {
	case !n.IsInt:
		return n.Value
	case n.Int < 0:
		return -truncated(-uint64(n.Int))
	}
	return truncated(uint64(n.Int))
}

// truncated returns the magnitude without the bits that a float64 would round away.
func truncated(magnitude uint64) float64 {
	if magnitude>>53 != 0 {
		magnitude &^= 1<<11 - 1
	}
	return float64(magnitude)
}

// Compare returns -1, 0 or +1 by numeric value, without rounding. NaN is not
// expected.
func (n Number) Compare(m Number) int {
	switch {
	case n.IsInt && m.IsInt:
		return cmp.Compare(n.Int, m.Int)
	case n.IsInt:
		return compareIntFloat(n.Int, m.Value)
	case m.IsInt:
		return -compareIntFloat(m.Int, n.Value)
	}
	return cmp.Compare(n.Value, m.Value)
}

func intNumber(v int64) Number     { return Number{Int: v, IsInt: true} }
func floatNumber(x float64) Number { return Number{Value: x} }

// compareIntFloat compares an integer with a float exactly.
func compareIntFloat(i int64, x float64) int {
	switch {
	case x >= 0x1p63:
		return -1
	case x < -0x1p63:
		return 1
	}
	whole := math.Trunc(x)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(whole, x)
}

// Rank returns the nearest rank of quantile q among n > 0 values: ceil(q*n),
// within [1, n].
//
// The q that a user writes in decimal is rounded to a float64, and 0.07 * 100
// comes out above 7. A product within two roundings of a whole number is
// therefore taken for it.
func Rank(q float64, n int64) int64 {
	r := q * float64(n)
	near := math.RoundToEven(r)
	if !(math.Abs(r-near) <= near*0x1p-51) {
		near = math.Ceil(r)
	}
	if !(near > 1) {
		return 1
	}
	if near >= float64(n) {
		return n
	}
	return int64(near)
}
