package codec

import (
	"math/bits"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// csvRows are the rows of one Scan, told by the positions of separators: the delimiters, the line feed that ends a record, and the
// end of data for a record that lacks one. The separators of a row follow the one before its first byte, which mostly is the line feed
// of the row before; the position before data is 1<<32 - 1.
type csvRows struct {
	seps []uint32
	used int      // separators in seps
	last int      // index of the separator before the record at hand; those behind it belong to that record
	end  int      // index of the last separator of the last row, or -1
	at   []uint32 // for each row the index of the separator before it
	rows int

	inside uint64 // all ones when quotes are open where the search for separators stands
	closed uint64 // 1 when the byte before that closed them
}

// start forgets all rows. The next one begins at p.
func (r *csvRows) start(p int) {
	r.used, r.last, r.end, r.rows, r.inside, r.closed = 0, 0, -1, 0, 0, 0
	r.reserve(1)
	r.used = 1
	r.seps[0] = uint32(p - 1)
	if r.at == nil {
		r.at = make([]uint32, tuple.MaxRows)
	}
}

// reserve makes room for n more separators. Not having room for all rows at once keeps the memory of very wide records in
// proportion to the data.
func (r *csvRows) reserve(n int) {
	if r.used+n > len(r.seps) {
		r.seps = append(r.seps, make([]uint32, max(n, len(r.seps), 1024))...)
	}
}

// next returns where the record at hand begins.
func (r *csvRows) next() int { return int(r.seps[r.last] + 1) }

// take makes the next n separators a row and forgets those behind them.
func (r *csvRows) take(n int) {
	r.at[r.rows] = uint32(r.last)
	r.rows++
	r.last += n
	r.end, r.used = r.last, r.last+1
}

// pass leaves out the record at hand, which the separator p ends, and forgets the separators behind it.
func (r *csvRows) pass(p uint32) {
	if r.last == r.end {
		r.last++
	}
	r.seps[r.last] = p
	r.used = r.last + 1
}

// search adds the separators in the data from p on, as far as there is room for them, and the rows that they complete. It
// returns where it stopped.
func (d *csvDecoder) search(p int) (to int) {
	d.reserve(blockSize)
	limit := d.room()
	to, lines, stray := d.find(p, limit)
	if lines > limit {
		for ; lines > limit; d.used-- {
			if d.data[d.seps[d.used-1]] == '\n' {
				lines--
			}
		}
		// Empty and bad lines may leave room for more rows.
		to, stray, d.inside, d.closed = int(d.seps[d.used-1]+1), -1, 0, 0
	}
	if !d.regular(lines) {
		d.irregular()
	}
	if stray >= 0 {
		to, d.inside, d.closed = d.readThrough(stray), 0, 0
	}
	return min(to, len(d.data))
}

// find adds the separators in the data from p on as far as there is room, and stops after line feed number limit or a bit later. It
// returns the number of line feeds that end records, and the stray position of quotedBlocks or -1.
func (d *csvDecoder) find(p, limit int) (to, lines, stray int) {
	if d.inside|d.closed == 0 {
		data := d.rest(p)
		blocks, found, feeds := findSeparators(d.seps[d.used:], data, uint32(p), d.delim, limit)
		d.used += found
		p, lines = p+blocks*blockSize, feeds
		if lines >= limit || d.used+blockSize > len(d.seps) || (blocks+1)*blockSize > len(data) {
			return p, lines, -1
		}
	}
	p, feeds, stray := d.quotedBlocks(p, limit-lines)
	return p, lines + feeds, stray
}

// rest returns the data from p on, with zeros behind it if that is less than a block.
func (d *csvDecoder) rest(p int) []byte {
	data := d.data[p:]
	if len(data) < blockSize {
		clear(d.tail[copy(d.tail[:], data):])
		data = d.tail[:]
	}
	return data
}

// quotedBlocks adds the separators in blocks with quotes, beginning at p. It stops before a
// block without any, when there is no room, after line feed number limit, and before a block with a quote where none may
// be: its position, or that of what follows it, is stray then, else -1. lines is the number of line feeds that end records.
func (d *csvDecoder) quotedBlocks(p, limit int) (to, lines, stray int) {
	d.quotes = true
	for p < len(d.data) && lines < limit && d.used+blockSize <= len(d.seps) {
		seps, feeds, quotes := blockMasks((*[blockSize]byte)(d.rest(p)), d.delim)
		if quotes|d.inside|d.closed == 0 {
			break
		}
		within := openBits(quotes) ^ d.inside
		seps, feeds = seps&^within, feeds&^within
		opening, closing := quotes&within, quotes&^within
		begins := (seps|closing)<<1 | d.closed
		if d.seps[d.used-1] == uint32(p-1) {
			begins |= 1
		}
		wrong := opening&^begins | d.unended((closing<<1|d.closed)&^(seps|opening), p)
		if wrong != 0 {
			return p, lines, p + bits.TrailingZeros64(wrong)
		}
		d.used += putPositions(d.seps[d.used:], uint32(p), seps)
		lines += bits.OnesCount64(feeds)
		d.inside, d.closed = uint64(int64(within)>>63), closing>>63
		p += blockSize
	}
	return p, lines, -1
}

// openBits returns the bits from an odd one of quotes up to the even one behind it, without that.
func openBits(quotes uint64) uint64 {
	for k := 1; k < 64; k <<= 1 {
		quotes ^= quotes << k
	}
	return quotes
}

// unended returns those of the bytes behind closing quotes, given as bits of the block at p, that do not end a record
// as the end of data and carriage returns before line ends do.
func (d *csvDecoder) unended(behind uint64, p int) (wrong uint64) {
	for ; behind != 0; behind &= behind - 1 {
		q := p + bits.TrailingZeros64(behind)
		if q < len(d.data) && (d.data[q] != '\r' || q+1 < len(d.data) && d.data[q+1] != '\n') {
			wrong |= behind & -behind
		}
	}
	return wrong
}

// regular makes rows of the separators behind last, of which the given number are line feeds. It does nothing and returns
// false unless these end records of the right number of fields.
func (d *csvDecoder) regular(lines int) bool {
	n, i := d.file.total, d.last
	if n < 2 || i+lines*n >= d.used {
		return false
	}
	at := d.at[d.rows:][:lines]
	for k := range at {
		at[k] = uint32(i)
		if i += n; d.data[d.seps[i]] != '\n' {
			return false
		}
	}
	if lines > 0 {
		d.rows += lines
		d.last, d.end = i, i
	}
	return true
}

// irregular is regular for any records.
func (d *csvDecoder) irregular() {
	begin, used := d.last, d.used
	for k := begin + 1; k < used; k++ {
		p := d.seps[k]
		if d.data[p] != '\n' {
			continue
		}
		n := k - begin
		if d.sound(d.next(), int(p), n) {
			copy(d.seps[d.last+1:], d.seps[begin+1:k+1])
			d.take(n)
		} else {
			d.pass(p)
		}
		begin = k
	}
	d.used = d.last + 1 + copy(d.seps[d.last+1:], d.seps[begin+1:used])
}

// sound reports whether the record from p to its line feed at end is a row: whether it has the right number of fields
// and is not an empty line.
func (d *csvDecoder) sound(p, end, fields int) bool {
	end = d.withoutReturn(p, end)
	if end == p {
		return false
	}
	if fields != d.file.total {
		d.reject(p, end, "columns", fields)
		return false
	}
	return true
}

// withoutReturn returns the end of the line from p to end, which may end in a carriage return.
func (d *csvDecoder) withoutReturn(p, end int) int {
	if end > p && d.data[end-1] == '\r' {
		return end - 1
	}
	return end
}

// readThrough reads records by the grammar until position p is behind it, and returns where it stopped.
func (d *csvDecoder) readThrough(p int) int {
	for d.room() > 0 && d.next() <= p {
		d.record()
	}
	return d.next()
}

// record reads the record at hand by the grammar.
func (d *csvDecoder) record() {
	p, n := d.next(), d.file.total
	d.used = d.last + 1
	d.reserve(max(n, 1))
	end, next := lineEnd(d.data, p)
	if end == p {
		d.pass(uint32(next - 1))
		return
	}
	r := csvRecord{data: d.data, delim: d.delim}
	if n > 0 {
		r.starts = d.seps[d.last:][:n]
	}
	r.read(p)
	for i := range r.starts[:min(r.fields, len(r.starts))] {
		r.starts[i]--
	}
	switch {
	case r.stray:
		d.reject(p, r.end, "quote", 0)
	case r.fields != n:
		d.reject(p, r.end, "columns", r.fields)
	default:
		d.quotes = true
		d.seps[d.last+n] = uint32(r.next)
		if d.data[r.next-1] == '\n' {
			d.seps[d.last+n]--
		}
		d.take(n)
		return
	}
	d.pass(uint32(r.next - 1))
}
