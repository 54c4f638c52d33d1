package expr

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var likeWays = []overload{takes(yields(tuple.Boolean), isText, isText, isText).optional(1)}

var patternFunctions = []*function{
	{name: "like", ways: likeWays, check: checkLike, build: buildLike},
	{name: "ilike", ways: likeWays, check: checkLike, build: buildLike},
	{
		name: "regexp_matches", aliases: []string{"regexp_like"}, check: checkRegexp(2), build: buildRegexpMatches,
		ways: regexpWays(tuple.Boolean, isText),
	},
	{name: "regexp_full_match", ways: regexpWays(tuple.Boolean, isText), check: checkRegexp(2), build: buildRegexpMatches},
	{name: "regexp_extract", ways: regexpWays(tuple.Text, isNum, isText), check: checkRegexp(3), build: buildRegexpExtract},
	{
		name: "regexp_replace", check: checkRegexp(3), build: buildRegexpReplace,
		ways: []overload{takes(yields(tuple.Text), isText, isText, isText, isText).optional(1)},
	},
}

// likePattern is a LIKE pattern ready to match: pieces between the % signs.
type likePattern struct {
	pieces   []likePiece
	anyFirst bool // begins with %
	anyLast  bool // ends with %
	fold     bool // ILIKE: pieces are lower case and so must be the text
	scratch  []byte
}

// likePiece is literal text and _ signs.
type likePiece struct {
	text []byte // what must stand there; for _ a zero byte, marked in any
	any  []bool // nil: no _ in the piece
}

// errEscape is what a pattern that ends inside an escape is refused with.
var errEscape = errors.New("the LIKE pattern ends with its escape character")

// compileLike reads a pattern. escape is the escape character, or -1.
func compileLike(pattern []byte, escape rune, fold bool) (*likePattern, error) {
	p := &likePattern{fold: fold}
	var piece likePiece
	flush := func() {
		if len(piece.text) > 0 {
			p.pieces = append(p.pieces, piece)
		}
		piece = likePiece{}
	}
	for i := 0; i < len(pattern); {
		r, size := utf8.DecodeRune(pattern[i:])
		literal := pattern[i : i+size]
		i += size
		switch {
		case r == escape && escape >= 0 && (size > 1 || r != utf8.RuneError):
			if i == len(pattern) {
				return nil, errEscape
			}
			_, size = utf8.DecodeRune(pattern[i:])
			literal = pattern[i : i+size]
			i += size
		case r == '%':
			p.anyFirst = p.anyFirst || len(p.pieces) == 0 && len(piece.text) == 0
			flush()
			p.anyLast = true
			continue
		case r == '_':
			p.anyLast = false
			piece.addAny()
			continue
		}
		p.anyLast = false
		if fold {
			literal = lowerCase.append(nil, literal)
		}
		piece.add(literal)
	}
	flush()
	return p, nil
}

func (p *likePiece) add(literal []byte) {
	p.text = append(p.text, literal...)
	if p.any != nil {
		p.any = append(p.any, make([]bool, len(literal))...)
	}
}

func (p *likePiece) addAny() {
	if p.any == nil {
		p.any = make([]bool, len(p.text))
	}
	p.text = append(p.text, 0)
	p.any = append(p.any, true)
}

// match reports whether s matches the whole pattern.
func (p *likePattern) match(s []byte) bool {
	if p.fold {
		p.scratch = lowerCase.append(p.scratch[:0], s)
		s = p.scratch
	}
	pieces := p.pieces
	if len(pieces) == 0 {
		return p.anyLast || len(s) == 0
	}
	if !p.anyFirst {
		n := pieces[0].at(s)
		if n < 0 {
			return false
		}
		s, pieces = s[n:], pieces[1:]
		if len(pieces) == 0 {
			return p.anyLast || len(s) == 0
		}
	}
	if !p.anyLast {
		n := pieces[len(pieces)-1].ends(s)
		if n < 0 {
			return false
		}
		s, pieces = s[:n], pieces[:len(pieces)-1]
	}
	for i := range pieces {
		end := pieces[i].find(s)
		if end < 0 {
			return false
		}
		s = s[end:]
	}
	return true
}

// at returns how many bytes of s the piece takes at its beginning, or -1.
func (p *likePiece) at(s []byte) int {
	if p.any == nil {
		if !bytes.HasPrefix(s, p.text) {
			return -1
		}
		return len(p.text)
	}
	i := 0
	for j, c := range p.text {
		switch {
		case i == len(s):
			return -1
		case p.any[j]:
			_, size := utf8.DecodeRune(s[i:])
			i += size
		case s[i] != c:
			return -1
		default:
			i++
		}
	}
	return i
}

// find returns the end of the first place in s where the piece stands, or -1.
func (p *likePiece) find(s []byte) int {
	if p.any == nil {
		i := bytes.Index(s, p.text)
		if i < 0 {
			return -1
		}
		return i + len(p.text)
	}
	for i := 0; ; {
		if n := p.at(s[i:]); n >= 0 {
			return i + n
		}
		if i == len(s) {
			return -1
		}
		_, size := utf8.DecodeRune(s[i:])
		i += size
	}
}

// ends returns where the piece begins that stands at the end of s, or -1.
func (p *likePiece) ends(s []byte) int {
	if p.any == nil {
		if !bytes.HasSuffix(s, p.text) {
			return -1
		}
		return len(s) - len(p.text)
	}
	for i := 0; i <= len(s); {
		if n := p.at(s[i:]); n >= 0 && i+n == len(s) {
			return i
		}
		_, size := utf8.DecodeRune(s[i:])
		i += max(size, 1)
	}
	return -1
}

// escapeOf returns the escape character of a LIKE's third argument.
func escapeOf(s []byte) (rune, error) {
	if len(s) == 0 {
		return -1, nil
	}
	r, size := utf8.DecodeRune(s)
	if size != len(s) {
		return -1, fmt.Errorf("ESCAPE takes one character, not '%s'", s)
	}
	return r, nil
}

func checkLike(args []*Node) error {
	escape := rune(-1)
	if len(args) == 3 {
		s, ok := constantText(args[2])
		if !ok {
			return errors.New("ESCAPE takes a literal")
		}
		var err error
		if escape, err = escapeOf(s); err != nil {
			return err
		}
	}
	if pattern, ok := constantText(args[1]); ok {
		_, err := compileLike(pattern, escape, false)
		return err
	}
	return nil
}

func buildLike(c *compiler, n *Node) (kernel, error) {
	fold := n.Name == "ilike"
	escape := rune(-1)
	if len(n.Args) == 3 {
		s, _ := constantText(n.Args[2])
		escape, _ = escapeOf(s)
	}
	if pattern, ok := constantText(n.Args[1]); ok {
		p, err := compileLike(pattern, escape, fold)
		if err != nil {
			return nil, err
		}
		return c.textPredicate(n.Args[0], p.matcher())
	}
	var last []byte
	var p *likePattern
	var bad error
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		pattern := args[1].Str(int(r))
		if p == nil && bad == nil || !bytes.Equal(pattern, last) {
			last = append(last[:0], pattern...)
			p, bad = compileLike(last, escape, fold)
		}
		if bad != nil {
			f.fail(out, r, domain)
			return
		}
		out.B[r] = p.match(args[0].Str(int(r)))
	})
}

// matcher returns match, or something simpler for simple patterns.
func (p *likePattern) matcher() func([]byte) bool {
	if p.fold || len(p.pieces) != 1 || p.pieces[0].any != nil {
		return p.match
	}
	text := p.pieces[0].text
	switch {
	case p.anyFirst && p.anyLast:
		return func(s []byte) bool { return bytes.Contains(s, text) }
	case p.anyFirst:
		return func(s []byte) bool { return bytes.HasSuffix(s, text) }
	case p.anyLast:
		return func(s []byte) bool { return bytes.HasPrefix(s, text) }
	}
	return func(s []byte) bool { return string(s) == string(text) }
}
