package op

import (
	"errors"
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// errTooMuchText is returned when the rows to be held have more text in a column than 32-bit offsets reach.
var errTooMuchText = errors.New("more than 4 GiB of text to sort in one column")

// rowStore holds rows column by column, without pointers per row. Number columns are RepMixed, so that rows of any
// representation go in, and every column has a mask of NULLs.
type rowStore struct {
	cols []tuple.Column
	n    int
}

// shape makes the store ready for rows like those of cols, unless it is.
func (s *rowStore) shape(cols []tuple.Column) {
	if s.cols != nil {
		return
	}
	s.cols = make([]tuple.Column, len(cols))
	for i := range cols {
		s.cols[i].Type = cols[i].Type
	}
	s.clear()
}

// clear removes all rows and keeps the memory.
func (s *rowStore) clear() {
	s.n = 0
	for i := range s.cols {
		c := &s.cols[i]
		if c.Rep = tuple.RepInt; c.Type == tuple.Number {
			c.Rep = tuple.RepMixed
		}
		if c.Type == tuple.Double {
			c.Rep = tuple.RepFloat
		}
		c.Null, c.I, c.F, c.Tag, c.Hi, c.B, c.Span, c.Buf = c.Null[:0], c.I[:0], c.F[:0], c.Tag[:0], c.Hi[:0], c.B[:0], c.Span[:0], c.Buf[:0]
	}
}

// add copies row r of cols to the end of the store.
func (s *rowStore) add(cols []tuple.Column, r int) error {
	for i := range s.cols {
		c, from := &s.cols[i], &cols[i]
		null := from.IsNull(r)
		c.Null = append(c.Null, null)
		switch c.Type {
		case tuple.Boolean:
			c.B = append(c.B, !null && from.B[r])
		case tuple.Double:
			c.F = append(c.F, 0)
		case tuple.Bigint, tuple.Timestamp, tuple.Interval:
			c.I = append(c.I, 0)
		case tuple.Number:
			c.I, c.F, c.Hi, c.Tag = append(c.I, 0), append(c.F, 0), append(c.Hi, 0), append(c.Tag, tuple.TagInt)
		case tuple.Text, tuple.JSON:
			c.Span = append(c.Span, tuple.Span{})
		}
		if !null && c.Type != tuple.Boolean {
			copyValue(c, s.n, from, r)
		}
		if len(c.Buf) > math.MaxUint32 {
			return errTooMuchText
		}
	}
	s.n++
	return nil
}

// copyValue makes row r of from, which is not NULL, row at of c, a column of the same type; Number columns are RepMixed.
func copyValue(c *tuple.Column, at int, from *tuple.Column, r int) {
	switch c.Type {
	case tuple.Boolean:
		c.B[at] = from.B[r]
	case tuple.Double:
		c.F[at] = from.F[r]
	case tuple.Bigint, tuple.Timestamp, tuple.Interval:
		c.I[at] = from.I[r]
	case tuple.Text, tuple.JSON:
		c.SetStr(at, from.Str(r))
	case tuple.Number:
		switch {
		case from.Rep == tuple.RepInt:
			c.Tag[at], c.I[at] = tuple.TagInt, from.I[r]
		case from.Rep == tuple.RepFloat:
			c.Tag[at], c.F[at] = tuple.TagFloat, from.F[r]
		default:
			c.Tag[at], c.I[at], c.F[at], c.Hi[at] = from.Tag[r], from.I[r], from.F[r], from.Hi[r]
		}
	}
}

// gather makes cols a block's columns of the stored rows listed in rows. cols may be fewer than the store's.
func (s *rowStore) gather(cols []tuple.Column, rows []uint32) {
	n := len(rows)
	for i := range cols {
		c, from := &cols[i], &s.cols[i]
		c.Reset(from.Type, n)
		if c.Type == tuple.Number {
			c.SetRep(tuple.RepMixed, n)
		}
		for at, r := range rows {
			if from.Null[r] {
				c.SetNull(at, n)
				if c.Type.Bytes() {
					c.Span[at] = tuple.Span{}
				}
				continue
			}
			copyValue(c, at, from, int(r))
		}
	}
}

func (s *rowStore) save(w *stateWriter) {
	w.count(len(s.cols))
	for i := range s.cols {
		w.u8(uint8(s.cols[i].Type))
	}
	w.count(s.n)
	for i := range s.cols {
		for r := range s.n {
			saveValue(w, &s.cols[i], r)
		}
	}
}

// saveValue writes row r of c: whether it is NULL, and if not its value.
func saveValue(w *stateWriter, c *tuple.Column, r int) {
	w.bool(c.IsNull(r))
	if c.IsNull(r) {
		return
	}
	switch c.Type {
	case tuple.Boolean:
		w.bool(c.B[r])
	case tuple.Double:
		w.f64(c.F[r])
	case tuple.Bigint, tuple.Timestamp, tuple.Interval:
		w.i64(c.I[r])
	case tuple.Text, tuple.JSON:
		w.bytes(c.Str(r))
	case tuple.Number:
		w.u8(c.Tag[r])
		if c.Tag[r] == tuple.TagFloat {
			w.f64(c.F[r])
			return
		}
		w.i64(c.I[r])
		if c.Tag[r] == tuple.TagHuge {
			w.i64(c.Hi[r])
		}
	}
}

// load reads rows into an empty store.
func (s *rowStore) load(r *stateReader) {
	types := loadList(r, 1, r.u8)
	n := r.count(1)
	if len(types) == 0 {
		r.require(n == 0)
		return
	}
	cols := make([]tuple.Column, len(types))
	for i, t := range types {
		r.require(t <= uint8(tuple.JSON))
		cols[i].Type = tuple.Type(t)
	}
	if r.err != nil {
		return
	}
	s.shape(cols)
	for i := range s.cols {
		for range n {
			if r.err != nil {
				return
			}
			loadValue(r, &s.cols[i])
		}
	}
	s.n = n
}

// loadValue reads what saveValue wrote to the end of c.
func loadValue(r *stateReader, c *tuple.Column) {
	null := r.bool()
	c.Null = append(c.Null, null)
	var number stateReader
	if null {
		number.err = errState // everything reads as zero
	} else {
		number.b = r.b
	}
	switch c.Type {
	case tuple.Boolean:
		c.B = append(c.B, number.bool())
	case tuple.Double:
		c.F = append(c.F, number.f64())
	case tuple.Bigint, tuple.Timestamp, tuple.Interval:
		c.I = append(c.I, number.i64())
	case tuple.Text, tuple.JSON:
		c.Span = append(c.Span, tuple.Span{})
		c.SetStr(len(c.Span)-1, number.bytes())
		number.require(len(c.Buf) <= math.MaxUint32)
	case tuple.Number:
		loadNumber(&number, c)
	}
	if !null {
		r.b, r.err = number.b, number.err
	}
}

func loadNumber(r *stateReader, c *tuple.Column) {
	tag := r.u8()
	r.require(tag <= tuple.TagHuge)
	var lo, hi int64
	var f float64
	if tag == tuple.TagFloat {
		f = r.f64()
	} else {
		lo = r.i64()
	}
	if tag == tuple.TagHuge {
		hi = r.i64()
	}
	c.Tag, c.I, c.F, c.Hi = append(c.Tag, tag), append(c.I, lo), append(c.F, f), append(c.Hi, hi)
}
