package syntax

// clause is a clause of a query; they stand in this order.
type clause int

const (
	clauseSelect clause = iota
	clauseFrom
	clauseWhere
	clauseGroup
	clauseHaving
	clauseUnion
	clauseOrder
	clauseLimit
	clauseOffset
	clauseEmit
	clauseQoS
)

var clauseNames = [...]string{"SELECT", "FROM", "WHERE", "GROUP BY", "HAVING", "UNION ALL", "ORDER BY", "LIMIT", "OFFSET", "EMIT", "WITH QOS"}

const clauseOrderHint = "the order is SELECT, FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET, EMIT, WITH QOS"

// clause returns the clause that the current token begins.
func (p *parser) clause() (clause, bool) {
	switch p.tok().key {
	case "FROM":
		return clauseFrom, true
	case "WHERE":
		return clauseWhere, true
	case "GROUP":
		return clauseGroup, true
	case "HAVING":
		return clauseHaving, true
	case "UNION":
		return clauseUnion, true
	case "ORDER":
		return clauseOrder, true
	case "LIMIT":
		return clauseLimit, true
	case "OFFSET":
		return clauseOffset, true
	case "EMIT":
		return clauseEmit, true
	case "WITH":
		return clauseQoS, true
	}
	return clauseSelect, false
}

// query reads a query up to the first token that cannot belong to it.
func (p *parser) query() *Query {
	p.enter()
	defer p.leave()
	start := p.tok().Start
	q := &Query{Arms: []*Select{p.selectList(Span{})}}
	last := clauseSelect
	for !p.failed() {
		c, ok := p.clause()
		if !ok {
			p.foreignClause()
			break
		}
		p.inOrder(c, last)
		last = c
		if c == clauseUnion {
			q.Arms = append(q.Arms, p.selectList(p.union()))
			last = clauseSelect
			continue
		}
		p.readClause(q, c)
	}
	q.Span = p.since(start)
	return q
}

// inOrder fails if a clause follows one that it must precede.
func (p *parser) inOrder(c, last clause) {
	t := p.tok()
	switch {
	case c > last:
	case c == clauseLimit && last == clauseOffset:
	case c == last && (c == clauseWhere || c == clauseHaving):
		p.fail(t.Span, "join the conditions with AND", "%s twice", clauseNames[c])
	case c == last:
		p.fail(t.Span, "", "%s twice", clauseNames[c])
	case c == clauseUnion:
		p.fail(t.Span, "ORDER BY and what follows it stand once, after the last SELECT", "UNION ALL must come before %s", clauseNames[last])
	default:
		p.fail(t.Span, clauseOrderHint, "%s must come before %s", clauseNames[c], clauseNames[last])
	}
}

// union takes UNION ALL.
func (p *parser) union() Span {
	start := p.next().Start
	if !p.accept("ALL") {
		p.fail(p.since(start), "", "UNION without ALL is not supported, as it removes duplicates")
	}
	at := p.since(start)
	if p.is("(") {
		p.fail(p.tok().Span, "write UNION ALL SELECT ...", "parentheses around a SELECT of a UNION ALL are not supported")
	}
	return at
}

// selectList reads SELECT and its list; the other clauses of the arm are read by readClause.
func (p *parser) selectList(union Span) *Select {
	s := &Select{Union: union}
	start := p.tok().Start
	p.expect("SELECT", "")
	s.Distinct = p.accept("DISTINCT")
	if s.Distinct && p.is("ON") && p.ahead(1).key == "(" {
		p.fail(p.tok().Span, "use GROUP BY with first(x)", "DISTINCT ON is not supported")
	}
	if t := p.tok(); t.key == "TOP" && p.ahead(1).kind == number {
		p.fail(t.Span, "write LIMIT "+p.ahead(1).val+" at the end", "TOP is not supported")
	}
	if t := p.tok(); t.kind == atEnd || t.key == "FROM" || t.key == ";" || t.key == ")" {
		p.expected("what to select", "write for example SELECT * or SELECT count(*)")
	}
	for {
		s.Items = append(s.Items, p.item())
		if !p.more() {
			break
		}
	}
	s.Span = p.since(start)
	return s
}

func (p *parser) item() Item {
	start := p.tok().Start
	it := Item{}
	if star := p.star(); star != nil {
		it.Expr = star
		p.foreignStar()
		if t := p.tok(); t.key == "AS" {
			p.fail(t.Span, "", "a * cannot have an alias")
		}
	} else {
		it.Expr = p.expr()
		it.Alias = p.optionalAlias()
	}
	it.Span = p.since(start)
	return it
}

// star reads * or t.*, or returns nil.
func (p *parser) star() *Star {
	t := p.tok()
	if p.accept("*") {
		return &Star{Span: t.Span}
	}
	if p.ahead(1).key != "." || p.ahead(2).key != "*" || t.kind != word && t.kind != quoted {
		return nil
	}
	table := p.ident("a name")
	p.next()
	p.next()
	return &Star{p.since(t.Start), &table}
}

// optionalAlias reads [AS] name, or returns nil.
func (p *parser) optionalAlias() *Ident {
	t := p.tok()
	if p.accept("AS") {
		name := p.ident("a name after AS")
		return &name
	}
	if t.kind != quoted && (t.kind != word || reserved[t.key] || continuing[t.key]) {
		return nil
	}
	if p.foreignClause() {
		return nil
	}
	p.alias = t
	name := p.ident("an alias")
	return &name
}

// readClause reads any clause but SELECT and UNION ALL into the query or its last arm.
func (p *parser) readClause(q *Query, c clause) {
	s := q.Arms[len(q.Arms)-1]
	p.foreignGrouping()
	t := p.next()
	if s.From == nil && (c == clauseWhere || c == clauseGroup || c == clauseHaving) {
		p.fail(t.Span, "name the source: FROM stdin, FROM 'file.ndjson'", "%s without FROM", clauseNames[c])
	}
	switch c {
	case clauseFrom:
		s.From = p.from()
	case clauseWhere:
		s.Where = p.expr()
	case clauseGroup:
		p.expect("BY", "write GROUP BY")
		s.GroupBy = p.keys()
	case clauseHaving:
		s.Having = p.expr()
	case clauseOrder:
		p.expect("BY", "write ORDER BY")
		q.OrderBy = p.orderBy()
	case clauseLimit:
		q.Limit = p.rowCount("LIMIT")
		if p.is(",") {
			p.fail(p.tok().Span, "write LIMIT n OFFSET m", "LIMIT takes one number")
		}
	case clauseOffset:
		q.Offset = p.rowCount("OFFSET")
		if !p.accept("ROWS") {
			p.accept("ROW")
		}
	case clauseEmit:
		q.Emit = p.emit(t.Start)
	case clauseQoS:
		q.QoS = p.qosClause(t.Start)
	}
	if c < clauseUnion {
		s.Span = p.since(s.Start)
	}
}

// exprs reads expressions with commas between them; at least one.
func (p *parser) exprs() []Expr {
	list := []Expr{p.expr()}
	for p.more() {
		list = append(list, p.expr())
	}
	return list
}

// keys reads the entries of GROUP BY.
func (p *parser) keys() []Expr {
	var list []Expr
	for {
		p.foreignGrouping()
		list = append(list, p.expr())
		if !p.more() {
			return list
		}
	}
}

func (p *parser) orderBy() []OrderItem {
	var list []OrderItem
	for {
		it := OrderItem{}
		start := p.tok().Start
		it.Expr = p.expr()
		if p.accept("DESC") {
			it.Desc = true
		} else {
			p.accept("ASC")
		}
		if p.accept("NULLS") {
			switch {
			case p.accept("FIRST"):
				it.Nulls = NullsFirst
			case p.accept("LAST"):
				it.Nulls = NullsLast
			default:
				p.expected("FIRST or LAST", "")
			}
		}
		it.Span = p.since(start)
		list = append(list, it)
		if !p.more() {
			return list
		}
	}
}

// rowCount reads the argument of LIMIT or OFFSET.
func (p *parser) rowCount(clause string) *Int {
	t := p.tok()
	if t.kind == number || t.key == "-" {
		if n, ok := p.prefix().(*Int); ok && n.Value >= 0 {
			return n
		}
		p.fail(p.since(t.Start), "", "%s takes a whole number that is not negative", clause)
	}
	p.expected("a whole number after "+clause, "")
	return &Int{}
}

func (p *parser) emit(start int) *Emit {
	e := &Emit{}
	switch {
	case p.accept("FINAL"):
	case p.accept("CHANGES"):
		e.Kind = EmitChanges
	case p.accept("EVERY"):
		e.Kind = EmitEvery
		e.Every = p.period()
	default:
		hint := "write EMIT FINAL"
		if t := p.tok(); t.kind == word {
			hint = p.meant(t.val, []string{"FINAL", "EVERY", "CHANGES"}, hint)
		}
		p.expected("FINAL, EVERY or CHANGES after EMIT", hint)
	}
	e.Span = p.since(start)
	return e
}

// period reads the duration of EMIT EVERY.
func (p *parser) period() Duration {
	t := p.tok()
	var d Duration
	if t.key == "INTERVAL" {
		i, ok := p.prefix().(*Interval)
		if !ok {
			p.fail(p.since(t.Start), "write EMIT EVERY '1s'", "expected a duration after EVERY")
			return d
		}
		d = i.Value
	} else {
		d = p.duration(p.str("a duration in single quotes after EVERY", "'1s'"))
	}
	if d.Nanos() <= 0 {
		p.fail(p.since(t.Start), "", "the period of EMIT EVERY must be greater than zero")
	}
	return d
}

// duration returns the duration that a string or quantity holds.
func (p *parser) duration(t token) Duration {
	d, err := ParseDuration(t.val)
	if err != nil {
		p.fail(t.Span, "", "%s", err)
	}
	return d
}
