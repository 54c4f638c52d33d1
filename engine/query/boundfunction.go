package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// boundFunctions give the interval of an expression over aggregates.
var boundFunctions = []string{"lower_bound", "upper_bound", "absolute_error", "relative_error"}

func isBoundFunction(lower string) bool { return slices.Contains(boundFunctions, lower) }

// boundFunction binds a call of one of boundFunctions.
func (b *binder) boundFunction(x *syntax.Call, sc scope) *expr.Node {
	switch {
	case x.Star || x.Distinct || x.Filter != nil || len(x.Args) != 1 || x.Args[0].Name != nil:
		return b.fail(x.Span, "write "+x.Func.String()+"(count(*)), or the alias of an aggregate", "%s takes one expression", x.Func)
	case !sc.grouped:
		hint := "it is about aggregates"
		if sc.place == "WHERE" {
			hint = havingHint
		}
		return b.fail(x.Span, hint, "%s cannot stand in %s", x.Func, sc.place)
	}
	n := b.expr(x.Args[0].Value, sc)
	if b.err != nil {
		return b.fail(x.Span, "", "")
	}
	if b.checking() {
		return &expr.Node{Kind: expr.Col, Type: tuple.Null, Index: -1}
	}
	low, high := b.bounds(n)
	var out *expr.Node
	switch strings.ToLower(x.Func.Name) {
	case "lower_bound":
		out = low
	case "upper_bound":
		out = high
	default:
		out = made(strings.ToLower(x.Func.Name), n, low, high)
	}
	if out == nil {
		return b.fail(x.Span, "", "%s is of numbers, and %s is %s", x.Func, x.Args[0].Value, n.Type)
	}
	if b.estimated(n) {
		if b.statements == nil {
			b.statements = map[*expr.Node]bool{}
		}
		b.statements[out] = true
	}
	return out
}

// bounds returns the bounds of an expression over the groups, which are the value itself where that is known. NULL is a
// bound that is not.
func (b *binder) bounds(n *expr.Node) (low, high *expr.Node) {
	v := b.interval(n)
	switch {
	case v.point || b.groups.aggregateAt(n) >= 0 && v.low != nil:
		return v.low, v.high
	case v.low == nil:
		v.low, v.high = nothing(), nothing()
	}
	exact := b.exactly(n)
	if exact.Kind == expr.Const && exact.Value.B {
		return n, n
	}
	low, high = when(exact, n, v.low), when(exact, n, v.high)
	if low == nil || high == nil {
		low, high = when(exact, n, nothing()), when(exact, n, nothing())
	}
	return low, high
}

// label returns the condition that the bounds of n cannot be relied on, nil if they always can. An expression that nothing bounds
// is labelled unless it is exact.
func (b *binder) label(n *expr.Node) *expr.Node {
	v := b.interval(n)
	switch {
	case v.point:
		return nil
	case v.low == nil && b.groups.aggregateAt(n) < 0:
		return b.not(b.exactly(n), 0)
	case len(v.labels) == 1:
		return v.labels[0]
	}
	return &expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: "or", Args: v.labels}
}
