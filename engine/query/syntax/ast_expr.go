package syntax

import "github.com/aurora-dsms/aurora/engine/tuple"

// Expr is an expression:
//
//   - names: *Name, *Field, *Index, *Star
//   - literals: *Null, *Bool, *Int, *Float, *String, *Interval, *Timestamp, *List
//   - operators: *Unary, *Binary, *IsNull, *IsDistinct, *In, *Between, *Like
//   - forms: *Case, *Cast, *Extract, *Call
type Expr interface {
	Node
	expr()
}

// Name is a dotted name: a column, a table's column, or a field inside a JSON column, for the binder to tell apart.
type Name struct {
	Span
	// Parts are the names between the dots; at least one.
	Parts []Ident
}

// Field is a field of an expression that is not itself a dotted name: a['b'].c.
type Field struct {
	Span
	X    Expr
	Name Ident
}

// Index is a field or element by value: a['b'], a[1].
type Index struct {
	Span
	X, Key Expr
}

// Star is * or t.* in a select list.
type Star struct {
	Span
	// Table is nil for a bare star.
	Table *Ident
}

// Null is the literal NULL.
type Null struct{ Span }

// Bool is TRUE or FALSE.
type Bool struct {
	Span
	Value bool
}

// Int is an integer literal that fits in 64 bits, with its sign.
type Int struct {
	Span
	Value int64
}

// Float is any other number, with its sign.
type Float struct {
	Span
	// Value is the nearest float64, finite.
	Value float64
	// Text is the number as written, with its sign: an integer beyond 64 bits keeps all its digits here.
	Text string
}

// String is text in single quotes.
type String struct {
	Span
	Value string
}

// Interval is INTERVAL '1 minute' or INTERVAL 1 MINUTE.
type Interval struct {
	Span
	Value Duration
}

// Timestamp is TIMESTAMP '...' or DATE '...'.
type Timestamp struct {
	Span
	// Nanos is the time since the Unix epoch in ns; text without a zone is UTC.
	Nanos int64
}

// List is [a, b, ...]; it may be empty.
type List struct {
	Span
	Items []Expr
}

// Unary is Not or Neg applied to X. Neg of a number literal does not occur in parsed text: it is a literal.
type Unary struct {
	Span
	Op Op
	X  Expr
}

// Binary is an infix operator.
type Binary struct {
	Span
	Op Op
	// OpAt is where the operator itself stands.
	OpAt Span
	L, R Expr
}

// IsNull is x IS [NOT] NULL.
type IsNull struct {
	Span
	X   Expr
	Not bool
}

// IsDistinct is l IS [NOT] DISTINCT FROM r: inequality that takes NULL for a value. IS [NOT] TRUE and IS [NOT]
// FALSE are read as this.
type IsDistinct struct {
	Span
	L, R Expr
	Not  bool
}

// In is x [NOT] IN (a, b, ...).
type In struct {
	Span
	X Expr
	// List has at least one entry.
	List []Expr
	Not  bool
}

// Between is x [NOT] BETWEEN lo AND hi.
type Between struct {
	Span
	X, Lo, Hi Expr
	Not       bool
}

// Like is x [NOT] LIKE pattern [ESCAPE e].
type Like struct {
	Span
	X, Pattern Expr
	// Escape is nil where none is given.
	Escape Expr
	// Fold says ILIKE: letter case does not count.
	Fold bool
	Not  bool
}

// Case is CASE [operand] WHEN ... THEN ... [ELSE ...] END.
type Case struct {
	Span
	// Operand is nil in the form whose WHENs are conditions.
	Operand Expr
	// Whens has at least one entry.
	Whens []When
	// Else is nil where absent: NULL.
	Else Expr
}

// When is a branch of CASE.
type When struct {
	Span
	Cond, Then Expr
}

// Cast is CAST(x AS t), TRY_CAST(x AS t) or x::t.
type Cast struct {
	Span
	X    Expr
	Type Type
	// Try says that what cannot be converted becomes NULL.
	Try bool
}

// Extract is EXTRACT(part FROM x).
type Extract struct {
	Span
	// Part is the unit's name, not checked: hour, epoch.
	Part Ident
	X    Expr
}

// Call is a function or an aggregate.
type Call struct {
	Span
	Func Ident
	// Star says f(*); then Args are empty and Distinct is false.
	Star     bool
	Distinct bool
	// Args are the arguments, positional ones before named ones.
	Args []Arg
	// Filter is the condition of FILTER (WHERE ...); optional.
	Filter Expr
}

// Arg is an argument.
type Arg struct {
	Span
	// Name is nil for a positional argument.
	Name  *Ident
	Value Expr
}

// Type is a type's name. Of is one of Boolean, Bigint, Double, Text, Timestamp and Interval, whichever synonym was written.
type Type struct {
	Span
	Of tuple.Type
}

// Op is an operator.
type Op uint8

// The operators. IntDiv is //, Concat is ||.
const (
	Or Op = iota + 1
	And
	Not
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Concat
	Add
	Sub
	Mul
	Div
	IntDiv
	Mod
	Neg
)

// Binding strengths, weakest first: what stands above binds weaker. Comparisons, IS and the LIKE family do not chain.
const (
	bindOr = iota + 1
	bindAnd
	bindNot
	bindIs
	bindCompare
	bindMatch
	bindConcat
	bindAdd
	bindMul
	bindSign
	bindPostfix
	bindPrimary
)

var ops = [...]struct {
	text string
	bind int
}{
	Or: {"OR", bindOr}, And: {"AND", bindAnd}, Not: {"NOT", bindNot},
	Eq: {"=", bindCompare}, Ne: {"<>", bindCompare}, Lt: {"<", bindCompare}, Le: {"<=", bindCompare}, Gt: {">", bindCompare}, Ge: {">=", bindCompare},
	Concat: {"||", bindConcat}, Add: {"+", bindAdd}, Sub: {"-", bindAdd},
	Mul: {"*", bindMul}, Div: {"/", bindMul}, IntDiv: {"//", bindMul}, Mod: {"%", bindMul}, Neg: {"-", bindSign},
}

// String returns the operator as it is written.
func (o Op) String() string { return ops[o].text }

// Comparison reports whether o is one of = <> < <= > >=.
func (o Op) Comparison() bool { return ops[o].bind == bindCompare }

func (*Name) expr()       {}
func (*Field) expr()      {}
func (*Index) expr()      {}
func (*Star) expr()       {}
func (*Null) expr()       {}
func (*Bool) expr()       {}
func (*Int) expr()        {}
func (*Float) expr()      {}
func (*String) expr()     {}
func (*Interval) expr()   {}
func (*Timestamp) expr()  {}
func (*List) expr()       {}
func (*Unary) expr()      {}
func (*Binary) expr()     {}
func (*IsNull) expr()     {}
func (*IsDistinct) expr() {}
func (*In) expr()         {}
func (*Between) expr()    {}
func (*Like) expr()       {}
func (*Case) expr()       {}
func (*Cast) expr()       {}
func (*Extract) expr()    {}
func (*Call) expr()       {}
