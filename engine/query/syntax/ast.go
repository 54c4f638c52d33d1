package syntax

// Node is a part of the syntax tree. String prints it in canonical form.
type Node interface {
	Where() Span
	String() string
}

// Script is a text of statements.
type Script struct {
	Source     *Source
	Statements []Statement
}

// Statement is a *Query, *CreateStream or *Explain.
type Statement interface {
	Node
	statement()
}

// Ident is a name in one piece. Name is as written, without quotes and in its own case.
type Ident struct {
	Span
	Name string
	// Quoted says that it stood in double quotes: never a keyword, and perhaps text that should be in single quotes.
	Quoted bool
}

// Query is a statement that gives rows.
type Query struct {
	Span
	// Arms are the queries joined by UNION ALL; at least one.
	Arms    []*Select
	OrderBy []OrderItem
	// Limit and Offset are nil or not negative.
	Limit, Offset *Int
	// Emit and QoS are nil where the clause is absent.
	Emit *Emit
	QoS  *QoS
}

// Select is one arm of a query.
type Select struct {
	Span
	// Union is where the words UNION ALL stand before this arm; zero in the first.
	Union    Span
	Distinct bool
	Items    []Item
	// From is nil for a query without a source; then Where, GroupBy and Having are absent, too.
	From Relation
	// Where and Having are nil where the clause is absent.
	Where   Expr
	GroupBy []Expr
	Having  Expr
}

// Item is an entry of the select list.
type Item struct {
	Span
	// Expr is a *Star or an expression without one.
	Expr Expr
	// Alias is nil where no name is given.
	Alias *Ident
}

// OrderItem is an entry of ORDER BY.
type OrderItem struct {
	Span
	Expr  Expr
	Desc  bool
	Nulls NullOrder
}

// NullOrder says where ORDER BY puts NULL.
type NullOrder uint8

// The places of NULL; NullsDefault leaves it to the binder.
const (
	NullsDefault NullOrder = iota
	NullsFirst
	NullsLast
)

// Emit is the clause that says when rows are given out.
type Emit struct {
	Span
	Kind EmitKind
	// Every is the period of EmitEvery, greater than zero.
	Every Duration
}

// EmitKind is a manner of giving out rows.
type EmitKind uint8

// The manners of EMIT: once and final, periodically, or at each change.
const (
	EmitFinal EmitKind = iota
	EmitEvery
	EmitChanges
)

// Relation is what FROM names: a *Table, *Window, *Subquery or *Join.
type Relation interface {
	Node
	relation()
}

// Table is a stream or a file by name.
type Table struct {
	Span
	// Name is the stream's name, or the path if IsPath.
	Name Ident
	// IsPath says that Name stood in single quotes: FROM 'access.ndjson'.
	IsPath bool
	Alias  *Ident
	Sample *Sample
}

// Window is a window function applied to a relation: tumble(logs, ts, INTERVAL '1 minute').
type Window struct {
	Span
	// Func is tumble, hop or session, in any case.
	Func Ident
	// Input is the first argument, or the one named data.
	Input Relation
	// Args are the other arguments in order, positional ones before named ones. None is called data.
	Args   []Arg
	Alias  *Ident
	Sample *Sample
}

// Subquery is a query in parentheses.
type Subquery struct {
	Span
	Query  *Query
	Alias  *Ident
	Sample *Sample
}

// Join is two relations side by side. FROM a, b is a CROSS JOIN.
type Join struct {
	Span
	Kind        JoinKind
	Left, Right Relation
	// On and Using are absent in a CROSS JOIN; else exactly one of them is present.
	On    Expr
	Using []Ident
}

// JoinKind says which rows without a partner a join keeps.
type JoinKind uint8

// The kinds of joins.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	CrossJoin
)

// Sample is a TABLESAMPLE clause.
type Sample struct {
	Span
	Method SampleMethod
	// Amount is a percentage from 0 to 100, or a number of rows if Rows.
	Amount float64
	Rows   bool
	// Key is the column of SampleUniverse, a path; nil with other methods.
	Key Expr
	// Seed is the REPEATABLE argument; optional.
	Seed *Int
}

// SampleMethod is how TABLESAMPLE chooses rows.
type SampleMethod uint8

// The methods of TABLESAMPLE; SampleDefault is one without a name.
const (
	SampleDefault SampleMethod = iota
	SampleBernoulli
	SampleSystem
	SampleReservoir
	SampleUniverse
)

// CreateStream declares a stream.
type CreateStream struct {
	Span
	Name Ident
	// Columns are empty where the schema is to be inferred.
	Columns []ColumnDef
	// Options are the WITH entries in order. Keys may repeat and are not checked.
	Options []Option
}

// ColumnDef is a declared column.
type ColumnDef struct {
	Span
	// Name is dotted for a field inside an object.
	Name *Name
	Type Type
}

// Option is an entry of WITH in CREATE STREAM.
type Option struct {
	Span
	Key Ident
	// Value is a *String, *Int, *Float or *Bool; a bare word is read as a *String.
	Value Expr
}

// Explain asks for a query's plan.
type Explain struct {
	Span
	Query *Query
}

func (*Query) statement()        {}
func (*CreateStream) statement() {}
func (*Explain) statement()      {}

func (*Table) relation()    {}
func (*Window) relation()   {}
func (*Subquery) relation() {}
func (*Join) relation()     {}
