package query

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func constant(v expr.Value, pos int) *expr.Node {
	return &expr.Node{Kind: expr.Const, Type: v.Type, Value: v, Pos: pos}
}

func textOf(s string, pos int) *expr.Node { return constant(expr.Value{Type: tuple.Text, S: s}, pos) }

// literal returns the constant that a literal is, or nil if x is something else.
func literal(x syntax.Expr) *expr.Node {
	pos := x.Where().Start
	switch x := x.(type) {
	case *syntax.Null:
		return constant(expr.Value{Type: tuple.Null, Null: true}, pos)
	case *syntax.Bool:
		return constant(expr.Value{Type: tuple.Boolean, B: x.Value}, pos)
	case *syntax.Int:
		return constant(expr.Value{Type: tuple.Bigint, I: x.Value}, pos)
	case *syntax.Float:
		return floatLiteral(x)
	case *syntax.String:
		return textOf(x.Value, pos)
	case *syntax.Interval:
		return constant(expr.Value{Type: tuple.Interval, I: x.Value.Nanos()}, pos)
	case *syntax.Timestamp:
		return constant(expr.Value{Type: tuple.Timestamp, I: x.Nanos}, pos)
	}
	return nil
}

// floatLiteral keeps the digits of an integer of up to 128 bits.
func floatLiteral(x *syntax.Float) *expr.Node {
	if n, ok := new(big.Int).SetString(x.Text, 10); ok && n.BitLen() < 128 {
		return constant(expr.Value{Type: tuple.Number, Float: true, F: x.Value, S: n.String()}, x.Start)
	}
	return constant(expr.Value{Type: tuple.Double, F: x.Value}, x.Start)
}

// isTextLiteral reports whether n is a text constant.
func isTextLiteral(n *expr.Node) bool {
	return n.Kind == expr.Const && n.Type == tuple.Text && !n.Value.Null
}

func isNull(n *expr.Node) bool { return n.Kind == expr.Const && n.Value.Null }

// literalChoices returns what the text constant n may mean beside text.
func literalChoices(n *expr.Node) []choice {
	all := []choice{{n, 0}}
	for _, t := range []struct {
		as   tuple.Type
		cost int
	}{{tuple.Timestamp, 1}, {tuple.Interval, 1}, {tuple.Number, 2}, {tuple.Boolean, 3}} {
		if c := readLiteral(n, t.as); c != nil {
			all = append(all, choice{c, t.cost})
		}
	}
	return all
}

// readLiteral returns the constant of type t that n's text writes, or nil. Numbers are BIGINT where they can be.
func readLiteral(n *expr.Node, t tuple.Type) *expr.Node {
	s := strings.TrimSpace(n.Value.S)
	v := expr.Value{Type: t}
	var ok bool
	switch t {
	case tuple.Timestamp:
		v.I, ok = tuple.ParseTime([]byte(s))
	case tuple.Interval:
		d, err := syntax.ParseDuration(s)
		v.I, ok = d.Nanos(), err == nil && s != "0"
	case tuple.Boolean:
		v.B = strings.EqualFold(s, "true")
		ok = v.B || strings.EqualFold(s, "false")
	case tuple.Number, tuple.Bigint, tuple.Double:
		return readNumber(s, n.Pos)
	}
	if !ok {
		return nil
	}
	return constant(v, n.Pos)
}

func readNumber(s string, pos int) *expr.Node {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return constant(expr.Value{Type: tuple.Bigint, I: i}, pos)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || strings.ContainsAny(s, "xX_pP") {
		return nil
	}
	return floatLiteral(&syntax.Float{Span: syntax.Span{Start: pos}, Value: f, Text: s})
}
