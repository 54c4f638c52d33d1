package codec

import (
	"bytes"
	"fmt"
	"math/bits"
	"strings"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// csvDecoder decodes CSV and TSV.
//
// # Which records are valid and what they mean
//
// RFC 4180 as encoding/csv reads it without LazyQuotes, the number of fields being that of the header: a quote
// opens only at the start of a field, two quotes inside of quotes are one, delimiters and line ends inside of quotes are text, a
// line ends with LF or CRLF, and an empty line is nothing (so the NULLs of a file with one column have to
// be written otherwise). A quote elsewhere spoils its record up to the end of that line; a quote that never closes spoils the rest of
// the file. The one difference: CRLF inside of quotes stays CRLF. TSV is CSV with tabs.
//
// # Headers
//
// Each file begins with a header. When its names differ from those in the options, in order or
// number, but all columns that the schema takes from the header are there, the file's columns are found by their names in it;
// else the header and all records after it are bad. A decoder knows only the header of the last file
// whose beginning it decoded: see [HeaderOf].
//
// # What a value becomes
//
// An empty field without quotes is NULL, as is a column that no header has. Spaces around numbers, times and truth values do not count, and
// such a field with spaces alone is NULL. Numbers may be NaN and infinite, truth values are
// true, false, t, f, yes, no, y, n, 1 and 0 in any case. What does not fit is NULL and counted.
type csvDecoder struct {
	schema *tuple.Schema
	opt    Options
	delim  byte
	own    csvLayout // of files with the header that the options give
	file   csvLayout // of the file at hand
	lost   bool      // the file at hand lacks columns

	data []byte
	csvRows
	bad    []Bad
	quotes bool            // some row may have quotes
	tail   [blockSize]byte // the end of data, with zeros behind it

	times   minute
	scratch []byte
}

// csvLayout says where the schema's fields are in a file.
type csvLayout struct {
	columns []int // column of each field, or -1
	total   int   // columns in the file
}

// maxData is the first size of data that offsets do not reach.
const maxData = 1<<32 - 1

// NewCSV returns a decoder of CSV or TSV, as the format in opt says. A field's column is the one named by its path, joined with dots, or by its
// name when it has no path. It takes data of less than 4 GiB at a time.
func NewCSV(schema *tuple.Schema, opt Options) (Decoder, error) {
	delim, err := delimiterOf(opt)
	if err != nil {
		return nil, err
	}
	if opt.Unit == UnitAuto {
		return nil, fmt.Errorf("unit of times is undecided")
	}
	d := &csvDecoder{schema: schema, opt: opt, delim: delim}
	d.own = d.layoutOf(opt.Header)
	d.enter(d.own)
	return d, nil
}

// delimiterOf returns the byte between fields.
func delimiterOf(opt Options) (byte, error) {
	c := opt.Delimiter
	switch {
	case opt.Format != CSV && opt.Format != TSV:
		return 0, fmt.Errorf("format %q is not CSV", opt.Format)
	case c == 0 && opt.Format == TSV:
		return '\t', nil
	case c == 0:
		return ',', nil
	case c == '"' || c == '\n' || c == '\r' || c >= 0x80:
		return 0, fmt.Errorf("%q cannot be a delimiter", c)
	}
	return c, nil
}

// columnName returns the name of the column that holds f.
func columnName(f *tuple.Field) string {
	if len(f.Path) == 0 {
		return f.Name
	}
	return strings.Join(f.Path, ".")
}

func (d *csvDecoder) layoutOf(header []string) csvLayout {
	l := csvLayout{total: len(header)}
	places := make(map[string]int, len(header))
	for c, name := range header {
		places[name] = c
	}
	for i := range d.schema.Fields {
		c, ok := places[columnName(&d.schema.Fields[i])]
		if !ok {
			c = -1
		}
		l.columns = append(l.columns, c)
	}
	return l
}

// enter begins a file.
func (d *csvDecoder) enter(l csvLayout) {
	d.file, d.lost = l, false
}

// Found implements Decoder.
func (d *csvDecoder) Found() (rows int, bad []Bad) { return d.rows, d.bad }

// Scan implements Decoder.
func (d *csvDecoder) Scan(data []byte, first bool) (consumed int) {
	if len(data) >= maxData {
		panic("codec: more than 4 GiB of CSV at a time")
	}
	d.data, d.bad, d.quotes = data, d.bad[:0], false
	p := 0
	if first {
		p = d.begin()
	}
	d.start(p)
	for p < len(data) && d.room() > 0 {
		p = d.search(p)
	}
	if d.room() > 0 && d.next() < len(data) {
		d.record()
	}
	return min(d.next(), len(data))
}

// room returns how many records may follow in this Scan, whatever they are.
func (d *csvDecoder) room() int { return min(tuple.MaxRows-d.rows, MaxBad-len(d.bad)) }

// lineEnd returns where the line at p ends and where the next one begins.
func lineEnd(data []byte, p int) (end, next int) {
	i := bytes.IndexByte(data[p:], '\n')
	if i < 0 {
		end, next = len(data), len(data)
	} else {
		end, next = p+i, p+i+1
	}
	if end > p && data[end-1] == '\r' {
		end--
	}
	return end, next
}

func (d *csvDecoder) reject(p, end int, reason string, fields int) {
	b := Bad{Off: p, Len: end - p, Row: d.rows, Reason: reason}
	if d.lost {
		b.Reason = "header"
	} else if reason == "columns" {
		b.Detail = fmt.Sprintf("%d instead of %d", fields, d.file.total)
	}
	d.bad = append(d.bad, b)
}

// plainStops marks the delimiters, line feeds and quotes in w. Only the first mark counts.
func plainStops(w, pattern uint64) uint64 {
	a, b, c := w^pattern, w^'\n'*lows, w^'"'*lows
	return ((a-lows)&^a | (b-lows)&^b | (c-lows)&^c) & highs
}

// plainStop returns the position of the first delimiter, line feed or quote from p, or the length of data.
func plainStop(data []byte, p int, delim byte) int {
	base := unsafe.Pointer(unsafe.SliceData(data))
	pattern := lows * uint64(delim)
	for ; p+8 <= len(data); p += 8 {
		if m := plainStops(load8(base, p), pattern); m != 0 {
			return p + bits.TrailingZeros64(m)>>3
		}
	}
	for ; p < len(data); p++ {
		if c := data[p]; c == delim || c == '\n' || c == '"' {
			break
		}
	}
	return p
}
