package codec

import "bytes"

// csvRecord reads one record of CSV by the grammar. The results of read are the fields below starts.
type csvRecord struct {
	data   []byte
	delim  byte
	starts []uint32 // takes where fields start, as far as it goes

	fields int
	end    int // without the line end
	next   int // where the next record begins
	stray  bool
}

// read reads the record at p. A record with a quote where none may be is stray and ends with the line
// that the quote is on; one whose quotes do not close is stray and ends with the data.
func (r *csvRecord) read(p int) {
	r.fields, r.stray = 0, false
	for {
		if r.fields < len(r.starts) {
			r.starts[r.fields] = uint32(p)
		}
		r.fields++
		if p < len(r.data) && r.data[p] == '"' {
			q := closingQuote(r.data, p+1)
			if q < 0 {
				r.stray, r.end, r.next = true, len(r.data), len(r.data)
				return
			}
			p = q + 1
		} else {
			p = plainStop(r.data, p, r.delim)
		}
		if p == len(r.data) || r.data[p] != r.delim {
			break
		}
		p++
	}
	r.end, r.next = lineEnd(r.data, p)
	r.stray = r.end > p
	if !r.stray && p > 0 && r.data[p-1] == '\r' {
		r.end--
	}
}

// closingQuote returns the position of the quote that closes the field whose text begins at p, or -1.
func closingQuote(data []byte, p int) int {
	for {
		i := bytes.IndexByte(data[p:], '"')
		if i < 0 {
			return -1
		}
		p += i
		if p+1 == len(data) || data[p+1] != '"' {
			return p
		}
		p += 2
	}
}
