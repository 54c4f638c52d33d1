package codec

import "bytes"

// NewCSVCutter returns a cutter for CSV with the given delimiter. A record that a stray quote spoils ends with the
// line that the quote is on, as in the decoder. Empty lines go with the record after them, so that a
// file's first chunk has its header. The cutter remembers where it was in a record that had no end yet, and can
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
	// The last line feed that ends a record is the last one of data[low:high].
	low, high := 0, 0
	for c.pos < len(data) {
		if c.state > inPlain {
			if c.leave(data) {
				low, high = c.pos-1, c.pos
			}
			continue
		}
		end := len(data)
		i := bytes.IndexByte(data[c.pos:], '"')
		if i >= 0 {
			end = c.pos + i
		}
		if bytes.IndexByte(data[c.pos:end], '\n') >= 0 {
			low, high = c.pos, end
		}
		if i >= 0 {
			c.open(data, end)
		} else {
			c.suspend(data)
		}
	}
	n := low + bytes.LastIndexByte(data[low:high], '\n') + 1
	if n > 0 && data[0] <= '\r' && skipEmptyLines(data[:n], 0) == n {
		return 0
	}
	return n
}

// open steps over the quote at q, to which a field without quotes or nothing leads from pos.
func (c *csvCutter) open(data []byte, q int) {
	if q > c.pos && (data[q-1] == c.delim || data[q-1] == '\n') || q == c.pos && c.state == atField {
		c.state = inQuotes
	} else {
		c.state = inStray
	}
	c.pos = q + 1
}

// suspend steps over the rest of data, which has no quotes.
func (c *csvCutter) suspend(data []byte) {
	c.state, c.pos = inPlain, len(data)
	if last := data[c.pos-1]; last == c.delim || last == '\n' {
		c.state = atField
	}
}

// leave steps over the rest of a field with quotes, and over the delimiter or line feed behind it, and reports
// whether that ended the record. It may stop before when data ends.
func (c *csvCutter) leave(data []byte) (ended bool) {
	for c.pos < len(data) {
		switch c.state {
		case inQuotes:
			if !c.seek(data, '"') {
				return false
			}
			c.state = atQuote
			continue
		case inStray:
			if !c.seek(data, '\n') {
				return false
			}
			c.state = atField
			return true
		}
		b := data[c.pos]
		c.pos++
		switch {
		case b == '\n':
			c.state = atField
			return true
		case c.state == atReturn:
			c.state = inStray
		case b == c.delim:
			c.state = atField
			return false
		case b == '"':
			c.state = inQuotes
		case b == '\r':
			c.state = atReturn
		default:
			c.state = inStray
		}
	}
	return false
}

// seek moves pos behind the next b, or to the end of data, and reports whether there is one.
func (c *csvCutter) seek(data []byte, b byte) bool {
	i := bytes.IndexByte(data[c.pos:], b)
	if i < 0 {
		c.pos = len(data)
		return false
	}
	c.pos += i + 1
	return true
}

// Skip looks for the end of one record without needing its bytes again: begin says that data is its beginning, else data follows that of
// the call before. It returns the number of bytes up to and including the line end, or -1 when the record does not end in data.
func (c *csvCutter) Skip(data []byte, begin bool) int {
	if begin {
		c.state = atField
	}
	c.pos = 0
	for c.pos < len(data) {
		if c.state > inPlain {
			if c.leave(data) {
				return c.pos
			}
			continue
		}
		end := len(data)
		i := bytes.IndexByte(data[c.pos:], '\n')
		if i >= 0 {
			end = c.pos + i
		}
		if q := bytes.IndexByte(data[c.pos:end], '"'); q >= 0 {
			c.open(data, c.pos+q)
		} else if i >= 0 {
			return end + 1
		} else {
			c.suspend(data)
		}
	}
	return -1
}
