package codec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxColumns is how many columns a file of CSV or TSV has at most.
const MaxColumns = 1 << 17

// byteOrderMark is what some programs begin UTF-8 files with.
const byteOrderMark = "\xef\xbb\xbf"

// HeaderOf returns the names of the columns in the header of the CSV or TSV file that begins with data, as Options.Header has
// them. Where several decoders share the chunks of a stream, only one of them sees a file's header: whoever hands out the
// chunks compares each file's header with the options and makes other decoders when it differs. HeaderOf fails when the
// header is not there or cannot be read.
func HeaderOf(data []byte, opt Options) ([]string, error) {
	delim, err := delimiterOf(opt)
	if err != nil {
		return nil, err
	}
	r := csvRecord{data: data, delim: delim}
	return r.header(skipEmptyLines(data, markLength(data)))
}

// markLength returns the length of the byte order mark that data begins with.
func markLength(data []byte) int {
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return 0
}

// skipEmptyLines returns the first position from p that is not on an empty line.
func skipEmptyLines(data []byte, p int) int {
	for p < len(data) {
		end, next := lineEnd(data, p)
		if end > p {
			break
		}
		p = next
	}
	return p
}

// header reads the record at p as a header.
func (r *csvRecord) header(p int) ([]string, error) {
	r.next, r.end = p, p
	if p == len(r.data) {
		return nil, errors.New("no header")
	}
	cells, err := r.cells(p)
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	return columnNames(cells), nil
}

// What is wrong with a first record.
var (
	errQuotes  = errors.New("the quotes are broken")
	errColumns = fmt.Errorf("more than %d columns", MaxColumns)
)

// cells returns copies of the fields of the record at p.
func (r *csvRecord) cells(p int) (cells []string, err error) {
	r.starts = nil
	r.read(p)
	switch {
	case r.stray:
		return nil, errQuotes
	case r.fields > MaxColumns:
		return nil, errColumns
	}
	r.starts = make([]uint32, r.fields+1)
	r.read(p)
	r.starts[r.fields] = uint32(r.end + 1)
	for i := range r.fields {
		b := r.data[r.starts[i] : r.starts[i+1]-1]
		if len(b) > 0 && b[0] == '"' {
			b = appendUndoubled(nil, b[1:len(b)-1])
		}
		cells = append(cells, string(b))
	}
	return cells, nil
}

// appendUndoubled appends the inside of a quoted field, of two quotes one.
func appendUndoubled(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '"')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i+1]...)
		b = b[i+2:]
	}
}

// columnNames makes names of the cells of a header: spaces around them do not count, empty ones are called column0 and
// so on by their place, and one that was there before gets the first free suffix _1, _2 and so on.
func columnNames(cells []string) []string {
	names := make([]string, len(cells))
	taken := make(map[string]bool, len(cells))
	suffix := make(map[string]int)
	for i, cell := range cells {
		name := strings.TrimSpace(cell)
		if name == "" {
			name = "column" + strconv.Itoa(i)
		}
		stem := name
		for taken[name] {
			suffix[stem]++
			name = stem + "_" + strconv.Itoa(suffix[stem])
		}
		taken[name] = true
		names[i] = name
	}
	return names
}

// begin reads what stands before the first record of a file and returns where that is.
func (d *csvDecoder) begin() (p int) {
	p = skipEmptyLines(d.data, markLength(d.data))
	if d.opt.NoHeader {
		d.enter(d.own)
		return p
	}
	r := csvRecord{data: d.data, delim: d.delim}
	names, err := r.header(p)
	if err == nil && slices.Equal(names, d.opt.Header) {
		d.enter(d.own)
		return r.next
	}
	if p == len(d.data) {
		d.enter(d.own)
		return p
	}
	l := d.layoutOf(names)
	d.enter(l)
	if err == nil {
		err = d.missing(l)
	}
	if err != nil {
		d.lost, d.file.total = true, -1
		d.bad = append(d.bad, Bad{Off: p, Len: r.end - p, Reason: "header", Detail: err.Error()})
	}
	return r.next
}

// missing returns an error that names the first column that the options' header has, the schema needs and the file lacks.
func (d *csvDecoder) missing(l csvLayout) error {
	for i, c := range d.own.columns {
		if c >= 0 && l.columns[i] < 0 {
			return fmt.Errorf("no column %q in the header", d.opt.Header[c])
		}
	}
	return nil
}
