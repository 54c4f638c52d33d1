package expr

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var mathFunctions = append([]*function{
	{name: "abs", ways: numberWays(), build: buildNumberMap(func(x int64) (int64, bool) { return max(x, -x), x != math.MinInt64 }, math.Abs)},
	{name: "floor", ways: numberWays(), build: buildNumberMap(same, math.Floor)},
	{name: "ceil", aliases: []string{"ceiling"}, ways: numberWays(), build: buildNumberMap(same, math.Ceil)},
	{name: "trunc", ways: numberWays(), build: buildNumberMap(same, math.Trunc)},
	{name: "round", ways: []overload{takes(numericFirst, isNum, isNum).optional(1)}, build: buildRound},
	{name: "sign", ways: []overload{takes(yields(tuple.Bigint), isNum)}, build: byRow(signRow)},
	{name: "pi", ways: []overload{takes(yields(tuple.Double))}, build: func(*compiler, *Node) (kernel, error) {
		return constant(Value{Type: tuple.Double, F: math.Pi}, tuple.Double), nil
	}},
	{name: "log", aliases: []string{"log10"}, ways: []overload{takes(yields(tuple.Double), isNum, isNum).optional(1)}, build: buildLog},
	binaryReal("pow", binaryInDomain(math.Pow), "power"),
	binaryReal("atan2", binaryInDomain(math.Atan2)),
	{name: "isnan", ways: []overload{takes(yields(tuple.Boolean), isNum)}, build: floatTest(math.IsNaN)},
	{name: "isinf", ways: []overload{takes(yields(tuple.Boolean), isNum)}, build: floatTest(func(x float64) bool { return math.IsInf(x, 0) })},
	{name: "isfinite", ways: []overload{takes(yields(tuple.Boolean), isNum)}, build: floatTest(func(x float64) bool { return x-x == 0 })},
}, unaryReals()...)

func unaryReals() []*function {
	return []*function{
		unaryReal("ln", logarithm(ln)),
		unaryReal("log2", logarithm(log2)),
		unaryReal("exp", inDomain(math.Exp)),
		unaryReal("sqrt", func(x float64) (float64, bool) { return math.Sqrt(x), !(x < 0) }),
		unaryReal("cbrt", inDomain(math.Cbrt)),
		unaryReal("sin", inDomain(math.Sin)),
		unaryReal("cos", inDomain(math.Cos)),
		unaryReal("tan", inDomain(math.Tan)),
		unaryReal("asin", func(x float64) (float64, bool) { return math.Asin(x), !(math.Abs(x) > 1) }),
		unaryReal("acos", func(x float64) (float64, bool) { return math.Acos(x), !(math.Abs(x) > 1) }),
		unaryReal("atan", inDomain(math.Atan)),
		unaryReal("degrees", inDomain(func(x float64) float64 { return x * 180 / math.Pi })),
		unaryReal("radians", inDomain(func(x float64) float64 { return x * math.Pi / 180 })),
	}
}

func numberWays() []overload { return []overload{takes(numeric, isNum)} }

// numericFirst is the type of functions whose result is of the kind of their first argument.
func numericFirst(args []*Node) (tuple.Type, error) { return numeric(args[:1]) }

// same is what rounding does to integers.
func same(x int64) (int64, bool) { return x, true }

func buildNumberMap(ints func(int64) (int64, bool), reals func(float64) float64) func(*compiler, *Node) (kernel, error) {
	return func(c *compiler, n *Node) (kernel, error) { return c.numberMap(n, ints, reals) }
}

// inDomain makes fn a function with a domain that is all numbers.
func inDomain(fn func(float64) float64) func(float64) (float64, bool) {
	return func(x float64) (float64, bool) {
		y := fn(x)
		return y, y == y || x != x
	}
}

// binaryInDomain makes fn a function whose domain leaves out numbers of which it makes NaN.
func binaryInDomain(fn func(x, y float64) float64) func(x, y float64) (float64, bool) {
	return func(x, y float64) (float64, bool) {
		z := fn(x, y)
		return z, z == z || x != x || y != y
	}
}

// logarithm makes fn a function whose domain is the numbers above 0, and NaN.
func logarithm(fn func(float64) float64) func(float64) (float64, bool) {
	return func(x float64) (float64, bool) { return fn(x), !(x <= 0) }
}

// ln is math.Log, which on some processors takes all numbers below the normal ones for the same.
func ln(x float64) float64 {
	if 0 < x && x < 0x1p-1022 {
		return math.Log(x*0x1p52) - 52*math.Ln2
	}
	return math.Log(x)
}

// log2 is exact for powers of two. Unlike math.Log2, it keeps its digits near 1.
func log2(x float64) float64 {
	if fraction, exponent := math.Frexp(x); fraction == 0.5 {
		return float64(exponent - 1)
	}
	return ln(x) / math.Ln2
}

// log10 is exact for powers of ten.
func log10(x float64) float64 {
	v := ln(x) / math.Ln10
	if whole := math.Round(v); math.Pow10(int(whole)) == x {
		return whole
	}
	return v
}

// unaryReal makes a function of doubles. fn returns false outside its domain.
func unaryReal(name string, fn func(float64) (float64, bool)) *function {
	return &function{
		name: name, ways: []overload{takes(yields(tuple.Double), isNum)},
		build: byRow(func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
			v, ok := fn(numberAt(args[0], int(r)).float())
			out.F[r] = v
			if !ok {
				f.fail(out, r, domain)
			}
		}),
	}
}

// binaryReal is unaryReal for functions of two doubles.
func binaryReal(name string, fn func(x, y float64) (float64, bool), aliases ...string) *function {
	return &function{
		name: name, aliases: aliases, ways: []overload{takes(yields(tuple.Double), isNum, isNum)},
		build: byRow(func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
			v, ok := fn(numberAt(args[0], int(r)).float(), numberAt(args[1], int(r)).float())
			out.F[r] = v
			if !ok {
				f.fail(out, r, domain)
			}
		}),
	}
}

func floatTest(fn func(float64) bool) func(*compiler, *Node) (kernel, error) {
	return byRow(func(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		out.B[r] = fn(numberAt(args[0], int(r)).float())
	})
}

func signRow(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	x := numberAt(args[0], int(r))
	if x.tag == tuple.TagFloat && x.f != x.f {
		out.I[r] = 0
		return
	}
	out.I[r] = int64(compareNumbers(x, integer(0)))
}

// buildLog is log(x), to base 10, and log(base, x).
func buildLog(c *compiler, n *Node) (kernel, error) {
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		x := numberAt(args[len(args)-1], int(r)).float()
		ok := !(x <= 0)
		v := log10(x)
		if len(args) == 2 {
			base := numberAt(args[0], int(r)).float()
			v /= log10(base)
			ok = ok && !(base <= 0) && base != 1
		}
		out.F[r] = v
		if !ok {
			f.fail(out, r, domain)
		}
	})
}

// buildRound is round(x) and round(x, digits): halves go away from zero.
func buildRound(c *compiler, n *Node) (kernel, error) {
	if len(n.Args) == 1 {
		return c.numberMap(n, same, math.Round)
	}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		x := numberAt(args[0], int(r))
		places, ok := integerAt(args[1], r)
		if !ok {
			f.fail(out, r, domain)
			return
		}
		if x.tag == tuple.TagInt {
			x.i, ok = roundInteger(x.i, places)
		} else {
			x = double(roundReal(x.float(), places))
		}
		storeNumber(f, out, r, x)
		if !ok {
			f.fail(out, r, overflow)
		}
	})
}

// storeNumber makes x row r of a Bigint, Double or Number column.
func storeNumber(f *frame, out *tuple.Column, r uint16, x number) {
	switch out.Type {
	case tuple.Bigint:
		out.I[r] = x.i
	case tuple.Double:
		out.F[r] = x.float()
	default:
		out.Mix(f.n)
		setNumber(out, r, x)
	}
}

// roundReal multiplies or divides by a power of ten, never by the reciprocal of one, which is not exact.
func roundReal(x float64, places int64) float64 {
	places = min(max(places, -400), 400)
	unit := math.Pow10(int(max(places, -places)))
	scaled := x * unit
	if places < 0 {
		scaled = x / unit
	}
	switch {
	case !(math.Abs(scaled) < 1<<52):
		return x // more digits than a double has
	case places >= 0:
		return math.Round(scaled) / unit
	case math.IsInf(unit, 0):
		return 0
	default:
		return math.Round(scaled) * unit
	}
}

func roundInteger(x, places int64) (int64, bool) {
	switch {
	case places >= 0:
		return x, true
	case places < -19:
		return 0, true
	}
	unit := uint64(1)
	for ; places < 0; places++ {
		unit *= 10
	}
	size := uint64(x)
	if x < 0 {
		size = -size
	}
	rest := size % unit
	size -= rest
	if rest >= unit-rest {
		if size+unit < size {
			return 0, false
		}
		size += unit
	}
	if x < 0 {
		return int64(-size), size <= 1<<63
	}
	return int64(size), size <= math.MaxInt64
}
