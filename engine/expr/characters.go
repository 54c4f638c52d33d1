package expr

import (
	"math"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var characterFunctions = []*function{
	{name: "chr", ways: []overload{takes(yields(tuple.Text), isNum)}, build: byRow(chrRow)},
	{name: "ascii", ways: textSize, build: byRow(asciiRow)},
	{name: "url_decode", ways: textToText, build: byRow(urlDecodeRow)},
}

// chrRow is chr(n): the character of a Unicode code point.
func chrRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	n, ok := integerAt(args[0], r)
	if !ok || n < 0 || n > math.MaxInt32 || !utf8.ValidRune(rune(n)) {
		f.fail(out, r, domain)
		return
	}
	start := len(out.Buf)
	out.Buf = utf8.AppendRune(out.Buf, rune(n))
	f.endText(out, r, start)
}

// asciiRow is ascii(s): the code point of the first character, beyond ASCII too; 0 if there is none.
func asciiRow(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	out.I[r] = 0
	if s := args[0].Str(int(r)); len(s) > 0 {
		c, _ := utf8.DecodeRune(s)
		out.I[r] = int64(c)
	}
}

// urlDecodeRow is url_decode(s): bytes for their %xx. A percent sign before anything else stays, as does a plus sign. What is
// not UTF-8 then does not convert.
func urlDecodeRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	s := args[0].Str(int(r))
	start := len(out.Buf)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) {
			high, low := hexDigit(s[i+1]), hexDigit(s[i+2])
			if high|low < 16 {
				c = high<<4 | low
				i += 2
			}
		}
		out.Buf = append(out.Buf, c)
	}
	if !utf8.Valid(out.Buf[start:]) {
		out.Buf = out.Buf[:start]
		f.fail(out, r, cast)
		return
	}
	f.endText(out, r, start)
}

// hexDigit returns the value of a hexadecimal digit, or 255.
func hexDigit(c byte) byte {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return math.MaxUint8
}

// joining is concat_ws: its arguments after the first, which parts them, that are not NULL.
type joining struct {
	separator kernel
	args      []kernel
	cols      []*tuple.Column
	out       tuple.Column
}

func buildConcatWS(c *compiler, n *Node) (kernel, error) {
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &joining{separator: args[0], args: args[1:], cols: make([]*tuple.Column, len(args)-1)}, nil
}

func (k *joining) eval(f *frame, sel []uint16) *tuple.Column {
	separator := k.separator.eval(f, sel)
	for i, a := range k.args {
		k.cols[i] = a.eval(f, sel)
	}
	if !f.begin(&k.out, tuple.Text, separator) {
		return &k.out
	}
	for _, r := range sel {
		if !k.out.IsNull(int(r)) {
			k.join(f, separator.Str(int(r)), r)
		}
	}
	return &k.out
}

func (k *joining) join(f *frame, separator []byte, r uint16) {
	start, first := len(k.out.Buf), true
	for _, c := range k.cols {
		if c.IsNull(int(r)) {
			continue
		}
		if !first {
			k.out.Buf = append(k.out.Buf, separator...)
		}
		k.out.Buf = tuple.AppendValue(k.out.Buf, c, int(r), nil)
		first = false
	}
	f.endText(&k.out, r, start)
}
