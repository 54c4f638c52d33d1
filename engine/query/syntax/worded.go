package syntax

import "slices"

// worded reads the arguments of a function that SQL writes with words between them, and reports whether it did:
//
//	position(a IN b)                      is strpos(b, a)
//	substring(x FROM n FOR m)             is substring(x, n, m)
//	trim(LEADING|TRAILING|BOTH a FROM x)  is ltrim, rtrim or trim(x, a)
func (p *parser) worded(c *Call) bool {
	if c.Func.Quoted || p.ahead(1).key == "=>" {
		return false
	}
	switch capitals(c.Func.Name) {
	case "POSITION":
		if p.wordAhead("IN") {
			part := p.positional(bindMatch + 1)
			p.expect("IN", "write position(part IN text)")
			c.Func.Name, c.Args = "strpos", []Arg{p.positional(bindOr), part}
			return true
		}
	case "SUBSTRING", "SUBSTR":
		if p.wordAhead("FROM", "FOR") {
			p.substring(c)
			return true
		}
	case "TRIM":
		if p.wordAhead("FROM") {
			p.trim(c)
			return true
		}
	}
	return false
}

// wordAhead reports whether one of some words, and no comma, stands between the arguments that follow.
func (p *parser) wordAhead(words ...string) bool {
	depth, found := 0, false
	for i, t := range p.toks[p.pos:] {
		switch {
		case t.key == "(" || t.key == "[":
			depth++
		case depth == 0 && (t.key == ")" || t.key == "]" || t.key == ";"):
			return found
		case depth == 0 && t.key == ",":
			return false
		case t.key == ")" || t.key == "]":
			depth--
		case depth == 0 && slices.Contains(words, t.key):
			found = found || i == 0 && t.key == "FROM" || i > 0 && p.toks[p.pos+i-1].endsOperand()
		}
	}
	return false
}

// endsOperand reports whether an operand can end with a token.
func (t token) endsOperand() bool {
	switch t.kind {
	case word:
		return !reserved[t.key] || t.key == "END" || t.key == "NULL" || t.key == "TRUE" || t.key == "FALSE"
	case symbol:
		return t.key == ")" || t.key == "]"
	}
	return true
}

// positional reads an argument without a name.
func (p *parser) positional(bind int) Arg {
	start := p.tok().Start
	x := p.operand(bind)
	return Arg{Span: p.since(start), Value: x}
}

func (p *parser) substring(c *Call) {
	c.Args = []Arg{p.positional(bindOr)}
	if p.accept("FROM") {
		c.Args = append(c.Args, p.positional(bindOr))
	} else {
		at := Span{p.tok().Start, p.tok().Start}
		c.Args = append(c.Args, Arg{Span: at, Value: &Int{Span: at, Value: 1}})
	}
	if p.accept("FOR") {
		c.Args = append(c.Args, p.positional(bindOr))
	}
}

func (p *parser) trim(c *Call) {
	if name, ok := map[string]string{"LEADING": "ltrim", "TRAILING": "rtrim", "BOTH": "trim"}[p.tok().key]; ok && p.ahead(1).key != ")" {
		p.next()
		c.Func.Name = name
	}
	if p.accept("FROM") {
		c.Args = []Arg{p.positional(bindOr)}
		return
	}
	letters := p.positional(bindOr)
	p.expect("FROM", "write trim(BOTH letters FROM text)")
	c.Args = []Arg{p.positional(bindOr), letters}
}
