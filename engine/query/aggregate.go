package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// taking says what an aggregate takes as its first argument.
type taking uint8

const (
	anything taking = iota
	ordered         // anything that has an order; columns of which nothing is known are numbers
	numbers         // numbers; and lengths of time unless fixed says otherwise
	onlyNumbers
	quantities // what quantiles are taken of: numbers, lengths of time and times
	conditions
)

// aggregateFunction is an entry of the catalogue of aggregates.
type aggregateFunction struct {
	names  []string // the first is the canonical one
	fn     op.AggFunc
	takes  taking
	params []param
	// quantile is the fixed one of median, p95 and the like.
	quantile float64
}

var aggregates = []aggregateFunction{
	{names: []string{"count"}, fn: op.Count},
	{names: []string{"count_if", "countif"}, fn: op.CountAll, takes: conditions},
	{names: []string{"bool_and", "every", "logical_and"}, fn: op.Min, takes: conditions},
	{names: []string{"bool_or", "logical_or"}, fn: op.Max, takes: conditions},
	{names: []string{"sum"}, fn: op.Sum, takes: numbers},
	{names: []string{"avg", "mean"}, fn: op.Avg, takes: numbers},
	{names: []string{"min"}, fn: op.Min, takes: ordered},
	{names: []string{"max"}, fn: op.Max, takes: ordered},
	{names: []string{"var_pop"}, fn: op.VarPop, takes: onlyNumbers},
	{names: []string{"var_samp", "variance", "var"}, fn: op.VarSamp, takes: onlyNumbers},
	{names: []string{"stddev_pop"}, fn: op.StddevPop, takes: onlyNumbers},
	{names: []string{"stddev_samp", "stddev", "std"}, fn: op.StddevSamp, takes: onlyNumbers},
	{names: []string{"any_value", "arbitrary"}, fn: op.AnyValue},
	{names: []string{"first"}, fn: op.First},
	{names: []string{"last"}, fn: op.Last},
	{names: []string{"median"}, fn: op.Quantile, takes: quantities, quantile: 0.5},
	{names: []string{"p50"}, fn: op.Quantile, takes: quantities, quantile: 0.5},
	{names: []string{"p90"}, fn: op.Quantile, takes: quantities, quantile: 0.9},
	{names: []string{"p95"}, fn: op.Quantile, takes: quantities, quantile: 0.95},
	{names: []string{"p99"}, fn: op.Quantile, takes: quantities, quantile: 0.99},
	{
		names: []string{"approx_quantile", "quantile", "percentile", "approx_percentile"}, fn: op.Quantile, takes: quantities,
		params: []param{quantileParam, rankParam},
	},
	{names: []string{"tdigest_quantile"}, fn: op.QuantileTDigest, takes: quantities, params: []param{quantileParam}},
	{names: []string{"approx_count_distinct", "approx_distinct", "uniq"}, fn: op.ApproxDistinct, params: []param{errorParam}},
	{names: []string{"approx_top_k", "topk"}, fn: op.TopK, params: []param{countParam}},
}

// aggregateCalled returns the aggregate with a lower-case name, or nil.
func aggregateCalled(name string) *aggregateFunction {
	for i := range aggregates {
		if slices.Contains(aggregates[i].names, name) {
			return &aggregates[i]
		}
	}
	return nil
}

func aggregateNames() []string {
	var names []string
	for i := range aggregates {
		names = append(names, aggregates[i].names...)
	}
	return names
}

// aggregateOf returns the aggregate that x calls, or nil.
func aggregateOf(x syntax.Expr) *aggregateFunction {
	if c, ok := x.(*syntax.Call); ok {
		return aggregateCalled(strings.ToLower(c.Func.Name))
	}
	return nil
}

// hasAggregate reports whether there is an aggregate in x, or a function of one.
func hasAggregate(x syntax.Expr) bool {
	found := false
	syntax.Walk(x, func(x syntax.Expr) bool {
		c, isCall := x.(*syntax.Call)
		found = found || aggregateOf(x) != nil || isCall && isBoundFunction(strings.ToLower(c.Func.Name))
		return !found
	})
	return found
}

// aggregate binds an aggregate and returns its column over the groups.
func (b *binder) aggregate(x *syntax.Call, f *aggregateFunction) *expr.Node {
	a := op.Agg{Func: f.fn, Distinct: x.Distinct}
	inside := scope{place: "an argument of " + x.Func.String()}
	if x.Filter != nil {
		a.Filter = b.condition(x.Filter, scope{place: "FILTER"})
	}
	args := b.arguments(x, f)
	switch {
	case b.err != nil:
	case f.fn == op.Count && (x.Star || len(args) == 0 || isCountedLiteral(args[0]) && !x.Distinct):
		a.Func = op.CountAll
	case x.Star && f.takes == conditions:
		b.fail(x.Span, "write "+x.Func.String()+"(x > 5)", "%s(*) has no meaning", x.Func)
	case x.Star:
		b.fail(x.Span, "name a column", "%s(*) has no meaning", x.Func)
	case len(args) == 0 || args[0] == nil:
		b.fail(x.Span, "", "%s takes an argument", x.Func)
	case f.fn == op.CountAll && x.Distinct:
		b.fail(x.Span, "", "%s counts rows, so that DISTINCT has no meaning", x.Func)
	case f.fn == op.CountAll:
		a.Filter = both(a.Filter, b.condition(args[0], inside))
	case f.takes == conditions:
		a.Arg = b.condition(args[0], inside)
	default:
		a.Arg = b.aggregated(x, f, b.settleFor(f, b.expr(args[0], inside)))
		if f.takes == ordered {
			b.warnMixture(a.Arg, args[0])
		}
		b.parameters(x, f, &a, args[1:])
	}
	if a.Func == op.Count && a.Distinct {
		a.Func, a.Distinct = op.CountDistinct, false
	}
	if b.err != nil {
		return b.fail(x.Span, "", "")
	}
	b.probe(x, a)
	b.refuseDistinct(x, &a)
	b.promise(x, &a)
	a.Field = tuple.Field{Name: x.String(), Type: a.ResultType()}
	if b.thinned.weight != nil && a.Func <= op.Count {
		a.Field.Type = tuple.Number
	}
	n := b.groups.aggregate(a, x.Start)
	b.indicator(b.groups.aggregateAt(n))
	if a.Arg != nil && b.unknown(a.Arg) && n.Type != tuple.Bigint {
		n.Type = tuple.Null
	}
	return n
}

// both returns the condition that two conditions are true; the first may be absent.
func both(first, second *expr.Node) *expr.Node {
	if first == nil {
		return second
	}
	return folded(&expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: "and", Args: []*expr.Node{first, second}, Pos: first.Pos})
}

// probe reports what the operator has against an aggregate, such as an error smaller than any sketch can promise.
func (b *binder) probe(x *syntax.Call, a op.Agg) {
	if a.Filter = nil; a.Arg != nil {
		a.Arg = &expr.Node{Kind: expr.Col, Type: a.Arg.Type}
	}
	if _, err := (&op.Aggregate{Aggs: []op.Agg{a}}).Make(); err != nil {
		b.fail(x.Span, "", "%s", strings.TrimPrefix(err.Error(), "aggregate: "))
	}
}

// isCountedLiteral reports whether count(x) counts all rows because x is a literal: count(1).
func isCountedLiteral(x syntax.Expr) bool {
	n := literal(x)
	return n != nil && !n.Value.Null
}

// settleFor gives a type to a column that looks like nothing in particular.
func (b *binder) settleFor(f *aggregateFunction, n *expr.Node) *expr.Node {
	if f.takes == ordered && b.undecided(n) && n.Type == tuple.Null {
		n, _ = b.convert(n, tuple.Number)
	}
	if f.takes == anything || f.takes == ordered {
		n = b.settle(n)
	}
	return n
}

// accepted are the types that aggregates take, by what they take.
var accepted = [...][]tuple.Type{
	numbers:     {tuple.Number, tuple.Bigint, tuple.Double, tuple.Interval},
	onlyNumbers: {tuple.Number, tuple.Bigint, tuple.Double},
	quantities:  {tuple.Number, tuple.Bigint, tuple.Double, tuple.Interval, tuple.Timestamp},
}

// aggregated reads an aggregate's argument as something that the aggregate takes.
func (b *binder) aggregated(x *syntax.Call, f *aggregateFunction, n *expr.Node) *expr.Node {
	if f.takes == anything || f.takes == ordered || n.Type == tuple.Null && !b.undecided(n) || slices.Contains(accepted[f.takes], n.Type) {
		return n
	}
	if c, ok := b.convert(n, tuple.Number); ok {
		return c
	}
	hint := ""
	switch n.Type {
	case tuple.Text:
		hint = "convert with CAST(... AS DOUBLE)"
	case tuple.Boolean:
		condition := x.Args[0].Value.String()
		hint = "write count_if(" + condition + ") for how often it is true"
		if f.fn == op.Avg {
			hint = "write count_if(" + condition + ") / count(" + condition + ") for how often it is true"
		}
	case tuple.Timestamp:
		hint = "use min, max, or a difference of times"
	}
	return b.fail(x.Args[0].Span, hint, "%s takes a number, and %s is %s", x.Func, x.Args[0].Value, n.Type)
}
