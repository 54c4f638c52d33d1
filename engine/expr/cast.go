package expr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// CanCast returns nil if CAST from one type to the other exists, else an error for users. Single values may still
// fail to convert.
func CanCast(from, to tuple.Type) error {
	switch {
	case from == to, from == tuple.Null, to == tuple.Text:
		return nil
	case from.Bytes() && to != tuple.Null:
		return nil
	case from == tuple.Boolean && to.Numeric(), from.Numeric() && (to.Numeric() || to == tuple.Boolean):
		return nil
	case from.Numeric() && to == tuple.Timestamp:
		return fmt.Errorf("%v does not say its unit as a TIMESTAMP: use to_timestamp(seconds) or epoch_ms(milliseconds)", from)
	case from == tuple.Timestamp && to.Numeric():
		return fmt.Errorf("a TIMESTAMP is a number only in a unit: use epoch(ts), epoch_ms(ts) or epoch_ns(ts)")
	}
	return fmt.Errorf("%v does not convert to %v", from, to)
}

// conversion is CAST and TRY_CAST.
type conversion struct {
	arg     kernel
	typ     tuple.Type
	counted bool
	to      func(c *tuple.Column, r uint16, out *tuple.Column) bool
	out     tuple.Column
	view    tuple.Column // the argument's values under another type
}

func (c *compiler) buildCast(n *Node) (kernel, error) {
	from := n.Args[0].Type
	if err := CanCast(from, n.Type); err != nil {
		return nil, err
	}
	arg, err := c.build(n.Args[0])
	if err != nil || from == n.Type {
		return arg, err
	}
	return &conversion{arg: arg, typ: n.Type, counted: n.Kind == Cast, to: converter(from, n.Type)}, nil
}

func (k *conversion) eval(f *frame, sel []uint16) *tuple.Column {
	a, out := k.arg.eval(f, sel), &k.out
	if !f.begin(out, k.typ, a) {
		return out
	}
	if k.typ == tuple.Number {
		if a.Type.Numeric() {
			k.view = tuple.Column{Type: tuple.Number, Rep: a.Rep, Null: a.Null, I: a.I, F: a.F, Tag: a.Tag, Hi: a.Hi}
			return &k.view
		}
		out.SetRep(tuple.RepMixed, f.n)
	}
	for _, r := range sel {
		if out.IsNull(int(r)) || k.to(a, r, out) {
			continue
		}
		if k.counted {
			f.fail(out, r, cast)
		} else {
			out.SetNull(int(r), f.n)
		}
	}
	return out
}

// converter returns the function that converts one value, or says false.
func converter(from, to tuple.Type) func(*tuple.Column, uint16, *tuple.Column) bool {
	switch {
	case to == tuple.Text:
		return toText
	case from.Bytes():
		return fromText[to]
	case from == tuple.Boolean:
		return fromBoolean
	case to == tuple.Bigint:
		return func(c *tuple.Column, r uint16, out *tuple.Column) (ok bool) {
			out.I[r], ok = integerAt(c, r)
			return ok
		}
	case to == tuple.Boolean:
		return func(c *tuple.Column, r uint16, out *tuple.Column) bool {
			out.B[r] = numberAt(c, int(r)).float() != 0
			return true
		}
	}
	return func(c *tuple.Column, r uint16, out *tuple.Column) bool {
		out.F[r] = numberAt(c, int(r)).float()
		return true
	}
}

func toText(c *tuple.Column, r uint16, out *tuple.Column) bool {
	start := len(out.Buf)
	out.Buf = tuple.AppendValue(out.Buf, c, int(r), nil)
	if len(out.Buf) > math.MaxUint32 {
		out.Buf = out.Buf[:start]
		return false
	}
	out.Span[r] = tuple.Span{Off: uint32(start), Len: uint32(len(out.Buf) - start)}
	return true
}

func fromBoolean(c *tuple.Column, r uint16, out *tuple.Column) bool {
	switch v := int64(bit(c.B[r])); out.Type {
	case tuple.Double:
		out.F[r] = float64(v)
	case tuple.Number:
		setNumber(out, r, integer(v))
	default:
		out.I[r] = v
	}
	return true
}

var fromText = [...]func(*tuple.Column, uint16, *tuple.Column) bool{
	tuple.Boolean: func(c *tuple.Column, r uint16, out *tuple.Column) (ok bool) {
		out.B[r], ok = parseBoolean(bytes.TrimSpace(c.Str(int(r))))
		return ok
	},
	tuple.Bigint: func(c *tuple.Column, r uint16, out *tuple.Column) (ok bool) {
		out.I[r], ok = parseBigint(bytes.TrimSpace(c.Str(int(r))))
		return ok
	},
	tuple.Double: func(c *tuple.Column, r uint16, out *tuple.Column) (ok bool) {
		out.F[r], ok = parseDouble(bytes.TrimSpace(c.Str(int(r))))
		return ok
	},
	tuple.Number: func(c *tuple.Column, r uint16, out *tuple.Column) bool {
		x, ok := parseNumber(bytes.TrimSpace(c.Str(int(r))))
		setNumber(out, r, x)
		return ok
	},
	tuple.Timestamp: func(c *tuple.Column, r uint16, out *tuple.Column) (ok bool) {
		out.I[r], ok = tuple.ParseTime(bytes.TrimSpace(c.Str(int(r))))
		return ok
	},
	tuple.Interval: func(c *tuple.Column, r uint16, out *tuple.Column) (ok bool) {
		out.I[r], ok = ParseInterval(c.Str(int(r)))
		return ok
	},
	tuple.JSON: func(c *tuple.Column, r uint16, out *tuple.Column) bool {
		return json.Valid(c.Str(int(r))) && toText(c, r, out)
	},
}

func parseBoolean(s []byte) (v, ok bool) {
	var word [5]byte
	if len(s) > len(word) {
		return false, false
	}
	for i, c := range s {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		word[i] = c
	}
	switch string(word[:len(s)]) {
	case "true", "t", "yes", "y", "1":
		return true, true
	case "false", "f", "no", "n", "0":
		return false, true
	}
	return false, false
}

// parseDigits reads an integer of decimal digits with an optional sign. ok is false if there is anything else or 64 bits
// do not hold it.
func parseDigits(s []byte) (v int64, ok bool) {
	negative := len(s) > 0 && s[0] == '-'
	if negative || len(s) > 0 && s[0] == '+' {
		s = s[1:]
	}
	if len(s) == 0 {
		return 0, false
	}
	var n uint64
	for _, c := range s {
		c -= '0'
		if c > 9 || n > math.MaxUint64/10-1 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	if negative {
		return int64(-n), n <= 1<<63
	}
	return int64(n), n <= math.MaxInt64
}

// parseBigint reads an integer, or a decimal number that it rounds, halves away from zero.
func parseBigint(s []byte) (int64, bool) {
	if v, ok := parseDigits(s); ok {
		return v, true
	}
	if !isDecimal(s) {
		return 0, false
	}
	if bytes.ContainsAny(s, "eE") {
		f, ok := parseDouble(s)
		f = math.Round(f)
		return int64(f), ok && f >= -two63 && f < two63
	}
	whole, rest, ok := bytes.Cut(s, []byte("."))
	if !ok {
		return 0, false
	}
	v := int64(0)
	if len(bytes.Trim(whole, "+-")) > 0 {
		var ok bool
		if v, ok = parseDigits(whole); !ok {
			return 0, false
		}
	}
	if len(rest) == 0 || rest[0] < '5' {
		return v, true
	}
	if whole = bytes.TrimLeft(whole, "+"); len(whole) > 0 && whole[0] == '-' {
		return v - 1, v != math.MinInt64
	}
	return v + 1, v != math.MaxInt64
}

// parseDouble reads a decimal number, nan, inf or infinity in any case. Numbers too large for a double do not parse.
func parseDouble(s []byte) (float64, bool) {
	if !isDecimal(s) && !isSpecial(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(s), len(s)), 64)
	return f, err == nil
}

// parseNumber reads an exact integer where it can, else a double.
func parseNumber(s []byte) (number, bool) {
	if v, ok := parseDigits(s); ok {
		return integer(v), true
	}
	f, ok := parseDouble(s)
	return double(f), ok
}

// isDecimal reports whether s is a decimal number with optional sign, point and exponent. It keeps from
// strconv what SQL does not take (hexadecimal, underscores) and what would make it allocate an error.
func isDecimal(s []byte) bool {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	digits, point := 0, false
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c-'0' <= 9:
			digits++
		case c == '.' && !point:
			point = true
		case (c == 'e' || c == 'E') && digits > 0:
			_, ok := parseDigits(s[i+1:])
			return ok
		default:
			return false
		}
	}
	return digits > 0
}

func isSpecial(s []byte) bool {
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return bytes.EqualFold(s, []byte("nan")) || bytes.EqualFold(s, []byte("inf")) || bytes.EqualFold(s, []byte("infinity"))
}
