package codec

import (
	"bytes"
	"unicode/utf8"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// trueText is the value of a key without one.
var trueText = []byte("true")

// Column implements Decoder.
func (d *logfmtDecoder) Column(i int, sel []uint16, dst *tuple.Column) (unfit int) {
	t := d.schema.Fields[i].Type
	spans := d.spans[d.slots[i]*tuple.MaxRows:][:d.rows]
	switch {
	case t == tuple.Null:
		allNull(t, d.rows, sel, dst)
		return 0
	case t != tuple.Text:
		return d.convert(spans, sel, dst, t)
	case !d.borrowText(spans, sel, dst):
		d.copyText(spans, sel, dst)
	}
	return 0
}

// value returns what the value at s means. It may use the decoder's scratch memory.
func (d *logfmtDecoder) value(s tuple.Span) []byte {
	if s == alone {
		return trueText
	}
	b := d.data[s.Off : s.Off+s.Len]
	if len(b) == 0 || b[0] != '"' {
		return b
	}
	d.scratch = appendUnescaped(d.scratch[:0], b[1:len(b)-1])
	return d.scratch
}

// convert fills a column that is not Text.
func (d *logfmtDecoder) convert(spans []tuple.Span, sel []uint16, dst *tuple.Column, t tuple.Type) (unfit int) {
	w := newValueWriter(dst, t, d.rows, d.unit)
	base := unsafe.Pointer(unsafe.SliceData(d.data))
	for _, row := range sel {
		r := int(row)
		s := spans[r]
		off, end := int(s.Off), int(s.Off+s.Len)
		switch {
		case t.Numeric() && w.quickNumber(r, base, off, end):
		case t == tuple.Timestamp && d.times.quick(base, off, end):
			dst.I[r] = d.times.ns
		case !w.cell(r, d.value(s)):
			dst.SetNull(r, d.rows)
			unfit++
		}
	}
	return unfit
}

// borrowText fills a Text column with spans of the data. It returns false when some text is not there as it is meant, so
// that all have to be copied.
func (d *logfmtDecoder) borrowText(spans []tuple.Span, sel []uint16, dst *tuple.Column) bool {
	dst.Reset(tuple.Text, d.rows)
	dst.Borrow(d.data)
	for _, row := range sel {
		s := spans[row]
		switch {
		case s == alone:
			return false
		case s.Len == 0:
			dst.SetNull(int(row), d.rows)
		case d.data[s.Off] == '"':
			s.Off, s.Len = s.Off+1, s.Len-2
			if bytes.IndexByte(d.data[s.Off:s.Off+s.Len], '\\') >= 0 {
				return false
			}
		}
		dst.Span[row] = s
	}
	return true
}

// copyText fills a Text column with copies in the column's own memory.
func (d *logfmtDecoder) copyText(spans []tuple.Span, sel []uint16, dst *tuple.Column) {
	dst.Reset(tuple.Text, d.rows)
	for _, row := range sel {
		if s := spans[row]; s.Len == 0 && s != alone {
			dst.SetNull(int(row), d.rows)
		} else {
			dst.SetStr(int(row), d.value(s))
		}
	}
}

// appendUnescaped appends what text with backslash escapes means.
func appendUnescaped(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		s = s[i:]
		c := s[1]
		if _, ok := hex4(s[2:]); c == 'u' && ok {
			r, n := unescape(s)
			dst, s = utf8.AppendRune(dst, r), s[n:]
			continue
		}
		if e := escapes[c]; e != 0 {
			c = e
		}
		dst, s = append(dst, c), s[2:]
	}
}
