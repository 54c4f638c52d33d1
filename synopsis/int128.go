package synopsis

import (
	"math"
	"math/bits"
	"strconv"
)

// Int128 is a signed 128-bit integer in two's complement, Hi*2^64 + Lo. The
// zero value is 0, and == compares values. Arithmetic wraps at 2^127.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Int128FromInt64 returns v.
func Int128FromInt64(v int64) Int128 { return Int128{Hi: v >> 63, Lo: uint64(v)} }

// Add returns a + b.
func (a Int128) Add(b Int128) Int128 {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	return Int128{Hi: a.Hi + b.Hi + int64(carry), Lo: lo}
}

// Sub returns a - b.
func (a Int128) Sub(b Int128) Int128 {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	return Int128{Hi: a.Hi - b.Hi - int64(borrow), Lo: lo}
}

// Neg returns -a; the least value is its own negative.
func (a Int128) Neg() Int128 { return Int128{}.Sub(a) }

// Sign returns -1, 0 or +1.
func (a Int128) Sign() int {
	switch {
	case a.Hi < 0:
		return -1
	case a.Hi == 0 && a.Lo == 0:
		return 0
	}
	return 1
}

// Cmp returns -1, 0 or +1 as a is less than, equal to or greater than b.
func (a Int128) Cmp(b Int128) int {
	switch {
	case a == b:
		return 0
	case a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo:
		return -1
	}
	return 1
}

// Int64 returns a as an int64; ok is false where it does not fit.
func (a Int128) Int64() (v int64, ok bool) {
	v = int64(a.Lo)
	return v, a.Hi == v>>63
}

// Float64 returns the float64 nearest to a, ties to even.
func (a Int128) Float64() float64 {
	neg, hi, lo := a.magnitude()
	f := roundUint128(hi, lo)
	if neg {
		return -f
	}
	return f
}

// String returns a in decimal.
func (a Int128) String() string { return string(a.AppendDecimal(nil)) }

// AppendDecimal appends a in decimal to dst and returns the extended slice.
func (a Int128) AppendDecimal(dst []byte) []byte {
	const e19 = 10_000_000_000_000_000_000 // the largest power of ten below 2^64
	neg, hi, lo := a.magnitude()
	if neg {
		dst = append(dst, '-')
	}
	if hi == 0 {
		return strconv.AppendUint(dst, lo, 10)
	}
	q1, r := bits.Div64(0, hi, e19)
	q0, low := bits.Div64(r, lo, e19)
	if q1 == 0 {
		dst = strconv.AppendUint(dst, q0, 10)
		return appendPadded(dst, low)
	}
	top, mid := bits.Div64(q1, q0, e19)
	dst = strconv.AppendUint(dst, top, 10)
	return appendPadded(appendPadded(dst, mid), low)
}

// appendPadded appends v < 10^19 as exactly 19 digits.
func appendPadded(dst []byte, v uint64) []byte {
	var digits [19]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = byte('0' + v%10)
		v /= 10
	}
	return append(dst, digits[:]...)
}

// magnitude returns the sign and the absolute value, which is right for the
// least value too: 2^127 fits an unsigned pair.
func (a Int128) magnitude() (neg bool, hi, lo uint64) {
	if a.Hi < 0 {
		a = a.Neg()
		neg = true
	}
	return neg, uint64(a.Hi), a.Lo
}

// roundUint128 returns the float64 nearest to hi*2^64 + lo. The upper 64
// significant bits go through the conversion of the hardware; what is shifted
// out only decides ties, so it is folded into the lowest bit, which lies 11
// places below the rounding position.
func roundUint128(hi, lo uint64) float64 {
	if hi == 0 {
		return float64(lo)
	}
	s := bits.LeadingZeros64(hi)
	top := hi<<s | lo>>(64-s)
	if lo<<s != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), 64-s)
}

// ratio returns the float64 nearest to a / n for n > 0.
//
// The dividend is shifted until the quotient has at least 56 bits, three more
// than a float64 keeps; the remainder is folded into the lowest bit, so the one
// rounding at the end is that of the exact quotient. A dividend of L bits and a
// divisor of M need the shift 57+M-L, and 57+64 bits fit in 128.
func (a Int128) ratio(n uint64) float64 {
	neg, hi, lo := a.magnitude()
	length := bits.Len64(lo)
	if hi != 0 {
		length = 64 + bits.Len64(hi)
	}
	shift := max(0, 57+bits.Len64(n)-length)
	hi, lo = shiftLeft(hi, lo, uint(shift))
	qhi, r := bits.Div64(0, hi, n)
	qlo, r := bits.Div64(r, lo, n)
	if r != 0 {
		qlo |= 1
	}
	f := math.Ldexp(roundUint128(qhi, qlo), -shift)
	if neg {
		return -f
	}
	return f
}

// shiftLeft returns hi:lo << s for s < 128. Of the two terms of lo the one whose
// count is negative vanishes: as an unsigned number the count is beyond 64.
func shiftLeft(hi, lo uint64, s uint) (uint64, uint64) {
	return hi<<s | lo>>(64-s) | lo<<(s-64), lo << s
}
