package codec

import (
	"bytes"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// scanArray reads elements of an array, each with the bracket or comma before it.
func (d *jsonDecoder) scanArray(first bool) int {
	data := d.data
	p := 0
	for d.rows < tuple.MaxRows && len(d.bad) < MaxBad {
		mark := skipSpace(data, p)
		switch byteAt(data, mark) {
		case '[':
			if !first || p > 0 {
				p = d.badElement(mark)
				continue
			}
			if p = skipSpace(data, mark+1); p == len(data) || data[p] == ']' {
				continue
			}
		case ',':
			if first && p == 0 {
				p = d.badElement(mark)
				continue
			}
			p = skipSpace(data, mark+1)
		case ']':
			if first && p == 0 {
				p = d.badElement(mark)
				continue
			}
			return d.scanAfterArray(mark + 1)
		default:
			if mark == len(data) {
				return mark
			}
			p = d.badElement(mark)
			continue
		}
		if byteAt(data, p) == '{' {
			if end := d.follow(p); end >= 0 {
				p = end
				continue
			}
		}
		p = d.scanElement(mark, p)
	}
	return p
}

// scanElement reads the element at p by the grammar; mark is the position of the bracket or comma before it.
// It returns where the next comma or bracket is.
func (d *jsonDecoder) scanElement(mark, p int) (next int) {
	var e elements
	next, _ = e.next(d.data, p)
	if next == p {
		d.reject(mark, p, "syntax")
		return next
	}
	d.record(p, trimSpace(d.data, p, next))
	return next
}

// badElement reports what begins at p, where it may not, up to the end of the element.
func (d *jsonDecoder) badElement(p int) (next int) {
	begin := p
	if c := d.data[p]; c == ',' || c == ']' {
		begin++
	}
	var e elements
	next, _ = e.next(d.data, begin)
	d.reject(p, trimSpace(d.data, p, next), "syntax")
	return next
}

// scanAfterArray reports what stands behind the array's closing bracket.
func (d *jsonDecoder) scanAfterArray(p int) int {
	if p = skipSpace(d.data, p); p < len(d.data) {
		d.reject(p, trimSpace(d.data, p, len(d.data)), "syntax")
	}
	return len(d.data)
}

// trimSpace returns end less the white space before it, not going below p.
func trimSpace(b []byte, p, end int) int {
	return p + len(bytes.TrimRight(b[p:end], " \t\r\n"))
}

// elements finds where the elements of an array end, by quotes and brackets alone, so that a broken
// element does not hide the next. The zero value stands before an element's value.
type elements struct {
	depth  int
	quoted bool
	escape bool
}

// next reads b from p and returns the position of the first comma or bracket that ends an element, or
// the length of b and false.
func (e *elements) next(b []byte, p int) (end int, found bool) {
	for p < len(b) {
		if e.quoted {
			p = e.string(b, p)
			continue
		}
		if e.depth > 0 && p+8 <= len(b) {
			stops := bracketStops(load8(unsafe.Pointer(unsafe.SliceData(b)), p))
			if stops == 0 {
				p += 8
				continue
			}
			p += firstByte(stops)
		}
		switch b[p] {
		case '"':
			e.quoted = true
		case '{', '[':
			e.depth++
		case '}':
			e.depth = max(e.depth-1, 0)
		case ']':
			if e.depth == 0 {
				return p, true
			}
			e.depth--
		case ',':
			if e.depth == 0 {
				return p, true
			}
		}
		p++
	}
	return p, false
}

// string reads b from p, which is inside of a string, and returns the position behind its end.
func (e *elements) string(b []byte, p int) int {
	base := unsafe.Pointer(unsafe.SliceData(b))
	for p < len(b) {
		if e.escape {
			e.escape = false
			p++
			continue
		}
		if p+8 <= len(b) {
			stops := stringStops(load8(base, p))
			if stops == 0 {
				p += 8
				continue
			}
			p += firstByte(stops)
		}
		switch b[p] {
		case '"':
			e.quoted = false
			return p + 1
		case '\\':
			e.escape = true
		}
		p++
	}
	return p
}
