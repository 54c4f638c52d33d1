package syntax

// expr reads an expression up to the first token that cannot belong to it.
func (p *parser) expr() Expr { return p.operand(bindOr) }

// operand reads an expression whose operators bind at least as strongly as bind.
func (p *parser) operand(bind int) Expr {
	p.enter()
	defer p.leave()
	outer := p.height
	p.height = 0
	start := p.tok().Start
	x := p.prefix()
	p.grow(p.tok().Span)
	compared := false
	for !p.failed() {
		p.foreignOperator()
		t := p.tok()
		strength := p.infixBind()
		if strength < bind {
			break
		}
		if strength == bindCompare {
			if compared {
				p.fail(t.Span, "write a < b AND b < c", "comparisons do not chain")
				break
			}
			compared = true
		}
		x = p.infix(x, start, strength)
		p.grow(t.Span)
	}
	p.height = max(p.height, outer)
	return x
}

var binaryOps = map[string]Op{
	"OR": Or, "AND": And, "=": Eq, "==": Eq, "<>": Ne, "!=": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge,
	"||": Concat, "+": Add, "-": Sub, "*": Mul, "/": Div, "//": IntDiv, "%": Mod,
}

// infixBind returns how strongly the current token binds what stands before it; 0 if it ends the expression.
func (p *parser) infixBind() int {
	t := p.tok()
	if op, ok := binaryOps[t.key]; ok {
		return ops[op].bind
	}
	switch t.key {
	case "IS":
		return bindIs
	case "IN", "BETWEEN", "LIKE", "ILIKE":
		return bindMatch
	case "NOT":
		switch p.ahead(1).key {
		case "IN", "BETWEEN", "LIKE", "ILIKE":
			return bindMatch
		}
	case "::", "[", ".":
		return bindPostfix
	}
	return 0
}

// infix reads what follows the operand x, which began at start.
func (p *parser) infix(x Expr, start, strength int) Expr {
	switch strength {
	case bindIs:
		return p.isTest(x, start)
	case bindMatch:
		return p.match(x, start)
	case bindPostfix:
		return p.postfix(x, start)
	}
	t := p.next()
	op := binaryOps[t.key]
	if after := p.tok(); op == Eq && (after.key == "<" || after.key == ">" || after.key == "=") && after.Start == t.End {
		p.fail(Span{t.Start, after.End}, "write <= or >=", "unknown operator %s%s", t.key, after.key)
	}
	r := p.operand(strength + 1)
	return &Binary{Span: p.since(start), Op: op, OpAt: t.Span, L: x, R: r}
}

// isTest reads IS [NOT] NULL, TRUE, FALSE or DISTINCT FROM y.
func (p *parser) isTest(x Expr, start int) Expr {
	p.next()
	not := p.accept("NOT")
	t := p.tok()
	switch {
	case p.accept("NULL"):
		return &IsNull{Span: p.since(start), X: x, Not: not}
	case p.accept("TRUE"), p.accept("FALSE"):
		return &IsDistinct{Span: p.since(start), L: x, R: &Bool{t.Span, t.key == "TRUE"}, Not: !not}
	case p.accept("DISTINCT"):
		p.expect("FROM", "write IS DISTINCT FROM")
		r := p.operand(bindIs + 1)
		return &IsDistinct{Span: p.since(start), L: x, R: r, Not: not}
	}
	hint := "compare with ="
	if not {
		hint = "compare with <>"
	}
	p.expected("NULL, TRUE, FALSE or DISTINCT FROM after IS", hint)
	return x
}

// match reads [NOT] IN, BETWEEN, LIKE or ILIKE.
func (p *parser) match(x Expr, start int) Expr {
	not := p.accept("NOT")
	switch t := p.next(); t.key {
	case "IN":
		return p.in(x, start, not)
	case "BETWEEN":
		b := &Between{X: x, Not: not}
		b.Lo = p.operand(bindMatch + 1)
		p.expect("AND", "write x BETWEEN low AND high")
		b.Hi = p.operand(bindMatch + 1)
		b.Span = p.since(start)
		return b
	default:
		l := &Like{X: x, Not: not, Fold: t.key == "ILIKE"}
		l.Pattern = p.operand(bindMatch + 1)
		if p.accept("ESCAPE") {
			l.Escape = p.operand(bindMatch + 1)
		}
		l.Span = p.since(start)
		return l
	}
}

func (p *parser) in(x Expr, start int, not bool) Expr {
	opening := p.open("(", "write IN (1, 2, 3)")
	if p.is(")") {
		p.fail(p.tok().Span, "write IN (1, 2, 3)", "IN needs at least one value")
	}
	list := p.exprs()
	p.close(")", opening)
	return &In{Span: p.since(start), X: x, List: list, Not: not}
}

// postfix reads x::type, x[key] or x.field.
func (p *parser) postfix(x Expr, start int) Expr {
	switch t := p.next(); t.key {
	case "::":
		of := p.castType(x)
		return &Cast{Span: p.since(start), X: x, Type: of}
	case "[":
		key := p.expr()
		p.close("]", t)
		return &Index{Span: p.since(start), X: x, Key: key}
	}
	name := p.part()
	return &Field{Span: p.since(start), X: x, Name: name}
}

// part reads a name behind a dot, where reserved words are names, too.
func (p *parser) part() Ident {
	t := p.tok()
	if t.kind != word && t.kind != quoted {
		p.expected("a name after the dot", "quote a field whose name is not a word: a.\"0\"")
		return Ident{Span: t.Span}
	}
	p.next()
	return Ident{t.Span, t.val, t.kind == quoted}
}

// prefix reads an expression up to its first infix operator.
func (p *parser) prefix() Expr {
	t := p.tok()
	switch t.kind {
	case text:
		p.next()
		return &String{t.Span, t.val}
	case number:
		p.next()
		return p.number(t.Span, "", t.val)
	case quoted:
		return p.name()
	case word:
		return p.prefixWord()
	case quantity:
		return p.noQuantity(t)
	}
	switch t.key {
	case "(":
		return p.paren()
	case "[":
		return p.list()
	case "-":
		p.next()
		if n := p.tok(); n.kind == number {
			p.next()
			return p.number(p.since(t.Start), "-", n.val)
		}
		x := p.operand(bindSign)
		return &Unary{Span: p.since(t.Start), Op: Neg, X: x}
	case "+":
		p.next()
		return p.operand(bindSign)
	}
	p.noExpression()
	return &Null{t.Span}
}

// prefixWord reads an expression that begins with a word.
func (p *parser) prefixWord() Expr {
	t, next := p.tok(), p.ahead(1)
	switch t.key {
	case "NOT":
		p.next()
		x := p.operand(bindNot)
		return &Unary{Span: p.since(t.Start), Op: Not, X: x}
	case "NULL":
		p.next()
		return &Null{t.Span}
	case "TRUE", "FALSE":
		p.next()
		return &Bool{t.Span, t.key == "TRUE"}
	case "CASE":
		return p.caseOf()
	case "CAST", "TRY_CAST":
		if next.key == "(" {
			return p.cast()
		}
	case "EXTRACT":
		if next.key == "(" {
			return p.extract()
		}
	case "INTERVAL":
		if next.kind == text || next.kind == number || next.kind == quantity || next.key == "-" && p.ahead(2).kind == number {
			return p.interval()
		}
	case "TIMESTAMP", "TIMESTAMPTZ", "DATE":
		if next.kind == text {
			return p.timestamp()
		}
	}
	if (t.key == "INTERVAL" || t.key == "TIMESTAMP") && next.kind == quoted {
		p.next()
		p.str("text after "+t.key, "")
	}
	if reserved[t.key] {
		p.noExpression()
		return &Null{t.Span}
	}
	return p.name()
}

// noExpression fails where an expression should begin.
func (p *parser) noExpression() {
	t, prev := p.tok(), p.prev()
	hint := ""
	switch {
	case t.key == "SELECT":
		if p.pos > 1 && p.toks[p.pos-2].key == "IN" {
			hint = "write the values: x IN (1, 2, 3)"
		}
		p.fail(t.Span, hint, "a query inside an expression is not supported")
	case t.key == ">" && prev.key == "<=":
		hint = "write IS NOT DISTINCT FROM"
	case t.key == "*":
		hint = "* stands alone in a select list, or in count(*)"
	case t.key == "<" && prev.key == "=", t.key == ">" && prev.key == "=":
		hint = "write <= or >="
	case t.kind == word && endsOperand(p.ahead(1)):
		hint = quoteHint(t)
	}
	if p.pos == 0 || prev.kind == atEnd {
		p.expected("an expression", hint)
		return
	}
	p.expected("an expression after "+p.show(prev), hint)
}

// endsOperand reports whether a token can follow a name in an expression: the word before it was meant as one.
func endsOperand(t token) bool {
	_, operator := binaryOps[t.key]
	return operator || reserved[t.key] || t.kind == atEnd || t.key == "," || t.key == ")" || t.key == "]" || t.key == "."
}

func (p *parser) noQuantity(t token) Expr {
	if _, err := ParseDuration(t.val); err == nil {
		p.fail(t.Span, "write INTERVAL "+quote(t.val, '\'')+", or "+quote(t.val, '\'')+" as an argument of a window", "a duration stands in quotes")
	}
	p.fail(t.Span, "a name that begins with a digit is quoted: "+quote(t.val, '"'), "%s is neither a number nor a name", p.show(t))
	return &Null{t.Span}
}

// paren reads an expression in parentheses.
func (p *parser) paren() Expr {
	opening := p.next()
	if p.is(")") {
		p.expected("an expression in the parentheses", "")
	}
	x := p.expr()
	if p.is(",") {
		p.fail(p.tok().Span, "a list is written [1, 2]", "a row of values is not supported")
	}
	p.close(")", opening)
	return x
}

func (p *parser) list() Expr {
	opening := p.next()
	l := &List{}
	if !p.is("]") {
		l.Items = p.exprs()
	}
	p.close("]", opening)
	l.Span = p.since(opening.Start)
	return l
}

// name reads a dotted name or a call.
func (p *parser) name() Expr {
	t := p.tok()
	if p.ahead(1).key == "(" {
		return p.call()
	}
	p.next()
	n := &Name{Parts: []Ident{{t.Span, t.val, t.kind == quoted}}}
	for p.is(".") && !p.failed() {
		dot := p.next()
		if p.is("*") {
			p.fail(Span{dot.Start, p.tok().End}, "", "%s.* stands alone in a select list", t.val)
		}
		n.Parts = append(n.Parts, p.part())
	}
	n.Span = p.since(t.Start)
	if opening := p.tok(); opening.key == "(" && len(n.Parts) > 1 {
		p.fail(n.Span, "", "functions have no dotted names")
	}
	if s := p.tok(); s.kind == text && s.Start == n.End {
		p.fail(Span{t.Start, s.End}, "write the text alone", "unknown kind of text: %s before the quote", t.val)
	}
	return n
}
