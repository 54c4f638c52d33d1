package oracle

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// scalar evaluates expressions. It keeps the first thing that it could not do.
type scalar struct{ err error }

// holds reports whether a condition is true of a row.
func (s *scalar) holds(n *expr.Node, row Row) bool {
	v := s.eval(n, row)
	return !v.Null && v.B
}

// eval returns the value of n for a row.
func (s *scalar) eval(n *expr.Node, row Row) expr.Value {
	return as(s.value(n, row), n.Type)
}

func (s *scalar) value(n *expr.Node, row Row) expr.Value {
	switch n.Kind {
	case expr.Col:
		return row[n.Index]
	case expr.Const:
		v := n.Value
		v.Type, v.Null = n.Type, v.Null || n.Type == tuple.Null
		return v
	}
	args := make([]expr.Value, len(n.Args))
	for i, a := range n.Args {
		args[i] = s.eval(a, row)
	}
	switch n.Kind {
	case expr.Case:
		for i := 0; i+1 < len(args); i += 2 {
			if !args[i].Null && args[i].B {
				return args[i+1]
			}
		}
		return args[len(args)-1]
	case expr.In:
		return member(args[0], args[1:])
	case expr.Cast, expr.TryCast:
		return cast(args[0], n.Type)
	}
	return s.call(n, args)
}

// call applies a function or an operator.
func (s *scalar) call(n *expr.Node, args []expr.Value) expr.Value {
	if f, ok := nullables[n.Name]; ok {
		return f(args)
	}
	anyNull := slices.ContainsFunc(args, func(v expr.Value) bool { return v.Null })
	f, ok := functions[n.Name]
	switch {
	case !ok:
		if s.err == nil {
			s.err = fmt.Errorf("oracle: %s is a function that it does not know", n.Name)
		}
		return null
	case anyNull:
		return null
	}
	return f(n.Type, args)
}

// member is x IN (list).
func member(x expr.Value, list []expr.Value) expr.Value {
	result := boolean(false)
	for _, y := range list {
		switch {
		case x.Null || y.Null:
			result = null
		case compare(x, y) == 0:
			return boolean(true)
		}
	}
	return result
}

// nullables are the functions that say themselves what becomes of NULL.
var nullables = map[string]func(args []expr.Value) expr.Value{
	"and":                  func(args []expr.Value) expr.Value { return junction(args, false) },
	"or":                   func(args []expr.Value) expr.Value { return junction(args, true) },
	"is null":              func(args []expr.Value) expr.Value { return boolean(args[0].Null) },
	"is not null":          func(args []expr.Value) expr.Value { return boolean(!args[0].Null) },
	"is distinct from":     func(args []expr.Value) expr.Value { return boolean(!same(args[0], args[1])) },
	"is not distinct from": func(args []expr.Value) expr.Value { return boolean(same(args[0], args[1])) },
	"coalesce": func(args []expr.Value) expr.Value {
		for _, v := range args {
			if !v.Null {
				return v
			}
		}
		return null
	},
	"greatest": func(args []expr.Value) expr.Value { return extreme(args, 1) },
	"least":    func(args []expr.Value) expr.Value { return extreme(args, -1) },
	"nullif": func(args []expr.Value) expr.Value {
		if !args[0].Null && !args[1].Null && compare(args[0], args[1]) == 0 {
			return null
		}
		return args[0]
	},
	"if": func(args []expr.Value) expr.Value {
		if !args[0].Null && args[0].B {
			return args[1]
		}
		return args[2]
	},
	"concat": func(args []expr.Value) expr.Value {
		var b strings.Builder
		for _, v := range args {
			if !v.Null {
				b.WriteString(render(v))
			}
		}
		return text(b.String())
	},
}

// junction is AND or OR, where one value decides.
func junction(args []expr.Value, decides bool) expr.Value {
	result := boolean(!decides)
	for _, v := range args {
		switch {
		case v.Null:
			result = null
		case v.B == decides:
			return v
		}
	}
	return result
}

// same reports whether neither is distinct from the other.
func same(x, y expr.Value) bool {
	if x.Null || y.Null {
		return x.Null == y.Null
	}
	return compare(x, y) == 0
}

func extreme(args []expr.Value, sign int) expr.Value {
	best := null
	for _, v := range args {
		if !v.Null && (best.Null || sign*compare(v, best) > 0) {
			best = v
		}
	}
	return best
}

// arithmetic applies an operator to numbers, to times and intervals as their ns, or to an interval and a number.
func arithmetic(name string) func(t tuple.Type, args []expr.Value) expr.Value {
	return func(t tuple.Type, args []expr.Value) expr.Value {
		x, y := args[0], args[1]
		if t == tuple.Interval && (x.Type != y.Type || name == "/") && x.Type != tuple.Timestamp {
			return scaled(name, x, y)
		}
		if t == tuple.Double || !exact(x) || !exact(y) {
			return reals(name, real(x), real(y))
		}
		return integers(name, big.NewInt(x.I), big.NewInt(y.I))
	}
}

func integers(name string, x, y *big.Int) expr.Value {
	z := new(big.Int)
	switch {
	case name == "+":
		z.Add(x, y)
	case name == "-":
		z.Sub(x, y)
	case name == "*":
		z.Mul(x, y)
	case y.Sign() == 0:
		return null
	case name == "//":
		z.Quo(x, y)
	default:
		z.Rem(x, y)
	}
	if !z.IsInt64() {
		return null
	}
	return bigint(z.Int64())
}

func reals(name string, x, y float64) expr.Value {
	switch {
	case name == "+":
		return double(x + y)
	case name == "-":
		return double(x - y)
	case name == "*":
		return double(x * y)
	case y == 0:
		return null
	case name == "/":
		return double(x / y)
	case name == "//":
		return double(math.Trunc(x / y))
	}
	return double(math.Mod(x, y))
}

// scaled multiplies or divides an interval by a number.
func scaled(name string, x, y expr.Value) expr.Value {
	if y.Type == tuple.Interval {
		x, y = y, x
	}
	switch {
	case name == "*" && exact(y):
		return integers(name, big.NewInt(x.I), big.NewInt(y.I))
	case name == "*":
		return rounded(real(x) * real(y))
	case real(y) == 0:
		return null
	}
	return rounded(real(x) / real(y))
}

// rounded returns the integer nearest to f, of two the even one.
func rounded(f float64) expr.Value {
	if rank(double(f)) != finite {
		return null
	}
	n, _ := big.NewFloat(math.RoundToEven(f)).Int(nil)
	if !n.IsInt64() {
		return null
	}
	return bigint(n.Int64())
}

// comparison is a comparing operator.
func comparison(holds func(c int) bool) func(tuple.Type, []expr.Value) expr.Value {
	return func(_ tuple.Type, args []expr.Value) expr.Value { return boolean(holds(compare(args[0], args[1]))) }
}
