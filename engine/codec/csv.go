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

	data   []byte
	starts []uint32 // for each row where fields 0 to file.keep start, a row's end counting as a delimiter
	rows   int
	bad    []Bad
	quotes bool // some row has quotes
	clear  int  // up to here no quotes are in data, except at quote
	quote  int  // a quote in data, or -1

	times   minute
	scratch []byte
}

// csvLayout says where the schema's fields are in a file.
type csvLayout struct {
	columns []int // column of each field, or -1
	total   int   // columns in the file
	keep    int   // columns up to the last one that a field needs
}

// maxData is the first size of data that offsets do not reach.
const maxData = 1 << 32

// NewCSV returns a decoder of CSV or TSV, as the format in opt says. A field's column is the one named by its path, joined with dots, or by its
// name when it has no path. It takes data of less than 4 GiB at a time.
func NewCSV(schema *tuple.Schema, opt Options) (Decoder, error) {
	delim, err := delimiterOf(opt)
	if err != nil {
		return nil, err
	}
	if len(opt.Header) == 0 {
		return nil, fmt.Errorf("%s: the names of the columns are not known", opt.Format)
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
		l.keep = max(l.keep, c+1)
	}
	return l
}

// enter begins a file.
func (d *csvDecoder) enter(l csvLayout) {
	d.file, d.lost = l, false
	d.starts = d.starts[:cap(d.starts)]
}

// Found implements Decoder.
func (d *csvDecoder) Found() (rows int, bad []Bad) { return d.rows, d.bad }

// Scan implements Decoder.
func (d *csvDecoder) Scan(data []byte, first bool) (consumed int) {
	if len(data) >= maxData {
		panic("codec: more than 4 GiB of CSV at a time")
	}
	d.data, d.rows, d.bad = data, 0, d.bad[:0]
	d.quotes, d.clear, d.quote = false, 0, -1
	p := 0
	if first {
		p = d.begin()
	}
	for p < len(data) && d.rows < tuple.MaxRows {
		end, next := lineEnd(data, p)
		switch {
		case d.quoteBefore(p, end):
			next = d.quoted(p)
		case end == p:
		default:
			if n := d.plain(p, end); n != d.file.total {
				d.reject(p, end, "columns", n)
				break
			}
			d.accept(end)
		}
		p = next
	}
	return p
}

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

// row returns the memory for the starts of the row at hand.
func (d *csvDecoder) row() []uint32 {
	n := d.file.keep + 1
	if (d.rows+1)*n > len(d.starts) {
		d.grow(n)
	}
	return d.starts[d.rows*n:][:n:n]
}

// grow makes room for more rows of n starts. Not having room for all at once keeps the memory of very wide records in
// proportion to the data.
func (d *csvDecoder) grow(n int) {
	room := min(max(2*d.rows, 16), tuple.MaxRows) * n
	d.starts = append(make([]uint32, 0, room), d.starts[:d.rows*n]...)[:room]
}

// accept makes the record at hand, which ends at end, a row.
func (d *csvDecoder) accept(end int) {
	if d.file.keep == d.file.total {
		d.row()[d.file.keep] = uint32(end + 1)
	}
	d.rows++
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

// quoteWindow is how far ahead quotes are looked for: far enough to make the search cheap, near enough not to
// look at much that the next Scan will look at again.
const quoteWindow = 8 << 10

// quoteBefore reports whether there is a quote from p to end.
func (d *csvDecoder) quoteBefore(p, end int) bool {
	for {
		if d.quote >= p {
			return d.quote < end
		}
		from := max(d.clear, p)
		if from >= end {
			return false
		}
		to := min(max(from+quoteWindow, end), len(d.data))
		if i := bytes.IndexByte(d.data[from:to], '"'); i >= 0 {
			d.quote, d.clear = from+i, from+i+1
		} else {
			d.clear = to
		}
	}
}

// plain notes where the fields of the record from p to end, which has no quotes, start. It returns their number.
func (d *csvDecoder) plain(p, end int) (fields int) {
	row := d.row()
	row[0] = uint32(p)
	k := 1
	base := unsafe.Pointer(unsafe.SliceData(d.data))
	pattern := lows * uint64(d.delim)
	for ; p < end && p+8 <= len(d.data); p += 8 {
		mask := equalBytes(load8(base, p), pattern)
		for ; mask != 0; mask &= mask - 1 {
			q := p + firstByte(mask)
			if q >= end {
				return k
			}
			if k == len(row) {
				return k + bytes.Count(d.data[q:end], []byte{d.delim})
			}
			row[k] = uint32(q + 1)
			k++
		}
	}
	for ; p < end; p++ {
		if d.data[p] == d.delim {
			if k < len(row) {
				row[k] = uint32(p + 1)
			}
			k++
		}
	}
	return k
}

// equalBytes marks the bytes of w that are those of pattern. All marks count.
func equalBytes(w, pattern uint64) uint64 {
	w ^= pattern
	return ^(w&^highs + ^uint64(highs) | w) & highs
}

// quoted reads the record at p, which has quotes, and returns where the next begins.
func (d *csvDecoder) quoted(p int) (next int) {
	r := csvRecord{data: d.data, delim: d.delim, starts: d.row()}
	r.read(p)
	switch {
	case r.stray:
		d.reject(p, r.end, "quote", 0)
	case r.fields != d.file.total:
		d.reject(p, r.end, "columns", r.fields)
	default:
		d.quotes = true
		d.accept(r.end)
	}
	return r.next
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
