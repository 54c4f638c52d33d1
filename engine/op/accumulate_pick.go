package op

import (
	"bytes"
	"cmp"
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// picks keeps one of the values of each group, of any type: the first, the last, the least or the
// greatest. First and last go by position in the input.
type picks struct {
	by    pickBy
	bytes bool // the values are text or JSON
	cells []pick
	arena []byte
	waste int // bytes of arena that no cell owns
}

type pickBy uint8

const (
	pickFirst pickBy = iota
	pickLast
	pickLeast
	pickGreatest
)

// pick is a value and the position of its row. Of bytes, lo is the offset in the arena and hi the
// length, with the room there in the upper half.
type pick struct {
	number
	at  int64
	any bool
}

func (a *picks) add(in *lane, groups int) {
	a.cells = extend(a.cells, groups)
	if in.col.Type == tuple.Null {
		a.addNulls(in)
		return
	}
	for i, r := range in.sel {
		c, at := &a.cells[in.ids[i]], in.base+int64(r)
		if c.any {
			switch a.by {
			case pickFirst:
				if at >= c.at {
					continue
				}
			case pickLast:
				if at < c.at {
					continue
				}
			case pickLeast:
				if a.compare(in.col, r, c) >= 0 {
					continue
				}
			case pickGreatest:
				if a.compare(in.col, r, c) <= 0 {
					continue
				}
			}
		}
		a.take(c, in.col, r)
		c.at, c.any = at, true
	}
	a.compact()
}

// addNulls takes in rows of a column that is NULL everywhere.
func (a *picks) addNulls(in *lane) {
	for i, r := range in.sel {
		if c, at := &a.cells[in.ids[i]], in.base+int64(r); !c.any {
			*c = pick{number: number{class: kindNull}, at: at, any: true}
		}
	}
}

func (a *picks) take(c *pick, col *tuple.Column, r uint16) {
	switch {
	case !a.bytes:
		c.number = numberAt(col, r)
	case col.Null != nil && col.Null[r]:
		c.class = kindNull
	default:
		a.store(c, col.Str(int(r)))
	}
}

// store makes c own a copy of v.
func (a *picks) store(c *pick, v []byte) {
	length, room := int64(len(v)), c.hi>>32
	if length > room {
		a.waste += int(room)
		room = length
		if c.any {
			room += room / 4
		}
		c.lo = int64(len(a.arena))
		a.arena = extendBytes(a.arena, int(room))
	}
	copy(a.arena[c.lo:], v)
	c.hi, c.class = room<<32|length, kindInt
}

func extendBytes(s []byte, n int) []byte {
	if len(s)+n > cap(s) {
		s = reserve(s, n)
	}
	return s[:len(s)+n]
}

// text returns the bytes that c owns.
func (a *picks) text(c *pick) []byte { return a.arena[c.lo : c.lo+int64(uint32(c.hi))] }

func (a *picks) compare(col *tuple.Column, r uint16, c *pick) int {
	switch {
	case a.bytes:
		return bytes.Compare(col.Str(int(r)), a.text(c))
	case col.Type == tuple.Boolean:
	case col.Rep == tuple.RepInt && c.kind() == kindInt:
		return cmp.Compare(col.I[r], c.lo)
	case col.Rep == tuple.RepFloat && (c.kind() == kindFloat || c.class&looksReal != 0):
		return compareFloats(col.F[r], c.float())
	}
	return numberAt(col, r).compare(c.number)
}

// compareFloats is cmp.Compare without its care for NaN, which aggregates do not see.
func compareFloats(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// compact moves values together when more than half of a large arena is waste.
func (a *picks) compact() {
	if a.waste < 1<<16 || a.waste < len(a.arena)/2 {
		return
	}
	next := make([]byte, 0, len(a.arena)-a.waste)
	for i := range a.cells {
		c := &a.cells[i]
		room := c.hi >> 32
		at := int64(len(next))
		next = append(next, a.arena[c.lo:c.lo+room]...)
		c.lo = at
	}
	a.arena, a.waste = next, 0
}

func (a *picks) merge(from accumulator, to []uint32, groups int) {
	a.cells = extend(a.cells, groups)
	other := from.(*picks)
	for i := range other.cells {
		o, c := &other.cells[i], &a.cells[to[i]]
		if !o.any || c.any && !a.beats(other, o, c) {
			continue
		}
		switch {
		case !a.bytes:
			c.number = o.number
		case o.kind() == kindNull:
			c.class = kindNull
		default:
			a.store(c, other.text(o))
		}
		c.at, c.any = o.at, true
	}
	a.compact()
}

// beats reports whether o of another accumulator is picked rather than c.
func (a *picks) beats(other *picks, o, c *pick) bool {
	switch a.by {
	case pickFirst:
		return o.at < c.at
	case pickLast:
		return o.at > c.at
	}
	order := 0
	if a.bytes {
		order = bytes.Compare(other.text(o), a.text(c))
	} else {
		order = o.number.compare(c.number)
	}
	if a.by == pickLeast {
		return order < 0
	}
	return order > 0
}

func (a *picks) reset() {
	a.cells, a.arena, a.waste = roomy(a.cells), roomy(a.arena), 0
}

// put writes the value of group g to row r of a column of n rows.
func (a *picks) put(c *tuple.Column, g uint32, r, n int) {
	var p pick
	if int(g) < len(a.cells) {
		p = a.cells[g]
	}
	switch {
	case p.any && p.kind() != kindNull && a.bytes:
		c.SetStr(r, a.text(&p))
	case p.any && p.kind() != kindNull:
		p.number.put(c, r, n)
	default:
		putNull(c, r, n)
	}
}

// putNull makes row r of a column of n rows NULL, with an empty span where it has one.
func putNull(c *tuple.Column, r, n int) {
	c.SetNull(r, n)
	if c.Type.Bytes() {
		c.Span[r] = tuple.Span{}
	}
}

// compare orders numbers by value, exactly.
func (v number) compare(w number) int {
	if v.kind() == kindInt && w.kind() == kindInt {
		return cmp.Compare(v.lo, w.lo)
	}
	if v.kind() != kindFloat && w.kind() != kindFloat {
		return v.int128().Cmp(w.int128())
	}
	if v.kind() == kindFloat && w.kind() == kindFloat {
		return cmp.Compare(v.float(), w.float())
	}
	if v.kind() == kindFloat {
		return -w.compareFloat(v.float())
	}
	return v.compareFloat(w.float())
}

// compareFloat compares an integer with a double that is no integer of 128 bits.
func (v number) compareFloat(x float64) int {
	whole := math.Floor(x)
	if math.Abs(whole) >= 0x1p127 {
		return cmp.Compare(0, x)
	}
	if c := v.int128().Cmp(floatNumber(whole).int128()); c != 0 {
		return c
	}
	return cmp.Compare(whole, x)
}

func (v number) int128() synopsis.Int128 {
	if v.kind() == kindHuge {
		return synopsis.Int128{Hi: v.hi, Lo: uint64(v.lo)}
	}
	return synopsis.Int128FromInt64(v.lo)
}
