package syntax

// createStream reads CREATE STREAM name (column TYPE, ...) WITH (key 'value', ...).
func (p *parser) createStream() Statement {
	c := &CreateStream{}
	start := p.next().Start
	if t := p.tok(); !p.accept("STREAM") {
		hint := "write CREATE STREAM name (column TYPE, ...) WITH (path 'file')"
		if t.kind == word {
			hint = p.meant(t.val, []string{"STREAM"}, hint)
		}
		p.expected("STREAM after CREATE", hint)
	}
	c.Name = p.ident("the stream's name")
	if dot := p.tok(); dot.key == "." {
		p.fail(dot.Span, "quote a name that holds dots", "unexpected . in the name of a stream")
	}
	if opening := p.tok(); p.accept("(") {
		c.Columns = append(c.Columns, p.columnDef())
		for p.more() {
			c.Columns = append(c.Columns, p.columnDef())
		}
		p.close(")", opening)
	}
	if p.accept("WITH") {
		opening := p.open("(", "write WITH (path 'file', time 'ts')")
		c.Options = append(c.Options, p.option())
		for p.more() {
			c.Options = append(c.Options, p.option())
		}
		p.close(")", opening)
	}
	c.Span = p.since(start)
	return c
}

func (p *parser) columnDef() ColumnDef {
	start := p.tok().Start
	if t := p.tok(); t.key == "PRIMARY" || t.key == "WATERMARK" {
		hint := "remove it"
		if t.key == "WATERMARK" {
			hint = "write WITH (time 'ts', lateness '5s')"
		}
		if next := p.ahead(1).key; next == "KEY" || next == "FOR" {
			p.fail(t.Span, hint, "%s %s is not supported", t.key, next)
		}
	}
	d := ColumnDef{Name: &Name{Parts: []Ident{p.ident("a column's name")}}}
	for p.accept(".") {
		d.Name.Parts = append(d.Name.Parts, p.part())
	}
	d.Name.Span = p.since(start)
	if t := p.tok(); t.key == "," || t.key == ")" {
		p.expected("the type of column "+d.Name.String(), "types are BIGINT, DOUBLE, TEXT, BOOLEAN, TIMESTAMP and INTERVAL")
	}
	d.Type = p.typeName()
	d.Span = p.since(start)
	return d
}

// option reads key 'value'; the = that other systems write between them is allowed, and so are single quotes around the key.
func (p *parser) option() Option {
	t := p.tok()
	o := Option{}
	if t.kind == text && t.val != "" {
		p.next()
		o.Key = Ident{Span: t.Span, Name: t.val, Quoted: true}
	} else {
		o.Key = p.ident("an option's name")
	}
	p.accept("=")
	v := p.tok()
	switch {
	case v.kind == text, v.kind == number, v.key == "TRUE", v.key == "FALSE", v.key == "-":
		o.Value = p.prefix()
	case v.kind == word && !reserved[v.key]:
		p.next()
		o.Value = &String{v.Span, v.val}
	default:
		p.str("the value of option "+o.Key.Name, o.Key.Name+" 'value'")
		o.Value = &Null{v.Span}
	}
	switch o.Value.(type) {
	case *String, *Int, *Float, *Bool:
	default:
		p.fail(v.Span, "", "the value of an option is text, a number, TRUE or FALSE")
	}
	o.Span = p.since(t.Start)
	return o
}
