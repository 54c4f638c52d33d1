package query

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// ratio returns the number of the ratio that n is: a quotient of two counts or sums of one sample, with constant factors,
// whose interval is narrower than that of two intervals divided (intervals.md section 7).
func (b *binder) ratio(n *expr.Node) (int, bool) {
	if n.Kind != expr.Call || n.Name != "/" || !b.thinned.sampled() || b.guaranteed() {
		return 0, false
	}
	num, up, ok := b.multiple(n.Args[0])
	den, down, good := b.multiple(n.Args[1])
	if !ok || !good {
		return 0, false
	}
	return b.groups.ratio(op.Ratio{Num: num, Den: den, Scale: up / down}), true
}

// multiple returns the aggregate, a count or a sum, that n is a constant multiple of. nullif(x, 0) counts as x: what is
// divided by it is NULL where x is 0 either way.
func (b *binder) multiple(n *expr.Node) (agg int, factor float64, ok bool) {
	g := b.groups
	if i := g.aggregateAt(n); i >= 0 {
		if count, ok := g.counts[i]; ok {
			i = count
		}
		a := &g.aggs[i]
		summed := a.Func <= op.Count || a.Func == op.Sum && !a.Distinct && a.Field.Type.Numeric()
		return i, 1, summed
	}
	switch {
	case n.Kind == expr.Cast && (n.Type == tuple.Double || n.Type == tuple.Number):
		return b.multiple(n.Args[0])
	case n.Kind != expr.Call:
	case n.Name == "neg":
		agg, factor, ok = b.multiple(n.Args[0])
		return agg, -factor, ok
	case n.Name == "nullif":
		if c, isNumber := constantNumber(n.Args[1]); isNumber && c == 0 {
			return b.multiple(n.Args[0])
		}
	case n.Name == "*" && sign(n.Args[0]) != 0:
		c, _ := constantNumber(n.Args[0])
		agg, factor, ok = b.multiple(n.Args[1])
		return agg, c * factor, ok
	case (n.Name == "*" || n.Name == "/") && sign(n.Args[1]) != 0:
		c, _ := constantNumber(n.Args[1])
		if n.Name == "/" {
			c = 1 / c
		}
		agg, factor, ok = b.multiple(n.Args[0])
		return agg, c * factor, ok
	}
	return 0, 0, false
}

// ratio returns the number of a ratio, which is computed once.
func (g *grouping) ratio(r op.Ratio) int {
	if i := slices.Index(g.ratios, r); i >= 0 {
		return i
	}
	g.ratios = append(g.ratios, r)
	return len(g.ratios) - 1
}

// ratioInterval returns the interval of a ratio.
func (b *binder) ratioInterval(r int) interval {
	g := b.groups
	name := g.aggs[g.ratios[r].Num].Field.Name + " / " + g.aggs[g.ratios[r].Den].Field.Name
	column := func(k int, t tuple.Type, what string) *expr.Node {
		return &expr.Node{Kind: expr.Col, Type: t, Index: overRatios + 3*r + k, Text: what + "(" + name + ")"}
	}
	return interval{
		low: column(0, tuple.Double, "lower_bound"), high: column(1, tuple.Double, "upper_bound"),
		labels: []*expr.Node{column(2, tuple.Boolean, "unreliable")},
	}
}

// indicator adds what bounds the aggregate i of a sample that sums, or averages, CASE WHEN cond THEN 1 ELSE 0 END: a count, or
// the share of one in another.
func (b *binder) indicator(i int) {
	g := b.groups
	a := g.aggs[i]
	if !b.thinned.sampled() || a.Func != op.Sum && a.Func != op.Avg || a.Distinct {
		return
	}
	cond, orNull := indicated(a.Arg)
	if cond == nil {
		return
	}
	weighted := b.thinned.weight != nil
	count := g.count(both(a.Filter, cond), weighted)
	switch {
	case a.Func == op.Sum:
		g.counts[i] = count
	case !orNull && !b.guaranteed():
		g.shares[i] = g.ratio(op.Ratio{Num: count, Den: g.count(a.Filter, weighted), Scale: 1})
	}
}

// indicated returns the condition of CASE WHEN cond THEN 1 ELSE 0 END, or nil; orNull says that it has NULL for 0.
func indicated(n *expr.Node) (cond *expr.Node, orNull bool) {
	if n == nil || n.Kind != expr.Case || len(n.Args) != 3 {
		return nil, false
	}
	one, ok := constantNumber(n.Args[1])
	zero, isNumber := constantNumber(n.Args[2])
	orNull = isNull(n.Args[2])
	if !ok || one != 1 || !orNull && !(isNumber && zero == 0) {
		return nil, false
	}
	return n.Args[0], orNull
}

// count returns the number of count(*) of the rows for which a condition, if there is one, is true. It is a sum of weights where rows have some.
func (g *grouping) count(filter *expr.Node, weighted bool) int {
	a := op.Agg{Func: op.CountAll, Filter: filter}
	name := "count(*)"
	if filter != nil {
		name += " FILTER (WHERE " + filter.String() + ")"
	}
	a.Field = tuple.Field{Name: name, Type: a.ResultType()}
	if weighted {
		a.Field.Type = tuple.Number
	}
	return g.aggregateAt(g.aggregate(a, 0))
}
