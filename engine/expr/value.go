package expr

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// ValueAt copies row r of c. A 128-bit integer, which Value has no room for, comes as a Number with
// the nearest double in F and its exact digits in S.
func ValueAt(c *tuple.Column, r int) Value {
	v := Value{Type: c.Type}
	if c.IsNull(r) {
		v.Null = true
		return v
	}
	switch c.Type {
	case tuple.Boolean:
		v.B = c.B[r]
	case tuple.Bigint, tuple.Timestamp, tuple.Interval:
		v.I = c.I[r]
	case tuple.Double:
		v.F = c.F[r]
	case tuple.Number:
		x := numberAt(c, r)
		switch x.tag {
		case tuple.TagInt:
			v.I = x.i
		case tuple.TagFloat:
			v.Float, v.F = true, x.f
		case tuple.TagHuge:
			v.Float, v.F = true, x.float()
			v.S = string(tuple.AppendHuge(nil, x.hi, uint64(x.i)))
		}
	case tuple.Text, tuple.JSON:
		v.S = string(c.Str(r))
	}
	return v
}

// SetValue makes v row r of c, a column of n rows made by Reset with v's type or, for a NULL, any type. A Number column
// turns RepMixed where it must.
func SetValue(c *tuple.Column, r, n int, v Value) {
	if v.Null || c.Type == tuple.Null {
		if c.Type.Bytes() {
			c.Span[r] = tuple.Span{}
		}
		c.SetNull(r, n)
		return
	}
	switch c.Type {
	case tuple.Boolean:
		c.B[r] = v.B
	case tuple.Bigint, tuple.Timestamp, tuple.Interval:
		c.I[r] = v.I
	case tuple.Double:
		c.F[r] = v.F
	case tuple.Number:
		setNumberValue(c, r, n, v)
	case tuple.Text, tuple.JSON:
		c.SetStr(r, []byte(v.S))
	}
}

func setNumberValue(c *tuple.Column, r, n int, v Value) {
	x := numberOf(v)
	if c.Rep == tuple.RepInt && x.tag == tuple.TagInt {
		c.I[r] = x.i
		return
	}
	if c.Rep == tuple.RepFloat && x.tag == tuple.TagFloat {
		c.F[r] = x.f
		return
	}
	c.Mix(n)
	setNumber(c, uint16(r), x)
}

// numberOf returns the number that a numeric value holds.
func numberOf(v Value) number {
	switch {
	case v.Type == tuple.Double, v.Type == tuple.Number && v.Float && v.S == "":
		return double(v.F)
	case v.Type == tuple.Number && v.Float:
		n, ok := new(big.Int).SetString(v.S, 10)
		if !ok {
			return double(v.F)
		}
		var word big.Int
		lo := word.And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		return number{tag: tuple.TagHuge, hi: n.Rsh(n, 64).Int64(), i: int64(lo)}
	}
	return integer(v.I)
}

// String returns the value as SQL would write it.
func (v Value) String() string {
	if v.Null || v.Type == tuple.Null {
		return "NULL"
	}
	switch v.Type {
	case tuple.Boolean:
		return strconv.FormatBool(v.B)
	case tuple.Bigint:
		return strconv.FormatInt(v.I, 10)
	case tuple.Double:
		return string(tuple.AppendFloat(nil, v.F))
	case tuple.Number:
		switch {
		case v.S != "":
			return v.S
		case v.Float:
			return string(tuple.AppendFloat(nil, v.F))
		}
		return strconv.FormatInt(v.I, 10)
	case tuple.Timestamp:
		return "TIMESTAMP '" + string(tuple.AppendTime(nil, v.I, nil)) + "'"
	case tuple.Interval:
		return "INTERVAL '" + string(tuple.AppendInterval(nil, v.I)) + "'"
	}
	return "'" + strings.ReplaceAll(v.S, "'", "''") + "'"
}

// equal reports whether v and w are the same value of the same type, NaN included.
func (v Value) equal(w Value) bool {
	if math.Float64bits(v.F) != math.Float64bits(w.F) {
		return false
	}
	v.F, w.F = 0, 0
	return v == w
}
