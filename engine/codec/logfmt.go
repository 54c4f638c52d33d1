package codec

import (
	"bytes"
	"fmt"
	"slices"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// logfmtDecoder decodes logfmt: lines of key=value, parted by white space.
//
// # Which records are valid and what they mean
//
// A key is any text without white space, quotes and "=". A value is such text, in which "=" is allowed too, or is in quotes and has
// backslash escapes, those of JSON; a backslash before another character means that character. A key alone means true, and key= is NULL,
// key="" the empty text. The last of duplicate keys wins. A line without any "=" is no record but bad ("syntax"), and so is one
// with a quote where none may be or without a key before "="; quotes that do not close before the line ends are bad ("quote").
//
// Values fit columns as those of CSV do.
type logfmtDecoder struct {
	unit   Unit
	schema *tuple.Schema
	keys   []string // the keys that are wanted, each once
	slots  []int    // of each field in keys
	byKey  map[string]int

	data    []byte
	spans   []tuple.Span // MaxRows for each key; quotes belong to the value
	rows    int
	bad     []Bad
	order   []int // slot of each pair of the last record, -1 for what is not wanted
	times   minute
	scratch []byte
}

// absent is the place of a value that is not there, alone that of a key without "=".
var (
	absent = tuple.Span{}
	alone  = tuple.Span{Off: 1}
)

// NewLogfmt returns a decoder of logfmt. A field's key is its path, joined with dots, or its name when it has no path.
// It takes data of less than 4 GiB at a time.
func NewLogfmt(schema *tuple.Schema, opt Options) (Decoder, error) {
	if opt.Unit == UnitAuto {
		return nil, fmt.Errorf("unit of times is undecided")
	}
	d := &logfmtDecoder{schema: schema, unit: opt.Unit, byKey: map[string]int{}}
	for i := range schema.Fields {
		key := columnName(&schema.Fields[i])
		slot, ok := d.byKey[key]
		if !ok {
			slot = len(d.keys)
			d.byKey[key] = slot
			d.keys = append(d.keys, key)
		}
		d.slots = append(d.slots, slot)
	}
	d.spans = make([]tuple.Span, len(d.keys)*tuple.MaxRows)
	return d, nil
}

// Found implements Decoder.
func (d *logfmtDecoder) Found() (rows int, bad []Bad) { return d.rows, d.bad }

// Scan implements Decoder.
func (d *logfmtDecoder) Scan(data []byte, first bool) (consumed int) {
	if len(data) >= maxData {
		panic("codec: more than 4 GiB of logfmt at a time")
	}
	d.data, d.rows, d.bad = data, 0, d.bad[:0]
	p := 0
	if first {
		p = markLength(data)
	}
	for p < len(data) && d.rows < tuple.MaxRows && len(d.bad) < MaxBad {
		end, next := lineEnd(data, p)
		if !blank(data[p:end]) {
			if reason := d.record(p, end); reason == "" {
				d.rows++
			} else {
				d.bad = append(d.bad, Bad{Off: p, Len: end - p, Row: d.rows, Reason: reason})
			}
		}
		p = next
	}
	return p
}

// blank reports whether b is white space alone.
func blank(b []byte) bool {
	for _, c := range b {
		if c > ' ' {
			return false
		}
	}
	return true
}

// record reads the pairs of the line from p to end into the row at hand, and says what is wrong with them, if anything.
func (d *logfmtDecoder) record(p, end int) (reason string) {
	for i := d.rows; i < len(d.spans); i += tuple.MaxRows {
		d.spans[i] = absent
	}
	pairs := logfmtPairs{line: d.data[:end], p: p}
	equals := false
	for n := 0; pairs.next(); n++ {
		equals = equals || pairs.equals
		slot := d.slot(pairs.key, n)
		if slot < 0 {
			continue
		}
		s := alone
		if pairs.equals {
			s = tuple.Span{Off: uint32(pairs.from), Len: uint32(pairs.p - pairs.from)}
		}
		d.spans[slot*tuple.MaxRows+d.rows] = s
	}
	if pairs.reason == "" && !equals {
		return "syntax"
	}
	return pairs.reason
}

// slot returns where the value of key goes, -1 when it is not wanted. The n-th key of a record mostly is
// that of the record before.
func (d *logfmtDecoder) slot(key []byte, n int) int {
	if n < len(d.order) {
		if s := d.order[n]; s >= 0 && d.keys[s] == string(key) {
			return s
		}
	}
	slot := -1
	if len(d.keys) <= fewKids {
		slot = slices.IndexFunc(d.keys, func(k string) bool { return k == string(key) })
	} else if s, ok := d.byKey[string(key)]; ok {
		slot = s
	}
	if n < len(d.order) {
		d.order[n] = slot
	} else if n == len(d.order) && n < MaxFields {
		d.order = append(d.order, slot)
	}
	return slot
}

// logfmtPairs walks the pairs of a line.
type logfmtPairs struct {
	line   []byte
	p      int    // behind the pair
	key    []byte // the pair's key
	from   int    // where the value starts, the opening quote being part of it
	equals bool   // there is a value
	reason string // why the line is bad
}

// next reads the next pair. It returns false at the end of the line or when something is wrong.
func (s *logfmtPairs) next() bool {
	b, p := s.line, s.p
	for p < len(b) && b[p] <= ' ' {
		p++
	}
	begin := p
	p = keyEnd(b, p)
	s.key, s.equals, s.p = b[begin:p], false, p
	if p == len(b) || b[p] <= ' ' {
		return p > begin
	}
	if p == begin || b[p] == '"' {
		s.reason = "syntax"
		return false
	}
	s.equals, s.from = true, p+1
	if p+1 < len(b) && b[p+1] == '"' {
		return s.quoted(p + 2)
	}
	if p = valueEnd(b, p+1); p < len(b) && b[p] == '"' {
		s.reason = "syntax"
		return false
	}
	s.p = p
	return true
}

// quoted reads the rest of a value in quotes.
func (s *logfmtPairs) quoted(p int) bool {
	end := endOfQuoted(s.line, p)
	switch {
	case end < 0:
		s.reason = "quote"
		return false
	case end < len(s.line) && s.line[end] > ' ':
		s.reason = "syntax"
		return false
	}
	s.p = end
	return true
}

// valueStops marks white space and quotes in w. Only the first mark counts.
func valueStops(w uint64) uint64 {
	q := w ^ '"'*lows
	return ((w-('"'-1)*lows)&^w | (q-lows)&^q) & highs
}

// keyEnd returns the position of the first white space, quote or "=" from p, or the length of b.
func keyEnd(b []byte, p int) int {
	base := unsafe.Pointer(unsafe.SliceData(b))
	for ; p+8 <= len(b); p += 8 {
		w := load8(base, p)
		e := w ^ '='*lows
		if m := valueStops(w) | (e-lows)&^e&highs; m != 0 {
			return p + firstByte(m)
		}
	}
	for p < len(b) && b[p] > ' ' && b[p] != '=' && b[p] != '"' {
		p++
	}
	return p
}

// valueEnd returns the position of the first white space or quote from p, or the length of b.
func valueEnd(b []byte, p int) int {
	base := unsafe.Pointer(unsafe.SliceData(b))
	for ; p+8 <= len(b); p += 8 {
		if m := valueStops(load8(base, p)); m != 0 {
			return p + firstByte(m)
		}
	}
	for p < len(b) && b[p] > ' ' && b[p] != '"' {
		p++
	}
	return p
}

// endOfQuoted returns the position behind the quote that ends the text at p, in which a backslash takes the next character's meaning away,
// or -1.
func endOfQuoted(b []byte, p int) int {
	for {
		i := bytes.IndexByte(b[p:], '"')
		if i < 0 {
			return -1
		}
		q := p + i
		escapes := 0
		for q-escapes > p && b[q-escapes-1] == '\\' {
			escapes++
		}
		if p = q + 1; escapes&1 == 0 {
			return p
		}
	}
}
