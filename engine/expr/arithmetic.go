package expr

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var arithmeticFunctions = []*function{
	{name: "+", build: buildArithmetic, ways: []overload{
		takes(numeric, isNum, isNum),
		takes(yields(tuple.Timestamp), isTime, isInterval),
		takes(yields(tuple.Timestamp), isInterval, isTime),
		takes(yields(tuple.Interval), isInterval, isInterval),
	}},
	{name: "-", build: buildArithmetic, ways: []overload{
		takes(numeric, isNum, isNum),
		takes(yields(tuple.Interval), isTime, isTime),
		takes(yields(tuple.Timestamp), isTime, isInterval),
		takes(yields(tuple.Interval), isInterval, isInterval),
	}},
	{name: "*", build: buildArithmetic, ways: []overload{
		takes(numeric, isNum, isNum),
		takes(yields(tuple.Interval), isInterval, isNum),
		takes(yields(tuple.Interval), isNum, isInterval),
	}},
	{name: "/", build: buildArithmetic, ways: []overload{
		takes(yields(tuple.Double), isNum, isNum),
		takes(yields(tuple.Interval), isInterval, isNum),
	}},
	{name: "//", build: buildArithmetic, ways: []overload{takes(numeric, isNum, isNum)}},
	{name: "%", aliases: []string{"mod"}, build: buildArithmetic, ways: []overload{takes(numeric, isNum, isNum)}},
	{name: "neg", build: buildNegation, ways: []overload{
		takes(numeric, isNum),
		takes(yields(tuple.Interval), isInterval),
	}},
}

// numeric is the type of arithmetic on numbers: DOUBLE if one is, else NUMBER if one is, else BIGINT.
func numeric(args []*Node) (tuple.Type, error) {
	t := tuple.Bigint
	for _, a := range args {
		switch {
		case a.Type == tuple.Double:
			return tuple.Double, nil
		case a.Type == tuple.Number:
			t = tuple.Number
		}
	}
	return t, nil
}

// operation is an arithmetic operator.
type operation uint8

const (
	add operation = iota
	subtract
	multiply
	divide      // always as doubles
	divideWhole // truncating
	remainder   // with the sign of the dividend
)

var operations = map[string]operation{
	"+": add, "-": subtract, "*": multiply, "/": divide, "//": divideWhole, "%": remainder,
}

// outcome says what became of an operation.
type outcome uint8

const (
	fine outcome = iota
	undefined
	tooLarge
)

// arithmetic is a binary operator on numbers, or on times where these are added like integers.
type arithmetic struct {
	op          operation
	left, right kernel
	out         tuple.Column
	typ         tuple.Type
	fl, fr      []float64
}

func buildArithmetic(c *compiler, n *Node) (kernel, error) {
	op := operations[n.Name]
	if n.Type == tuple.Interval && op >= multiply {
		return c.rowwise(n, scaleInterval(op))
	}
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &arithmetic{op: op, left: args[0], right: args[1], typ: n.Type}, nil
}

func (k *arithmetic) eval(f *frame, sel []uint16) *tuple.Column {
	a, b := k.left.eval(f, sel), k.right.eval(f, sel)
	if !f.begin(&k.out, k.typ, a, b) {
		return &k.out
	}
	ints := a.Rep == tuple.RepInt && b.Rep == tuple.RepInt
	switch {
	case ints && k.typ != tuple.Double:
		k.ints(f, a.I, b.I, sel)
	case k.typ == tuple.Number && (a.Rep == tuple.RepMixed || b.Rep == tuple.RepMixed):
		k.mixed(f, a, b, sel)
	default:
		if k.typ == tuple.Number {
			k.out.SetRep(tuple.RepFloat, f.n)
		}
		k.fl = floats(a, sel, k.fl, f.n)
		k.fr = floats(b, sel, k.fr, f.n)
		k.floats(f, view(a, k.fl), view(b, k.fr), sel)
	}
	return &k.out
}

// floats converts the rows of sel to doubles, in scratch, unless c holds doubles.
func floats(c *tuple.Column, sel []uint16, scratch []float64, n int) []float64 {
	switch c.Rep {
	case tuple.RepFloat:
		return scratch
	case tuple.RepInt:
		scratch = tuple.Resize(scratch, n)
		for _, r := range sel {
			scratch[r] = float64(c.I[r])
		}
		return scratch
	}
	scratch = tuple.Resize(scratch, n)
	for _, r := range sel {
		if !c.IsNull(int(r)) {
			scratch[r] = numberAt(c, int(r)).float()
		}
	}
	return scratch
}

// view returns c's doubles, given what floats returned.
func view(c *tuple.Column, converted []float64) []float64 {
	if c.Rep == tuple.RepFloat {
		return c.F
	}
	return converted
}

func (k *arithmetic) ints(f *frame, x, y []int64, sel []uint16) {
	out := k.out.I
	switch k.op {
	case add:
		for _, r := range sel {
			a, b := x[r], y[r]
			s := a + b
			out[r] = s
			if (a^s)&(b^s) < 0 {
				f.fail(&k.out, r, overflow)
			}
		}
	case subtract:
		for _, r := range sel {
			a, b := x[r], y[r]
			s := a - b
			out[r] = s
			if (a^b)&(a^s) < 0 {
				f.fail(&k.out, r, overflow)
			}
		}
	case multiply:
		for _, r := range sel {
			p, ok := product(x[r], y[r])
			out[r] = p
			if !ok {
				f.fail(&k.out, r, overflow)
			}
		}
	default:
		for _, r := range sel {
			z, what := integers(k.op, x[r], y[r])
			out[r] = z
			k.note(f, r, what)
		}
	}
}

// product returns x*y and whether 64 bits hold it.
func product(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x)
	return int64(lo), hi == uint64(int64(lo)>>63)
}

// integers applies op to two integers.
func integers(op operation, x, y int64) (int64, outcome) {
	switch op {
	case add:
		s := x + y
		if (x^s)&(y^s) < 0 {
			return 0, tooLarge
		}
		return s, fine
	case subtract:
		s := x - y
		if (x^y)&(x^s) < 0 {
			return 0, tooLarge
		}
		return s, fine
	case multiply:
		p, ok := product(x, y)
		if !ok {
			return 0, tooLarge
		}
		return p, fine
	}
	switch {
	case y == 0:
		return 0, undefined
	case op == remainder && y == -1:
		return 0, fine
	case op == remainder:
		return x % y, fine
	case x == math.MinInt64 && y == -1:
		return 0, tooLarge
	}
	return x / y, fine
}

// reals applies op to two doubles.
func reals(op operation, x, y float64) (float64, outcome) {
	switch op {
	case add:
		return x + y, fine
	case subtract:
		return x - y, fine
	case multiply:
		return x * y, fine
	}
	switch {
	case y == 0:
		return 0, undefined
	case op == divide:
		return x / y, fine
	case op == divideWhole:
		return math.Trunc(x / y), fine
	}
	return math.Mod(x, y), fine
}

func (k *arithmetic) note(f *frame, r uint16, what outcome) {
	switch what {
	case undefined:
		k.out.SetNull(int(r), f.n)
	case tooLarge:
		f.fail(&k.out, r, overflow)
	}
}

func (k *arithmetic) floats(f *frame, x, y []float64, sel []uint16) {
	out := k.out.F
	switch k.op {
	case add:
		for _, r := range sel {
			out[r] = x[r] + y[r]
		}
	case subtract:
		for _, r := range sel {
			out[r] = x[r] - y[r]
		}
	case multiply:
		for _, r := range sel {
			out[r] = x[r] * y[r]
		}
	case divide:
		for _, r := range sel {
			out[r] = x[r] / y[r]
			if y[r] == 0 {
				k.out.SetNull(int(r), f.n)
			}
		}
	default:
		for _, r := range sel {
			z, what := reals(k.op, x[r], y[r])
			out[r] = z
			k.note(f, r, what)
		}
	}
}

func (k *arithmetic) mixed(f *frame, a, b *tuple.Column, sel []uint16) {
	k.out.SetRep(tuple.RepMixed, f.n)
	for _, r := range sel {
		if k.out.IsNull(int(r)) {
			continue
		}
		x, y := numberAt(a, int(r)), numberAt(b, int(r))
		if x.tag == tuple.TagInt && y.tag == tuple.TagInt {
			z, what := integers(k.op, x.i, y.i)
			setNumber(&k.out, r, integer(z))
			k.note(f, r, what)
			continue
		}
		z, what := reals(k.op, x.float(), y.float())
		setNumber(&k.out, r, double(z))
		k.note(f, r, what)
	}
}

// scaleInterval multiplies or divides an interval by a number, rounding to the nearest ns.
func scaleInterval(op operation) rowFunc {
	return func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		length, factor := args[0], args[1]
		if length.Type != tuple.Interval {
			length, factor = factor, length
		}
		x := numberAt(factor, int(r))
		var z int64
		ok := true
		switch {
		case op == divide && x.float() == 0:
			out.SetNull(int(r), f.n)
			return
		case op == multiply && x.tag == tuple.TagInt:
			z, ok = product(length.I[r], x.i)
		case op == multiply:
			z, ok = integerOf(double(float64(length.I[r]) * x.float()))
		default:
			z, ok = integerOf(double(float64(length.I[r]) / x.float()))
		}
		out.I[r] = z
		if !ok {
			f.fail(out, r, overflow)
		}
	}
}

func buildNegation(c *compiler, n *Node) (kernel, error) {
	if n.Type == tuple.Interval || n.Type.Numeric() {
		return c.numberMap(n, negateInteger, func(x float64) float64 { return -x })
	}
	return nil, fmt.Errorf("expr: neg of %v", n.Type)
}

func negateInteger(x int64) (int64, bool) { return -x, x != math.MinInt64 }

// numberMap applies a function to numbers one by one: ints to integers, which says false when its result is too large, and
// reals to doubles and, converted, to 128-bit integers. Intervals are integers.
type numberMap struct {
	arg   kernel
	typ   tuple.Type
	ints  func(int64) (int64, bool)
	reals func(float64) float64
	out   tuple.Column
}

func (c *compiler) numberMap(n *Node, ints func(int64) (int64, bool), reals func(float64) float64) (kernel, error) {
	arg, err := c.build(n.Args[0])
	if err != nil {
		return nil, err
	}
	return &numberMap{arg: arg, typ: n.Type, ints: ints, reals: reals}, nil
}

func (k *numberMap) eval(f *frame, sel []uint16) *tuple.Column {
	a, out := k.arg.eval(f, sel), &k.out
	if !f.begin(out, k.typ, a) {
		return out
	}
	if out.Rep != a.Rep {
		out.SetRep(a.Rep, f.n)
	}
	for _, r := range sel {
		if out.IsNull(int(r)) {
			continue
		}
		ok := true
		switch {
		case a.Rep == tuple.RepInt:
			out.I[r], ok = k.ints(a.I[r])
		case a.Rep == tuple.RepFloat:
			out.F[r] = k.reals(a.F[r])
		default:
			x := numberAt(a, int(r))
			if x.tag == tuple.TagInt {
				x.i, ok = k.ints(x.i)
			} else {
				x = double(k.reals(x.float()))
			}
			setNumber(out, r, x)
		}
		if !ok {
			f.fail(out, r, overflow)
		}
	}
	return out
}
