package tuple

// Rep says how a numeric column stores its values.
type Rep uint8

const (
	// RepInt stores every row in I.
	RepInt Rep = iota
	// RepFloat stores every row in F.
	RepFloat
	// RepMixed stores each row where Tag says. Only Number columns use it.
	RepMixed
)

// Tags of a RepMixed column's rows.
const (
	TagInt   uint8 = iota // value in I
	TagFloat              // value in F
	TagHuge               // a 128-bit integer, high half in Hi, low half in I (as uint64)
)

// Span is a piece of a column's Buf.
type Span struct{ Off, Len uint32 }

// Column is a typed vector with one entry per row of its block. Which slice holds
// the values follows from Type, and for numeric types from Rep:
//
//	Bigint, Timestamp, Interval   I (Rep is RepInt); times are ns since the Unix epoch, intervals ns
//	Double                        F (Rep is RepFloat)
//	Number                        by Rep
//	Boolean                       B
//	Text, JSON                    Span into Buf
//	Null                          nothing; every row is NULL
//
// A column's values are defined only for the rows that its producer was asked for
// (a selection); other entries are garbage of the right length. NULL rows hold
// garbage values too. Slices other than the ones in use may be non-nil: they are
// kept for reuse, so readers go by Type and Rep and never by nil checks.
type Column struct {
	Type Type
	Rep  Rep
	Null []bool // nil: no row is NULL
	I    []int64
	F    []float64
	Tag  []uint8
	Hi   []int64
	B    []bool
	Span []Span
	Buf  []byte

	nulls []bool
	own   []byte // the column's Buf while it has borrowed another
	lent  bool   // Buf is borrowed
}

// Reset makes c a column of type t with n rows, no NULLs and undefined values,
// reusing its memory. Numeric columns start as RepInt (RepFloat for Double); Text starts
// with an empty Buf.
func (c *Column) Reset(t Type, n int) {
	c.Type, c.Rep, c.Null = t, RepInt, nil
	switch t {
	case Bigint, Timestamp, Interval, Number:
		c.I = Resize(c.I, n)
	case Double:
		c.Rep = RepFloat
		c.F = Resize(c.F, n)
	case Boolean:
		c.B = Resize(c.B, n)
	case Text, JSON:
		c.Span = Resize(c.Span, n)
		if c.lent {
			c.Buf, c.own, c.lent = c.own, nil, false
		}
		c.Buf = c.Buf[:0]
	case Null:
		clearNulls := c.WithNulls(n)
		for i := range clearNulls {
			clearNulls[i] = true
		}
	}
}

// Resize returns s with length n, reusing its memory where it is large enough. The
// content is undefined.
func Resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, max(n, 2*cap(s)))
}

// WithNulls gives c a null mask of n rows, all false, unless it has one already, and returns it.
func (c *Column) WithNulls(n int) []bool {
	if c.Null == nil {
		c.nulls = Resize(c.nulls, n)
		clear(c.nulls)
		c.Null = c.nulls
	}
	return c.Null
}

// SetNull marks row r of n as NULL.
func (c *Column) SetNull(r, n int) { c.WithNulls(n)[r] = true }

// SetRep turns a Number column of n rows to another representation without
// converting values: the caller fills them.
func (c *Column) SetRep(rep Rep, n int) {
	c.Rep = rep
	if rep != RepInt {
		c.F = Resize(c.F, n)
	}
	if rep != RepFloat {
		c.I = Resize(c.I, n)
	}
	if rep == RepMixed {
		c.Tag = Resize(c.Tag, n)
		c.Hi = Resize(c.Hi, n)
	}
}

// Mix turns a RepInt or RepFloat Number column of n rows into RepMixed, keeping its values.
func (c *Column) Mix(n int) {
	if c.Rep == RepMixed {
		return
	}
	tag := TagInt
	if c.Rep == RepFloat {
		tag = TagFloat
	}
	c.SetRep(RepMixed, n)
	for i := range c.Tag {
		c.Tag[i] = tag
	}
}

// Borrow makes Buf the memory of somebody else, for Spans to point into. The column never writes to it, and takes its
// own Buf back when it is Reset to Text or JSON.
func (c *Column) Borrow(buf []byte) {
	if !c.lent {
		c.own, c.lent = c.Buf, true
	}
	c.Buf = buf[:len(buf):len(buf)]
}

// IsNull reports whether row r is NULL.
func (c *Column) IsNull(r int) bool { return c.Null != nil && c.Null[r] }

// Str returns the bytes of row r of a Text or JSON column. They belong to the column.
func (c *Column) Str(r int) []byte {
	s := c.Span[r]
	return c.Buf[s.Off : s.Off+s.Len : s.Off+s.Len]
}

// SetStr copies v to the end of Buf and makes it row r's value.
func (c *Column) SetStr(r int, v []byte) {
	c.Span[r] = Span{uint32(len(c.Buf)), uint32(len(v))}
	c.Buf = append(c.Buf, v...)
}
