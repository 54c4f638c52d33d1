package expr

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// boundsFunctions are interval arithmetic, for the binder: the bounds of a product and of a quotient of two numbers of which
// each lies between two bounds. Arguments are the lower and the upper bound of the first number, then those of the
// second. NULL is a bound that is not known. The errors are those of a value, given it and its bounds: the larger distance
// to one of them, also as a share of the value, which is 0 where the distance is, and else NULL where the value is 0.
var boundsFunctions = []*function{
	{name: "low of product", internal: true, ways: boundsWays, build: boundOf(productRange, lowEnd)},
	{name: "high of product", internal: true, ways: boundsWays, build: boundOf(productRange, highEnd)},
	{name: "low of quotient", internal: true, ways: boundsWays, build: boundOf(quotientRange, lowEnd)},
	{name: "high of quotient", internal: true, ways: boundsWays, build: boundOf(quotientRange, highEnd)},
	{name: "absolute_error", internal: true, build: byRow(absoluteErrorRow), ways: []overload{
		takes(numeric, isNum, isNum, isNum),
		takes(yields(tuple.Interval), isInterval, isInterval, isInterval),
		takes(yields(tuple.Interval), isTime, isTime, isTime),
	}},
	{name: "relative_error", internal: true, build: byRow(relativeErrorRow), ways: []overload{
		takes(yields(tuple.Double), isNum, isNum, isNum),
		takes(yields(tuple.Double), isInterval, isInterval, isInterval),
	}},
}

var boundsWays = []overload{takes(yields(tuple.Double), isNum, isNum, isNum, isNum)}

func lowEnd(low, _ float64) float64   { return low }
func highEnd(_, high float64) float64 { return high }

// productRange returns the bounds of x*y for x in [a, b] and y in [c, d], of which ends may be infinite: a bound of
// infinity times the value 0 is 0.
func productRange(a, b, c, d float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range [2]float64{a, b} {
		for _, y := range [2]float64{c, d} {
			z := x * y
			if x == 0 || y == 0 {
				z = 0
			}
			low, high = min(low, z), max(high, z)
		}
	}
	return low, high
}

// quotientRange returns the bounds of x/y for x in [a, b] and y in [c, d] other than 0. They are not known where 0 lies
// inside [c, d].
func quotientRange(a, b, c, d float64) (low, high float64) {
	if c <= 0 && d >= 0 && (c < 0 && d > 0 || c == d) || c != c || d != d {
		return math.Inf(-1), math.Inf(1)
	}
	low, high = math.Inf(1), math.Inf(-1)
	side := 1.0
	if d <= 0 {
		side = -1
	}
	for _, x := range [2]float64{a, b} {
		for _, y := range [2]float64{c, d} {
			z := x / y
			switch {
			case x == 0 || math.IsInf(y, 0): // also of an infinite x: its finite values come arbitrarily near
				z = 0
			case y == 0:
				z = math.Inf(1) * side
				if x < 0 {
					z = -z
				}
			}
			low, high = min(low, z), max(high, z)
		}
	}
	return low, high
}

// absoluteErrorRow computes a distance. One that integers cannot hold is a double.
func absoluteErrorRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	value, low, high := quantityAt(args[0], r), quantityAt(args[1], r), quantityAt(args[2], r)
	d := apart(value, low)
	if up := apart(high, value); compareNumbers(up, d) > 0 {
		d = up
	}
	switch {
	case out.Type == tuple.Double:
		out.F[r] = d.float()
	case out.Type == tuple.Number:
		out.Mix(f.n)
		setNumber(out, r, d)
	case d.tag != tuple.TagInt:
		f.fail(out, r, overflow)
	default:
		out.I[r] = d.i
	}
}

func relativeErrorRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	value := quantityAt(args[0], r).float()
	d := max(value-quantityAt(args[1], r).float(), quantityAt(args[2], r).float()-value)
	switch {
	case d == 0:
		out.F[r] = 0
	case value == 0:
		out.SetNull(int(r), f.n)
	default:
		out.F[r] = d / math.Abs(value)
	}
}

// quantityAt returns a number, or the ns of a time or an interval.
func quantityAt(c *tuple.Column, r uint16) number {
	if !c.Type.Numeric() {
		return integer(c.I[r])
	}
	return numberAt(c, int(r))
}

// apart returns x-y, as a double where 64 bits do not hold it.
func apart(x, y number) number {
	if x.tag == tuple.TagInt && y.tag == tuple.TagInt {
		if d, what := integers(subtract, x.i, y.i); what == fine {
			return integer(d)
		}
	}
	return double(x.float() - y.float())
}

// intervalBound evaluates one bound of a function of two intervals.
type intervalBound struct {
	args  []kernel
	cols  [4]*tuple.Column
	ends  func(a, b, c, d float64) (low, high float64)
	which func(low, high float64) float64
	out   tuple.Column
}

func boundOf(ends func(a, b, c, d float64) (low, high float64), which func(low, high float64) float64) func(*compiler, *Node) (kernel, error) {
	return func(c *compiler, n *Node) (kernel, error) {
		args, err := c.buildAll(n.Args)
		if err != nil {
			return nil, err
		}
		return &intervalBound{args: args, ends: ends, which: which}, nil
	}
}

func (k *intervalBound) eval(f *frame, sel []uint16) *tuple.Column {
	for i, a := range k.args {
		k.cols[i] = a.eval(f, sel)
	}
	k.out.Reset(tuple.Double, f.n)
	for _, r := range sel {
		var ends [4]float64
		for i, c := range k.cols {
			switch {
			case !c.IsNull(int(r)):
				ends[i] = numberAt(c, int(r)).float()
			case i%2 == 0:
				ends[i] = math.Inf(-1)
			default:
				ends[i] = math.Inf(1)
			}
		}
		v := k.which(k.ends(ends[0], ends[1], ends[2], ends[3]))
		if v-v != 0 {
			k.out.SetNull(int(r), f.n)
			continue
		}
		k.out.F[r] = v
	}
	return &k.out
}
