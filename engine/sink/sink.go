// Package sink writes results: batches of rows as NDJSON, JSON, CSV, TSV, Markdown or an aligned table.
//
// # Model
//
// A [Sink] is told the schema once, is given batches as they become final, and is closed at the end. It collects
// bytes and writes them when there are many; [Flusher] makes what was given so far visible at once. The engine
// flushes whenever it has nothing else to do, so rows of a live stream appear one by one while a large projection
// is written in large pieces.
//
// # What values look like
//
// Everywhere: integers exactly, of any size; doubles as the shortest decimal that reads back the same, told from
// integers by a point or an exponent (3.0, 1e+16); timestamps in RFC 3339, in UTC or with the offset of the field's
// zone; intervals as 1h30m.
//
//   - NDJSON and JSON: one object per row, keys in the schema's order. Strings are escaped as encoding/json does
//     without HTML escaping. NaN and infinities are null, with one warning per column. Rows of windows that had
//     not ended when the run was interrupted end with "_final":false. JSON columns stand as they are.
//   - CSV and TSV: RFC 4180 with "\n" line ends and a header. NULL is nothing, the empty text is "". A lone
//     column's NULL is "" too, for readers skip blank lines. NaN is nan, infinities are inf and -inf.
//   - Table: columns as wide as the first rows need, wider ones later as they come; numbers to the right and never
//     cut; text cut with … where the terminal ends. On a terminal that is too narrow even so, a line per column, its name
//     and its value, with a blank line between rows. Control characters are shown, not sent. Thousands are
//     separated in the columns named by Options.Grouped only, so that identifiers stay as they are.
//   - Markdown: a table of GitHub's dialect.
//
// Estimates, by the roles of their columns ([tuple.Role]):
//
//   - NDJSON and JSON: a value stays plain and its bounds stand behind it, n, n_lo, n_hi; NULL for one that is not known.
//     "_unreliable":["n"] names those that cannot be relied on, if there are any; "_other":true marks the row of groups
//     without room. Where rows give an account of themselves ([tuple.Schema].Bounded) each ends in _late and _final.
//   - CSV and TSV: the same as columns; _unreliable has names with blanks between them.
//   - Table and Markdown: 1,234 ±18, or 1,234 [1,216, 1,270] where the bounds are not about as far; = behind what is known, ~
//     behind what cannot be relied on. The share kept and the bound of groups unseen stand where they change.
//
// JSON and CSV want distinct names: a repeated one gets the first suffix _1, _2, ... that is free.
//
// # Invariants
//
// Bytes do not depend on how rows were cut into batches; those of a table depend on when it was flushed. No error
// of the writer is lost.
//
// # Limits
//
// A sink is used by one goroutine and does not close its writer. A table holds back its first rows to learn their width.
package sink

import (
	"fmt"
	"io"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Sink takes the rows of one query.
type Sink interface {
	// Begin is called once, before anything else.
	Begin(schema *tuple.Schema) error
	// Write takes the selected rows of a batch of Begin's schema. The batch is borrowed until it returns.
	Write(b *tuple.Batch) error
	// Close writes what is left. It returns an error of the writer unless an earlier call has.
	Close() error
}

// Flusher is implemented by sinks that hold rows back.
type Flusher interface {
	// Flush writes every row that was given.
	Flush() error
}

// Format names a way to write rows.
type Format string

// The formats. None discards rows.
const (
	NDJSON   Format = "ndjson"
	JSON     Format = "json"
	CSV      Format = "csv"
	TSV      Format = "tsv"
	Markdown Format = "markdown"
	Table    Format = "table"
	None     Format = "none"
)

// Options are what writing needs to know besides the schema.
type Options struct {
	// Warn is told what a person should know about the rows, a line without its end; nil: nobody is.
	Warn func(string)
	// Width is how many columns of characters a table may take; 0: any number.
	Width int
	// Color allows escape sequences for bold and dim in a table.
	Color bool
	// Terminal says that a person watches: a table ends with the number of its rows, and one that is wider than Width turns
	// into a line per column.
	Terminal bool
	// Grouped says which columns of the schema get thousands separators in a table; it may be shorter than the schema.
	Grouped []bool
}

// New returns a sink that writes to w. It fails iff the format is unknown.
func New(format Format, w io.Writer, opt Options) (Sink, error) {
	if opt.Warn == nil {
		opt.Warn = func(string) {}
	}
	o := output{w: w, opt: opt}
	switch format {
	case NDJSON:
		return &jsonSink{output: o}, nil
	case JSON:
		return &jsonSink{output: o, array: true}, nil
	case CSV:
		return &csvSink{output: o, delimiter: ','}, nil
	case TSV:
		return &csvSink{output: o, delimiter: '\t'}, nil
	case Markdown:
		return &markdownSink{output: o}, nil
	case Table:
		return &tableSink{output: o}, nil
	case None:
		return discard{}, nil
	}
	return nil, fmt.Errorf("unknown format %q: write ndjson, json, csv, tsv, markdown, table or none", string(format))
}

// discard is the sink of format None.
type discard struct{}

func (discard) Begin(*tuple.Schema) error { return nil }
func (discard) Write(*tuple.Batch) error  { return nil }
func (discard) Close() error              { return nil }
