package query

import (
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// warnMixture warns that the order of n is that of text, if it is a column with numbers and others that nothing in the
// query makes numbers. X is how n is written, or nil for a column out of a star: who wrote a CAST knows.
func (b *binder) warnMixture(n *expr.Node, x syntax.Expr) {
	if b.groups != nil && n.Kind == expr.Col {
		if k := n.Index - overGroups - b.groups.offset(); k >= 0 && k < len(b.groups.keys) {
			n = b.groups.keys[k].node
		}
	}
	if n.Type != tuple.Text || !b.soft(n) || b.isCast(x) {
		return
	}
	i, _ := b.field(n)
	if mixture := b.fields[i].Mixture; strings.Contains(mixture, "numbers") {
		name := b.written(i)
		b.warn("%s has %s, and is compared as text: CAST(%s AS DOUBLE) compares its numbers", name, mixture, name)
	}
}

// isCast reports whether x is a CAST, or an alias of one.
func (b *binder) isCast(x syntax.Expr) bool {
	if path, ok := pathOf(x); ok && len(path) == 1 && !b.seen(path) {
		if item := b.aliased(path[0].Name); item != nil {
			x = item.Expr
		}
	}
	_, cast := x.(*syntax.Cast)
	return cast
}
