package expr_test

import (
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// reference evaluates trees a row at a time over exact rationals: slow, obvious, and sharing no code with the kernels.
type reference struct {
	row    []expr.Value
	faults map[string]int64
}

var null = expr.Value{Null: true}

func (e *reference) eval(n *expr.Node) expr.Value {
	v := e.raw(n)
	if v.Null {
		return expr.Value{Type: n.Type, Null: true}
	}
	if n.Type.Numeric() && v.Type != n.Type { // an integer or a double becomes a value of the node's type
		switch n.Type {
		case tuple.Number:
			v = expr.Value{Type: tuple.Number, Float: v.Type == tuple.Double, I: v.I, F: v.F}
		case tuple.Double:
			v = expr.Value{Type: tuple.Double, F: real(v)}
		case tuple.Bigint:
			v = expr.Value{Type: tuple.Bigint, I: v.I}
		}
	}
	v.Type = n.Type
	return v
}

func (e *reference) raw(n *expr.Node) expr.Value {
	switch n.Kind {
	case expr.Col:
		return e.row[n.Index]
	case expr.Const:
		return n.Value
	case expr.Case:
		last := len(n.Args) - 1
		for i := 0; i < last; i += 2 {
			if c := e.eval(n.Args[i]); !c.Null && c.B {
				return e.eval(n.Args[i+1])
			}
		}
		return e.eval(n.Args[last])
	case expr.Cast, expr.TryCast:
		return e.cast(e.eval(n.Args[0]), n)
	case expr.In:
		return e.in(n)
	}
	switch n.Name {
	case "and", "or":
		return e.junction(n)
	case "coalesce":
		for _, a := range n.Args {
			if v := e.eval(a); !v.Null {
				return v
			}
		}
		return null
	}
	args := make([]expr.Value, len(n.Args))
	strict := false
	for i, a := range n.Args {
		args[i] = e.eval(a)
		strict = strict || args[i].Null
	}
	switch n.Name {
	case "is null":
		return boolean(args[0].Null)
	case "is not null":
		return boolean(!args[0].Null)
	case "is distinct from", "is not distinct from":
		same := args[0].Null && args[1].Null || !strict && compare(args[0], args[1]) == 0
		return boolean(same != (n.Name == "is distinct from"))
	case "greatest", "least":
		return extreme(args, n.Name == "greatest")
	case "concat_ws":
		return joined(args)
	case "nullif":
		if !strict && compare(args[0], args[1]) == 0 {
			return null
		}
		return args[0]
	}
	if strict {
		return null
	}
	return e.strict(n, args)
}

func (e *reference) strict(n *expr.Node, a []expr.Value) expr.Value {
	switch n.Name {
	case "not":
		return boolean(!a[0].B)
	case "=":
		return boolean(compare(a[0], a[1]) == 0)
	case "<>":
		return boolean(compare(a[0], a[1]) != 0)
	case "<":
		return boolean(compare(a[0], a[1]) < 0)
	case "<=":
		return boolean(compare(a[0], a[1]) <= 0)
	case ">":
		return boolean(compare(a[0], a[1]) > 0)
	case ">=":
		return boolean(compare(a[0], a[1]) >= 0)
	case "like":
		return boolean(naiveLike([]rune(a[0].S), []rune(a[1].S), -1))
	case "||":
		return expr.Value{Type: tuple.Text, S: text(a[0]) + text(a[1])}
	case "lower":
		return expr.Value{Type: tuple.Text, S: strings.ToLower(a[0].S)}
	case "ascii":
		for _, c := range a[0].S {
			return expr.Value{Type: tuple.Bigint, I: int64(c)}
		}
		return expr.Value{Type: tuple.Bigint}
	case "strftime":
		layout := strings.NewReplacer("%a", "Mon", "%b", "Jan", "%d", "02", "%Y", "2006", "%j", "002", "%T", "15:04:05", "%n", "000000000",
			"%I", "03", "%p", "PM").Replace(a[1].S)
		return expr.Value{Type: tuple.Text, S: time.Unix(0, a[0].I).UTC().Format(layout)}
	case "neg":
		if isInt(a[0]) {
			return e.exact(new(big.Int).Neg(big.NewInt(a[0].I)))
		}
		return expr.Value{Type: tuple.Double, F: -a[0].F}
	}
	return e.arithmetic(n, a[0], a[1])
}

func (e *reference) arithmetic(n *expr.Node, x, y expr.Value) expr.Value {
	if !isInt(x) || !isInt(y) || n.Name == "/" || n.Type == tuple.Double {
		f, g := real(x), real(y)
		if strings.ContainsAny(n.Name, "/%") && g == 0 {
			return null
		}
		return expr.Value{Type: tuple.Double, F: map[string]func() float64{
			"+": func() float64 { return f + g }, "-": func() float64 { return f - g }, "*": func() float64 { return f * g },
			"/": func() float64 { return f / g }, "//": func() float64 { return math.Trunc(f / g) },
			"%": func() float64 { return math.Mod(f, g) },
		}[n.Name]()}
	}
	a, b, z := big.NewInt(x.I), big.NewInt(y.I), new(big.Int)
	switch n.Name {
	case "+":
		return e.exact(z.Add(a, b))
	case "-":
		return e.exact(z.Sub(a, b))
	case "*":
		return e.exact(z.Mul(a, b))
	}
	if b.Sign() == 0 {
		return null
	}
	if n.Name == "//" {
		return e.exact(z.Quo(a, b))
	}
	return e.exact(z.Rem(a, b))
}

func (e *reference) exact(z *big.Int) expr.Value {
	if !z.IsInt64() {
		e.faults["overflow"]++
		return null
	}
	return expr.Value{Type: tuple.Bigint, I: z.Int64()}
}

func (e *reference) junction(n *expr.Node) expr.Value {
	result := boolean(n.Name == "and")
	for _, a := range n.Args {
		v := e.eval(a)
		if !v.Null && v.B == (n.Name == "or") {
			return v
		}
		if v.Null {
			result = null
		}
	}
	return result
}

func (e *reference) in(n *expr.Node) expr.Value {
	x := e.eval(n.Args[0])
	if x.Null {
		return null
	}
	unknown := false
	for _, a := range n.Args[1:] {
		v := e.eval(a)
		if !v.Null && compare(x, v) == 0 {
			return boolean(true)
		}
		unknown = unknown || v.Null
	}
	if unknown {
		return null
	}
	return boolean(false)
}

func (e *reference) cast(v expr.Value, n *expr.Node) expr.Value {
	if v.Null {
		return null
	}
	switch n.Type {
	case tuple.Text:
		return expr.Value{Type: tuple.Text, S: text(v)}
	case tuple.Double:
		return expr.Value{Type: tuple.Double, F: real(v)}
	case tuple.Bigint:
		if isInt(v) {
			return expr.Value{Type: tuple.Bigint, I: v.I}
		}
		f := math.RoundToEven(v.F)
		if math.IsNaN(f) || math.IsInf(f, 0) || !rational(expr.Value{Type: tuple.Double, F: f}).Num().IsInt64() {
			if n.Kind == expr.Cast {
				e.faults["cast"]++
			}
			return null
		}
		return expr.Value{Type: tuple.Bigint, I: int64(f)}
	}
	return v
}

// joined is concat_ws.
func joined(args []expr.Value) expr.Value {
	if args[0].Null {
		return null
	}
	var list []string
	for _, a := range args[1:] {
		if !a.Null {
			list = append(list, text(a))
		}
	}
	return expr.Value{Type: tuple.Text, S: strings.Join(list, args[0].S)}
}

func boolean(b bool) expr.Value { return expr.Value{Type: tuple.Boolean, B: b} }

func isInt(v expr.Value) bool {
	return v.Type == tuple.Number && !v.Float || v.Type == tuple.Bigint || v.Type == tuple.Timestamp || v.Type == tuple.Interval
}

func real(v expr.Value) float64 {
	if isInt(v) {
		return float64(v.I)
	}
	return v.F
}

func rational(v expr.Value) *big.Rat {
	if isInt(v) {
		return new(big.Rat).SetInt64(v.I)
	}
	return new(big.Rat).SetFloat64(v.F)
}

// rank puts -inf, what is finite, inf and NaN in order.
func rank(v expr.Value) int {
	switch f := real(v); {
	case math.IsInf(f, -1):
		return 0
	case math.IsInf(f, 1):
		return 2
	case math.IsNaN(f):
		return 3
	}
	return 1
}

func compare(x, y expr.Value) int {
	switch {
	case x.Type == tuple.Text:
		return strings.Compare(x.S, y.S)
	case x.Type == tuple.Boolean:
		return map[bool]int{true: 1}[x.B] - map[bool]int{true: 1}[y.B]
	case rank(x) != rank(y):
		return rank(x) - rank(y)
	case rank(x) != 1:
		return 0
	}
	return rational(x).Cmp(rational(y))
}

func extreme(args []expr.Value, greatest bool) expr.Value {
	best := null
	for _, a := range args {
		if a.Null {
			continue
		}
		if best.Null || greatest && compare(a, best) > 0 || !greatest && compare(a, best) < 0 {
			best = a
		}
	}
	return best
}

func text(v expr.Value) string {
	if v.Type == tuple.Text {
		return v.S
	}
	if v.Type == tuple.Timestamp || v.Type == tuple.Interval {
		s := v.String()
		return s[strings.IndexByte(s, '\'')+1 : len(s)-1]
	}
	return v.String()
}

// naiveLike is LIKE by its definition, exponential in the number of % signs.
func naiveLike(s, pattern []rune, escape rune) bool {
	switch {
	case len(pattern) == 0:
		return len(s) == 0
	case pattern[0] == escape:
		return len(s) > 0 && len(pattern) > 1 && s[0] == pattern[1] && naiveLike(s[1:], pattern[2:], escape)
	case pattern[0] == '%':
		return naiveLike(s, pattern[1:], escape) || len(s) > 0 && naiveLike(s[1:], pattern, escape)
	}
	return len(s) > 0 && (pattern[0] == '_' || s[0] == pattern[0]) && naiveLike(s[1:], pattern[1:], escape)
}
