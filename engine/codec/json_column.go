package codec

import (
	"math"
	"unicode/utf8"
	"unsafe"

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
	for len(sel) > 0 {
		n := 0
		switch {
		case dst.Rep == tuple.RepInt && t != tuple.Boolean:
			n = d.shortInts(spans, sel, &w)
		case dst.Rep == tuple.RepFloat:
			n = d.shortReals(spans, sel, dst.F)
		}
		if n == len(sel) {
			break
		}
		r := int(sel[n])
		if null, fits := d.convertOne(spans[r], r, &w); !fits {
			dst.SetNull(r, len(spans))
			if !null {
				unfit++
			}
		}
		sel = sel[n+1:]
	}
	return unfit
}

// shortInts converts rows as long as they are short integer literals that fit, and returns how many. The digits before
// the last eight are converted when they change: those of times rarely do.
func (d *jsonDecoder) shortInts(spans []span, sel []uint16, w *valueWriter) (done int) {
	base := unsafe.Pointer(unsafe.SliceData(d.data))
	scale, limit := int64(1), int64(math.MaxInt64)
	if w.dst.Type == tuple.Timestamp {
		scale, limit = w.scale, w.limit
	}
	dst := w.dst.I[:len(spans)]
	var head, high uint64 // the digits before the last eight, and their value
	for _, row := range sel {
		s := spans[row]
		p, size := s.off(), s.size()
		end := p + size
		if s.form() != formInt || end < 16 || size > 16 || load1(base, p) == '-' {
			break
		}
		word := load8(base, end-8)
		var v int64
		if size <= 8 {
			v = int64(eightDigits(lastDigits(word, size)))
		} else {
			if digits := lastDigits(load8(base, end-16), size-8); digits != head {
				head, high = digits, eightDigits(digits)*1e8
			}
			v = int64(high + eightDigits(word^'0'*lows))
		}
		if v > limit {
			break
		}
		dst[row] = v * scale
		done++
	}
	w.some = w.some || done > 0
	return done
}

// shortReals converts rows as long as they are short literals with a fraction, and returns how many.
func (d *jsonDecoder) shortReals(spans []span, sel []uint16, dst []float64) (done int) {
	base := unsafe.Pointer(unsafe.SliceData(d.data))
	for _, row := range sel {
		s := spans[row]
		if s.form() != formReal {
			break
		}
		f, ok := shortReal(base, s.off(), s.end())
		if !ok {
			break
		}
		dst[row] = f
		done++
	}
	return done
}

// convertOne converts the value of row r. When it does not fit, null tells whether that is because there is none.
func (d *jsonDecoder) convertOne(s span, r int, w *valueWriter) (null, fits bool) {
	switch s.form() {
	case formMissing:
		return true, false
	case formInt:
		return false, w.number(r, s.of(d.data), intLiteral)
	case formReal:
		return false, w.number(r, s.of(d.data), realLiteral)
	case formWord:
		word := d.data[s.off()]
		if word != 'n' && w.dst.Type == tuple.Boolean {
			w.dst.B[r], fits = word == 't', true
		}
		return word == 'n', fits
	case formNested:
		return false, false
	}
	if w.dst.Type == tuple.Timestamp {
		w.dst.I[r], fits = tuple.ParseTime(d.unquoted(s))
	}
	return false, fits
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
