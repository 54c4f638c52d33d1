package codec

import (
	"bytes"
)

// NewCSVCutter returns a cutter for CSV with the given delimiter. A record that a stray quote spoils ends with the
// line that the quote is on, as in the decoder. The cutter remembers where it was in a record that had no end yet, and can
// skip records: see source.Skipper. A byte order mark must have been removed before.
func NewCSVCutter(delim byte) Cutter {
	return &csvCutter{delim: delim}
}

type csvCutter struct {
	delim byte
	state csvState
	pos   int // data before it was looked at
}

// csvState is where in a record a position is.
type csvState uint8

const (
	atField  csvState = iota // at the start of a field
	inPlain                  // in a field without quotes
	inQuotes                 // inside of quotes
	atQuote                  // behind a quote inside of quotes: it closes them or is doubled
	atReturn                 // behind the carriage return behind a closing quote
	inStray                  // behind a quote where none may be
)

// Cut implements Cutter.
func (c *csvCutter) Cut(data []byte, from int) int {
	if from == 0 {
		c.state, c.pos = atField, 0
	}
	last := 0
	for {
		if c.state == atField || c.state == inPlain {
			// Lines without quotes need no closer look.
			ahead, open := data[c.pos:], true
			if i := bytes.IndexByte(ahead, '"'); i >= 0 {
				ahead = ahead[:i]
			} else {
				open = false
			}
			if i := bytes.LastIndexByte(ahead, '\n'); i >= 0 {
				c.pos += i + 1
				last, c.state = c.pos, atField
			}
			if !open {
				return c.rest(data, last)
			}
		}
		end := c.recordEnd(data)
		if end < 0 {
			return last
		}
		last = end
	}
}

// rest ends a Cut behind whose last record end there are no quotes.
func (c *csvCutter) rest(data []byte, last int) int {
	if last == 0 && c.pos < len(data) {
		c.state = inPlain
		if data[len(data)-1] == c.delim {
			c.state = atField
		}
		c.pos = len(data)
	}
	return last
}

// recordEnd walks to the end of the record at hand and returns the position behind its line end, or -1 when
// data ends before.
func (c *csvCutter) recordEnd(data []byte) int {
	for c.pos < len(data) {
		b := data[c.pos]
		switch c.state {
		case atField, inPlain:
			if c.state == atField && b == '"' {
				c.state = inQuotes
				break
			}
			c.state = inPlain
			c.pos = plainStop(data, c.pos, c.delim)
			if c.pos == len(data) {
				return -1
			}
			if b = data[c.pos]; b == '"' {
				c.state = inStray
				break
			}
			if c.endField(b) {
				return c.pos
			}
			continue
		case inQuotes:
			i := bytes.IndexByte(data[c.pos:], '"')
			if i < 0 {
				c.pos = len(data)
				return -1
			}
			c.pos += i
			c.state = atQuote
		case atQuote:
			switch b {
			case '"':
				c.state = inQuotes
			case '\r':
				c.state = atReturn
			case c.delim, '\n':
				if c.endField(b) {
					return c.pos
				}
				continue
			default:
				c.state = inStray
			}
		case atReturn:
			if b == '\n' {
				c.endField(b)
				return c.pos
			}
			c.state = inStray
		case inStray:
			i := bytes.IndexByte(data[c.pos:], '\n')
			if i < 0 {
				c.pos = len(data)
				return -1
			}
			c.pos += i
			c.endField('\n')
			return c.pos
		}
		c.pos++
	}
	return -1
}

// endField steps over the delimiter or line feed b behind a field and reports whether the record ends too.
func (c *csvCutter) endField(b byte) bool {
	c.pos++
	c.state = atField
	return b == '\n'
}

// Skip looks for the end of one record without needing its bytes again: begin says that data is its beginning, else data follows that of
// the call before. It returns the number of bytes up to and including the line end, or -1 when the record does not end in data.
func (c *csvCutter) Skip(data []byte, begin bool) int {
	if begin {
		c.state = atField
	}
	c.pos = 0
	return c.recordEnd(data)
}
