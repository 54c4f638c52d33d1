package synopsis

import "encoding/binary"

// deepest is the largest number of drops on the way of a row that a state may speak of.
const deepest = 16

// AppendBinary appends the state to b, strata by their IDs along Up. The error is always nil.
func (d *Design) AppendBinary(b []byte) ([]byte, error) {
	c := coder{b: b}
	n := int32(len(d.strata))
	c.numbers(&n)
	for i, s := range d.strata {
		depth := int32(0)
		for u := s; u != nil; u = u.Up {
			depth++
		}
		c.numbers(&depth)
		for u := s; u != nil; u = u.Up {
			c.b = binary.LittleEndian.AppendUint32(c.b, u.ID)
		}
		c.rows(&d.rows[i])
		c.flags(&d.passed[i])
	}
	d.code(&c)
	return c.b, nil
}

// Load replaces the design by the one in data. stratum returns the stratum with the IDs of it and of those above it, or nil where there is none.
// On error d is unchanged. Cells and counts are restored with it, and checked by Holds and HoldsCount.
func (d *Design) Load(data []byte, stratum func(ids []uint32) *Stratum) error {
	c := coder{b: data, reading: true}
	var o Design
	n := int32(0)
	c.numbers(&n)
	for i := int32(0); i < n && !c.failed; i++ {
		o.loadStratum(&c, stratum)
	}
	if c.failed || n < 0 {
		return errBinary
	}
	o.newest = o.newest[:0]
	o.code(&c)
	if c.failed || len(c.b) > 0 || !o.sound() {
		return errBinary
	}
	*d = o
	return nil
}

func (d *Design) loadStratum(c *coder, stratum func(ids []uint32) *Stratum) {
	depth := int32(0)
	c.numbers(&depth)
	if depth < 1 || depth > deepest || len(c.b) < 4*int(depth) {
		c.failed = true
		return
	}
	ids := make([]uint32, depth)
	for j := range ids {
		ids[j] = binary.LittleEndian.Uint32(c.b[4*j:])
	}
	c.b = c.b[4*depth:]
	s := stratum(ids)
	if s == nil {
		c.failed = true
		return
	}
	if _, twice := d.index[s]; twice {
		c.failed = true
		return
	}
	i := d.add(s)
	c.rows(&d.rows[i])
	c.flags(&d.passed[i])
}

// code codes what comes after the strata.
func (d *Design) code(c *coder) {
	n := int32(len(d.newest))
	c.numbers(&n)
	for i := int32(0); i < n && !c.failed; i++ {
		if c.reading {
			d.newest = append(d.newest, newest{})
		}
		at := &d.newest[i]
		at.location = c.word(at.location)
		c.numbers(&at.stratum)
	}
	c.numbers(&d.last, &d.freeParts, &d.freeCounts)
	c.floats(&d.given)
	codeSlab(c, &d.folds, (*fold).code)
	codeSlab(c, &d.parts, (*parked).code)
	codeSlab(c, &d.ones, (*ones).code)
	codeSlab(c, &d.counts, (*tallies).code)
	codeSlab(c, &d.parkedCounts, (*parkedCount).code)
}

func codeSlab[T any](c *coder, s *slab[T], code func(*T, *coder)) {
	n := s.n
	c.numbers(&n)
	for i := int32(0); i < n && !c.failed; i++ {
		if c.reading {
			s.take()
		}
		code(s.at(i), c)
	}
}

// sound reports whether all numbers of records are in range, and every record of a list is in one list and once.
func (d *Design) sound() bool {
	strata := int32(len(d.strata))
	if d.last < 0 || strata > 0 && d.last >= strata || strata == 0 && d.last != 0 || !(d.given >= 0) {
		return false
	}
	for _, n := range d.newest {
		if n.stratum < 0 || n.stratum >= strata {
			return false
		}
	}
	parts := walk{seen: make([]bool, d.parts.n), strata: strata, next: func(i int32) (int32, int32) {
		p := d.parts.at(i)
		return p.stratum, p.next
	}}
	counts := walk{seen: make([]bool, d.parkedCounts.n), strata: strata, next: func(i int32) (int32, int32) {
		p := d.parkedCounts.at(i)
		return p.stratum, p.next
	}}
	ok := parts.list(d.freeParts) && counts.list(d.freeCounts)
	for i := int32(0); ok && i < d.folds.n; i++ {
		f := d.folds.at(i)
		ok = f.ones <= d.ones.n && parts.list(f.parked)
	}
	for i := int32(0); ok && i < d.counts.n; i++ {
		ok = counts.list(d.counts.at(i).parked)
	}
	return ok
}

// walk follows lists of records.
type walk struct {
	seen   []bool
	strata int32
	next   func(i int32) (stratum, next int32)
}

func (w *walk) list(first int32) bool {
	for at := first; at != 0; {
		if at < 0 || int(at) > len(w.seen) || w.seen[at-1] {
			return false
		}
		w.seen[at-1] = true
		stratum, next := w.next(at - 1)
		if stratum < 0 || stratum >= w.strata {
			return false
		}
		at = next
	}
	return true
}

// Holds reports whether c can be a cell of d: false for one restored with another design.
func (d *Design) Holds(c *Cell) bool {
	return c.open >= 0 && int(c.open) <= len(d.strata) && c.side >= 0 && c.side <= d.folds.n
}

// HoldsCount reports whether c can be a count of d.
func (d *Design) HoldsCount(c *Count) bool {
	return c.open >= 0 && int(c.open) <= len(d.strata) && c.side >= 0 && c.side <= d.counts.n
}
