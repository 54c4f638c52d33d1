package codec

import (
	"bytes"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// follow reads the record at p along the tree, and those after it as long as each is followed by the separator and
// then another. It returns the end of the last, or -1 when already the first is left to scanRecord.
//
// Where a string or a number ends follows from the next mark, so that the values of a record are read
// independently of each other: no load waits for the end of the value before. Most values are read by walk, the others by step.
func (d *jsonDecoder) follow(p int) (end int) {
	if d.layout.root == nil {
		return -1
	}
	w := &d.marks
	d.begin, d.end = p, -1
	if d.first = w.seek(d.data, p); d.first == w.found {
		return -1
	}
	n, s := d.layout.root, d.first
	for n != nil {
		if n, p, s = d.walk(n, p, s); n != nil {
			n, p, s = d.step(n, p, s)
		}
	}
	w.next = d.first
	return d.end
}

// walk reads values from p on, where node n or another of its chain stands; the next mark is number s of the window. It
// returns the place, node and mark number where it cannot go on; no node when nothing can.
//
// It is one function without calls, because its loop runs once per value and lives in registers.
func (d *jsonDecoder) walk(n *layoutNode, p, s int) (*layoutNode, int, int) {
	base := unsafe.Pointer(unsafe.SliceData(d.data))
	row := unsafe.Pointer(&d.spans[d.rows])
next:
	for n != nil {
		if (load8(base, p)^n.word[0])&n.mask[0]|(load8(base, p+8)^n.word[1])&n.mask[1] != 0 {
			n = n.other
			continue
		}
		at := p + int(n.size)
		if n.size > 16 {
			if n.size > windowRoom/2 {
				return n, p, s
			}
			text := unsafe.Add(unsafe.Pointer(unsafe.SliceData(d.layout.text)), n.at)
			for i := 16; i < int(n.size); i += 8 {
				i = min(i, int(n.size)-8)
				if load8(base, p+i) != load8(text, i) {
					n = n.other
					continue next
				}
			}
		}
		mark := s + int(n.marks)
		if mark >= d.marks.found {
			return n, p, s
		}
		end := int(*(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(d.marks.at)), 4*mark)))
		var v span
		switch n.kind {
		case layoutString:
			if load1(base, end) != '"' {
				return n, p, s
			}
			at--
			end++
			mark++
			v = d.marks.plain
		case layoutNumber:
			end--
			whole, first := at, load1(base, at)
			if first == '-' {
				whole++
				first = load1(base, whole)
			}
			run := d.marks.digitRun(whole)
			point := whole + run
			proper := first != '0' && run > 0 || run == 1
			if point == end && proper {
				v = span(formInt) << 61
				break
			}
			if load1(base, point) == '.' && proper {
				if more := d.marks.digitRun(point + 1); more > 0 && point+1+more == end {
					v = span(formReal) << 61
					break
				}
			}
			if first-'0' > 9 {
				n = n.other
				continue
			}
			return n, p, s
		case layoutWord:
			end = at
			at -= int(n.back)
			v = span(formWord) << 61
		case layoutEnd:
			if load1(base, at) != d.separator {
				return n, p, s
			}
			if d.separator == '\n' {
				mark++
			}
			d.rows++
			d.end, d.begin, d.first = at, at+1, mark
			if d.rows == tuple.MaxRows {
				return nil, at, mark
			}
			n, p, s = d.layout.root, at+1, mark
			row = unsafe.Add(row, unsafe.Sizeof(v))
			continue
		default:
			return n, p, s
		}
		*(*span)(unsafe.Add(row, n.slot)) = v | span(at) | span(end-at)<<32
		p, s, n = end, mark, n.next
	}
	return nil, p, s
}

// step reads the value at p if node n stands there, as walk does, and returns where to go on.
func (d *jsonDecoder) step(n *layoutNode, p, s int) (*layoutNode, int, int) {
	w := &d.marks
	end := p + int(n.size)
	if end > len(d.data) || !bytes.Equal(d.data[p:end], d.layout.bytes(n)) {
		return n.other, p, s
	}
	if s += int(n.marks); s >= w.found {
		return d.again()
	}
	at, f := end, formWord
	switch n.kind {
	case layoutString:
		at--
		end, f = scanString(d.data, at)
	case layoutNumber:
		if end, f = followNumber(d.data, at); end < 0 {
			return n.other, p, s - int(n.marks)
		}
	case layoutWord:
		at -= int(n.back)
	case layoutNested:
		if c := d.data[at]; c != '{' && c != '[' {
			return n.other, p, s - int(n.marks)
		}
		end, f = d.scanner.nested(d.data, at, int(n.depth)), formNested
	case layoutEnd:
		if d.closed(end) {
			d.rows++
			d.end, d.first = end, s
		}
		return nil, p, s
	}
	if end < 0 {
		return nil, p, s
	}
	if s = w.skip(s, end); s == w.found {
		return d.again()
	}
	d.spans[int(n.slot)/int(unsafe.Sizeof(span(0)))+d.rows] = makeSpan(at, end, f)
	return n.next, end, s
}

// again goes back to the beginning of the record that reaches beyond the window and moves the window there.
func (d *jsonDecoder) again() (*layoutNode, int, int) {
	if !d.marks.fill(d.data, d.begin) {
		return nil, d.begin, 0
	}
	d.first = 0
	return d.layout.root, d.begin, 0
}

// closed reports whether a record may end at p.
func (d *jsonDecoder) closed(p int) bool {
	if d.array {
		p = skipSpace(d.data, p)
		return p == len(d.data) || d.data[p] == ',' || d.data[p] == ']'
	}
	p = skipBlanks(d.data, p)
	return p == len(d.data) || d.data[p] == '\n'
}

// wordRoom is how many bytes the data goes on behind a word that is loaded without asking for its own end.
const wordRoom = 32

// followNumber reads the number at p, which is further than wordRoom from data's end. It returns -1 when there is
// none or the end comes too near.
func followNumber(data []byte, p int) (end int, f form) {
	base, limit := unsafe.Pointer(unsafe.SliceData(data)), len(data)-wordRoom
	start := p
	w := load8(base, p)
	if byte(w) == '-' {
		p++
		w = load8(base, p)
	}
	begin, lead := p, byte(w)
	stops := nonDigits(w)
	for stops == 0 {
		if p += 8; p > limit {
			return -1, formInt
		}
		stops = nonDigits(load8(base, p))
	}
	p += firstByte(stops)
	if p == begin || lead == '0' && p > begin+1 {
		return -1, formInt
	}
	f = formInt
	c := load1(base, p)
	if c == '.' {
		p++
		begin, f = p, formReal
		for stops = nonDigits(load8(base, p)); stops == 0; stops = nonDigits(load8(base, p)) {
			if p += 8; p > limit {
				return -1, formReal
			}
		}
		if p += firstByte(stops); p == begin {
			return -1, formReal
		}
		c = load1(base, p)
	}
	if c|0x20 == 'e' {
		end, _ = scanNumber(data, start)
		return end, formReal
	}
	return p, f
}
