package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// grouping is the aggregate of a query while its parts are found. Its output is window_start and window_end, if
// there is a window, the keys, and the aggregates in the order in which the query asks for them.
type grouping struct {
	windowed bool
	keys     []groupKey
	aggs     []op.Agg
	// ratios are the quotients of aggregates whose bounds are wanted.
	ratios []op.Ratio
	// counts and shares say of sums and means of CASE WHEN c THEN 1 ELSE 0 END which aggregate, or ratio, has their bounds.
	counts, shares map[int]int
}

// groupKey is an entry of GROUP BY.
type groupKey struct {
	node   *expr.Node // over rows
	name   string
	column bool // node is a column, read as a use does that asks for no type
}

// offset is the number of columns before the keys.
func (g *grouping) offset() int {
	if g.windowed {
		return 2
	}
	return 0
}

// key returns the column of key i over the groups.
func (g *grouping) key(i, pos int) *expr.Node {
	k := g.keys[i]
	text := k.name
	if k.column {
		text = k.node.Text
	}
	return &expr.Node{Kind: expr.Col, Type: k.node.Type, Index: overGroups + g.offset() + i, Text: text, Pos: pos}
}

// aggregate returns the column of an aggregate, which is computed once however often it is asked for.
func (g *grouping) aggregate(a op.Agg, pos int) *expr.Node {
	i := slices.IndexFunc(g.aggs, func(o op.Agg) bool { return sameAggregate(&a, &o) })
	if i < 0 {
		i = len(g.aggs)
		g.aggs = append(g.aggs, a)
	}
	return &expr.Node{
		Kind: expr.Col, Type: g.aggs[i].Field.Type, Index: overGroups + g.offset() + len(g.keys) + i, Text: a.Field.Name, Pos: pos,
	}
}

func sameAggregate(a, o *op.Agg) bool {
	return a.Func == o.Func && a.Distinct == o.Distinct && a.List == o.List && a.Error == o.Error && a.K == o.K &&
		slices.Equal(a.Quantiles, o.Quantiles) && expr.Equal(a.Arg, o.Arg) && expr.Equal(a.Filter, o.Filter)
}

// groupBy decides whether the query groups, and by what.
func (b *binder) groupBy() {
	groups := len(b.sel.GroupBy) > 0 || b.sel.Having != nil
	for _, it := range b.sel.Items {
		groups = groups || hasAggregate(it.Expr)
	}
	for _, o := range b.query.OrderBy {
		groups = groups || hasAggregate(o.Expr)
	}
	if !groups {
		return
	}
	b.groups = &grouping{windowed: b.window != nil, counts: map[int]int{}, shares: map[int]int{}}
	for _, x := range b.sel.GroupBy {
		b.groupKey(x)
		if len(b.groups.keys) > maxKeys && !b.checking() {
			b.fail(x.Where(), "", "more than %d group keys", maxKeys)
			return
		}
	}
}

// maxKeys is the number of group keys that the operator takes. While nothing is known of the stream it does not bound
// them, as a name that may be a column or an alias makes two.
const maxKeys = 64

// groupKey adds an entry of GROUP BY to the keys.
func (b *binder) groupKey(x syntax.Expr) {
	if _, ok := b.windowCall(x); ok {
		return
	}
	sc := scope{place: "GROUP BY"}
	switch e := x.(type) {
	case *syntax.Int:
		if item := b.ordinal(e); item != nil && !b.namesWindow(item.Expr) {
			b.addKey(item.Expr, item.Alias, b.item(item, sc))
		}
		return
	case *syntax.Name:
		if b.groupName(e, sc) {
			return
		}
	}
	b.addKey(x, nil, b.expr(x, sc))
}

// groupName adds the key that a name in GROUP BY stands for, if it is not simply a column.
func (b *binder) groupName(x *syntax.Name, sc scope) (done bool) {
	if _, ok := b.windowName(x.Parts); ok {
		return true
	}
	if len(x.Parts) != 1 {
		return false
	}
	name := x.Parts[0].Name
	item := b.aliased(name)
	if item == nil {
		return b.groupAll(name, sc)
	}
	if b.checking() {
		// The name may be a column or the alias: what goes with either goes.
		if !hasAggregate(item.Expr) && !b.namesWindow(item.Expr) {
			b.addKey(item.Expr, item.Alias, b.item(item, sc))
		}
		return false
	}
	if b.seen(x.Parts) {
		return false
	}
	if b.namesWindow(item.Expr) {
		return true
	}
	b.addKey(item.Expr, item.Alias, b.item(item, sc))
	return true
}

// namesWindow reports whether x is window_start or window_end, by which a query with a window groups anyway.
func (b *binder) namesWindow(x syntax.Expr) bool {
	n, ok := x.(*syntax.Name)
	if ok {
		_, ok = b.windowName(n.Parts)
	}
	return ok
}

// groupAll handles GROUP BY ALL: every item of the select list without an aggregate is a key.
func (b *binder) groupAll(name string, sc scope) (done bool) {
	if !strings.EqualFold(name, "all") || len(b.sel.GroupBy) != 1 {
		return false
	}
	if _, isColumn := b.find([]syntax.Ident{{Name: name}}); isColumn {
		return false
	}
	for i := range b.sel.Items {
		it := &b.sel.Items[i]
		if _, star := it.Expr.(*syntax.Star); !star && !hasAggregate(it.Expr) && !b.namesWindow(it.Expr) {
			b.addKey(it.Expr, it.Alias, b.item(it, sc))
		}
	}
	return true
}

func (b *binder) addKey(x syntax.Expr, alias *syntax.Ident, n *expr.Node) {
	n = b.settle(n)
	if slices.ContainsFunc(b.groups.keys, func(k groupKey) bool { return expr.Equal(k.node, n) }) {
		return
	}
	b.groups.keys = append(b.groups.keys, groupKey{n, b.itemName(&syntax.Item{Expr: x, Alias: alias}, n), b.plainly(n)})
}

// overGroups binds x over the groups if it is a key, an aggregate, a column of the window, or a name; nil if it is
// none of them, and is to be bound by its parts.
func (b *binder) overGroups(x syntax.Expr, sc scope) *expr.Node {
	if c, ok := x.(*syntax.Call); ok {
		if f := aggregateOf(c); f != nil {
			return b.aggregate(c, f)
		}
		if isWindowFunction(strings.ToLower(c.Func.Name)) && b.window != nil && b.window.same(c) {
			return b.windowColumn("window_start", c.Start)
		}
	}
	path, isName := pathOf(x)
	if name, ok := b.windowName(path); ok {
		return b.windowColumn(name, x.Where().Start)
	}
	if n := b.keyOf(x, isName); n != nil || !isName {
		return n
	}
	if n := b.alias(path, sc); n != nil {
		return n
	}
	if _, problem := b.resolve(path, x.Where()); problem != nil && b.err == nil {
		b.err = problem
	}
	hint := "add it to GROUP BY, or write any_value(" + x.String() + ")"
	if len(b.sel.GroupBy) == 0 {
		hint = "write GROUP BY " + x.String() + ", or any_value(" + x.String() + ")"
	}
	return b.fail(x.Where(), hint, "%s is neither a group key nor inside an aggregate", x)
}

// keyOf returns the column of the key that x is, or nil.
func (b *binder) keyOf(x syntax.Expr, isName bool) *expr.Node {
	keys := b.groups.keys
	composed := slices.ContainsFunc(keys, func(k groupKey) bool { return !k.column })
	if len(keys) == 0 || !isName && !composed || literal(x) != nil || hasAggregate(x) {
		return nil
	}
	var n *expr.Node
	if isName {
		path, _ := pathOf(x)
		if _, there := b.find(path); !there && len(path) == 1 && b.aliased(path[0].Name) != nil && !b.checking() {
			return nil // which need not be looked for among the fields to come
		}
		i, problem := b.resolve(path, x.Where())
		if problem != nil {
			return nil
		}
		n = b.settle(b.readPlain(i, x.Where().Start))
	} else if !b.try(func() { n = b.expr(x, scope{place: "GROUP BY"}) }) {
		return nil
	}
	for i, k := range keys {
		if expr.Equal(k.node, n) {
			return b.groups.key(i, x.Where().Start)
		}
	}
	return nil
}

// plainly reports whether n is a column read as a use does that asks for no type, unlike that of CAST(status AS TEXT).
func (b *binder) plainly(n *expr.Node) bool {
	i, ok := b.field(n)
	return ok && settled(n.Type) == settled(b.fields[i].plain())
}

// windowName reports whether a path is window_start or window_end, and which.
func (b *binder) windowName(path []syntax.Ident) (name string, ok bool) {
	if len(path) == 2 && b.named(path[0].Name) {
		path = path[1:]
	}
	if b.window == nil || len(path) != 1 || !isWindowColumn(path[0].Name) {
		return "", false
	}
	return path[0].Name, true
}

// windowColumn returns window_start or window_end over the groups.
func (b *binder) windowColumn(name string, pos int) *expr.Node {
	n := &expr.Node{Kind: expr.Col, Type: tuple.Timestamp, Index: overGroups, Text: "window_start", Pos: pos}
	if strings.EqualFold(name, "window_end") {
		n.Index, n.Text = overGroups+1, "window_end"
	}
	return n
}

// isWindowColumn reports whether a name is a column that windows add.
func isWindowColumn(name string) bool {
	return strings.EqualFold(name, "window_start") || strings.EqualFold(name, "window_end")
}
