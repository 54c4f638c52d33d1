package codec

import "unsafe"

// maxJSONDepth is how deep objects and lists may nest, as in encoding/json.
const maxJSONDepth = 10000

// The scanning functions take a position in b and return the position behind what they
// read, or -1 when it is not that.

// skipSpace returns the first position from p that is no white space.
func skipSpace(b []byte, p int) int {
	for p < len(b) && (b[p] == ' ' || b[p] == '\n' || b[p] == '\t' || b[p] == '\r') {
		p++
	}
	return p
}

// byteAt returns the byte at p, and 0, which no JSON has outside of strings, behind the end.
func byteAt(b []byte, p int) byte {
	if p < len(b) {
		return b[p]
	}
	return 0
}

// scanString reads the string whose opening quote is at p.
func scanString(b []byte, p int) (end int, f form) {
	base := unsafe.Pointer(unsafe.SliceData(b))
	var seen uint64
	f = formASCII
	for p++; p < len(b); {
		if p+8 <= len(b) {
			w := load8(base, p)
			stops := stringStops(w)
			if stops == 0 {
				seen |= w
				p += 8
				continue
			}
			seen |= w & (stops&-stops - 1)
			p += firstByte(stops)
		}
		switch c := b[p]; {
		case c == '"':
			if f == formASCII && seen&highs != 0 {
				f = formUTF8
			}
			return p + 1, f
		case c == '\\':
			n := escapeLength(b[p:])
			if n == 0 {
				return -1, f
			}
			p += n
			f = formEscaped
		case c < 0x20:
			return -1, f
		default:
			seen |= uint64(c)
			p++
		}
	}
	return -1, f
}

// escapeLength returns the length of the escape that b begins with, 0 when it is none.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b[2:]); ok {
			return 6
		}
	}
	return 0
}

// scanWord reads true, false or null.
func scanWord(b []byte, p int) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(b)-p >= len(word) && string(b[p:p+len(word)]) == word {
			return p + len(word)
		}
	}
	return -1
}

// jsonScanner reads values that nobody wants.
type jsonScanner struct {
	open []byte // the brackets that are open
}

// value reads the value at p, white space before it aside, inside of depth objects and lists.
func (s *jsonScanner) value(b []byte, p, depth int) (end int, f form) {
	switch c := byteAt(b, p); c {
	case '"':
		return scanString(b, p)
	case '{', '[':
		return s.nested(b, p, depth), formNested
	case 't', 'f', 'n':
		return scanWord(b, p), formWord
	default:
		end, lit := scanNumber(b, p)
		if lit == intLiteral {
			return end, formInt
		}
		return end, formReal
	}
}

// nested reads the object or list at p, inside of depth others.
func (s *jsonScanner) nested(b []byte, p, depth int) int {
	s.open = s.open[:0]
	for {
		switch c := byteAt(b, p); c {
		case '{', '[':
			s.open = append(s.open, c)
			if depth+len(s.open) > maxJSONDepth {
				return -1
			}
			p = skipSpace(b, p+1)
			if byteAt(b, p) == c+2 {
				break
			}
			if c == '{' {
				p = scanKey(b, p)
			}
			if p < 0 {
				return -1
			}
			continue
		default:
			p, _ = s.value(b, p, 0)
			if p < 0 {
				return -1
			}
		}
		if p = s.close(b, p); p < 0 || len(s.open) == 0 {
			return p
		}
	}
}

// close reads the brackets that close at p, until the position of a next value or the end of the outermost.
func (s *jsonScanner) close(b []byte, p int) int {
	for {
		top := s.open[len(s.open)-1]
		p = skipSpace(b, p)
		switch byteAt(b, p) {
		case top + 2: // '{' + 2 is '}', '[' + 2 is ']'
			p++
			if s.open = s.open[:len(s.open)-1]; len(s.open) == 0 {
				return p
			}
		case ',':
			p = skipSpace(b, p+1)
			if top == '{' {
				p = scanKey(b, p)
			}
			return p
		default:
			return -1
		}
	}
}

// scanKey reads a key and its colon, and returns where its value begins.
func scanKey(b []byte, p int) int {
	if byteAt(b, p) != '"' {
		return -1
	}
	if p, _ = scanString(b, p); p < 0 {
		return -1
	}
	if p = skipSpace(b, p); byteAt(b, p) != ':' {
		return -1
	}
	return skipSpace(b, p+1)
}
