package query

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// Range is a promise that the values of a column lie in [Low, High].
type Range struct {
	// Path leads to the column; one element may be all of it, with dots.
	Path      []string
	Low, High float64

	at syntax.Span // in the text of the query
}

// Methods are the ways to the intervals of sums and means of samples.
func Methods() []string {
	return []string{op.Transform.String(), op.Hoeffding.String(), op.Bernstein.String()}
}

// method returns the way to intervals that was asked for.
func (b *binder) method() op.Method {
	for _, name := range []string{b.settings.Method, b.qos.Method} {
		if i := slices.Index(Methods(), name); i >= 0 {
			return op.Method(i)
		}
	}
	return op.Transform
}

// guaranteed reports whether intervals are to hold by a theorem where rows are missing.
func (b *binder) guaranteed() bool { return b.method() != op.Transform && b.thinned.sampled() }

// declareRanges finds the columns whose ranges are declared. What the settings say goes before what the query says.
func (b *binder) declareRanges() {
	if b.checking() {
		return
	}
	b.ranges = map[int]Range{}
	for _, r := range b.qos.Ranges {
		path := make([]syntax.Ident, len(r.Path))
		for i, name := range r.Path {
			path[i] = syntax.Ident{Span: r.at, Name: name}
		}
		if i, problem := b.present(path, r.at); problem == nil {
			b.ranges[i] = r
		} else if b.err == nil {
			b.err = problem
		}
	}
	for _, r := range b.settings.Ranges {
		path := make([]syntax.Ident, len(r.Path))
		for i, name := range r.Path {
			path[i].Name = name
		}
		if i, problem := b.present(path, b.table.Span); problem == nil {
			b.ranges[i] = r
		} else {
			b.fail(b.table.Span, problem.Hint, "--range: %s", problem.Msg)
		}
	}
}

// promise puts the declared range of its argument on an aggregate of a sample, and refuses one whose interval no theorem gives, where one
// that holds by a theorem is asked for.
func (b *binder) promise(x *syntax.Call, a *op.Agg) {
	if b.checking() || !b.thinned.sampled() {
		return
	}
	summed := (a.Func == op.Sum || a.Func == op.Avg) && !a.Distinct && a.Arg.Type.Numeric()
	if summed {
		b.putRange(a)
	}
	if !b.guaranteed() {
		return
	}
	name, t := "bound '"+b.method().String()+"'", &b.thinned
	switch {
	case t.weight != nil:
		b.fail(x.Span, "leave bound or --weight out", "%s holds of rows that were kept by chance, not of weights", name)
	case t.within:
		b.fail(x.Span, "leave bound out, or give --sample for --within", "%s holds of rows, not of blocks of a file, whose contents have no range", name)
	case t.key != nil:
		b.fail(x.Span, "leave bound out, or keep each record by itself", "%s holds of rows, not of all rows of a value, which may be many", name)
	case a.Func <= op.Count:
	case !summed:
		b.fail(x.Span, "leave bound out, or ask for "+x.Func.String()+" in a query of its own", "%s is of count, and of sum and avg of numbers", name)
	case a.Ranged:
	default:
		b.refuseUnranged(x, a, name)
	}
}

// putRange gives a sum or mean the range of its argument if that is known: it is a column of which one is declared, or a
// condition's 1 and 0, which are counted where no theorem is asked for.
func (b *binder) putRange(a *op.Agg) {
	if cond, _ := indicated(a.Arg); cond != nil && b.guaranteed() {
		a.Ranged, a.Low, a.High = true, 0, 1
		return
	}
	column, ok := b.field(a.Arg)
	if !ok {
		return
	}
	if r, ok := b.ranges[column]; ok {
		a.Ranged, a.Low, a.High = true, r.Low, r.High
	}
}

// refuseUnranged says how to declare the range that a sum or mean needs.
func (b *binder) refuseUnranged(x *syntax.Call, a *op.Agg, name string) {
	column, ok := b.field(a.Arg)
	if !ok {
		b.fail(x.Span, "take the "+x.Func.String()+" of a column whose range is declared", "%s needs the range of %s, and ranges are of columns", name, x.Args[0].Value)
		return
	}
	written := b.written(column)
	b.fail(x.Span, "add for example range "+written+" 0..1000 to WITH QOS, or give --range "+written+"=0..1000",
		"%s needs the range that the values of %s are promised to lie in", name, written)
}

// jointly returns the confidence of each aggregate's interval where those of expressions over several are to have that of the query by a
// theorem, without one of how the aggregates depend on each other: one less the j-th part of the error (Bonferroni).
func (b *binder) jointly(p parts) float64 {
	confidence := b.confidence()
	if !b.guaranteed() {
		return confidence
	}
	most := 1
	for _, o := range p.outs {
		most = max(most, boundsIn(o.node))
	}
	if p.having != nil {
		most = max(most, boundsIn(p.having))
	}
	return 1 - (1-confidence)/float64(most)
}

// boundsIn returns of how many aggregates n takes bounds.
func boundsIn(n *expr.Node) int {
	var of []int
	for _, c := range expr.Columns(n) {
		if i := (c - overBounds) / 3; c >= overBounds && c < overRatios && !slices.Contains(of, i) {
			of = append(of, i)
		}
	}
	return len(of)
}
