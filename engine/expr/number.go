package expr

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

const (
	two63  = float64(1 << 63)
	two64  = two63 * 2
	two127 = two64 * two63
)

// number is one value of a numeric column: tag says which of tuple's representations it has.
type number struct {
	tag uint8
	i   int64 // TagInt; low half of TagHuge
	hi  int64 // TagHuge
	f   float64
}

func integer(i int64) number  { return number{tag: tuple.TagInt, i: i} }
func double(f float64) number { return number{tag: tuple.TagFloat, f: f} }

// numberAt returns row r of a numeric column.
func numberAt(c *tuple.Column, r int) number {
	switch c.Rep {
	case tuple.RepInt:
		return integer(c.I[r])
	case tuple.RepFloat:
		return double(c.F[r])
	}
	switch c.Tag[r] {
	case tuple.TagInt:
		return integer(c.I[r])
	case tuple.TagFloat:
		return double(c.F[r])
	}
	return number{tag: tuple.TagHuge, i: c.I[r], hi: c.Hi[r]}
}

// setNumber stores x in a RepMixed column.
func setNumber(c *tuple.Column, r uint16, x number) {
	c.Tag[r], c.I[r], c.Hi[r], c.F[r] = x.tag, x.i, x.hi, x.f
}

// float returns the double nearest to x.
func (x number) float() float64 {
	switch x.tag {
	case tuple.TagInt:
		return float64(x.i)
	case tuple.TagFloat:
		return x.f
	}
	hi, lo := uint64(x.hi), uint64(x.i)
	if x.hi < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	// The top 64 bits, with a last bit that says whether anything follows, round as the whole would.
	shift := bits.LeadingZeros64(hi)
	top := hi<<shift | lo>>(64-shift)
	if lo<<shift != 0 {
		top |= 1
	}
	f := math.Ldexp(float64(top), 64-shift)
	if x.hi < 0 {
		return -f
	}
	return f
}

// wide returns the integer x with 128 bits.
func (x number) wide() (hi int64, lo uint64) {
	if x.tag == tuple.TagInt {
		return x.i >> 63, uint64(x.i)
	}
	return x.hi, uint64(x.i)
}

// compareNumbers orders numbers by value. NaN equals itself and is the greatest.
func compareNumbers(x, y number) int {
	switch {
	case x.tag == tuple.TagFloat && y.tag == tuple.TagFloat:
		return compareFloats(x.f, y.f)
	case x.tag == tuple.TagInt && y.tag == tuple.TagInt:
		return cmp.Compare(x.i, y.i)
	case x.tag == tuple.TagFloat:
		return -compareWideFloat(y, x.f)
	case y.tag == tuple.TagFloat:
		return compareWideFloat(x, y.f)
	}
	hx, lx := x.wide()
	hy, ly := y.wide()
	if c := cmp.Compare(hx, hy); c != 0 {
		return c
	}
	return cmp.Compare(lx, ly)
}

func compareFloats(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	switch nx, ny := x != x, y != y; {
	case nx && ny:
		return 0
	case nx:
		return 1
	}
	return -1
}

// compareIntFloat orders an integer and a double without rounding either.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f != f || f >= two63:
		return -1
	case f < -two63:
		return 1
	}
	whole := math.Floor(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 || f == whole {
		return c
	}
	return -1
}

func compareWideFloat(x number, f float64) int {
	if x.tag == tuple.TagInt {
		return compareIntFloat(x.i, f)
	}
	switch {
	case f != f || f >= two127:
		return -1
	case f < -two127:
		return 1
	}
	whole := math.Floor(f)
	high := math.Floor(whole / two64)
	if c := cmp.Compare(x.hi, int64(high)); c != 0 {
		return c
	}
	if c := cmp.Compare(uint64(x.i), uint64(whole-high*two64)); c != 0 || f == whole {
		return c
	}
	return -1
}

// integerOf converts x to the nearest integer, halves to the even one. ok is false when 64 bits do not hold it.
func integerOf(x number) (i int64, ok bool) {
	switch x.tag {
	case tuple.TagInt:
		return x.i, true
	case tuple.TagHuge:
		return 0, false
	}
	f := math.RoundToEven(x.f)
	if !(f >= -two63 && f < two63) {
		return 0, false
	}
	return int64(f), true
}

// canonical returns the one representation that equal numbers share: an integer where the value is one that 64 bits
// hold, and one NaN.
func canonical(x number) number {
	switch {
	case x.tag == tuple.TagInt:
		return x
	case x.tag == tuple.TagHuge:
		if x.hi == x.i>>63 {
			return integer(x.i)
		}
		return x
	case x.f == math.Trunc(x.f) && x.f >= -two63 && x.f < two63:
		return integer(int64(x.f))
	case x.f != x.f:
		return number{tag: tuple.TagFloat, i: 1}
	case math.Abs(x.f) >= two63 && x.f >= -two127 && x.f < two127:
		high := math.Floor(x.f / two64)
		return number{tag: tuple.TagHuge, hi: int64(high), i: int64(uint64(x.f - high*two64))}
	}
	return x
}
