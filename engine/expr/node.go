package expr

import "github.com/aurora-dsms/aurora/engine/tuple"

// Kind says what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Col     Kind = iota // column Index of the input
	Const               // Value
	Call                // function or operator Name applied to Args
	Case                // Args: when1, then1, when2, then2, ..., else (always present)
	Cast                // Args[0] converted to Type; a value that does not convert is NULL and counted
	TryCast             // the same, not counted
	In                  // Args[0] IN (Args[1:]), SQL's three-valued logic
)

// Node is a bound, typed expression: data, not code. A tree is immutable once built,
// may be shared, and is turned into something that runs by Compile (vectorised) or by
// an oracle of its own.
//
// Operators are calls by their SQL spelling: "+", "-", "*", "/", "//", "%", "||", "neg", "=", "<>",
// "<", "<=", ">", ">=", "and", "or", "not", "is null", "is not null", "is distinct from",
// "is not distinct from", "like", "ilike" (third argument: the escape, optional). BETWEEN and x IN () are written out
// by the binder where that is the same.
type Node struct {
	Kind  Kind
	Type  tuple.Type
	Name  string // Call: the catalogue's canonical, lower-case name
	Index int    // Col
	Value Value  // Const
	Args  []*Node
	Text  string // the expression as SQL, for EXPLAIN and messages
	Pos   int    // byte offset in the query's text, for messages
}

// Value is one typed value. Null is true for NULL; otherwise Type says which field holds it:
// I for Bigint, Timestamp, Interval; F for Double; B for Boolean; S for Text and JSON.
// A Number is either: Float tells.
type Value struct {
	Type  tuple.Type
	Null  bool
	Float bool // Number only: the value is in F
	I     int64
	F     float64
	B     bool
	S     string
}
