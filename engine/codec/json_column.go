package codec

import (
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Column implements Decoder.
func (d *jsonDecoder) Column(i int, sel []uint16, dst *tuple.Column) (unfit int) {
	f := &d.schema.Fields[i]
	slot := d.slots[i]
	if slot < 0 || f.Type == tuple.Null {
		dst.Reset(f.Type, d.rows)
		for _, r := range sel {
			dst.SetNull(int(r), d.rows)
		}
		return 0
	}
	spans := d.spans[slot*tuple.MaxRows:][:d.rows]
	switch f.Type {
	case tuple.Text:
		if !d.borrowText(spans, sel, dst) {
			d.copyText(spans, sel, dst)
		}
		return 0
	case tuple.JSON:
		d.rawText(spans, sel, dst)
		return 0
	}
	return d.convert(spans, sel, dst, f.Type)
}

// isNull reports whether s is missing or null.
func (d *jsonDecoder) isNull(s span) bool {
	return s == 0 || s.form() == formWord && d.data[s.off()] == 'n'
}

// convert fills a numeric, Boolean or Timestamp column.
func (d *jsonDecoder) convert(spans []span, sel []uint16, dst *tuple.Column, t tuple.Type) (unfit int) {
	w := newValueWriter(dst, t, len(spans), d.unit)
	for _, row := range sel {
		r := int(row)
		s := spans[r]
		fits := false
		switch s.form() {
		case formInt:
			fits = w.number(r, s.of(d.data), intLiteral)
		case formReal:
			fits = w.number(r, s.of(d.data), realLiteral)
		case formMissing:
			dst.SetNull(r, len(spans))
			continue
		case formWord:
			if d.isNull(s) {
				dst.SetNull(r, len(spans))
				continue
			}
			if fits = t == tuple.Boolean; fits {
				dst.B[r] = d.data[s.off()] == 't'
			}
		case formASCII, formUTF8, formEscaped:
			if t == tuple.Timestamp {
				dst.I[r], fits = tuple.ParseTime(d.unquoted(s))
			}
		}
		if !fits {
			dst.SetNull(r, len(spans))
			unfit++
		}
	}
	return unfit
}

// unquoted returns what a string means. It may use the decoder's scratch memory.
func (d *jsonDecoder) unquoted(s span) []byte {
	b := s.inner(d.data)
	if s.form() == formASCII {
		return b
	}
	d.scratch = appendUnquoted(d.scratch[:0], b)
	return d.scratch
}

// borrowText fills a Text column with spans of the data. It returns false when some string does not
// mean itself, so that all have to be copied.
func (d *jsonDecoder) borrowText(spans []span, sel []uint16, dst *tuple.Column) bool {
	dst.Reset(tuple.Text, len(spans))
	dst.Borrow(d.data)
	for _, row := range sel {
		r := int(row)
		s := spans[r]
		at := tuple.Span{Off: uint32(s.off()), Len: uint32(s.size())}
		switch s.form() {
		case formUTF8:
			if !utf8.Valid(s.inner(d.data)) {
				return false
			}
			fallthrough
		case formASCII:
			at.Off++
			at.Len -= 2
		case formEscaped:
			return false
		case formMissing, formWord:
			if d.isNull(s) {
				dst.SetNull(r, len(spans))
			}
		}
		dst.Span[r] = at
	}
	return true
}

// copyText fills a Text column with copies in the column's own memory.
func (d *jsonDecoder) copyText(spans []span, sel []uint16, dst *tuple.Column) {
	dst.Reset(tuple.Text, len(spans))
	for _, row := range sel {
		r := int(row)
		s := spans[r]
		switch s.form() {
		case formUTF8, formEscaped:
			begin := len(dst.Buf)
			dst.Buf = appendUnquoted(dst.Buf, s.inner(d.data))
			dst.Span[r] = tuple.Span{Off: uint32(begin), Len: uint32(len(dst.Buf) - begin)}
		case formASCII:
			dst.SetStr(r, s.inner(d.data))
		default:
			if d.isNull(s) {
				dst.SetNull(r, len(spans))
				continue
			}
			dst.SetStr(r, s.of(d.data))
		}
	}
}

// rawText fills a JSON column with the values as the records wrote them.
func (d *jsonDecoder) rawText(spans []span, sel []uint16, dst *tuple.Column) {
	dst.Reset(tuple.JSON, len(spans))
	dst.Borrow(d.data)
	for _, row := range sel {
		s := spans[row]
		if d.isNull(s) {
			dst.SetNull(int(row), len(spans))
			continue
		}
		dst.Span[row] = tuple.Span{Off: uint32(s.off()), Len: uint32(s.size())}
	}
}
