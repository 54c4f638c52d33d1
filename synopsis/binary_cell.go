package synopsis

import (
	"encoding/binary"
	"math"
)

// fields reads or writes the fields of a state, in one order for both.
type fields struct {
	b    []byte
	load bool
	bad  bool
}

func (f *fields) word(v uint64) uint64 {
	if !f.load {
		f.b = binary.LittleEndian.AppendUint64(f.b, v)
		return v
	}
	if len(f.b) < 8 {
		f.bad, f.b = true, nil
		return 0
	}
	v = binary.LittleEndian.Uint64(f.b)
	f.b = f.b[8:]
	return v
}

func (f *fields) reals(list ...*float64) {
	for _, x := range list {
		*x = math.Float64frombits(f.word(math.Float64bits(*x)))
	}
}

// count is a number of rows.
func (f *fields) count(n *int64) {
	*n = int64(f.word(uint64(*n)))
	f.require(*n >= 0)
}

// number is at least least and below limit.
func (f *fields) number(i *int32, least, limit int) {
	v := int64(f.word(uint64(int64(*i))))
	if f.require(v >= int64(least) && v < int64(limit)); f.bad {
		v = 0
	}
	*i = int32(v)
}

func (f *fields) flag(v *bool) {
	var x uint64
	if *v {
		x = 1
	}
	x = f.word(x)
	f.require(x <= 1)
	*v = x == 1
}

func (f *fields) require(ok bool) { f.bad = f.bad || !ok }

// length is the length of a list, whose elements take at least a word each.
func (f *fields) length(n int) int {
	v := f.word(uint64(n))
	if f.load && v > uint64(len(f.b)/8) {
		f.bad = true
		return 0
	}
	return int(v)
}

// err says whether all was read, and there was nothing else.
func (f *fields) err() error {
	if f.bad || len(f.b) > 0 {
		return errBinary
	}
	return nil
}

// Sizes in bytes of the states of cells.
const (
	CountStateSize = 3 * 8
	CellStateSize  = PartStateSize + 2*8
	PartStateSize  = 8 * 8
	TallyStateSize = 10 * 8
)

// AppendBinary appends the state to b. The error is always nil.
func (c *Count) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	c.fields(&f, math.MaxInt32, math.MaxInt32)
	return f.b, nil
}

// Load replaces the state by the one in data, of a count used with d, which is loaded.
func (c *Count) Load(d *Design, data []byte) error {
	f := fields{b: data, load: true}
	c.fields(&f, len(d.strata), int(d.counts.n))
	return f.err()
}

func (c *Count) fields(f *fields, strata, sides int) {
	f.count(&c.k)
	f.number(&c.open, 0, strata+1)
	f.number(&c.side, 0, sides+1)
	f.require(c.k == 0 || c.open > 0)
}

// AppendBinary appends the state to b. The error is always nil.
func (c *Cell) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	c.fields(&f, math.MaxInt32, math.MaxInt32)
	return f.b, nil
}

// Load replaces the state by the one in data, of a cell used with d, which is loaded.
func (c *Cell) Load(d *Design, data []byte) error {
	f := fields{b: data, load: true}
	c.fields(&f, len(d.strata), int(d.folds.n))
	return f.err()
}

func (c *Cell) fields(f *fields, strata, sides int) {
	c.part.fields(f)
	f.number(&c.open, 0, strata+1)
	f.number(&c.side, 0, sides+1)
	f.require(c.part.k == 0 || c.open > 0)
}

// AppendBinary appends the state to b. The error is always nil.
func (p *Part) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	p.fields(&f)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (p *Part) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	p.fields(&f)
	return f.err()
}

func (p *Part) fields(f *fields) {
	f.count(&p.k)
	f.reals(&p.pivot, &p.x1, &p.x2, &p.x3, &p.x4, &p.low, &p.high)
}

// AppendBinary appends the state to b. The error is always nil.
func (t *Tally) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	t.fields(&f)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (t *Tally) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	t.fields(&f)
	return f.err()
}

func (t *Tally) fields(f *fields) {
	f.reals(&t.rows, &t.second, &t.third, &t.second0, &t.third0, &t.cubes, &t.low, &t.high, &t.one)
	f.flag(&t.mixed)
}
