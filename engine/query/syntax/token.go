package syntax

type kind uint8

const (
	atEnd    kind = iota
	bad           // the lexer could not go on; token.err says why
	word          // a keyword or an unquoted name
	quoted        // "a name"
	text          // 'a string'
	number        // 12, 1.5, 1e-3
	quantity      // a number with a unit, unquoted: 500ms
	symbol
)

// token is a piece of the text. An atEnd token stands right behind the last piece, not behind the blanks that follow.
type token struct {
	kind kind
	Span
	val string // a word or number as written; a name or string without its quotes
	key string // a word in capitals (ASCII only), or a symbol: what the parser compares
	err *Error
}

// reserved words are never names unless quoted: each could also go on with, or end, the expression before it.
var reserved = set("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "JOIN", "AND", "OR", "NOT", "IN", "IS", "NULL", "LIKE",
	"ILIKE", "BETWEEN", "CASE", "WHEN", "THEN", "ELSE", "END", "AS", "DISTINCT", "TRUE", "FALSE", "EMIT", "WITH")

// continuing words may be names, but not an alias without AS: after an expression or a relation they mean something else.
var continuing = set("ON", "USING", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "ASC", "DESC", "NULLS", "OFFSET", "TABLESAMPLE",
	"REPEATABLE", "BY", "ESCAPE", "EXCEPT", "INTERSECT", "OVER", "FILTER")

// clauseWords are offered for a mistyped word where a clause or the rest of an expression could stand.
var clauseWords = []string{
	"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "EMIT", "UNION", "WITH", "JOIN", "TABLESAMPLE",
	"AND", "OR", "LIKE", "ILIKE", "BETWEEN", "IN", "IS", "AS", "DESC", "ASC",
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// capitals returns a word in capitals, ASCII letters only: Unicode's case rules would make keywords of foreign letters.
func capitals(w string) string {
	b := []byte(w)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// quotable reports whether an unquoted name must be quoted to be read as one.
func quotable(name string) bool {
	if name == "" || reserved[capitals(name)] {
		return true
	}
	for i, r := range name {
		if i == 0 && !startsWord(r) || !insideWord(r) {
			return true
		}
	}
	return false
}
