package synopsis

import (
	"encoding/binary"
	"math"
)

// Sizes in bytes of what AppendBinary appends. That of a Design depends on what is in it.
const (
	PartStateSize  = 64
	CellStateSize  = PartStateSize + 8
	CountStateSize = 16
	TallyStateSize = 8*9 + 1
)

// coder writes fields to b, or reads them from it. One list of the fields of a record serves both ways.
type coder struct {
	b       []byte
	reading bool
	failed  bool // b ended, or was wrong
}

func (c *coder) word(v uint64) uint64 {
	if !c.reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, v)
		return v
	}
	if len(c.b) < 8 {
		c.failed = true
		return 0
	}
	v = binary.LittleEndian.Uint64(c.b)
	c.b = c.b[8:]
	return v
}

func (c *coder) floats(vs ...*float64) {
	for _, v := range vs {
		*v = math.Float64frombits(c.word(math.Float64bits(*v)))
	}
}

// rows codes a number of rows, which is not negative.
func (c *coder) rows(v *int64) {
	*v = int64(c.word(uint64(*v)))
	c.failed = c.failed || *v < 0
}

// numbers codes numbers of records, which are not negative but for -1.
func (c *coder) numbers(vs ...*int32) {
	for _, v := range vs {
		if !c.reading {
			c.b = binary.LittleEndian.AppendUint32(c.b, uint32(*v))
			continue
		}
		if len(c.b) < 4 {
			c.failed = true
			return
		}
		*v = int32(binary.LittleEndian.Uint32(c.b))
		c.b = c.b[4:]
		c.failed = c.failed || *v < -1
	}
}

func (c *coder) flags(vs ...*bool) {
	for _, v := range vs {
		if !c.reading {
			bit := byte(0)
			if *v {
				bit = 1
			}
			c.b = append(c.b, bit)
			continue
		}
		if len(c.b) < 1 || c.b[0] > 1 {
			c.failed = true
			return
		}
		*v = c.b[0] == 1
		c.b = c.b[1:]
	}
}

func (p *Part) code(c *coder) {
	c.rows(&p.k)
	c.floats(&p.pivot, &p.x1, &p.x2, &p.x3, &p.x4, &p.low, &p.high)
}

func (t *tallies) code(c *coder) {
	c.floats(&t.n, &t.k, &t.v, &t.bn, &t.bk, &t.bv, &t.bOffered, &t.bSum, &t.bw)
	c.numbers(&t.parked)
}

func (o *ones) code(c *coder) {
	c.floats(&o.c)
	o.sum.code(c)
	o.within.code(c)
}

func (p *parked) code(c *coder) {
	p.part.code(c)
	c.numbers(&p.stratum, &p.next)
}

func (p *parkedCount) code(c *coder) {
	c.rows(&p.k)
	c.numbers(&p.stratum, &p.next)
}

func (f *fold) code(c *coder) {
	c.floats(&f.n, &f.t, &f.a1, &f.a2, &f.drawn, &f.sum.v, &f.sum.k, &f.sum.j, &f.sum.d)
	for i := range f.mean.v {
		c.floats(&f.mean.v[i])
	}
	for i := range f.mean.k {
		c.floats(&f.mean.k[i], &f.mean.j[i])
	}
	for i := range f.mean.d {
		c.floats(&f.mean.d[i])
	}
	c.floats(&f.sumUp.w, &f.sumUp.u, &f.sumDown.w, &f.sumDown.u)
	c.floats(&f.meanUp.w, &f.meanUp.u, &f.meanUp.z, &f.meanDown.w, &f.meanDown.u, &f.meanDown.z)
	f.seen.code(c)
	c.numbers(&f.parked, &f.ones)
}

// restore reads a record of fixed size. What code fills is used only if nothing is left over and nothing was wrong.
func restore(data []byte, code func(*coder)) error {
	c := coder{b: data, reading: true}
	code(&c)
	if c.failed || len(c.b) > 0 {
		return errBinary
	}
	return nil
}

// AppendBinary appends the state to b. The error is always nil.
func (p *Part) AppendBinary(b []byte) ([]byte, error) {
	c := coder{b: b}
	p.code(&c)
	return c.b, nil
}

// UnmarshalBinary replaces the state by the one in data. On error p is unchanged.
func (p *Part) UnmarshalBinary(data []byte) error {
	var q Part
	if err := restore(data, q.code); err != nil {
		return err
	}
	*p = q
	return nil
}

func (c *Cell) code(to *coder) {
	c.part.code(to)
	to.numbers(&c.open, &c.side)
	to.failed = to.failed || c.open < 0 || c.side < 0 || c.open == 0 && c.part.k > 0
}

// AppendBinary appends the state to b. The error is always nil. What the cell left in its design is in the design's.
func (c *Cell) AppendBinary(b []byte) ([]byte, error) {
	to := coder{b: b}
	c.code(&to)
	return to.b, nil
}

// UnmarshalBinary replaces the state by the one in data. On error c is unchanged. The design must be restored, too: Design.Holds.
func (c *Cell) UnmarshalBinary(data []byte) error {
	var o Cell
	if err := restore(data, o.code); err != nil {
		return err
	}
	*c = o
	return nil
}

func (c *Count) code(to *coder) {
	to.rows(&c.k)
	to.numbers(&c.open, &c.side)
	to.failed = to.failed || c.open < 0 || c.side < 0 || c.open == 0 && c.k > 0
}

// AppendBinary appends the state to b. The error is always nil. What the count left in its design is in the design's.
func (c *Count) AppendBinary(b []byte) ([]byte, error) {
	to := coder{b: b}
	c.code(&to)
	return to.b, nil
}

// UnmarshalBinary replaces the state by the one in data. On error c is unchanged. The design must be restored, too: Design.HoldsCount.
func (c *Count) UnmarshalBinary(data []byte) error {
	var o Count
	if err := restore(data, o.code); err != nil {
		return err
	}
	*c = o
	return nil
}

func (t *Tally) code(c *coder) {
	c.floats(&t.rows, &t.second, &t.third, &t.second0, &t.third0, &t.cubes, &t.low, &t.high, &t.one)
	c.flags(&t.mixed)
	c.failed = c.failed || !(t.rows >= 0)
}

// AppendBinary appends the state to b. The error is always nil.
func (t *Tally) AppendBinary(b []byte) ([]byte, error) {
	c := coder{b: b}
	t.code(&c)
	return c.b, nil
}

// UnmarshalBinary replaces the state by the one in data. On error t is unchanged.
func (t *Tally) UnmarshalBinary(data []byte) error {
	var o Tally
	if err := restore(data, o.code); err != nil {
		return err
	}
	*t = o
	return nil
}
