package codec

import "bytes"

// NewJSONCutter returns a cutter for NDJSON, which cuts behind line ends, or for a JSON array, which cuts
// before the comma or bracket that ends an element. The array's closing bracket and what follows it stay behind until the end of
// the input, because no record ends there.
func NewJSONCutter(array bool) Cutter {
	if array {
		return &arrayCutter{}
	}
	return lineCutter{}
}

// lineCutter cuts behind line ends.
type lineCutter struct{}

// Cut implements Cutter.
func (lineCutter) Cut(data []byte, from int) int {
	if i := bytes.LastIndexByte(data[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return 0
}

// arrayCutter cuts before commas and brackets. It remembers where it was in an element that had no end yet.
type arrayCutter struct {
	elements elements
	pos      int  // data before it was looked at
	inside   bool // the mark before the first element was seen
	first    int  // position of the first byte that is no white space and no opening bracket, or of the end of what was looked at
	closed   bool // the array's closing bracket is next
}

// Cut implements Cutter.
func (c *arrayCutter) Cut(data []byte, from int) int {
	if from == 0 {
		*c = arrayCutter{}
	}
	if !c.inside {
		if c.pos = skipSpace(data, c.pos); c.pos == len(data) {
			return 0
		}
		c.inside = true
		if data[c.pos] == '[' || data[c.pos] == ',' {
			c.pos++
		}
	}
	last := 0
	for !c.closed {
		end, found := c.elements.next(data, c.pos)
		c.pos = end
		if !found {
			break
		}
		if c.content(data[:end]) { // a bracket alone would not tell [] from [,
			last = end
		}
		c.closed = data[end] == ']'
		c.pos++
	}
	return last
}

// content reports whether data holds more than white space and opening brackets.
func (c *arrayCutter) content(data []byte) bool {
	c.first = len(data) - len(bytes.TrimLeft(data[c.first:], " \t\r\n["))
	return c.first < len(data)
}
