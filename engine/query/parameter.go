package query

import (
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// param is an argument of an aggregate after the first: a constant.
type param struct {
	names    []string
	required string // an example, where the argument must be given
}

var (
	quantileParam = param{[]string{"q", "quantile"}, "0.95"}
	rankParam     = param{[]string{"rank_error"}, ""}
	errorParam    = param{[]string{"error", "rel_error"}, ""}
	countParam    = param{[]string{"k"}, "10"}
)

// set reads a parameter's value into a.
func (b *binder) set(p param, a *op.Agg, x syntax.Expr) {
	switch p.names[0] {
	case "q":
		b.setQuantile(a, x)
	case "rank_error":
		a.Func, a.Error = op.QuantileRank, b.errorShare(x, "a rank error")
	case "error":
		a.Error = b.errorShare(x, "a relative error")
	case "k":
		b.setCount(a, x)
	}
}

// arguments returns the arguments of an aggregate by position, named ones put in their place: first the one that is
// aggregated, then the parameters, nil where absent.
func (b *binder) arguments(x *syntax.Call, f *aggregateFunction) []syntax.Expr {
	var args []syntax.Expr
	for _, a := range x.Args {
		if a.Name == nil {
			args = append(args, a.Value)
			continue
		}
		i := parameterCalled(f, a.Name.Name)
		if i < 0 {
			b.unknownParameter(x, f, a.Name)
			return nil
		}
		for len(args) <= i+1 {
			args = append(args, nil)
		}
		if args[i+1] != nil {
			b.fail(a.Span, "", "%s is given twice", a.Name)
		}
		args[i+1] = a.Value
	}
	if extra := len(args) - 1 - len(f.params); extra > 0 {
		b.fail(args[len(args)-extra].Where(), "", "too many arguments: %s takes %s", x.Func, takesText(f))
	}
	return args
}

func takesText(f *aggregateFunction) string {
	s := "(x"
	for _, p := range f.params {
		if p.required != "" {
			s += ", " + p.names[0]
		} else {
			s += "[, " + p.names[0] + "]"
		}
	}
	return s + ")"
}

func parameterCalled(f *aggregateFunction, name string) int {
	for i, p := range f.params {
		for _, n := range p.names {
			if strings.EqualFold(n, name) {
				return i
			}
		}
	}
	return -1
}

func (b *binder) unknownParameter(x *syntax.Call, f *aggregateFunction, name *syntax.Ident) {
	var names []string
	for _, p := range f.params {
		names = append(names, p.names[0])
	}
	hint := ""
	if len(names) > 0 {
		hint = "it takes " + list(names)
	}
	b.fail(name.Span, meant(name.Name, names, hint), "%s has no argument %s", x.Func, name)
}

// parameters sets what the arguments after the first say.
func (b *binder) parameters(x *syntax.Call, f *aggregateFunction, a *op.Agg, args []syntax.Expr) {
	if f.quantile > 0 {
		a.Quantiles = []float64{f.quantile}
	}
	for i, p := range f.params {
		switch {
		case i < len(args) && args[i] != nil:
			b.set(p, a, args[i])
		case p.required != "":
			b.fail(x.Span, "write "+x.Func.String()+"("+x.Args[0].Value.String()+", "+p.required+")", "%s takes %s", x.Func, takesText(f))
		}
	}
}

// number returns the value of a constant number.
func (b *binder) number(x syntax.Expr, what string) (float64, bool) {
	if len(pathsIn(x)) == 0 && !hasAggregate(x) {
		n := b.expr(x, scope{place: what})
		if n.Kind == expr.Const && !n.Value.Null {
			switch n.Type {
			case tuple.Bigint:
				return float64(n.Value.I), true
			case tuple.Double:
				return n.Value.F, true
			}
		}
	}
	b.fail(x.Where(), "", "%s must be a constant number", what)
	return 0, false
}

// pathsIn returns the names of columns in x.
func pathsIn(x syntax.Expr) []syntax.Expr {
	var names []syntax.Expr
	syntax.Walk(x, func(x syntax.Expr) bool {
		if _, ok := x.(*syntax.Name); ok {
			names = append(names, x)
		}
		return true
	})
	return names
}

func (b *binder) setQuantile(a *op.Agg, x syntax.Expr) {
	items := []syntax.Expr{x}
	if l, ok := x.(*syntax.List); ok {
		items, a.List = l.Items, true
		if len(items) == 0 {
			b.fail(l.Span, "write [0.5, 0.95]", "the list of quantiles is empty")
		}
	}
	for _, item := range items {
		q, ok := b.number(item, "a quantile")
		if ok && !(q >= 0 && q <= 1) {
			hint := "a quantile is a fraction: 0.95 for the 95th percentile"
			if q > 1 && q <= 100 {
				hint = "did you mean " + constant(expr.Value{Type: tuple.Double, F: q / 100}, 0).String() + "?"
			}
			b.fail(item.Where(), hint, "the quantile %s is not between 0 and 1", item)
		}
		a.Quantiles = append(a.Quantiles, q)
	}
}

// errorShare reads a fraction between 0 and 1, neither included.
func (b *binder) errorShare(x syntax.Expr, what string) float64 {
	e, ok := b.number(x, what)
	if ok && !(e > 0 && e < 1) {
		hint := ""
		if e >= 1 && e < 100 {
			hint = "did you mean " + constant(expr.Value{Type: tuple.Double, F: e / 100}, 0).String() + "?"
		}
		b.fail(x.Where(), hint, "%s is a fraction between 0 and 1, such as 0.01, not %s", what, x)
	}
	return e
}

// maxTop is the largest k that the sketch behind approx_top_k takes, which holds a multiple of it for each group.
const maxTop = 1 << 13

func (b *binder) setCount(a *op.Agg, x syntax.Expr) {
	k, ok := b.number(x, "k")
	if ok && !(k >= 1 && k <= maxTop && k == float64(int(k))) {
		b.fail(x.Where(), "", "k is a whole number between 1 and %d, not %s", maxTop, x)
	}
	a.K = int(k)
}
