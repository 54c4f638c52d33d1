package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// output is a column of the result, or one that only serves to order it.
type output struct {
	node *expr.Node
	name string
	// item is the entry of the select list it comes from; nil for a column out of a star, or one to order by.
	item *syntax.Item
	// role and of are those of the column's field.
	role tuple.Role
	of   int
}

// written returns the expression that o comes from; nil for a column out of a star.
func (o *output) written() syntax.Expr {
	if o.item == nil {
		return nil
	}
	return o.item.Expr
}

// selectList binds the select list.
func (b *binder) selectList() []output {
	sc := scope{place: "the select list", grouped: b.groups != nil}
	var outs []output
	for i := range b.sel.Items {
		it := &b.sel.Items[i]
		if star, ok := it.Expr.(*syntax.Star); ok {
			outs = append(outs, b.star(star)...)
			continue
		}
		n := b.settle(b.item(it, sc))
		outs = append(outs, output{node: n, name: b.itemName(it, n), item: it})
	}
	b.distinguish(outs)
	return outs
}

// star returns the top-level fields of the stream. Nested ones are inside them.
func (b *binder) star(x *syntax.Star) []output {
	if x.Table != nil && !b.named(x.Table.Name) {
		b.fail(x.Span, "write * or "+b.names[0]+".*", "no stream is called %s here", x.Table)
	}
	if b.groups != nil {
		b.fail(x.Span, "name the group keys", "* cannot stand in a query that groups")
	}
	if b.checking() {
		return nil
	}
	if len(b.stream.Fields) == 0 {
		b.warn("* has no columns: there was no record to show any")
	}
	var outs []output
	for i, f := range b.stream.Fields {
		if len(f.Path) == 1 {
			outs = append(outs, output{node: b.settle(b.readPlain(i, x.Start)), name: f.Name})
		}
	}
	return outs
}

// itemName returns the name of an item's column: its alias, a column's name, else the expression itself.
func (b *binder) itemName(it *syntax.Item, n *expr.Node) string {
	if it.Alias != nil {
		return it.Alias.Name
	}
	if _, isPath := pathOf(it.Expr); isPath {
		if name, ok := b.columnName(n); ok {
			return name
		}
	}
	return it.Expr.String()
}

// columnName returns the name of the column that n is, if it is a field, a group key or a column of the window.
func (b *binder) columnName(n *expr.Node) (string, bool) {
	if i, ok := b.field(n); ok {
		return b.fields[i].Name, true
	}
	if n.Kind == expr.Cast && n.Type == tuple.Interval {
		return b.columnName(n.Args[0])
	}
	if n.Kind != expr.Col || n.Index < 0 {
		return "", false
	}
	switch i := n.Index - overGroups - b.groups.offset(); {
	case i < 0:
		return n.Text, true
	case i < len(b.groups.keys):
		return b.groups.keys[i].name, true
	}
	return "", false
}

// distinguish gives columns of equal names, which an object cannot have, different ones: n, n_1.
func (b *binder) distinguish(outs []output) {
	taken := map[string]bool{}
	for i := range outs {
		name := outs[i].name
		for k := 1; taken[name]; k++ {
			name = fmt.Sprintf("%s_%d", outs[i].name, k)
		}
		if name != outs[i].name && outs[i].item != nil && outs[i].item.Alias != nil {
			b.warn("two columns are called %s: the second is given out as %s", outs[i].name, name)
		}
		outs[i].name = name
		taken[name] = true
	}
}

// ordinal returns the item of the select list that a number in GROUP BY stands for.
func (b *binder) ordinal(x *syntax.Int) *syntax.Item {
	if x.Value < 1 || x.Value > int64(len(b.sel.Items)) {
		b.fail(x.Span, "", "GROUP BY %s: the select list has %s", x, counted(len(b.sel.Items), "column"))
		return nil
	}
	item := &b.sel.Items[x.Value-1]
	if hasAggregate(item.Expr) {
		b.fail(x.Span, "", "GROUP BY %s stands for an aggregate", x)
		return nil
	}
	return item
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// outputFor returns the number of the column with a value, adding it behind the others if there is none.
func outputFor(outs []output, n *expr.Node) ([]output, int) {
	if i := slices.IndexFunc(outs, func(o output) bool { return expr.Equal(o.node, n) }); i >= 0 {
		return outs, i
	}
	return append(outs, output{node: n, name: strings.TrimSpace(n.String())}), len(outs)
}

// fieldsOf returns the schema of a projection.
func (b *binder) fieldsOf(outs []output) []tuple.Field {
	fields := make([]tuple.Field, len(outs))
	for i, o := range outs {
		fields[i] = tuple.Field{Name: o.name, Type: o.node.Type, Role: o.role, Of: o.of}
		if b.window != nil && o.node.Kind == expr.Col && (o.node.Index == overGroups || o.node.Index == overGroups+1) {
			fields[i].Zone = b.window.spec.Zone
		}
	}
	return fields
}
