// Package codec turns bytes into columns: it infers schemas, finds where records end and
// decodes records.
//
// # Model
//
// A stream's bytes come in chunks of whole records. A [Decoder] works in two steps, so
// that columns nobody looks at cost nothing: Scan walks up to [tuple.MaxRows] records, checks each from its
// first byte to its last and remembers where the wanted fields lie; Column then converts one field for
// the rows that survived the query's filter (late materialisation).
//
// # Invariants
//
// What a record decodes to does not depend on how the input was cut into chunks or calls.
// Every record is either a row or one [Bad] record; blank lines are neither.
package codec

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Format names a format of records.
type Format string

// The formats.
const (
	NDJSON    Format = "ndjson"
	JSONArray Format = "json"
	CSV       Format = "csv"
	TSV       Format = "tsv"
	Logfmt    Format = "logfmt"
	AccessLog Format = "accesslog" // Apache and Nginx, common and combined
)

// Unit is the unit of numeric timestamps.
type Unit string

// The units. UnitText is for timestamps written as text only: a number is then a bad value.
const (
	UnitAuto    Unit = "auto"
	UnitSeconds Unit = "s"
	UnitMillis  Unit = "ms"
	UnitMicros  Unit = "us"
	UnitNanos   Unit = "ns"
	UnitText    Unit = "rfc3339"
)

// Bad is a record that could not be decoded.
type Bad struct {
	Off, Len int    // its bytes in the data given to Scan, without the line end
	Row      int    // number of rows of this Scan that stand before it
	Reason   string // "syntax", "not an object", "columns", "quote", ...: a few fixed words for counting
	Detail   string // for the message, may be empty
}

// MaxBad is how many bad records one Scan finds at most.
const MaxBad = 1024

// Decoder decodes the records of one stream for one worker. It is not safe for concurrent use. Text
// columns point into the data given to Scan or into the decoder's own memory; both must stay until the block is released,
// so a decoder hands Column's destination its own buffers.
type Decoder interface {
	// Scan reads records from the start of data, which holds whole records only (the last may lack its line
	// end), until tuple.MaxRows rows, MaxBad bad records or the end, and returns the number of bytes it consumed. It may write to data's spare capacity
	// but not to data. first tells that data is the beginning of a file (a header or byte order mark is there).
	Scan(data []byte, first bool) (consumed int)
	// Found returns the number of rows and the bad records of the last Scan.
	Found() (rows int, bad []Bad)
	// Column converts field i of the schema for the rows in sel and returns how many values did not fit the
	// type: they are NULL. dst is Reset by it.
	Column(i int, sel []uint16, dst *tuple.Column) (unfit int)
}

// Options are what decoding needs to know besides the schema.
type Options struct {
	Format Format
	Unit   Unit // unit of numeric timestamps, decided: not UnitAuto
	// Header is the names of the columns of CSV and TSV in file order. There are none when the stream began
	// with blank lines alone.
	Header []string
	// NoHeader says that CSV files have no header line; otherwise the first record of each file must be the Header again.
	NoHeader  bool
	Delimiter byte // CSV; 0 is ',' (TSV: tab)
}

// Cutter finds where the last whole record ends, so that chunks can be cut.
type Cutter interface {
	// Cut looks at data, which begins at a record's start, and returns the length of the longest prefix that
	// is whole records including their line ends; 0 when no record ends in it. from is a hint: the first from bytes were
	// seen by the previous call, which returned 0.
	Cut(data []byte, from int) int
}

// Field is what inference found out about one field.
type Field struct {
	Name   string
	Path   []string
	Type   tuple.Type // Bigint, Double (some fraction), Number, Text, Boolean, Timestamp, JSON (nested or mixed)
	Seen   int        // records of the sample that have it, not null
	Nulls  int
	Unit   Unit // for a Timestamp or a number that looks like a time: its unit; else empty
	Sample string
	// Mixture names what the values were when they were not of one type, as in "numbers and text"; else empty.
	Mixture string
}

// Shape is what inference found out about a stream from its first records.
type Shape struct {
	Format    Format
	Fields    []Field // in the order first seen, nested ones as dotted paths after their parent
	More      bool    // there were more than MaxFields fields: Fields has the first of them
	Records   int
	Bad       int
	Header    []string
	NoHeader  bool // CSV, TSV: the first record is data; Header has made-up names
	Delimiter byte
}
