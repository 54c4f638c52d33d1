package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// orderBy binds ORDER BY and adds the columns that it needs behind the visible ones.
func (b *binder) orderBy(outs []output) ([]output, []op.OrderKey) {
	visible := len(outs)
	var keys []op.OrderKey
	for _, o := range b.query.OrderBy {
		if b.isAll(o.Expr, outs[:visible]) {
			for i := range visible {
				b.warnMixture(outs[i].node, outs[i].written())
				keys = append(keys, op.OrderKey{Col: i, Desc: o.Desc, NullsFirst: o.Nulls == syntax.NullsFirst})
			}
			continue
		}
		i, n := b.orderColumn(o.Expr, outs[:visible])
		if b.err != nil {
			return outs, nil
		}
		if i < 0 && n.Kind == expr.Const {
			continue
		}
		if i >= 0 {
			b.warnMixture(n, outs[i].written())
		} else {
			b.warnMixture(n, o.Expr)
		}
		if i < 0 {
			outs, i = outputFor(outs, n)
		}
		if i >= visible && b.sel.Distinct && !(b.checking() && b.hasStar()) {
			b.fail(o.Expr.Where(), "add it to the select list", "ORDER BY %s is not among the columns of SELECT DISTINCT", o.Expr)
		}
		if b.window != nil && o.Desc && n != nil && n.Kind == expr.Col && n.Index == overGroups {
			b.warn("windows come in order of time whatever ORDER BY says: rows are sorted within each window")
		}
		keys = append(keys, op.OrderKey{Col: i, Desc: o.Desc, NullsFirst: o.Nulls == syntax.NullsFirst})
	}
	return outs, keys
}

// orderColumn returns the visible column that an entry of ORDER BY is, or -1, and its expression.
func (b *binder) orderColumn(x syntax.Expr, outs []output) (int, *expr.Node) {
	switch e := x.(type) {
	case *syntax.Int:
		return b.orderOrdinal(e, outs)
	case *syntax.Name:
		for i, o := range outs {
			if len(e.Parts) == 1 && strings.EqualFold(o.name, e.Parts[0].Name) {
				return i, o.node
			}
		}
	}
	return -1, b.settle(b.expr(x, scope{place: "ORDER BY", grouped: b.groups != nil}))
}

// isAll reports whether an entry of ORDER BY is the word ALL, which stands for every column, and no name.
func (b *binder) isAll(x syntax.Expr, outs []output) bool {
	n, ok := x.(*syntax.Name)
	if !ok || len(n.Parts) != 1 || n.Parts[0].Quoted || !strings.EqualFold(n.Parts[0].Name, "all") {
		return false
	}
	_, column := b.find(n.Parts)
	return !column && !slices.ContainsFunc(outs, func(o output) bool { return strings.EqualFold(o.name, "all") })
}

// hasStar reports whether the select list has a star, whose columns are not known while nothing is known of the stream.
func (b *binder) hasStar() bool {
	return slices.ContainsFunc(b.sel.Items, func(it syntax.Item) bool { _, ok := it.Expr.(*syntax.Star); return ok })
}

// orderOrdinal returns the visible column with a number, which counts the columns of a star.
func (b *binder) orderOrdinal(x *syntax.Int, outs []output) (int, *expr.Node) {
	switch {
	case b.checking() && b.hasStar():
		return -1, constant(expr.Value{Type: tuple.Bigint}, x.Start)
	case x.Value < 1 || x.Value > int64(len(outs)):
		return -1, b.fail(x.Span, "", "ORDER BY %s: the select list has %s", x, counted(len(outs), "column"))
	}
	return int(x.Value - 1), outs[x.Value-1].node
}
