package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/query/nearest"
)

// maxDepth bounds how deep the parser recurses; maxHeight the tree, whose chains (a + b + c ...) it builds in a loop.
const (
	maxDepth  = 200
	maxHeight = 2000
)

// parser reads tokens by recursive descent. Its first error is kept and makes every later token an atEnd, so that
// the methods need not check for it: they return whatever they have, and the caller of the parser looks at err
// once. Whatever they return then is not nil, and loops end at a token that is not what they look for.
type parser struct {
	src  *Source
	toks []token
	pos  int
	err  *Error

	depth  int   // of the recursion
	height int   // of the highest expression since the enclosing one began
	alias  token // the last alias without AS: perhaps a mistyped keyword
}

func newParser(src *Source) *parser { return &parser{src: src, toks: lex(src)} }

func (p *parser) tok() token { return p.toks[p.pos] }

// ahead returns the nth token after the current one.
func (p *parser) ahead(n int) token { return p.toks[min(p.pos+n, len(p.toks)-1)] }

// prev returns the token before the current one; a token in front of the text if there is none.
func (p *parser) prev() token {
	if p.pos == 0 {
		return token{}
	}
	return p.toks[p.pos-1]
}

// next takes the current token.
func (p *parser) next() token {
	t := p.tok()
	if t.kind != atEnd && t.kind != bad {
		p.pos++
	}
	return t
}

// since returns the span from an offset to the end of the last token taken.
func (p *parser) since(start int) Span { return Span{start, max(start, p.prev().End)} }

// is reports whether the current token is a keyword or symbol.
func (p *parser) is(key string) bool { return p.tok().key == key }

// accept takes the current token if it is a keyword or symbol.
func (p *parser) accept(key string) bool {
	if p.is(key) {
		p.next()
		return true
	}
	return false
}

// expect takes a keyword or symbol or fails.
func (p *parser) expect(key, hint string) bool {
	if p.accept(key) {
		return true
	}
	p.expected(keyName(key), hint)
	return false
}

// keyName returns a keyword as it is, and a symbol in quotes.
func keyName(key string) string {
	if startsWord(rune(key[0])) {
		return key
	}
	return `"` + key + `"`
}

func (p *parser) failed() bool { return p.err != nil }

// fail keeps an error, unless there is one already, and goes to the end. Where the current token could not be read,
// that is the error.
func (p *parser) fail(at Span, hint, format string, args ...any) {
	if t := p.tok(); p.err == nil && t.kind == bad && at.Start >= t.Start {
		p.err = t.err
	}
	if p.err == nil {
		p.err = p.src.Errorf(at, hint, format, args...)
	}
	p.pos = len(p.toks) - 1
}

// expected fails at the current token.
func (p *parser) expected(what, hint string) {
	t := p.tok()
	p.fail(t.Span, hint, "expected %s, found %s", what, p.show(t))
}

const shownRunes = 40

// show returns a token as messages name it.
func (p *parser) show(t token) string {
	switch t.kind {
	case atEnd:
		return "the end of the text"
	case word:
		if reserved[t.key] {
			return t.key
		}
	}
	raw := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, p.src.Slice(t.Span))
	if utf8.RuneCountInString(raw) > shownRunes {
		raw = string([]rune(raw)[:shownRunes]) + "…"
	}
	if t.kind == text || t.kind == quoted {
		return raw
	}
	return `"` + raw + `"`
}

// meant returns the hint that offers the nearest of some words, or else.
func (p *parser) meant(w string, words []string, otherwise string) string {
	if near, ok := nearest.Name(w, words); ok {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// enter begins a level of recursion; every enter is followed by a leave.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok().Span, "", "nested too deeply: more than %d levels", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// grow counts a level of the tree that was built without recursion.
func (p *parser) grow(at Span) {
	p.height++
	if p.height > maxHeight {
		p.fail(at, "a long chain of OR can be an IN list", "the expression is too large: more than %d operators in a row", maxHeight)
	}
}

// stray fails at a token that nothing can be made of. what is the message unless the token tells more.
func (p *parser) stray(hint, format string, args ...any) {
	t, prev, a := p.tok(), p.prev(), p.alias
	if a.kind == word && t.kind != bad && a.End == prev.End {
		if near, ok := nearest.Name(a.val, clauseWords); ok {
			p.fail(a.Span, "did you mean "+near+"?", "%s was read as an alias, and %s cannot follow it", p.show(a), p.show(t))
		}
	}
	switch {
	case t.kind == word && prev.kind == text && prev.End == t.Start:
		hint = "a quote inside a string is doubled: 'it''s'"
	case t.key == "ISNULL":
		hint = "write IS NULL"
	case t.key == "NOTNULL":
		hint = "write IS NOT NULL"
	case t.kind == word && !reserved[t.key]:
		if near, ok := nearest.Name(t.val, clauseWords); ok && near != t.key {
			hint = "did you mean " + near + "?"
		}
	case t.key == "=>":
		hint = "write >= for greater or equal"
	}
	p.fail(t.Span, hint, format, args...)
}

// open takes an opening parenthesis or bracket, for close; it fails with the hint if there is none.
func (p *parser) open(key, hint string) token {
	t := p.tok()
	p.expect(key, hint)
	return t
}

// close takes what closes an opening token.
func (p *parser) close(key string, opening token) {
	if p.accept(key) || p.failed() {
		return
	}
	line, col := p.src.Position(opening.Start)
	t, hint := p.tok(), ""
	switch _, clause := p.clause(); {
	case clause || t.kind == symbol:
	case t.kind != atEnd:
		hint = "is a comma or an operator missing before it?"
	}
	p.stray(hint, "expected %s to close the %s at %d:%d, found %s", keyName(key), keyName(opening.key), line, col, p.show(t))
}

// more takes a comma and reports whether another entry of a list follows it. A comma before what ends the list is an error.
func (p *parser) more() bool {
	comma := p.tok()
	if !p.accept(",") {
		return false
	}
	t := p.tok()
	_, clause := p.clause()
	if t.kind == atEnd || t.key == ")" || t.key == "]" || t.key == ";" || clause && reserved[t.key] {
		p.fail(comma.Span, "remove it, or add what should follow", "comma at the end of a list, before %s", p.show(t))
		return false
	}
	return true
}

// ident reads a name in one piece.
func (p *parser) ident(what string) Ident {
	t := p.tok()
	switch {
	case t.kind == quoted, t.kind == word && !reserved[t.key]:
		p.next()
		return Ident{t.Span, t.val, t.kind == quoted}
	case t.kind == word:
		p.fail(t.Span, quoteHint(t), "expected %s, found %s, which is a reserved word", what, t.key)
	case t.kind == text:
		p.fail(t.Span, `names are quoted with double quotes: `+quote(t.val, '"'), "expected %s, found text %s", what, p.show(t))
	default:
		p.expected(what, "")
	}
	return Ident{Span: t.Span}
}

func quoteHint(t token) string { return "to use it as a name, quote it: " + quote(t.val, '"') }

// str reads text in single quotes.
func (p *parser) str(what, example string) token {
	t := p.tok()
	switch t.kind {
	case text:
		p.next()
	case quoted:
		p.fail(t.Span, "text is written in single quotes: "+quote(t.val, '\''), "expected %s, found the name %s", what, p.show(t))
	case quantity:
		p.fail(t.Span, "quote it: "+quote(t.val, '\''), "expected %s, found %s", what, p.show(t))
	default:
		p.expected(what, "write for example "+example)
	}
	return t
}
