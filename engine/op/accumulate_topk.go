package op

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// heavies finds the most frequent values. Values are counted by their text: of numbers, that of the
// equal integer where there is one.
type heavies struct {
	summaries[sketch.TopK, *sketch.TopK]
	scratch *[]byte
}

func (a *heavies) add(in *lane, groups int) {
	a.grow(groups)
	scale, weights := in.sample.stands()
	for i, r := range in.sel {
		var value []byte
		switch c := in.col; {
		case c.Type.Bytes():
			value = c.Str(int(r))
		case c.Type == tuple.Number:
			*a.scratch = numberAt(c, r).appendText((*a.scratch)[:0])
			value = *a.scratch
		default:
			*a.scratch = tuple.AppendValue((*a.scratch)[:0], c, int(r), nil)
			value = *a.scratch
			if string(value) == "-0.0" {
				value = value[1:]
			}
		}
		w := scale
		if weights != nil {
			w *= weights[r]
		}
		a.at(in.ids[i]).Add(value, w)
	}
}

// appendText appends the text that v and its equals have.
func (v number) appendText(dst []byte) []byte {
	switch v.kind() {
	case kindInt:
		return strconv.AppendInt(dst, v.lo, 10)
	case kindHuge:
		return tuple.AppendHuge(dst, v.hi, uint64(v.lo))
	}
	return tuple.AppendFloat(dst, v.float())
}

func (a *heavies) merge(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	for i, s := range from.(*heavies).of {
		if s != nil {
			mustMerge(a.at(to[i]).Merge(s))
		}
	}
}

// appendTop appends a JSON list of the most frequent values, which are of type t.
func appendTop(dst []byte, top []sketch.TopItem, t tuple.Type) []byte {
	dst = append(dst, '[')
	for i := range top {
		item := &top[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"value":`...)
		dst = appendJSON(dst, item.Value, t)
		dst = append(dst, `,"count":`...)
		dst = strconv.AppendInt(dst, int64(item.Count), 10)
		dst = append(dst, `,"lo":`...)
		dst = strconv.AppendInt(dst, int64(item.Low), 10)
		dst = append(dst, `,"hi":`...)
		dst = strconv.AppendInt(dst, int64(item.High), 10)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendJSON appends the JSON value that has the given text and type.
func appendJSON(dst, text []byte, t tuple.Type) []byte {
	switch {
	case t == tuple.Text, t == tuple.Timestamp, t == tuple.Interval:
		return appendQuoted(dst, text)
	case t.Numeric() && (string(text) == "inf" || string(text) == "-inf" || string(text) == "nan"):
		return append(dst, "null"...)
	}
	return append(dst, text...)
}

// appendNumberJSON appends a quantile of type t as a JSON value.
func appendNumberJSON(dst []byte, v sketch.Number, t tuple.Type, zone *time.Location) []byte {
	switch {
	case t == tuple.Timestamp || t == tuple.Interval:
		ns := v.Int
		if !v.IsInt {
			ns = roundInt(v.Value)
		}
		dst = append(dst, '"')
		if t == tuple.Timestamp {
			dst = tuple.AppendTime(dst, ns, zone)
		} else {
			dst = tuple.AppendInterval(dst, ns)
		}
		return append(dst, '"')
	case v.IsInt:
		return strconv.AppendInt(dst, v.Int, 10)
	case v.Value-v.Value != 0:
		return append(dst, "null"...)
	case v.Value == math.Trunc(v.Value) && t == tuple.Bigint:
		return strconv.AppendInt(dst, roundInt(v.Value), 10)
	}
	return tuple.AppendFloat(dst, v.Value)
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends text as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
			continue
		}
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
		i++
	}
	return append(dst, '"')
}
