package syntax

import "strings"

// from reads relations with commas and joins between them.
func (p *parser) from() Relation {
	p.enter()
	defer p.leave()
	start := p.tok().Start
	left := p.joined()
	for n := 1; p.more(); n++ {
		right := p.joined()
		left = &Join{Span: p.since(start), Kind: CrossJoin, Left: left, Right: right}
		p.countJoin(n)
	}
	return left
}

const maxJoins = 100

func (p *parser) countJoin(n int) {
	if n > maxJoins {
		p.fail(p.tok().Span, "", "more than %d joins", maxJoins)
	}
}

// joined reads a relation and the joins that follow it.
func (p *parser) joined() Relation {
	start := p.tok().Start
	left := p.relation()
	for n := 1; ; n++ {
		kind, ok := p.joinWords()
		if !ok || p.failed() {
			return left
		}
		p.countJoin(n)
		j := &Join{Kind: kind, Left: left, Right: p.relation()}
		p.joinCondition(j)
		j.Span = p.since(start)
		left = j
	}
}

var joinKinds = map[string]JoinKind{"INNER": InnerJoin, "LEFT": LeftJoin, "RIGHT": RightJoin, "FULL": FullJoin, "CROSS": CrossJoin}

// joinWords takes the words up to and with JOIN.
func (p *parser) joinWords() (JoinKind, bool) {
	if p.accept("JOIN") {
		return InnerJoin, true
	}
	if p.is("NATURAL") {
		p.fail(p.tok().Span, "", "NATURAL JOIN is not supported")
	}
	kind, ok := joinKinds[p.tok().key]
	if !ok {
		return kind, false
	}
	p.next()
	if kind != InnerJoin && kind != CrossJoin {
		p.accept("OUTER")
	}
	p.expect("JOIN", "")
	return kind, true
}

func (p *parser) joinCondition(j *Join) {
	t := p.tok()
	switch {
	case j.Kind == CrossJoin:
		if t.key == "ON" || t.key == "USING" {
			p.fail(t.Span, "write JOIN", "a CROSS JOIN has no condition")
		}
	case p.accept("ON"):
		j.On = p.expr()
	case p.accept("USING"):
		opening := p.open("(", "write USING (column)")
		j.Using = append(j.Using, p.ident("a column"))
		for p.more() {
			j.Using = append(j.Using, p.ident("a column"))
		}
		p.close(")", opening)
	default:
		p.stray("add ON with the condition, or USING (column)", "JOIN without a condition before %s", p.show(t))
	}
}

// relation reads one relation with its alias and sample.
func (p *parser) relation() Relation {
	p.enter()
	defer p.leave()
	t := p.tok()
	switch {
	case t.kind == text:
		p.next()
		return p.tableTail(&Table{Name: Ident{Span: t.Span, Name: t.val}, IsPath: true}, t.Start)
	case t.key == "(":
		return p.parenRelation()
	case t.key == "TABLE" && p.ahead(1).key == "(":
		p.next()
		opening := p.next()
		w := p.window()
		p.close(")", opening)
		return p.windowTail(w, t.Start)
	case (t.kind == word || t.kind == quoted) && p.ahead(1).key == "(" && !reserved[t.key]:
		return p.windowTail(p.window(), t.Start)
	}
	return p.tableTail(&Table{Name: p.tableName()}, t.Start)
}

// tableName reads the name of a stream.
func (p *parser) tableName() Ident {
	p.acceptTable()
	const what = "a stream, a file in single quotes, or stdin"
	t := p.tok()
	if _, clause := p.clause(); clause && t.key != "OFFSET" {
		p.expected(what, "")
	}
	name := p.ident(what)
	if dot := p.tok(); dot.key == "." || dot.key == "/" || dot.key == "-" {
		end := p.pos
		for end < len(p.toks)-1 && p.toks[end].Start == p.toks[end-1].End && p.toks[end].key != ";" && p.toks[end].key != ")" {
			end++
		}
		whole := Span{t.Start, p.toks[end-1].End}
		p.fail(whole, "a file stands in single quotes: "+quote(p.src.Slice(whole), '\''), "unexpected %s in the name of a stream", p.show(dot))
	}
	return name
}

// acceptTable takes the word TABLE where a name follows it.
func (p *parser) acceptTable() {
	if next := p.ahead(1); p.is("TABLE") && (next.kind == quoted || next.kind == word && !reserved[next.key] && !continuing[next.key]) {
		p.next()
	}
}

// parenRelation reads a sub-query, or relations in parentheses.
func (p *parser) parenRelation() Relation {
	opening := p.next()
	if !p.is("SELECT") {
		r := p.from()
		p.close(")", opening)
		return r
	}
	s := &Subquery{Query: p.query()}
	p.close(")", opening)
	s.Alias, s.Sample = p.relationTail()
	s.Span = p.since(opening.Start)
	return s
}

func (p *parser) tableTail(r *Table, start int) Relation {
	r.Alias, r.Sample = p.relationTail()
	r.Span = p.since(start)
	return r
}

func (p *parser) windowTail(r *Window, start int) Relation {
	r.Alias, r.Sample = p.relationTail()
	r.Span = p.since(start)
	return r
}

// relationTail reads an alias and a TABLESAMPLE clause, in either order.
func (p *parser) relationTail() (*Ident, *Sample) {
	alias := p.optionalAlias()
	var sample *Sample
	if p.is("TABLESAMPLE") {
		sample = p.sample()
		if alias == nil {
			alias = p.optionalAlias()
		}
	}
	return alias, sample
}

var windowNames = []string{"tumble", "hop", "session"}

// window reads a window function over a relation.
func (p *parser) window() *Window {
	t := p.tok()
	w := &Window{Func: p.ident("a window function")}
	switch strings.ToLower(w.Func.Name) {
	case "tumble", "hop", "session":
	default:
		hint := "the window functions are tumble and hop"
		if p.ahead(1).kind == text {
			hint = "a file is named alone: FROM " + p.src.Slice(p.ahead(1).Span)
		}
		p.fail(t.Span, p.meant(t.val, windowNames, hint), "unknown function %s in FROM", p.show(t))
	}
	opening := p.open("(", "")
	if p.is(")") || p.ahead(1).key != "=>" {
		w.Input = p.windowInput()
		if p.more() {
			w.Args = p.args()
		}
	} else {
		p.namedInput(w)
	}
	for _, a := range w.Args {
		if a.Name != nil && strings.EqualFold(a.Name.Name, "data") {
			p.fail(a.Span, "", "data is given twice")
		}
	}
	p.close(")", opening)
	if w.Input == nil {
		p.fail(t.Span, "name it first: "+t.val+"(stdin, ...)", "%s has no stream to read", t.val)
	}
	w.Span = p.since(t.Start)
	return w
}

// windowInput reads the relation inside a window function, which has neither alias nor join.
func (p *parser) windowInput() Relation {
	t := p.tok()
	switch {
	case t.kind == text:
		p.next()
		return &Table{Span: t.Span, Name: Ident{Span: t.Span, Name: t.val}, IsPath: true}
	case t.key == "(" && p.ahead(1).key == "SELECT":
		opening := p.next()
		q := p.query()
		p.close(")", opening)
		return &Subquery{Span: p.since(t.Start), Query: q}
	}
	name := p.tableName()
	return &Table{Span: p.since(t.Start), Name: name}
}

// namedInput reads arguments that are all named, one of which is the relation.
func (p *parser) namedInput(w *Window) {
	for {
		if p.is("DATA") && p.ahead(1).key == "=>" {
			t := p.next()
			p.next()
			if w.Input != nil {
				p.fail(t.Span, "", "data is given twice")
			}
			w.Input = p.windowInput()
		} else {
			w.Args = append(w.Args, p.arg())
		}
		if !p.more() {
			return
		}
	}
}

var sampleMethods = map[string]SampleMethod{
	"BERNOULLI": SampleBernoulli, "SYSTEM": SampleSystem, "RESERVOIR": SampleReservoir, "UNIVERSE": SampleUniverse,
}

const (
	methodsHint  = "the methods are BERNOULLI, UNIVERSE, SYSTEM and RESERVOIR"
	universeHint = "write for example TABLESAMPLE UNIVERSE (10 PERCENT) ON (user)"
)

func (p *parser) sample() *Sample {
	s := &Sample{}
	start := p.next().Start
	if t := p.tok(); t.kind == word {
		method, ok := sampleMethods[t.key]
		if !ok {
			p.fail(t.Span, p.meant(t.val, []string{"BERNOULLI", "UNIVERSE", "SYSTEM", "RESERVOIR"}, methodsHint), "unknown sampling method %s", p.show(t))
		}
		s.Method = method
		p.next()
	}
	if opening := p.tok(); p.accept("(") {
		p.sampleAmount(s)
		p.close(")", opening)
	} else {
		p.sampleAmount(s)
	}
	if s.Method == SampleUniverse {
		p.sampleKey(s)
	}
	if p.accept("REPEATABLE") {
		opening := p.open("(", "write REPEATABLE (42)")
		s.Seed = p.rowCount("REPEATABLE")
		p.close(")", opening)
	}
	s.Span = p.since(start)
	return s
}

// sampleKey reads the column that a universe is of.
func (p *parser) sampleKey(s *Sample) {
	p.expect("ON", universeHint)
	opening := p.open("(", universeHint)
	s.Key = p.expr()
	if comma := p.tok(); p.accept(",") {
		p.fail(comma.Span, "", "a universe is of one column")
	}
	p.close(")", opening)
}

// sampleAmount reads 10 PERCENT, 10%, 10 (percent, too) or 1000 ROWS.
func (p *parser) sampleAmount(s *Sample) {
	t := p.tok()
	if t.kind != number {
		p.expected("how much to sample", "write for example TABLESAMPLE BERNOULLI (10 PERCENT)")
		return
	}
	switch n := p.prefix().(type) {
	case *Int:
		s.Amount = float64(n.Value)
	case *Float:
		s.Amount = n.Value
	}
	switch {
	case p.accept("ROWS"):
		s.Rows = true
		if s.Amount != float64(int64(s.Amount)) {
			p.fail(t.Span, "", "a number of rows must be whole")
		}
		return
	case p.accept("%"):
	default:
		p.accept("PERCENT")
	}
	if s.Amount > 100 {
		p.fail(p.since(t.Start), "for a number of rows write ROWS", "a sample is at most 100 percent")
	}
}
