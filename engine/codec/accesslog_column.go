package codec

import (
	"bytes"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Column implements Decoder.
func (d *logDecoder) Column(i int, sel []uint16, dst *tuple.Column) (unfit int) {
	t, f := d.schema.Fields[i].Type, d.fields[i]
	switch {
	case f == logNone || t == tuple.Null:
		allNull(t, d.rows, sel, dst)
		return 0
	case t != tuple.Text:
		return d.convert(f, sel, dst, t)
	case !d.borrowText(f, sel, dst):
		d.copyText(f, sel, dst)
	}
	return 0
}

// part returns where field f of row r is. The empty span is NULL.
func (d *logDecoder) part(r int, f logField) tuple.Span {
	s := d.lines[r][min(f, logRequest)]
	b := d.data[s.Off : s.Off+s.Len]
	if len(b) == 1 && b[0] == '-' {
		return tuple.Span{}
	}
	if f <= logRequest {
		return s
	}
	method, protocol := splitRequest(b)
	switch f {
	case logMethod:
		s.Len = uint32(method)
	case logProtocol:
		s.Off, s.Len = s.Off+s.Len-uint32(protocol), uint32(protocol)
	default:
		if method > 0 {
			s.Off, s.Len = s.Off+uint32(method+1), s.Len-uint32(method+1)
		}
		if protocol > 0 {
			s.Len -= uint32(protocol + 1)
		}
	}
	return s
}

// splitRequest returns the lengths of the method that request begins with and of the protocol that it ends with. Both are 0 when it
// has another shape.
func splitRequest(request []byte) (method, protocol int) {
	method = bytes.IndexByte(request, ' ')
	if method <= 0 {
		return 0, 0
	}
	for _, c := range request[:method] {
		if (c|0x20)-'a' >= 26 && c != '-' && c != '_' {
			return 0, 0
		}
	}
	last := bytes.LastIndexByte(request, ' ')
	if bytes.HasPrefix(request[last+1:], []byte("HTTP/")) {
		protocol = len(request) - last - 1
		if last == method {
			return 0, 0
		}
	}
	return method, protocol
}

// convert fills a column that is not Text.
func (d *logDecoder) convert(f logField, sel []uint16, dst *tuple.Column, t tuple.Type) (unfit int) {
	w := newValueWriter(dst, t, d.rows, d.unit)
	base := unsafe.Pointer(unsafe.SliceData(d.data))
	for _, row := range sel {
		r := int(row)
		s := d.part(r, f)
		off, end := int(s.Off), int(s.Off+s.Len)
		switch {
		case t.Numeric() && w.quickNumber(r, base, off, end):
		case t == tuple.Timestamp && d.day.parse(d.data[off:end]):
			dst.I[r] = d.day.ns
		case !w.cell(r, d.data[off:end]):
			dst.SetNull(r, d.rows)
			unfit++
		}
	}
	return unfit
}

// borrowText fills a Text column with spans of the data. It returns false when some text has escapes, so that all have to be
// copied.
func (d *logDecoder) borrowText(f logField, sel []uint16, dst *tuple.Column) bool {
	dst.Reset(tuple.Text, d.rows)
	dst.Borrow(d.data)
	for _, row := range sel {
		s := d.part(int(row), f)
		if s.Len == 0 {
			dst.SetNull(int(row), d.rows)
		} else if f >= logReferer && hasEscape(d.data[s.Off:s.Off+s.Len]) {
			return false
		}
		dst.Span[row] = s
	}
	return true
}

// copyText fills a Text column with copies in the column's own memory.
func (d *logDecoder) copyText(f logField, sel []uint16, dst *tuple.Column) {
	dst.Reset(tuple.Text, d.rows)
	for _, row := range sel {
		s := d.part(int(row), f)
		if s.Len == 0 {
			dst.SetNull(int(row), d.rows)
			continue
		}
		begin := len(dst.Buf)
		dst.Buf = appendLogText(dst.Buf, d.data[s.Off:s.Off+s.Len])
		dst.Span[row] = tuple.Span{Off: uint32(begin), Len: uint32(len(dst.Buf) - begin)}
	}
}

// hasEscape reports whether b has an escape that appendLogText resolves.
func hasEscape(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return false
		}
		if _, n := logEscape(b[i:]); n > 1 {
			return true
		}
		b = b[i+1:]
	}
}

// logEscape returns what the backslash at the beginning of b and the characters after it mean, and how many they are: 1 is
// a backslash that stands for itself.
func logEscape(b []byte) (c byte, n int) {
	switch {
	case len(b) >= 2 && (b[1] == '"' || b[1] == '\\'):
		return b[1], 2
	case bytes.HasPrefix(b, []byte(`\x22`)):
		return '"', 4
	case bytes.HasPrefix(b, []byte(`\x5C`)), bytes.HasPrefix(b, []byte(`\x5c`)):
		return '\\', 4
	}
	return '\\', 1
}

// appendLogText appends what the text of an access log means.
func appendLogText(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		c, n := logEscape(b[i:])
		dst, b = append(dst, c), b[i+n:]
	}
}
