package query

import (
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// orderBy binds ORDER BY and adds the columns that it needs behind the visible ones.
func (b *binder) orderBy(outs []output) ([]output, []op.OrderKey) {
	visible := len(outs)
	var keys []op.OrderKey
	for _, o := range b.query.OrderBy {
		i, n := b.orderColumn(o.Expr, outs[:visible])
		if b.err != nil {
			return outs, nil
		}
		if i < 0 && n.Kind == expr.Const {
			continue
		}
		if i < 0 {
			outs, i = outputFor(outs, n)
		}
		if i >= visible && b.sel.Distinct {
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
		if item := b.ordinal(e, "ORDER BY"); item != nil {
			for i, o := range outs {
				if o.item == item {
					return i, o.node
				}
			}
		}
		return -1, nil
	case *syntax.Name:
		for i, o := range outs {
			if len(e.Parts) == 1 && strings.EqualFold(o.name, e.Parts[0].Name) {
				return i, o.node
			}
		}
	}
	return -1, b.settle(b.expr(x, scope{place: "ORDER BY", grouped: b.groups != nil}))
}
