package query

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// increasing are the functions of one argument that grow with it everywhere.
var increasing = []string{
	"floor", "ceil", "trunc", "round", "sign", "exp", "cbrt", "atan", "degrees", "radians", "epoch_ms", "epoch_us", "epoch_ns", "to_timestamp",
}

// logarithms grow with their argument where it is greater than 0.
var logarithms = []string{"ln", "log", "log2"}

// callBounds returns the bounds of a call with estimates among its arguments; nil where there are none.
func (b *binder) callBounds(n *expr.Node) (low, high *expr.Node) {
	switch n.Name {
	case "greatest", "least":
		return b.extremeBounds(n)
	case "coalesce":
		return b.coalesceBounds(n.Args)
	case "if":
		return b.caseBounds(n)
	}
	switch len(n.Args) {
	case 1:
		return unaryBounds(n.Name, b.interval(n.Args[0]))
	case 2:
		return binaryBounds(n, b.interval(n.Args[0]), b.interval(n.Args[1]))
	}
	return nil, nil
}

// unaryBounds returns the bounds of a function of x.
func unaryBounds(name string, x interval) (low, high *expr.Node) {
	zero := constant(expr.Value{Type: tuple.Bigint}, 0)
	switch {
	case slices.Contains(increasing, name):
		return made(name, x.low), made(name, x.high)
	case slices.Contains(logarithms, name):
		return when(made(">", x.low, zero), made(name, x.low), nothing()), when(made(">", x.high, zero), made(name, x.high), nothing())
	case name == "sqrt":
		none := constant(expr.Value{Type: tuple.Double}, 0)
		return when(made(">", x.low, zero), made(name, x.low), none), when(made(">=", x.high, zero), made(name, x.high), nothing())
	case name == "neg":
		return made("neg", x.high), made("neg", x.low)
	case name == "abs":
		ends := []*expr.Node{made("neg", x.low), x.high}
		return made("greatest", x.low, made("neg", x.high), zero), known(ends, made("greatest", ends...))
	}
	return nil, nil
}

// binaryBounds returns the bounds of n, a call with arguments x and y.
func binaryBounds(n *expr.Node, x, y interval) (low, high *expr.Node) {
	switch n.Name {
	case "+":
		return made("+", x.low, y.low), made("+", x.high, y.high)
	case "-":
		return made("-", x.low, y.high), made("-", x.high, y.low)
	case "*", "/":
		return scaledBounds(n, x, y)
	case "round":
		if y.point {
			return made("round", x.low, y.low), made("round", x.high, y.low)
		}
	case "nullif": // where it is not NULL
		return x.low, x.high
	}
	return nil, nil
}

// scaledBounds returns the bounds of a product or a quotient.
func scaledBounds(n *expr.Node, x, y interval) (low, high *expr.Node) {
	factor, ends := y, x
	if n.Name == "*" && x.point {
		factor, ends = x, y
	}
	positive := 0
	if factor.point {
		positive = sign(factor.low)
	}
	switch {
	case positive > 0:
		return made(n.Name, ends.low, factor.low), made(n.Name, ends.high, factor.low)
	case positive < 0:
		return made(n.Name, ends.high, factor.low), made(n.Name, ends.low, factor.low)
	}
	what := "product"
	if n.Name == "/" {
		what = "quotient"
	}
	var points []*expr.Node // which are NULL rather than not known
	for _, v := range []interval{x, y} {
		if v.point {
			points = append(points, v.low)
		}
	}
	return known(points, made("low of "+what, x.low, x.high, y.low, y.high)), known(points, made("high of "+what, x.low, x.high, y.low, y.high))
}

// sign returns 1 or -1 for a constant number that is positive or negative, else 0.
func sign(n *expr.Node) int {
	v, ok := constantNumber(n)
	switch {
	case ok && v > 0:
		return 1
	case ok && v < 0:
		return -1
	}
	return 0
}

// constantNumber returns the value of a number that does not depend on the input.
func constantNumber(n *expr.Node) (float64, bool) {
	switch {
	case n == nil || n.Kind != expr.Const || n.Value.Null:
		return 0, false
	case n.Type == tuple.Bigint || n.Type == tuple.Number && !n.Value.Float:
		return float64(n.Value.I), true
	case n.Type == tuple.Double || n.Type == tuple.Number:
		return n.Value.F, true
	}
	return 0, false
}

// known returns n, or NULL where one of the bounds that it depends on is not known; greatest and least pass over NULLs.
func known(bounds []*expr.Node, n *expr.Node) *expr.Node {
	var missing []*expr.Node
	for _, x := range bounds {
		missing = append(missing, made("is null", x))
	}
	switch {
	case slices.Contains(missing, nil):
		return nil
	case len(missing) == 0:
		return n
	case len(missing) == 1:
		return when(missing[0], nothing(), n)
	}
	return when(&expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: "or", Args: missing}, nothing(), n)
}

// ends returns the lower and the upper bounds of several expressions, and those of them that are bounds of estimates.
func (b *binder) ends(args []*expr.Node) (lows, highs, openLows, openHighs []*expr.Node) {
	for _, a := range args {
		v := b.interval(a)
		lows, highs = append(lows, v.low), append(highs, v.high)
		if !v.point {
			openLows, openHighs = append(openLows, v.low), append(openHighs, v.high)
		}
	}
	return lows, highs, openLows, openHighs
}

// extremeBounds returns the bounds of greatest and least, whose arguments that are NULL do not count.
func (b *binder) extremeBounds(n *expr.Node) (low, high *expr.Node) {
	if slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return b.interval(a).vanishing }) {
		return b.hull(n.Args)
	}
	lows, highs, openLows, openHighs := b.ends(n.Args)
	low, high = made(n.Name, lows...), made(n.Name, highs...)
	if n.Name == "greatest" {
		return low, known(openHighs, high)
	}
	return known(openLows, low), high
}

// hull returns the bounds of a value that is one of several, or NULL.
func (b *binder) hull(values []*expr.Node) (low, high *expr.Node) {
	lows, highs, openLows, openHighs := b.ends(values)
	return known(openLows, made("least", lows...)), known(openHighs, made("greatest", highs...))
}

// coalesceBounds returns the bounds of the first of values that is not NULL. An estimate that is NULL for want of rows may
// stand for any value.
func (b *binder) coalesceBounds(values []*expr.Node) (low, high *expr.Node) {
	first := b.interval(values[0])
	if len(values) == 1 {
		return first.low, first.high
	}
	low, high = b.coalesceBounds(values[1:])
	if !first.point {
		lows, highs := []*expr.Node{first.low}, []*expr.Node{first.high}
		if slices.ContainsFunc(values[1:], b.estimated) {
			lows, highs = append(lows, low), append(highs, high)
		}
		low, high = known(lows, made("least", first.low, low)), known(highs, made("greatest", first.high, high))
	}
	if first.vanishing {
		return low, high
	}
	there := made("is not null", values[0])
	return when(there, first.low, low), when(there, first.high, high)
}

// caseBounds returns the bounds of CASE and of if: those of the branch, or where the conditions are about estimates, of all branches.
func (b *binder) caseBounds(n *expr.Node) (low, high *expr.Node) {
	lower, upper := *n, *n
	lower.Args, upper.Args, lower.Text, upper.Text = slices.Clone(n.Args), slices.Clone(n.Args), "", ""
	var values []*expr.Node
	open := false
	for i, a := range n.Args {
		if i%2 == 0 && i < len(n.Args)-1 {
			open = open || b.estimated(a)
			continue
		}
		v := b.interval(a)
		if v.low == nil {
			return nil, nil
		}
		lower.Args[i], upper.Args[i] = v.low, v.high
		values = append(values, a)
	}
	if open {
		return b.hull(values)
	}
	if !retype(&lower) || !retype(&upper) {
		return nil, nil
	}
	return &lower, &upper
}

// retype gives a CASE or an if the type of its branches.
func retype(n *expr.Node) bool {
	var types []tuple.Type
	for i, a := range n.Args {
		if i%2 == 1 || i == len(n.Args)-1 {
			types = append(types, a.Type)
		}
	}
	t, err := expr.Unify(types...)
	n.Type = t
	return err == nil
}

// castBounds returns the bounds of a number made another kind of number.
func (b *binder) castBounds(n *expr.Node) (low, high *expr.Node) {
	v := b.interval(n.Args[0])
	if v.low == nil || !v.low.Type.Numeric() || !n.Type.Numeric() {
		return nil, nil
	}
	as := func(x *expr.Node) *expr.Node {
		return &expr.Node{Kind: expr.TryCast, Type: n.Type, Args: []*expr.Node{x}}
	}
	return as(v.low), as(v.high)
}
