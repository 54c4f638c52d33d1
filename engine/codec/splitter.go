package codec

import (
	"bytes"
	"math/bits"

	"github.com/aurora-dsms/aurora/engine/codec/scan64"
)

// Splitter tells the records of a stream apart without reading them: what a decoder makes a row or a bad record is a
// record, blank lines and headers are none. It works on chunks of whole records, the last of which may lack its line end, and
// is not safe for concurrent use.
//
// Line ends are counted by a vector kernel that stops where a line may be blank and, in CSV, at a quote; from
// there on the splitter goes line by line, as the decoder of the format does.
type Splitter struct {
	format   Format
	noHeader bool
	delim    byte
	count    scan64.Lines
	stop     byte      // the kernel stops at it
	quoted   csvCutter // of a record with quotes
}

// NewSplitter returns a splitter for the format in opt, or nil for a JSON array, whose elements are not parted by
// line ends. Options that New accepts are assumed.
func NewSplitter(opt Options) *Splitter {
	s := &Splitter{format: opt.Format, noHeader: opt.NoHeader, count: scan64.LineKernels()[0].Count}
	switch opt.Format {
	case JSONArray:
		return nil
	case CSV, TSV:
		s.delim, _ = delimiterOf(opt)
		s.stop, s.quoted.delim = '"', s.delim
	default:
		s.stop = 0xff // not in UTF-8: as good as never there
	}
	return s
}

// Lead returns the length of what stands before the first record of a file that begins with data, and whether that has a header, which a
// decoder wants to see.
func (s *Splitter) Lead(data []byte) (n int, header bool) {
	if s.format == NDJSON {
		return 0, false
	}
	n = markLength(data)
	if s.format != CSV && s.format != TSV || s.noHeader {
		return n, false
	}
	if n = skipEmptyLines(data, n); n == len(data) {
		return n, false
	}
	r := csvRecord{data: data, delim: s.delim}
	r.read(n)
	return r.next, true
}

// Begin returns where the first record from p on begins, p being the beginning of a line, or the length of data.
func (s *Splitter) Begin(data []byte, p int) int {
	for p < len(data) && data[p] <= ' ' {
		next, record := s.line(data, p)
		if record {
			break
		}
		p = next
	}
	return p
}

// Skip steps over n records from p on, n being at least 1 and p the beginning of a line. It returns where the last of them ends
// and how many there were: fewer than n when data ends, and then next is the length of data.
func (s *Splitter) Skip(data []byte, p, n int) (next, found int) {
	for n == 1 && p < len(data) {
		var record bool
		if p, record = s.line(data, p); record {
			return p, 1
		}
	}
	for found < n && p < len(data) {
		blocks, lines, feeds, odd := s.count(data[p:], n-found, s.stop)
		at := p + blocks*scan64.Block
		if feeds != 0 && !odd {
			return at + bit(feeds, n-found-lines) + 1, n
		}
		found += lines
		p += bytes.LastIndexByte(data[p:at], '\n') + 1
		for to := min(at+scan64.Block, len(data)); found < n && p < to; {
			var record bool
			if p, record = s.line(data, p); record {
				found++
			}
		}
	}
	return p, found
}

// bit returns the number of the n-th lowest bit of mask, n counting from 1.
func bit(mask uint64, n int) int {
	for ; n > 1; n-- {
		mask &= mask - 1
	}
	return bits.TrailingZeros64(mask)
}

// line reads what begins at p, a record or a blank line, and returns where the next line begins.
func (s *Splitter) line(data []byte, p int) (next int, record bool) {
	end, next := lineEnd(data, p)
	switch {
	case end == p:
		return next, false
	case s.format == NDJSON:
		// A carriage return more is blank, too.
		return next, skipBlanks(data[:end], p) < end
	case s.format == Logfmt || s.format == AccessLog:
		return next, !blank(data[p:end])
	}
	if bytes.IndexByte(data[p:end], '"') < 0 {
		return next, true
	}
	if n := s.quoted.Skip(data[p:], true); n >= 0 {
		return p + n, true
	}
	return len(data), true
}
