package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// number is a numeric value as a key: integers and doubles of one value have the same kind, lo and hi.
// Booleans, timestamps and intervals are integers here.
type number struct {
	lo, hi int64 // an integer, or in lo the bits of a double
	class  uint8 // kind and looks
}

// The kinds of numbers, and how a value looked that is not as its kind says.
const (
	kindInt   uint8 = iota // fits 64 bits; hi is 0
	kindFloat              // no integer below 2^127 in magnitude
	kindHuge               // an integer of 128 bits
	kindNull
	kindMask  uint8 = 15
	looksReal uint8 = 16 // a double that is an integer
	looksNeg0 uint8 = 32 // -0.0
)

func (v number) kind() uint8 { return v.class & kindMask }

func (v number) equal(w number) bool {
	return v.lo == w.lo && v.hi == w.hi && (v.class^w.class)&kindMask == 0
}

func (v number) hash() uint64 {
	if v.class&kindMask == kindInt {
		return mix(uint64(v.lo), 0)
	}
	return mix(mix(uint64(v.lo), uint64(v.hi)), uint64(v.kind()))
}

func hugeNumber(hi, lo int64) number {
	if hi == lo>>63 {
		return number{lo: lo}
	}
	return number{lo: lo, hi: hi, class: kindHuge}
}

func floatNumber(x float64) number {
	switch {
	case x == 0 && math.Signbit(x):
		return number{class: kindInt | looksReal | looksNeg0}
	case x != x:
		return number{lo: int64(math.Float64bits(math.NaN())), class: kindFloat}
	case x >= -0x1p63 && x < 0x1p63:
		if v := int64(x); float64(v) == x {
			return number{lo: v, class: kindInt | looksReal}
		}
	case x > -0x1p127 && x < 0x1p127:
		v := int128(x)
		return number{lo: int64(v.Lo), hi: v.Hi, class: kindHuge | looksReal}
	}
	return number{lo: int64(math.Float64bits(x)), class: kindFloat}
}

// int128 returns x, an integer of magnitude from 2^63 to 2^127.
func int128(x float64) synopsis.Int128 {
	fraction, exp := math.Frexp(math.Abs(x))
	m, shift := uint64(fraction*0x1p64), exp-64
	v := synopsis.Int128{Lo: m}
	if shift > 0 {
		v = synopsis.Int128{Hi: int64(m >> (64 - shift)), Lo: m << shift}
	} else if shift < 0 {
		v.Lo = m >> -shift
	}
	if x < 0 {
		return v.Neg()
	}
	return v
}

// float returns the double that v looks like, or the nearest to it.
func (v number) float() float64 {
	switch {
	case v.class&looksNeg0 != 0:
		return math.Copysign(0, -1)
	case v.kind() == kindFloat:
		return math.Float64frombits(uint64(v.lo))
	case v.kind() == kindHuge:
		return synopsis.Int128{Hi: v.hi, Lo: uint64(v.lo)}.Float64()
	}
	return float64(v.lo)
}

// put writes v to row r of a column of n rows.
func (v number) put(c *tuple.Column, r, n int) {
	switch {
	case v.kind() == kindNull:
		c.SetNull(r, n)
	case c.Type == tuple.Boolean:
		c.B[r] = v.lo != 0
	case c.Type == tuple.Double, v.kind() == kindFloat, v.class&looksReal != 0:
		putFloat(c, r, n, v.float())
	case v.kind() == kindHuge:
		c.Mix(n)
		c.Tag[r], c.I[r], c.Hi[r] = tuple.TagHuge, v.lo, v.hi
	default:
		putInt(c, r, n, v.lo)
	}
}

// putInt writes v to row r of a numeric or time column of n rows.
func putInt(c *tuple.Column, r, n int, v int64) {
	if c.Rep == tuple.RepFloat {
		if c.Type == tuple.Double {
			c.F[r] = float64(v)
			return
		}
		c.Mix(n)
	}
	c.I[r] = v
	if c.Rep == tuple.RepMixed {
		c.Tag[r] = tuple.TagInt
	}
}

// putFloat writes x to row r of a numeric column of n rows.
func putFloat(c *tuple.Column, r, n int, x float64) {
	if c.Rep == tuple.RepInt {
		if r == 0 {
			c.SetRep(tuple.RepFloat, n)
		} else {
			c.Mix(n)
		}
	}
	c.F[r] = x
	if c.Rep == tuple.RepMixed {
		c.Tag[r] = tuple.TagFloat
	}
}

// numberAt returns row r of a numeric, time or boolean column.
func numberAt(c *tuple.Column, r uint16) number {
	switch {
	case c.Type == tuple.Null || c.Null != nil && c.Null[r]:
		return number{class: kindNull}
	case c.Type == tuple.Boolean:
		if c.B[r] {
			return number{lo: 1}
		}
		return number{}
	case c.Rep == tuple.RepInt:
		return number{lo: c.I[r]}
	case c.Rep == tuple.RepFloat:
		return floatNumber(c.F[r])
	}
	switch c.Tag[r] {
	case tuple.TagInt:
		return number{lo: c.I[r]}
	case tuple.TagFloat:
		return floatNumber(c.F[r])
	}
	return hugeNumber(c.Hi[r], c.I[r])
}

// findNumbers is find for a single column that is not of bytes.
func (t *keyTable) findNumbers(rows keyRows, ids []uint32, scratch *keyScratch) {
	col := rows.cols[0]
	if col.Null == nil && col.Rep == tuple.RepInt && col.Type != tuple.Boolean && col.Type != tuple.Null &&
		!t.scoped && len(t.class) == 0 {
		t.findInts(col.I, rows.sel, ids)
		return
	}
	for i, r := range rows.sel {
		v := numberAt(col, r)
		var scope uint32
		h := v.hash()
		if t.scoped {
			scope = rows.scope[i]
			h = mix(h, uint64(scope))
		}
		ids[i] = t.findNumber(uint32(h), scope, v)
	}
}

// findInts is find where all keys, here and before, are integers and none is NULL.
func (t *keyTable) findInts(values []int64, sel []uint16, ids []uint32) {
	if len(t.slots) == 0 {
		t.grow()
	}
	for i, r := range sel {
		v := values[r]
		h := uint32(mix(uint64(v), 0))
		slots := t.slots
		mask := uint32(len(slots) - 1)
		at := h & mask
		for {
			e := slots[at]
			if e.id == 0 {
				ids[i] = t.addNumber(at, h, 0, number{lo: v})
				break
			}
			if e.hash == h && t.bits[e.id-1] == v {
				ids[i] = e.id - 1
				break
			}
			at = (at + 1) & mask
		}
	}
}

func (t *keyTable) findNumber(hash, scope uint32, v number) uint32 {
	if len(t.slots) == 0 {
		t.grow()
	}
	mask := uint32(len(t.slots) - 1)
	at := hash & mask
	for ; t.slots[at].id != 0; at = (at + 1) & mask {
		id := int(t.slots[at].id - 1)
		if t.slots[at].hash == hash && (!t.scoped || t.scope[id] == scope) && t.number(id).equal(v) {
			return uint32(id)
		}
	}
	return t.addNumber(at, hash, scope, v)
}

// addNumber adds v, whose place in the index is slot at.
func (t *keyTable) addNumber(at, hash, scope uint32, v number) uint32 {
	id := uint32(t.n)
	t.slots[at] = slot{hash, id + 1}
	if v.class != kindInt || len(t.class) > 0 {
		t.class = appendOne(t.classes(), v.class)
	}
	if v.hi != 0 || len(t.high) > 0 {
		t.high = appendOne(extend(t.high, t.n), v.hi)
	}
	t.bits = appendOne(t.bits, v.lo)
	t.added(scope)
	return id
}

// classes returns the classes of all keys, which are not kept while every key is a plain integer.
func (t *keyTable) classes() []uint8 {
	t.class = extend(t.class, t.n)
	return t.class
}

func (t *keyTable) number(id int) number {
	v := number{lo: t.bits[id]}
	if len(t.class) > 0 {
		v.class = t.class[id]
	}
	if len(t.high) > 0 {
		v.hi = t.high[id]
	}
	return v
}
