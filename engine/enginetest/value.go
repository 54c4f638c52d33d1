package enginetest

import (
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Int returns a BIGINT.
func Int(v int64) expr.Value { return expr.Value{Type: tuple.Bigint, I: v} }

// Float returns a DOUBLE.
func Float(v float64) expr.Value { return expr.Value{Type: tuple.Double, F: v} }

// NumberInt returns a NUMBER that is an integer.
func NumberInt(v int64) expr.Value { return expr.Value{Type: tuple.Number, I: v} }

// NumberFloat returns a NUMBER that is a double.
func NumberFloat(v float64) expr.Value { return expr.Value{Type: tuple.Number, Float: true, F: v} }

// Text returns a TEXT.
func Text(s string) expr.Value { return expr.Value{Type: tuple.Text, S: s} }

// Bool returns a BOOLEAN.
func Bool(v bool) expr.Value { return expr.Value{Type: tuple.Boolean, B: v} }

// Time returns a TIMESTAMP in ns since the epoch.
func Time(ns int64) expr.Value { return expr.Value{Type: tuple.Timestamp, I: ns} }

// Interval returns an INTERVAL in ns.
func Interval(ns int64) expr.Value { return expr.Value{Type: tuple.Interval, I: ns} }

// Null returns the NULL of a type.
func Null(t tuple.Type) expr.Value { return expr.Value{Type: t, Null: true} }

// Schema returns a schema with fields named a, b, c ... of the given types.
func Schema(types ...tuple.Type) *tuple.Schema {
	s := &tuple.Schema{}
	for i, t := range types {
		s.Fields = append(s.Fields, tuple.Field{Name: string(rune('a' + i)), Type: t})
	}
	return s
}

// Ref returns a reference to column i of s.
func Ref(s *tuple.Schema, i int) *expr.Node {
	return &expr.Node{Kind: expr.Col, Type: s.Fields[i].Type, Index: i, Text: s.Fields[i].Name}
}

// Constant returns a constant expression.
func Constant(v expr.Value) *expr.Node { return &expr.Node{Kind: expr.Const, Type: v.Type, Value: v} }

// Call returns a call of a function or operator, resolved. It panics if there is no such function for
// the arguments.
func Call(name string, args ...*expr.Node) *expr.Node {
	canonical, t, err := expr.Resolve(name, args)
	if err != nil {
		panic(err)
	}
	return &expr.Node{Kind: expr.Call, Type: t, Name: canonical, Args: args}
}
