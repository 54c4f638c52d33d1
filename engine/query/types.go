package query

import (
	"cmp"
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// choice is what an argument may be read as, and how far that is from what it looks like.
type choice struct {
	node *expr.Node
	cost int
}

// farthest is the cost of what a column looked like nothing of after another use made it something.
const farthest = 5

// softTypes says what a column of a stream without declared types may be read as, by what its sample showed.
var softTypes = [...][]struct {
	as   tuple.Type
	cost int
}{
	tuple.Null:      {{tuple.Text, 0}, {tuple.Number, 1}, {tuple.Timestamp, 2}, {tuple.Boolean, 3}, {tuple.Interval, 4}},
	tuple.JSON:      {{tuple.Text, 0}, {tuple.Number, 1}, {tuple.Timestamp, 2}, {tuple.Boolean, 3}, {tuple.Interval, 4}},
	tuple.Text:      {{tuple.Text, 0}, {tuple.Number, 1}, {tuple.Timestamp, 2}, {tuple.Boolean, 3}, {tuple.Interval, 4}},
	tuple.Number:    {{tuple.Number, 0}, {tuple.Timestamp, 2}, {tuple.Text, 3}},
	tuple.Bigint:    {{tuple.Bigint, 0}, {tuple.Timestamp, 2}, {tuple.Text, 3}},
	tuple.Double:    {{tuple.Double, 0}, {tuple.Timestamp, 2}, {tuple.Text, 3}},
	tuple.Timestamp: {{tuple.Timestamp, 0}, {tuple.Text, 3}},
	tuple.Boolean:   {{tuple.Boolean, 0}, {tuple.Text, 3}},
	tuple.Interval:  {{tuple.Interval, 0}, {tuple.Text, 3}},
}

// soft reports whether n is a column that may be read as another type, which one that was cast to text may not.
func (b *binder) soft(n *expr.Node) bool {
	i, ok := b.field(n)
	return ok && b.fields[i].soft && !b.checking() && !b.firm[n]
}

// undecided reports whether n is a column that looks like nothing in particular.
func (b *binder) undecided(n *expr.Node) bool {
	return b.soft(n) && (n.Type == tuple.Null || n.Type == tuple.JSON)
}

// unknown reports whether n stands for values of which nothing is known, because the stream is not looked at.
func (b *binder) unknown(n *expr.Node) bool {
	return b.checking() && n.Kind != expr.Const && n.Type == tuple.Null
}

// choices returns what n may be read as, best first.
func (b *binder) choices(n *expr.Node) []choice {
	if isTextLiteral(n) {
		return literalChoices(n)
	}
	if !b.soft(n) {
		return []choice{{n, 0}}
	}
	i, _ := b.field(n)
	var all []choice
	for _, s := range softTypes[n.Type] {
		all = append(all, choice{b.readAs(i, s.as, n.Pos), s.cost})
	}
	for _, s := range softTypes[b.fields[i].Type] {
		if !slices.ContainsFunc(all, func(c choice) bool { return c.node.Type == s.as }) {
			all = append(all, choice{b.readAs(i, s.as, n.Pos), farthest})
		}
	}
	return all
}

// asText returns nodes with the columns among them read as text.
func (b *binder) asText(nodes []*expr.Node) []*expr.Node {
	out := slices.Clone(nodes)
	for i, n := range out {
		if field, ok := b.field(n); ok && b.soft(n) {
			out[i] = b.readAs(field, tuple.Text, n.Pos)
		}
	}
	return out
}

// convert returns n as type t, if it can be read as that without a CAST.
func (b *binder) convert(n *expr.Node, t tuple.Type) (*expr.Node, bool) {
	if n.Type == t || t == tuple.Null || n.Kind == expr.Const && n.Type == tuple.Null || b.unknown(n) || n.Index < 0 {
		return n, true
	}
	if n.Type.Numeric() && t.Numeric() || n.Type.Bytes() && t.Bytes() && !b.undecided(n) {
		return n, true
	}
	for _, c := range b.choices(n) {
		if c.node.Type == t || c.node.Type.Numeric() && t.Numeric() {
			return c.node, true
		}
	}
	return n, false
}

// settle returns n with a type, if it is a column that nothing has asked to be anything.
func (b *binder) settle(n *expr.Node) *expr.Node {
	if i, ok := b.field(n); ok && n.Type == tuple.Null && !b.checking() {
		return b.readAs(i, tuple.Text, n.Pos)
	}
	return n
}

// maxChoices bounds the combinations of types that are tried for a call.
const maxChoices = 500

// combinations returns the ways of reading args, best first.
func (b *binder) combinations(args []*expr.Node) [][]*expr.Node {
	type combination struct {
		args []*expr.Node
		cost int
	}
	all := []combination{{}}
	for _, a := range args {
		options := b.choices(a)
		if len(all)*len(options) > maxChoices {
			return b.uniform(args)
		}
		var next []combination
		for _, c := range all {
			for _, o := range options {
				next = append(next, combination{append(slices.Clip(c.args), o.node), c.cost + o.cost})
			}
		}
		all = next
	}
	slices.SortStableFunc(all, func(x, y combination) int { return cmp.Compare(x.cost, y.cost) })
	out := make([][]*expr.Node, len(all))
	for i := range all {
		out[i] = all[i].args
	}
	return out
}

// uniformTypes are the types that many arguments are tried to be read as.
var uniformTypes = []tuple.Type{tuple.Text, tuple.Number, tuple.Timestamp, tuple.Boolean, tuple.Interval}

// uniform returns the ways of reading all args as one type each.
func (b *binder) uniform(args []*expr.Node) [][]*expr.Node {
	var out [][]*expr.Node
	for _, t := range uniformTypes {
		way := make([]*expr.Node, len(args))
		for i, a := range args {
			way[i], _ = b.convert(a, t)
		}
		out = append(out, way)
	}
	return out
}

// unify reads nodes so that their types go together, as the branches of CASE must, and returns the type.
func (b *binder) unify(nodes []*expr.Node) (out []*expr.Node, t tuple.Type, err error) {
	t, err = expr.Unify(b.decidedTypes(nodes)...)
	if err == nil && t == tuple.Null && !b.checking() && slices.ContainsFunc(nodes, b.undecided) {
		t = tuple.Text
		if !slices.ContainsFunc(nodes, func(n *expr.Node) bool { return b.undecided(n) && n.Type == tuple.Null }) {
			t = tuple.JSON
		}
	}
	if err == nil {
		if out, ok := b.convertAll(nodes, t); ok {
			t, err := expr.Unify(typesOf(out)...)
			return out, t, err
		}
	}
	for _, t := range []tuple.Type{tuple.Number, tuple.Timestamp, tuple.Text, tuple.Boolean, tuple.Interval} {
		if out, ok := b.convertAll(nodes, t); ok {
			t, err := expr.Unify(typesOf(out)...)
			return out, t, err
		}
	}
	if err == nil {
		_, err = expr.Unify(typesOf(nodes)...)
	}
	return nodes, tuple.Null, err
}

func (b *binder) decidedTypes(nodes []*expr.Node) []tuple.Type {
	var types []tuple.Type
	for _, n := range nodes {
		if !b.undecided(n) {
			types = append(types, n.Type)
		}
	}
	return types
}

func (b *binder) convertAll(nodes []*expr.Node, t tuple.Type) ([]*expr.Node, bool) {
	out := make([]*expr.Node, len(nodes))
	for i, n := range nodes {
		var ok bool
		if out[i], ok = b.convert(n, t); !ok {
			return nil, false
		}
	}
	return out, true
}

func typesOf(nodes []*expr.Node) []tuple.Type {
	types := make([]tuple.Type, len(nodes))
	for i, n := range nodes {
		types[i] = n.Type
	}
	return types
}
