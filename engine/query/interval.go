package query

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// interval is what bounds the value of an expression over the groups. Low and high are expressions over the groups; both are
// nil where nothing bounds the value, unless it is the true one.
type interval struct {
	low, high *expr.Node
	// labels are conditions of which one is true where the bounds cannot be relied on.
	labels []*expr.Node
	// point says that the value is the true one whatever the input: low and high are the expression itself.
	point bool
	// vanishing says that the true value may be NULL where the estimate is not: a denominator may be 0.
	vanishing bool
}

func point(n *expr.Node) interval { return interval{low: n, high: n, point: true} }

// maxBound bounds the tree of a bound, as expressions that use both ends of their arguments grow fast.
const maxBound = 2000

// interval returns the interval of an expression over the groups, by interval arithmetic.
func (b *binder) interval(n *expr.Node) interval {
	if v, ok := b.intervals[n]; ok {
		return v
	}
	v := point(n)
	if b.estimated(n) {
		v = b.estimate(n)
		if v.low != nil && b.weigh(v.low)+b.weigh(v.high) > maxBound {
			v.low, v.high = nil, nil
		}
	}
	if b.intervals == nil {
		b.intervals = map[*expr.Node]interval{}
	}
	b.intervals[n] = v
	return v
}

// estimated reports whether some aggregate in n has bounds of its own.
func (b *binder) estimated(n *expr.Node) bool {
	if b.statements[n] {
		return false
	}
	if i := b.groups.aggregateAt(n); i >= 0 {
		return b.hasBounds(i)
	}
	return slices.ContainsFunc(n.Args, b.estimated)
}

// hasBounds reports whether aggregate i comes with bounds: all do where bounds are asked for, else those that approximate.
func (b *binder) hasBounds(i int) bool {
	f := b.groups.aggs[i].Func
	return b.bounded() || f == op.ApproxDistinct || f == op.Quantile || f == op.QuantileRank || f == op.QuantileTDigest
}

// estimate returns the interval of an expression with estimates in it.
func (b *binder) estimate(n *expr.Node) interval {
	if r, ok := b.ratio(n); ok {
		v := b.ratioInterval(r)
		v.vanishing = true
		return v
	}
	if i := b.groups.aggregateAt(n); i >= 0 {
		return b.aggregateInterval(i)
	}
	v := interval{vanishing: b.vanishes(n)}
	for _, a := range n.Args {
		part := b.interval(a)
		v.vanishing = v.vanishing || part.vanishing
		for _, l := range part.labels {
			if !slices.ContainsFunc(v.labels, func(o *expr.Node) bool { return expr.Equal(o, l) }) {
				v.labels = append(v.labels, l)
			}
		}
	}
	switch n.Kind {
	case expr.Call:
		v.low, v.high = b.callBounds(n)
	case expr.Case:
		v.low, v.high = b.caseBounds(n)
	case expr.Cast, expr.TryCast:
		v.low, v.high = b.castBounds(n)
	}
	if v.low == nil || v.high == nil {
		v.low, v.high = nil, nil
	}
	return v
}

// partial are the functions that are NULL for some values of their arguments.
var partial = []string{"nullif", "sqrt", "ln", "log", "log2"}

// vanishes reports whether n, whose arguments are estimates, can be NULL for other values of them than the estimates.
func (b *binder) vanishes(n *expr.Node) bool {
	switch {
	case n.Kind == expr.Call && n.Name == "/":
		return b.estimated(n.Args[1])
	case n.Kind == expr.Case || n.Kind == expr.Call && n.Name == "if":
		open := false
		for i, a := range n.Args[:len(n.Args)-1] {
			open = open || i%2 == 0 && b.estimated(a)
		}
		return open
	}
	return n.Kind == expr.Cast || n.Kind == expr.TryCast || slices.Contains(partial, n.Name)
}

// aggregateInterval returns the interval of an aggregate.
func (b *binder) aggregateInterval(i int) interval {
	g := b.groups
	if r, ok := g.shares[i]; ok {
		return b.ratioInterval(r)
	}
	if count, ok := g.counts[i]; ok {
		i = count
	}
	a := &g.aggs[i]
	a.Bounds = true
	t := boundType(a)
	low := &expr.Node{Kind: expr.Col, Type: t, Index: overBounds + 3*i, Text: "lower_bound(" + a.Field.Name + ")"}
	high := &expr.Node{Kind: expr.Col, Type: t, Index: overBounds + 3*i + 1, Text: "upper_bound(" + a.Field.Name + ")"}
	label := &expr.Node{Kind: expr.Col, Type: tuple.Boolean, Index: overBounds + 3*i + 2, Text: "unreliable(" + a.Field.Name + ")"}
	if a.Field.Type == tuple.Boolean {
		low, high = b.truth(low), b.truth(high)
	}
	if a.Func == op.TopK {
		low, high = nil, nil
	}
	return interval{low: low, high: high, labels: []*expr.Node{label}}
}

// boundType returns the type of the bounds of a.
func boundType(a *op.Agg) tuple.Type {
	if t := a.Field.Type; !t.Numeric() && t != tuple.Boolean {
		return t
	}
	return tuple.Number
}

// truth makes the bound of a truth value, which is 0 or 1, one.
func (b *binder) truth(n *expr.Node) *expr.Node {
	return made("<>", n, constant(expr.Value{Type: tuple.Bigint}, 0))
}

// made returns a call whose arguments fit as they are, or nil if they do not.
func made(name string, args ...*expr.Node) *expr.Node {
	if slices.Contains(args, nil) {
		return nil
	}
	canonical, t, err := expr.Resolve(name, args)
	if err != nil {
		return nil
	}
	return folded(&expr.Node{Kind: expr.Call, Type: t, Name: canonical, Args: args})
}

// when returns CASE WHEN cond THEN yes ELSE no END, or nil if the types do not go together.
func when(cond, yes, no *expr.Node) *expr.Node {
	if cond == nil || yes == nil || no == nil {
		return nil
	}
	t, err := expr.Unify(yes.Type, no.Type)
	if err != nil {
		return nil
	}
	return &expr.Node{Kind: expr.Case, Type: t, Args: []*expr.Node{cond, yes, no}}
}

// nothing is NULL, as the bound that is not known.
func nothing() *expr.Node { return constant(expr.Value{Type: tuple.Null, Null: true}, 0) }

// exactly returns the condition that every estimate in n is the true value: the row's own where it has one.
func (b *binder) exactly(n *expr.Node) *expr.Node {
	if b.thinned.sampled() || b.settings.Memory > 0 {
		return &expr.Node{Kind: expr.Col, Type: tuple.Boolean, Index: overRow + rowExact, Text: "_exact"}
	}
	var conditions []*expr.Node
	var visit func(n *expr.Node)
	visit = func(n *expr.Node) {
		if i := b.groups.aggregateAt(n); i >= 0 && b.hasBounds(i) {
			conditions = append(conditions, b.exactAggregate(i)...)
			return
		}
		for _, a := range n.Args {
			visit(a)
		}
	}
	visit(n)
	return conjunction(conditions)
}

// exactAggregate returns the conditions that aggregate i is the true value, where no rows are missing: those that
// approximate are, where they held all values.
func (b *binder) exactAggregate(i int) []*expr.Node {
	g := b.groups
	if f := g.aggs[i].Func; f < op.ApproxDistinct {
		return nil
	}
	value := g.column(i)
	v := b.aggregateInterval(i)
	if v.low == nil { // a list
		return []*expr.Node{constant(expr.Value{Type: tuple.Boolean}, 0)}
	}
	return []*expr.Node{made("is not distinct from", v.low, value), made("is not distinct from", v.high, value)}
}

// conjunction returns the condition that all conditions are true.
func conjunction(all []*expr.Node) *expr.Node {
	switch len(all) {
	case 0:
		return constant(expr.Value{Type: tuple.Boolean, B: true}, 0)
	case 1:
		return all[0]
	}
	return &expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: "and", Args: all}
}
