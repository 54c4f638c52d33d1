package codec

import (
	"bytes"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Column implements Decoder.
func (d *csvDecoder) Column(i int, sel []uint16, dst *tuple.Column) (unfit int) {
	f, c := &d.schema.Fields[i], d.file.columns[i]
	switch {
	case c < 0 || f.Type == tuple.Null:
		allNull(f.Type, d.rows, sel, dst)
		return 0
	case f.Type != tuple.Text:
		return d.convert(c, sel, dst, f.Type)
	case !d.borrowText(c, sel, dst):
		d.copyText(c, sel, dst)
	}
	return 0
}

// allNull makes the selected ones of n rows of type t NULL.
func allNull(t tuple.Type, n int, sel []uint16, dst *tuple.Column) {
	dst.Reset(t, n)
	for _, r := range sel {
		dst.SetNull(int(r), n)
	}
}

// field returns where field c of row r is.
func (d *csvDecoder) field(r, c int) (off, end int) {
	i := int(d.at[r]) + c
	off, end = int(d.seps[i]+1), int(d.seps[i+1])
	if c == d.file.total-1 {
		end = d.withoutReturn(off, end)
	}
	return off, end
}

// slowRun is how many fields are converted the general way before the quick one is tried again.
const slowRun = 16

// convert fills a column that is not Text from column c of the file.
func (d *csvDecoder) convert(c int, sel []uint16, dst *tuple.Column, t tuple.Type) (unfit int) {
	w := newValueWriter(dst, t, d.rows, d.opt.Unit)
	base := unsafe.Pointer(unsafe.SliceData(d.data))
	for {
		sel = sel[d.integers(c, sel, &w):]
		if len(sel) == 0 {
			return unfit
		}
		n := min(slowRun, len(sel))
		for _, row := range sel[:n] {
			r := int(row)
			off, end := d.field(r, c)
			switch {
			case t.Numeric() && w.quickNumber(r, base, off, end):
			case t == tuple.Timestamp && d.times.quick(base, off, end):
				dst.I[r] = d.times.ns
			case !w.cell(r, d.unquoted(off, end)):
				dst.SetNull(r, d.rows)
				unfit++
			}
		}
		sel = sel[n:]
	}
}

// unquoted returns what the field from off to end means. It may use the decoder's scratch memory.
func (d *csvDecoder) unquoted(off, end int) []byte {
	b := d.data[off:end]
	if len(b) == 0 || b[0] != '"' {
		return b
	}
	d.scratch = appendUndoubled(d.scratch[:0], b[1:len(b)-1])
	return d.scratch
}

// borrowText fills a Text column with spans of the data. It returns false when some text has doubled quotes, so
// that all have to be copied.
func (d *csvDecoder) borrowText(c int, sel []uint16, dst *tuple.Column) bool {
	dst.Reset(tuple.Text, d.rows)
	dst.Borrow(d.data)
	for _, row := range sel {
		off, end := d.field(int(row), c)
		if off == end {
			dst.SetNull(int(row), d.rows)
		} else if d.quotes && d.data[off] == '"' {
			off, end = off+1, end-1
			if bytes.IndexByte(d.data[off:end], '"') >= 0 {
				return false
			}
		}
		dst.Span[row] = tuple.Span{Off: uint32(off), Len: uint32(end - off)}
	}
	return true
}

// copyText fills a Text column with copies in the column's own memory.
func (d *csvDecoder) copyText(c int, sel []uint16, dst *tuple.Column) {
	dst.Reset(tuple.Text, d.rows)
	for _, row := range sel {
		r := int(row)
		off, end := d.field(r, c)
		b := d.data[off:end]
		switch {
		case len(b) == 0:
			dst.SetNull(r, d.rows)
		case b[0] == '"':
			begin := len(dst.Buf)
			dst.Buf = appendUndoubled(dst.Buf, b[1:len(b)-1])
			dst.Span[r] = tuple.Span{Off: uint32(begin), Len: uint32(len(dst.Buf) - begin)}
		default:
			dst.SetStr(r, b)
		}
	}
}
