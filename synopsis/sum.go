package synopsis

import (
	"math"
	"math/bits"
)

// Sum accumulates integers exactly and floats with compensation. The zero value
// is an empty sum. It is 40 bytes and holds no pointer.
//
// Integers go to a 128-bit counter. Each adds less than 2^63 in magnitude, so
// only more than 2^64 additions could pass 2^127: six hundred years at one a
// nanosecond.
//
// Floats go to a pair (sum, lost) by Neumaier's variant of Kahan's summation,
// written with Knuth's branch-free TwoSum: the rounding error of each addition
// is recovered exactly and summed apart, so that the result is off by about one
// rounding plus n*2^-106 of the sum of magnitudes. Where the running sum leaves the
// range of float64 both are scaled by 2^-64 once and for all, so that the mean of
// {1.7e308, 1.7e308} is 1.7e308 while their sum is +Inf; terms below 2^-1010 then
// lose digits that the sum could hold only after cancellation.
//
// Infinities are remembered beside the finite part: +Inf and -Inf together, or a
// NaN, make the sum NaN.
type Sum struct {
	ints      Int128
	sum, lost float64
	flags     uint8
}

const (
	sumFloats uint8 = 1 << iota // a float was added, so the result is a float
	sumScaled                   // sum and lost are to be multiplied by sumScale
	sumPosInf
	sumNegInf
)

const (
	sumScale   = 0x1p64
	sumUnscale = 0x1p-64
)

// AddInt adds v exactly.
func (s *Sum) AddInt(v int64) {
	lo, carry := bits.Add64(s.ints.Lo, uint64(v), 0)
	s.ints.Hi += v>>63 + int64(carry)
	s.ints.Lo = lo
}

// AddFloat adds x.
func (s *Sum) AddFloat(x float64) {
	if s.flags&^sumFloats != 0 {
		s.addRare(x)
		return
	}
	t, e := twoSum(s.sum, x)
	lost := s.lost + e
	if lost-lost != 0 { // e is NaN wherever t is not finite
		s.addRare(x)
		return
	}
	s.sum, s.lost, s.flags = t, lost, sumFloats
}

// addRare adds x where x or the running sum leaves the finite range, or has.
func (s *Sum) addRare(x float64) {
	s.flags |= sumFloats
	switch {
	case x-x == 0:
		s.scale()
		t, e := twoSum(s.sum, x*sumUnscale)
		s.sum = t
		s.lost += e
	case x > 0:
		s.flags |= sumPosInf
	case x < 0:
		s.flags |= sumNegInf
	default:
		s.flags |= sumPosInf | sumNegInf
	}
}

func (s *Sum) scale() {
	if s.flags&sumScaled == 0 {
		s.sum *= sumUnscale
		s.lost *= sumUnscale
		s.flags |= sumScaled
	}
}

// Merge adds everything that o has seen.
func (s *Sum) Merge(o *Sum) {
	s.ints = s.ints.Add(o.ints)
	if o.flags == 0 {
		return
	}
	if o.flags&sumScaled == 0 {
		s.AddFloat(o.sum)
		s.AddFloat(o.lost)
		s.flags |= o.flags
		return
	}
	s.scale()
	t, e := twoSum(s.sum, o.sum)
	s.sum = t
	s.lost += e + o.lost
	s.flags |= o.flags
}

// IsInt reports whether only integers were added, so that Int is the sum.
func (s *Sum) IsInt() bool { return s.flags == 0 }

// Int returns the exact sum of the integers added; floats are not part of it.
func (s *Sum) Int() Int128 { return s.ints }

// Float returns the sum of everything added. It is the float64 nearest to the
// exact sum where only integers were added.
func (s *Sum) Float() float64 {
	if s.IsInt() {
		return s.ints.Float64()
	}
	v, scale := s.total()
	return v * scale
}

// Mean returns the sum divided by n, the number of values added; NaN for n <= 0.
// The mean of integers is the float64 nearest to the exact quotient.
func (s *Sum) Mean(n int64) float64 {
	if n <= 0 {
		return math.NaN()
	}
	if s.IsInt() {
		return s.ints.ratio(uint64(n))
	}
	v, scale := s.total()
	if scale != 1 {
		return v / float64(n) * scale
	}
	return v / float64(n)
}

// total returns the sum of integers and floats as v*scale, where v does not
// overflow. The integer part enters as four exact pieces, so that integers and
// floats of opposite sign cancel without loss.
func (s *Sum) total() (v, scale float64) {
	switch s.flags & (sumPosInf | sumNegInf) {
	case sumPosInf:
		return math.Inf(1), 1
	case sumNegInf:
		return math.Inf(-1), 1
	case sumPosInf | sumNegInf:
		return math.NaN(), 1
	}
	t := *s
	if t.ints != (Int128{}) {
		t.AddFloat(float64(t.ints.Hi>>32) * 0x1p96)
		t.AddFloat(float64(t.ints.Hi&math.MaxUint32) * 0x1p64)
		t.AddFloat(float64(t.ints.Lo>>32) * 0x1p32)
		t.AddFloat(float64(t.ints.Lo & math.MaxUint32))
	}
	if t.flags&sumScaled != 0 {
		return t.sum + t.lost, sumScale
	}
	if v = t.sum + t.lost; v-v != 0 {
		t.scale()
		return t.sum + t.lost, sumScale
	}
	return v, 1
}

// twoSum returns a+b rounded and the exact rounding error (Knuth, TAOCP 4.2.2,
// theorem B). The error is NaN where the rounded sum is not finite.
func twoSum(a, b float64) (sum, err float64) {
	sum = a + b
	z := sum - a
	return sum, (a - (sum - z)) + (b - z)
}
