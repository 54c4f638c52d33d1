package syntax

import "slices"

// adjacent reports whether the current tokens are those symbols without blanks between them, and where they stand.
func (p *parser) adjacent(symbols ...string) (Span, bool) {
	at := p.tok().Span
	for i, s := range symbols {
		t := p.ahead(i)
		if t.key != s || i > 0 && t.Start != at.End {
			return Span{}, false
		}
		at.End = t.End
	}
	return at, true
}

// patternWords are other systems' operators for patterns.
var patternWords = set("REGEXP", "RLIKE", "GLOB", "SIMILAR", "MATCH", "MATCHES")

// foreignOperator fails at an operator of other systems, which would be read as something else.
func (p *parser) foreignOperator() {
	t, next := p.tok(), p.ahead(1)
	if at, ok := p.adjacent("-", ">", ">"); ok {
		p.fail(at, "a field inside a column is written a.b or a['b']", "unknown operator ->>")
	}
	if at, ok := p.adjacent("-", ">"); ok {
		p.fail(at, "a field inside a column is written a.b or a['b']", "unknown operator ->")
	}
	if at, ok := p.adjacent("*", "*"); ok {
		p.fail(at, "write power(x, y)", "unknown operator **")
	}
	like, pattern := t, next
	if t.key == "NOT" {
		like, pattern = next, p.ahead(2)
	}
	switch {
	case patternWords[like.key] && (pattern.kind == text || pattern.key == "TO"):
		p.fail(like.Span, "write LIKE, or regexp_matches(x, pattern)", "%s is not supported", like.key)
	case t.key == "AT" && next.key == "TIME" && p.ahead(2).key == "ZONE":
		p.fail(Span{t.Start, p.ahead(2).End}, "write tumble(ts, '1 day', timezone => 'UTC') or date_trunc('day', ts, 'UTC')", "AT TIME ZONE is not supported")
	case (t.key == "DIV" || t.key == "MOD") && next.kind == number:
		p.fail(t.Span, "write x // y for DIV, and x % y for MOD", "%s is not supported between numbers", t.key)
	case t.key == "COLLATE" && (next.kind == quoted || next.kind == text || next.kind == word && !reserved[next.key]):
		p.fail(t.Span, "text is compared by its bytes: write lower(x) to disregard case", "COLLATE is not supported")
	}
}

// foreignClause fails at a clause of other systems, and reports whether one begins here.
func (p *parser) foreignClause() bool {
	t, next := p.tok(), p.ahead(1)
	switch {
	case t.key == "QUALIFY" && (next.kind == word || next.kind == quoted || next.key == "(") && !reserved[next.key]:
		p.fail(t.Span, "use HAVING for conditions on groups, and ORDER BY with LIMIT for the first rows", "QUALIFY is not supported")
	case t.key == "FETCH" && (next.key == "FIRST" || next.key == "NEXT"):
		p.fail(t.Span, "write LIMIT n", "FETCH is not supported")
	default:
		return false
	}
	return true
}

// foreignStar fails at what other systems let follow a star.
func (p *parser) foreignStar() {
	t, next := p.tok(), p.ahead(1)
	if slices.Contains([]string{"EXCLUDE", "EXCEPT", "REPLACE", "RENAME", "ILIKE", "LIKE"}, t.key) && (next.key == "(" || next.kind == word || next.kind == quoted || next.kind == text) {
		p.fail(t.Span, "name the columns", "* %s is not supported", t.key)
	}
}

// foreignGrouping fails at groupings of other systems, which give several levels of groups at once.
func (p *parser) foreignGrouping() {
	t, next := p.tok(), p.ahead(1)
	what := ""
	switch {
	case t.key == "GROUPING" && next.key == "SETS":
		what = "GROUPING SETS"
	case (t.key == "ROLLUP" || t.key == "CUBE") && next.key == "(":
		what = t.key
	case t.key == "WITH" && (next.key == "ROLLUP" || next.key == "CUBE" || next.key == "TOTALS"):
		what = "WITH " + next.key
	default:
		return
	}
	p.fail(t.Span, "write a query for each of the groupings", "%s is not supported", what)
}

// foreignCasts are types that only values of other systems have, with what to write instead of a cast of x.
var foreignCasts = map[string][2]string{
	"DATE": {"write date_trunc('day', ", ")"},
	"TIME": {"write a difference of times: ts - date_trunc('day', ", ")"},
	"JSON": {"fields inside it are read as ", ".name"}, "STRUCT": {"fields inside it are read as ", ".name"},
}

// castType reads the type that x is cast to.
func (p *parser) castType(x Expr) Type {
	t := p.tok()
	if hint, ok := foreignCasts[t.key]; ok {
		p.fail(t.Span, hint[0]+x.String()+hint[1], "unknown type %s", t.val)
		return Type{Span: t.Span}
	}
	return p.typeName()
}
