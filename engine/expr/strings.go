package expr

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// maxGenerated is the largest text in bytes that repeat, lpad and rpad make of a short one.
const maxGenerated = 1 << 20

var (
	textToText = []overload{takes(yields(tuple.Text), isText)}
	trimWays   = []overload{takes(yields(tuple.Text), isText, isText).optional(1)}
	textTest   = []overload{takes(yields(tuple.Boolean), isText, isText)}
	textInt    = []overload{takes(yields(tuple.Text), isText, isNum)}
	textSize   = []overload{takes(yields(tuple.Bigint), isText)}
)

// isPrintable are the types that || joins as text.
const isPrintable = isText | isNum | isBool | isTime | isInterval

var stringFunctions = []*function{
	{name: "lower", aliases: []string{"lcase"}, ways: textToText, build: byRow(textRow(lowerCase.append))},
	{name: "upper", aliases: []string{"ucase"}, ways: textToText, build: byRow(textRow(upperCase.append))},
	{name: "reverse", ways: textToText, build: byRow(textRow(appendReversed))},
	{
		name: "substr", aliases: []string{"substring"}, build: byRow(substrRow),
		ways: []overload{takes(yields(tuple.Text), isText, isNum, isNum).optional(1)},
	},
	{name: "length", aliases: []string{"char_length", "character_length", "len"}, ways: textSize, build: byRow(lengthRow)},
	{name: "octet_length", aliases: []string{"strlen"}, ways: textSize, build: byRow(octetLengthRow)},
	{name: "trim", aliases: []string{"btrim"}, ways: trimWays, build: byRow(trimRow(true, true))},
	{name: "ltrim", ways: trimWays, build: byRow(trimRow(true, false))},
	{name: "rtrim", ways: trimWays, build: byRow(trimRow(false, true))},
	{name: "||", ways: []overload{takes(yields(tuple.Text), isPrintable, isPrintable).repeated()}, build: byRow(concatRow)},
	{name: "concat", ways: []overload{takes(yields(tuple.Text), isAny).repeated()}, build: buildConcat},
	{name: "concat_ws", ways: []overload{takes(yields(tuple.Text), isText, isAny).repeated()}, build: buildConcatWS},
	{name: "split_part", ways: []overload{takes(yields(tuple.Text), isText, isText, isNum)}, build: byRow(splitPartRow)},
	{name: "replace", ways: []overload{takes(yields(tuple.Text), isText, isText, isText)}, build: byRow(replaceRow)},
	{name: "starts_with", aliases: []string{"prefix"}, ways: textTest, build: buildTextTest(bytes.HasPrefix)},
	{name: "ends_with", aliases: []string{"suffix"}, ways: textTest, build: buildTextTest(bytes.HasSuffix)},
	{name: "contains", ways: textTest, build: buildTextTest(bytes.Contains)},
	{
		name: "strpos", aliases: []string{"position", "instr"}, build: byRow(strposRow),
		ways: []overload{takes(yields(tuple.Bigint), isText, isText)},
	},
	{name: "left", ways: textInt, build: byRow(leftRow)},
	{name: "right", ways: textInt, build: byRow(rightRow)},
	{name: "repeat", ways: textInt, build: byRow(repeatRow)},
	{name: "lpad", ways: []overload{takes(yields(tuple.Text), isText, isNum, isText).optional(1)}, build: byRow(padRow(true))},
	{name: "rpad", ways: []overload{takes(yields(tuple.Text), isText, isNum, isText).optional(1)}, build: byRow(padRow(false))},
}

func lengthRow(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	out.I[r] = int64(utf8.RuneCount(args[0].Str(int(r))))
}

func octetLengthRow(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	out.I[r] = int64(args[0].Span[r].Len)
}

// strposRow is strpos(s, part): the place of part's first character in s, counted from 1; 0 if it is not there.
func strposRow(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	s := args[0].Str(int(r))
	at := bytes.Index(s, args[1].Str(int(r)))
	out.I[r] = int64(utf8.RuneCount(s[:max(at, 0)]) + bit(at >= 0))
}

// textRow makes a rowFunc of a function from text to text.
func textRow(fn func(dst, s []byte) []byte) rowFunc {
	return func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		start := len(out.Buf)
		out.Buf = fn(out.Buf, args[0].Str(int(r)))
		f.endText(out, r, start)
	}
}

func (f *frame) setText(out *tuple.Column, r uint16, s []byte) {
	start := len(out.Buf)
	out.Buf = append(out.Buf, s...)
	f.endText(out, r, start)
}

// letterCase says how append maps letters.
type letterCase struct {
	first byte // the first of the 26 ASCII letters that change
	other func(rune) rune
}

var (
	lowerCase = letterCase{'A', unicode.ToLower}
	upperCase = letterCase{'a', unicode.ToUpper}
)

// append appends s to dst with every letter in the case. Bytes that are not UTF-8 stay.
func (to letterCase) append(dst, s []byte) []byte {
	start := len(dst)
	dst = append(dst, s...)
	copied := dst[start:]
	for i, c := range copied {
		if c >= utf8.RuneSelf {
			return to.appendRunes(dst[:start+i], s[i:])
		}
		if c-to.first < 26 {
			copied[i] = c ^ 'a' ^ 'A'
		}
	}
	return dst
}

// appendRunes is append for text that begins with a character beyond ASCII.
func (to letterCase) appendRunes(dst, s []byte) []byte {
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, s[0])
		case r-rune(to.first) >= 0 && r-rune(to.first) < 26:
			dst = append(dst, byte(r)^'a'^'A')
		case r >= utf8.RuneSelf:
			dst = utf8.AppendRune(dst, to.other(r))
		default:
			dst = append(dst, byte(r))
		}
		s = s[size:]
	}
	return dst
}

func appendReversed(dst, s []byte) []byte {
	for len(s) > 0 {
		_, size := utf8.DecodeLastRune(s)
		dst = append(dst, s[len(s)-size:]...)
		s = s[:len(s)-size]
	}
	return dst
}

// offset returns the byte position of character n of s, or len(s) if there are fewer.
func offset(s []byte, n int64) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	return at
}

// characters returns characters from to to of s, counted from 0, or an empty text.
func characters(s []byte, from, to int64) []byte {
	if to <= from {
		return nil
	}
	s = s[offset(s, from):]
	return s[:offset(s, to-from)]
}

// substrRow is substr(s, start[, length]). Characters count from 1, a negative start from the end; start 0 is the
// place before the first character; a negative length goes backwards, as in DuckDB. Places outside of s count for
// length, and are empty.
func substrRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	const far = 1 << 62 // longer than any text, and the sum of two is an int64
	s := args[0].Str(int(r))
	start, ok := integerAt(args[1], r)
	length := int64(far)
	if ok && len(args) == 3 {
		length, ok = integerAt(args[2], r)
	}
	if !ok {
		f.fail(out, r, domain)
		return
	}
	from := min(max(start, -far), far) - 1
	if start < 0 {
		from += int64(utf8.RuneCount(s)) + 1
	}
	to := from + min(max(length, -far), far)
	f.setText(out, r, characters(s, max(min(from, to), 0), max(from, to)))
}

func leftRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	s := args[0].Str(int(r))
	n, ok := integerAt(args[1], r)
	if !ok {
		f.fail(out, r, domain)
		return
	}
	if n < 0 {
		n = max(n+int64(utf8.RuneCount(s)), 0)
	}
	f.setText(out, r, characters(s, 0, n))
}

func rightRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	s := args[0].Str(int(r))
	n, ok := integerAt(args[1], r)
	if !ok {
		f.fail(out, r, domain)
		return
	}
	count := int64(utf8.RuneCount(s))
	from := count - min(n, count)
	if n < 0 {
		from = min(-max(n, -count), count)
	}
	f.setText(out, r, characters(s, from, count))
}

// trimRow removes spaces, or the characters of the second argument.
func trimRow(front, back bool) rowFunc {
	return func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		s, set := args[0].Str(int(r)), []byte(" ")
		if len(args) == 2 {
			set = args[1].Str(int(r))
		}
		for front && len(s) > 0 {
			_, size := utf8.DecodeRune(s)
			if !bytes.Contains(set, s[:size]) {
				break
			}
			s = s[size:]
		}
		for back && len(s) > 0 {
			_, size := utf8.DecodeLastRune(s)
			if !bytes.Contains(set, s[len(s)-size:]) {
				break
			}
			s = s[:len(s)-size]
		}
		f.setText(out, r, s)
	}
}

func concatRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	start := len(out.Buf)
	for _, a := range args {
		out.Buf = tuple.AppendValue(out.Buf, a, int(r), nil)
	}
	f.endText(out, r, start)
}

// concatenation is concat, which passes over NULLs.
type concatenation struct {
	args []kernel
	cols []*tuple.Column
	out  tuple.Column
}

func buildConcat(c *compiler, n *Node) (kernel, error) {
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &concatenation{args: args, cols: make([]*tuple.Column, len(args))}, nil
}

func (k *concatenation) eval(f *frame, sel []uint16) *tuple.Column {
	for i, a := range k.args {
		k.cols[i] = a.eval(f, sel)
	}
	k.out.Reset(tuple.Text, f.n)
	for _, r := range sel {
		concatRow(f, k.cols, r, &k.out)
	}
	return &k.out
}

// splitPartRow is split_part(s, separator, n): piece n from 1, or from the end for negative n; empty if there is
// none. An empty separator splits between all characters.
func splitPartRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	s, sep := args[0].Str(int(r)), args[1].Str(int(r))
	n, ok := integerAt(args[2], r)
	if !ok {
		f.fail(out, r, domain)
		return
	}
	pieces := int64(utf8.RuneCount(s))
	if len(sep) > 0 {
		pieces = int64(bytes.Count(s, sep)) + 1
	}
	if n < 0 {
		n += pieces + 1
	}
	switch {
	case n < 1 || n > pieces:
		s = nil
	case len(sep) == 0:
		s = characters(s, n-1, n)
	default:
		for ; n > 1; n-- {
			s = s[bytes.Index(s, sep)+len(sep):]
		}
		s, _, _ = bytes.Cut(s, sep)
	}
	f.setText(out, r, s)
}

func replaceRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	s, old, with := args[0].Str(int(r)), args[1].Str(int(r)), args[2].Str(int(r))
	start := len(out.Buf)
	for len(old) > 0 {
		at := bytes.Index(s, old)
		if at < 0 {
			break
		}
		out.Buf = append(append(out.Buf, s[:at]...), with...)
		s = s[at+len(old):]
	}
	out.Buf = append(out.Buf, s...)
	f.endText(out, r, start)
}

func repeatRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	s := args[0].Str(int(r))
	n, ok := integerAt(args[1], r)
	if !ok || n > 0 && int64(len(s)) > maxGenerated/n {
		f.fail(out, r, overflow)
		return
	}
	start := len(out.Buf)
	for ; n > 0; n-- {
		out.Buf = append(out.Buf, s...)
	}
	f.endText(out, r, start)
}

// padRow is lpad and rpad(s, n[, fill]): exactly n characters, cut at the end if s has more; an empty fill adds nothing.
func padRow(front bool) rowFunc {
	return func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		s, fill := args[0].Str(int(r)), []byte(" ")
		n, ok := integerAt(args[1], r)
		if len(args) == 3 {
			fill = args[2].Str(int(r))
		}
		count := int64(utf8.RuneCount(s))
		if !ok || n > count && n > maxGenerated/utf8.UTFMax {
			f.fail(out, r, overflow)
			return
		}
		start := len(out.Buf)
		s = characters(s, 0, n)
		if !front {
			out.Buf = append(out.Buf, s...)
		}
		for need := n - count; need > 0 && len(fill) > 0; {
			piece := characters(fill, 0, need)
			out.Buf = append(out.Buf, piece...)
			need -= int64(utf8.RuneCount(piece))
		}
		if front {
			out.Buf = append(out.Buf, s...)
		}
		f.endText(out, r, start)
	}
}

// buildTextTest makes a condition on a text and a second one, which often is a constant.
func buildTextTest(fn func(s, k []byte) bool) func(*compiler, *Node) (kernel, error) {
	return func(c *compiler, n *Node) (kernel, error) {
		if k, ok := constantText(n.Args[1]); ok {
			return c.textPredicate(n.Args[0], func(s []byte) bool { return fn(s, k) })
		}
		return c.rowwise(n, func(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
			out.B[r] = fn(args[0].Str(int(r)), args[1].Str(int(r)))
		})
	}
}

// constantText returns the text of a constant that is not NULL.
func constantText(n *Node) ([]byte, bool) {
	if n.Kind != Const || n.Value.Null || !n.Type.Bytes() {
		return nil, false
	}
	return []byte(n.Value.S), true
}

func (c *compiler) textPredicate(n *Node, match func([]byte) bool) (kernel, error) {
	arg, err := c.build(n)
	if err != nil {
		return nil, err
	}
	return &textPredicate{arg: arg, match: match, want: true}, nil
}
