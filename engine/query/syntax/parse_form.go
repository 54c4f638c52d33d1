package syntax

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// number returns the literal of a number token, with the sign that stood before it.
func (p *parser) number(at Span, sign, digits string) Expr {
	written := sign + digits
	if n, err := strconv.ParseInt(written, 10, 64); err == nil {
		return &Int{at, n}
	}
	f, err := strconv.ParseFloat(written, 64)
	if errors.Is(err, strconv.ErrRange) || math.IsInf(f, 0) {
		p.fail(at, "", "the number is too large")
	}
	return &Float{at, f, written}
}

// caseOf reads CASE ... END.
func (p *parser) caseOf() Expr {
	opening := p.next()
	c := &Case{}
	if !p.is("WHEN") {
		c.Operand = p.expr()
	}
	if !p.is("WHEN") {
		p.expected("WHEN", "write CASE WHEN condition THEN value ELSE other END")
	}
	for p.is("WHEN") {
		start := p.next().Start
		w := When{Cond: p.expr()}
		p.expect("THEN", "write WHEN condition THEN value")
		w.Then = p.expr()
		w.Span = p.since(start)
		c.Whens = append(c.Whens, w)
	}
	if p.accept("ELSE") {
		c.Else = p.expr()
	}
	if !p.is("END") {
		line, col := p.src.Position(opening.Start)
		p.stray("add END", "expected END of the CASE at %d:%d, found %s", line, col, p.show(p.tok()))
	}
	p.next()
	c.Span = p.since(opening.Start)
	return c
}

// cast reads CAST(x AS type) or TRY_CAST(x AS type).
func (p *parser) cast() Expr {
	t := p.next()
	opening := p.next()
	c := &Cast{Try: t.key == "TRY_CAST"}
	c.X = p.expr()
	p.expect("AS", "write "+t.key+"(x AS type)")
	c.Type = p.castType(c.X)
	p.close(")", opening)
	c.Span = p.since(t.Start)
	return c
}

// extract reads EXTRACT(part FROM x).
func (p *parser) extract() Expr {
	const hint = "write EXTRACT(hour FROM x)"
	t := p.next()
	opening := p.next()
	e := &Extract{}
	if part := p.tok(); part.kind == text && part.val != "" {
		p.next()
		e.Part = Ident{Span: part.Span, Name: part.val}
		if quotable(part.val) {
			e.Part.Quoted = true
		}
	} else {
		e.Part = p.ident("a unit of time")
	}
	p.expect("FROM", hint)
	e.X = p.expr()
	p.close(")", opening)
	e.Span = p.since(t.Start)
	return e
}

// interval reads INTERVAL '1 minute', INTERVAL '1' MINUTE or INTERVAL 1 MINUTE.
func (p *parser) interval() Expr {
	start := p.next().Start
	written := ""
	if p.accept("-") {
		written = "-"
	}
	t := p.next()
	written += t.val
	bare := t.kind == number || t.kind == text && strings.Trim(t.val, " +-.0123456789") == "" && t.val != ""
	if u := p.tok(); bare && u.kind == word && !reserved[u.key] {
		p.next()
		if _, err := durationUnit(u.val); err != nil {
			p.fail(u.Span, "", "%s", err)
		}
		written += " " + u.val
	}
	at := p.since(start)
	d, err := ParseDuration(written)
	if err != nil {
		p.fail(at, "", "%s", err)
	}
	return &Interval{at, d}
}

// timestamp reads TIMESTAMP '...' or DATE '...'.
func (p *parser) timestamp() Expr {
	start := p.next().Start
	t := p.next()
	ns, ok := tuple.ParseTime([]byte(strings.TrimSpace(t.val)))
	if !ok {
		p.fail(t.Span, "write '2024-01-31', '2024-01-31 12:00:00' or '2024-01-31T12:00:00+01:00', between the years 1678 and 2261",
			"%s is not a time", p.show(t))
	}
	return &Timestamp{p.since(start), ns}
}

// call reads a function with its arguments.
func (p *parser) call() Expr {
	start := p.tok().Start
	c := &Call{Func: p.ident("a function")}
	opening := p.next()
	switch {
	case p.is("*"):
		p.next()
		c.Star = true
	case p.worded(c):
	case !p.is(")"):
		c.Distinct = p.accept("DISTINCT")
		if c.Distinct && p.is("*") {
			p.fail(p.tok().Span, "name the column: count(DISTINCT x)", "DISTINCT needs an expression")
		}
		c.Args = p.args()
	}
	if t := p.tok(); t.key == "ORDER" {
		p.fail(t.Span, "", "ORDER BY inside a function is not supported")
	}
	p.close(")", opening)
	p.callTail(c)
	c.Span = p.since(start)
	return c
}

// callTail reads FILTER (WHERE condition), and refuses what else other systems have there.
func (p *parser) callTail(c *Call) {
	t, next := p.tok(), p.ahead(1)
	switch {
	case t.key == "FILTER" && next.key == "(":
		p.next()
		opening := p.next()
		p.expect("WHERE", "write FILTER (WHERE condition)")
		c.Filter = p.expr()
		p.close(")", opening)
	case t.key == "OVER" && (next.key == "(" || next.kind == word):
		p.fail(t.Span, "use a window in FROM or GROUP BY: tumble(ts, '1 minute')", "OVER is not supported")
	case t.key == "WITHIN" && next.key == "GROUP":
		p.fail(t.Span, "write approx_quantile(x, 0.95)", "WITHIN GROUP is not supported")
	}
}

// args reads arguments, positional ones before named ones; at least one.
func (p *parser) args() []Arg {
	list := []Arg{p.arg()}
	for p.more() {
		a := p.arg()
		if a.Name == nil && list[len(list)-1].Name != nil {
			p.fail(a.Span, "name it, or move it to the front", "an argument without a name after one with a name")
		}
		list = append(list, a)
	}
	return list
}

func (p *parser) arg() Arg {
	start := p.tok().Start
	a := Arg{}
	if p.ahead(1).key == "=>" {
		name := p.ident("the argument's name")
		p.next()
		a.Name = &name
	}
	a.Value = p.expr()
	if t := p.tok(); t.key == "=>" {
		p.fail(t.Span, "write >= for greater or equal", "=> stands only between an argument's name and its value")
	}
	a.Span = p.since(start)
	return a
}
