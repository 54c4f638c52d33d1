package query

import (
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// Script is a text of statements that has been checked as far as that goes without its streams.
type Script struct {
	// Streams are the CREATE STREAM statements in order.
	Streams []*Declaration
	// Queries are the SELECT and EXPLAIN statements in order.
	Queries []*Query
	// Settings apply to what Bind binds.
	Settings Settings

	source *syntax.Source
}

// Query is a SELECT, or an EXPLAIN of one.
type Query struct {
	// Text is the SELECT as written.
	Text string
	// Explain says that the plan is asked for, not rows.
	Explain bool

	tree *syntax.Query
}

// Bound is a query that is ready to run.
type Bound struct {
	Plan *plan.Query
	// Warnings are for the user, in the order of what they are about.
	Warnings []string
	// Explain says that the user asked for the plan, not for rows.
	Explain bool
	// Error is the relative half-width of intervals that suffices, from WITH QOS (error 5%); 0: none was named.
	Error float64
	// Confidence is that of the intervals.
	Confidence float64
}

// Parse reads a text of statements. It reports mistakes of syntax and everything else that can be told without the
// streams: unknown functions, wrong arguments, impossible windows, clauses that are not supported. The error is a
// [*syntax.Error].
func Parse(sql string) (*Script, error) { return ParseSource(syntax.NewSource("", sql)) }

// ParseSource is Parse for a text that has a name, such as a file's, to be used in errors.
func ParseSource(src *syntax.Source) (*Script, error) {
	tree, err := syntax.Parse(src)
	if err != nil {
		return nil, err
	}
	s := &Script{source: src}
	for _, st := range tree.Statements {
		switch st := st.(type) {
		case *syntax.CreateStream:
			d, err := s.declaration(st)
			if err != nil {
				return nil, err
			}
			s.Streams = append(s.Streams, d)
		case *syntax.Query:
			s.Queries = append(s.Queries, &Query{Text: src.Slice(st.Span), tree: st})
		case *syntax.Explain:
			s.Queries = append(s.Queries, &Query{Text: src.Slice(st.Query.Span), Explain: true, tree: st.Query})
		}
	}
	for _, q := range s.Queries {
		if _, err := bind(src, q, nil, Settings{}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Bind binds query i to the stream that it reads. Its errors are [*syntax.Error]s, or wrap both one and the catalog's error.
func (s *Script) Bind(i int, c Catalog) (*Bound, error) {
	q := s.Queries[i]
	table := tableOf(q.tree.Arms[0].From)
	stream, err := c.Stream(table.Name.Name, table.IsPath)
	if err != nil {
		return nil, &catalogError{s.source.Errorf(table.Span, "", "%s", err), err}
	}
	return bind(s.source, q, stream, s.Settings)
}

// catalogError is a catalog's error with its place in the text.
type catalogError struct {
	at    *syntax.Error
	cause error
}

func (e *catalogError) Error() string   { return e.at.Error() }
func (e *catalogError) Unwrap() []error { return []error{e.at, e.cause} }
