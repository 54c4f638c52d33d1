package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type lexer struct {
	src  *Source
	text string
	pos  int
	toks []token
}

// lex cuts a source into tokens. The last one is atEnd; if the text cannot be cut to its end, a bad token stands before it.
func lex(src *Source) []token {
	l := &lexer{src: src, text: src.Text}
	for l.scan() {
	}
	end := 0
	if n := len(l.toks); n > 0 {
		end = l.toks[n-1].End
	}
	return append(l.toks, token{kind: atEnd, Span: Span{end, end}})
}

func (l *lexer) add(k kind, start int, val, key string) bool {
	l.toks = append(l.toks, token{kind: k, Span: Span{start, l.pos}, val: val, key: key})
	return true
}

func (l *lexer) fail(at Span, hint, format string, args ...any) bool {
	l.toks = append(l.toks, token{kind: bad, Span: at, err: l.src.Errorf(at, hint, format, args...)})
	return false
}

// scan adds the next token and reports whether to go on.
func (l *lexer) scan() bool {
	if !l.skipBlanks() || l.pos == len(l.text) {
		return false
	}
	start := l.pos
	r, size := l.peek()
	switch {
	case r == '\'':
		return l.quotation('\'', text)
	case r == '"':
		return l.quotation('"', quoted)
	case startsWord(r):
		l.skipWord()
		w := l.text[start:l.pos]
		return l.add(word, start, w, capitals(w))
	case isDigit(r), r == '.' && l.digitAt(l.pos+1) && !l.followsName():
		return l.number()
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.text[l.pos:], s) {
			l.pos += len(s)
			return l.add(symbol, start, s, s)
		}
	}
	return l.stray(r, Span{start, start + size})
}

// symbols in the order in which they are tried: none follows its own beginning.
var symbols = []string{
	"<>", "<=", ">=", "!=", "==", "=>", "||", "::", "//", "..",
	"(", ")", "[", "]", ",", ";", ".", "+", "-", "*", "/", "%", "=", "<", ">",
}

func (l *lexer) peek() (r rune, size int) { return utf8.DecodeRuneInString(l.text[l.pos:]) }

func (l *lexer) digitAt(i int) bool { return i < len(l.text) && isDigit(rune(l.text[i])) }

// followsName reports whether a dot here parts names: t.5 is not t followed by 0.5.
func (l *lexer) followsName() bool {
	n := len(l.toks)
	if n == 0 || l.toks[n-1].End != l.pos {
		return false
	}
	t := l.toks[n-1]
	return t.kind == word || t.kind == quoted || t.key == "]" || t.key == ")"
}

// skipBlanks skips white space and comments and reports whether they were well formed.
func (l *lexer) skipBlanks() bool {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		r, size := l.peek()
		switch {
		case unicode.IsSpace(r):
			l.pos += size
		case strings.HasPrefix(rest, "--"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				l.pos += end
			} else {
				l.pos = len(l.text)
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return l.fail(Span{l.pos, l.pos + 2}, "add */ where it ends", "unclosed comment")
			}
			l.pos += end + 4
		default:
			return true
		}
	}
	return true
}

func (l *lexer) skipWord() {
	for l.pos < len(l.text) {
		r, size := l.peek()
		if !insideWord(r) {
			return
		}
		l.pos += size
	}
}

// quotation scans a string or a quoted name; the quote is doubled inside it.
func (l *lexer) quotation(quote byte, k kind) bool {
	start := l.pos
	for i := start + 1; i < len(l.text); i++ {
		if l.text[i] != quote {
			continue
		}
		if i+1 < len(l.text) && l.text[i+1] == quote {
			i++
			continue
		}
		l.pos = i + 1
		body := l.text[start+1 : i]
		if !utf8.ValidString(body) {
			return l.fail(Span{start, l.pos}, "save it as UTF-8", "the text is not valid UTF-8")
		}
		val := strings.ReplaceAll(body, string([]byte{quote, quote}), string(quote))
		if k == quoted && val == "" {
			return l.fail(Span{start, l.pos}, "text is written in single quotes: ''", "a name cannot be empty")
		}
		return l.add(k, start, val, "")
	}
	at := Span{start, start + 1}
	if k == quoted {
		return l.fail(at, `add a closing "`, "unclosed quoted name")
	}
	if n := len(l.toks); n > 1 && l.toks[n-1].End == start && l.toks[n-1].kind == word {
		return l.fail(at, "a quote inside a string is doubled: 'it''s'", "unclosed string")
	}
	return l.fail(at, "add a closing '", "unclosed string")
}

// number scans a number, or one with a unit (500ms, 1h30m), which only QoS takes without quotes.
func (l *lexer) number() bool {
	start := l.pos
	l.skipDigits()
	if strings.HasPrefix(l.text[l.pos:], ".") && !strings.HasPrefix(l.text[l.pos:], "..") {
		l.pos++
		l.skipDigits()
	}
	if rest := l.text[l.pos:]; rest != "" && rest[0]|0x20 == 'e' {
		i := l.pos + 1
		if i < len(l.text) && (l.text[i] == '+' || l.text[i] == '-') {
			i++
		}
		if l.digitAt(i) {
			l.pos = i
			l.skipDigits()
		}
	}
	if r, _ := l.peek(); !insideWord(r) {
		return l.add(number, start, l.text[start:l.pos], "")
	}
	l.skipWord()
	for strings.HasPrefix(l.text[l.pos:], ".") && l.digitAt(l.pos+1) && l.digitAt(l.pos-1) {
		l.pos++
		l.skipWord()
	}
	return l.add(quantity, start, l.text[start:l.pos], "")
}

func (l *lexer) skipDigits() {
	for l.digitAt(l.pos) {
		l.pos++
	}
}

var strayHints = map[rune]string{
	'`': `names are quoted with double quotes: "name"`,
	'‘': "use a plain quote: '", '’': "use a plain quote: '", '´': "use a plain quote: '",
	'“': `use a plain quote: ' around text, " around a name`, '”': `use a plain quote: ' around text, " around a name`,
	'!': "write NOT, or <> for unequal",
	'&': "write AND; there are no operators on bits",
	'|': "write OR, or || to join text; there are no operators on bits",
	'#': "a comment begins with --",
	'@': `quote a name that holds it: "@timestamp"`,
	'^': "write power(x, y)",
	'$': "parameters are not supported; write the value",
	'?': "parameters are not supported; write the value",
	':': "a cast is written x::type",
	'{': "a list is written [1, 2]",
	'}': "a list is written [1, 2]",
	'~': "write LIKE, or regexp_matches(x, pattern)",
	'–': "write a plain minus sign: -", '—': "write a plain minus sign: -", '−': "write a plain minus sign: -",
}

func (l *lexer) stray(r rune, at Span) bool {
	switch {
	case r == utf8.RuneError && at.End-at.Start <= 1:
		return l.fail(at, "save it as UTF-8", "the text is not valid UTF-8")
	case unicode.IsGraphic(r):
		return l.fail(at, strayHints[r], `unexpected character "%c"`, r)
	}
	return l.fail(at, "remove it", "unexpected invisible character %s", fmt.Sprintf("U+%04X", r))
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func startsWord(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func insideWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}
