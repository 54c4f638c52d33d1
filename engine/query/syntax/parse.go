package syntax

// Parse reads a text of statements with semicolons between them. A text without any statement is an error. The
// error is an *Error.
func Parse(src *Source) (*Script, error) {
	p := newParser(src)
	s := &Script{Source: src}
	for {
		for p.accept(";") {
		}
		if t := p.tok(); t.kind == atEnd {
			break
		}
		s.Statements = append(s.Statements, p.statement())
		p.endStatement()
	}
	if !p.failed() && len(s.Statements) == 0 {
		p.fail(Span{}, "write for example SELECT count(*) FROM stdin", "the text holds no statement")
	}
	if p.failed() {
		return nil, p.err
	}
	return s, nil
}

// ParseExpr reads a text that is one expression. The error is an *Error.
func ParseExpr(src *Source) (Expr, error) {
	p := newParser(src)
	x := p.expr()
	if !p.failed() && p.tok().kind != atEnd {
		p.stray("", "unexpected %s after the expression", p.show(p.tok()))
	}
	if p.failed() {
		return nil, p.err
	}
	return x, nil
}

// ParseQoS reads what stands between the parentheses of WITH QOS (...), or the whole clause. The error is an *Error.
func ParseQoS(src *Source) (*QoS, error) {
	p := newParser(src)
	var q *QoS
	if with := p.tok(); p.accept("WITH") {
		q = p.qosClause(with.Start)
	} else {
		q = p.qosTerms()
	}
	if !p.failed() && p.tok().kind != atEnd {
		p.stray("requirements are separated by commas", "unexpected %s", p.show(p.tok()))
	}
	if p.failed() {
		return nil, p.err
	}
	return q, nil
}

var statementWords = []string{"SELECT", "CREATE", "EXPLAIN"}

func (p *parser) statement() Statement {
	t := p.tok()
	switch t.key {
	case "SELECT":
		return p.query()
	case "CREATE":
		return p.createStream()
	case "EXPLAIN":
		p.next()
		q := p.query()
		return &Explain{p.since(t.Start), q}
	}
	hint := ""
	switch {
	case t.key == "WITH":
		hint = "queries with names are not supported: write one SELECT"
	case t.key == "FROM":
		hint = "begin with SELECT * FROM"
	case t.key == "(":
		hint = "a statement does not stand in parentheses"
	case t.key == "INSERT" || t.key == "UPDATE" || t.key == "DELETE":
		hint = "streams are read only: the statements are SELECT, CREATE STREAM and EXPLAIN"
	case t.kind == word:
		hint = p.meant(t.val, statementWords, "statements begin with SELECT, CREATE STREAM or EXPLAIN")
	}
	p.expected("a statement", hint)
	return &Query{}
}

// endStatement checks that a statement ends where it was read to.
func (p *parser) endStatement() {
	t := p.tok()
	switch {
	case t.kind == atEnd || t.key == ";":
	case t.key == ")":
		p.fail(t.Span, "remove it, or add the ( that it closes", "unmatched )")
	case t.key == "SELECT" || t.key == "CREATE":
		p.fail(t.Span, "statements are separated by semicolons", "unexpected %s", t.key)
	case t.key == ",":
		p.stray("", "unexpected comma")
	case t.key == "EXCEPT" || t.key == "INTERSECT":
		p.fail(t.Span, "", "%s is not supported", t.key)
	case t.kind == word || t.kind == quoted || t.kind == text || t.kind == number || t.kind == quantity:
		p.stray("is a comma, an operator or a keyword missing before it?", "unexpected %s", p.show(t))
	default:
		p.stray("", "unexpected %s", p.show(t))
	}
}
