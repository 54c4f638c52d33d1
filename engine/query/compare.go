package query

import (
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// operand is a bound expression and its place.
type operand struct {
	node *expr.Node
	at   syntax.Span
}

func (b *binder) operand(x syntax.Expr, sc scope) operand { return operand{b.expr(x, sc), x.Where()} }

// compare returns the comparison of two expressions.
func (b *binder) compare(where syntax.Span, name string, l, r operand) *expr.Node {
	l, r = b.meet(l, r)
	return b.call(at(where), name, l.node, r.node)
}

// meet reads two expressions as types that compare, if one of them says how.
func (b *binder) meet(l, r operand) (operand, operand) {
	switch {
	case isTextLiteral(l.node) && !isTextLiteral(r.node):
		r, l = b.meetText(r, l)
	case isTextLiteral(r.node) && !isTextLiteral(l.node):
		l, r = b.meetText(l, r)
	default:
		if _, _, fitted, err := b.fit("=", []*expr.Node{l.node, r.node}); err == nil {
			l.node, r.node = fitted[0], fitted[1]
		}
	}
	return l, r
}

// literalNames say what a text literal is expected to be.
var literalNames = map[tuple.Type]string{tuple.Timestamp: "a time", tuple.Interval: "a duration", tuple.Boolean: "true or false"}

// meetText reads a text literal as the type of x, or x as text.
func (b *binder) meetText(x, text operand) (operand, operand) {
	t := x.node.Type
	if b.unknown(x.node) {
		return x, text
	}
	if t.Bytes() || t == tuple.Null {
		x.node, _ = b.convert(x.node, tuple.Text)
		return x, text
	}
	if c := readLiteral(text.node, t); c != nil {
		text.node = c
		return x, text
	}
	looks := t
	if i, ok := b.field(x.node); ok {
		looks = b.fields[i].Type
	}
	if soft, ok := b.convert(x.node, tuple.Timestamp); ok && looks.Numeric() {
		if c := readLiteral(text.node, tuple.Timestamp); c != nil {
			x.node, text.node = soft, c
			return x, text
		}
	}
	if soft, ok := b.convert(x.node, tuple.Text); ok && looks != tuple.Timestamp {
		x.node = soft
		return x, text
	}
	what, known := literalNames[t]
	if !known {
		what = "a number"
	}
	text.node = b.fail(text.at, "", "%s is not %s, and %s is %s", text.node, what, b.src.Slice(x.at), t)
	return x, text
}

func (b *binder) between(x *syntax.Between, sc scope) *expr.Node {
	v, lo, hi := b.operand(x.X, sc), b.operand(x.Lo, sc), b.operand(x.Hi, sc)
	v, lo = b.meet(v, lo)
	v, hi = b.meet(v, hi)
	low := b.compare(x.Span, ">=", v, lo)
	n := folded(&expr.Node{
		Kind: expr.Call, Type: tuple.Boolean, Name: "and", Pos: x.Start,
		Args: []*expr.Node{low, b.compare(x.Span, "<=", v, hi)},
	})
	if x.Not {
		n = b.not(n, x.Start)
	}
	return n
}

func (b *binder) in(x *syntax.In, sc scope) *expr.Node {
	v := b.operand(x.X, sc)
	list := make([]operand, len(x.List))
	for i, item := range x.List {
		list[i] = b.operand(item, sc)
		if isNull(list[i].node) && x.Not {
			b.warn("%s is never true: NULL is in the list", x)
		}
		v, list[i] = b.meet(v, list[i])
	}
	for i := range list {
		v, list[i] = b.meet(v, list[i]) // v may have become something else since
	}
	args := []*expr.Node{v.node}
	for _, item := range list {
		pair := []*expr.Node{v.node, item.node}
		if _, _, err := expr.Resolve("=", pair); err != nil {
			return b.mismatch(at(item.at), "=", pair, err)
		}
		args = append(args, item.node)
	}
	if b.err != nil {
		return b.fail(x.Span, "", "")
	}
	n := &expr.Node{Kind: expr.In, Type: tuple.Boolean, Args: args, Pos: x.Start}
	if x.Not {
		return b.not(n, x.Start)
	}
	return n
}
