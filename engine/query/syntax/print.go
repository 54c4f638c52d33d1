package syntax

import (
	"strconv"
	"strings"
)

// printer collects text in canonical form.
type printer struct{ strings.Builder }

// quote returns s between quotes q, doubling those inside.
func quote(s string, q byte) string {
	one := string([]byte{q})
	return one + strings.ReplaceAll(s, one, one+one) + one
}

func (w *printer) add(parts ...string) {
	for _, s := range parts {
		w.WriteString(s)
	}
}

// when adds text if a condition holds.
func (w *printer) when(condition bool, s string) {
	if condition {
		w.WriteString(s)
	}
}

// list adds n entries with commas between them.
func (w *printer) list(n int, entry func(i int)) {
	for i := range n {
		w.when(i > 0, ", ")
		entry(i)
	}
}

// String prints the statements, each ended by a semicolon and a newline.
func (s *Script) String() string {
	var w printer
	for _, st := range s.Statements {
		w.add(st.String(), ";\n")
	}
	return w.Builder.String()
}

// String prints the name, in quotes if it was or must be quoted.
func (n Ident) String() string {
	if n.Quoted || quotable(n.Name) {
		return quote(n.Name, '"')
	}
	return n.Name
}

// String prints the query.
func (q *Query) String() string {
	var w printer
	for i, s := range q.Arms {
		w.when(i > 0, " UNION ALL ")
		w.add(s.String())
	}
	if len(q.OrderBy) > 0 {
		w.add(" ORDER BY ")
		w.list(len(q.OrderBy), func(i int) { w.add(q.OrderBy[i].String()) })
	}
	if q.Limit != nil {
		w.add(" LIMIT ", q.Limit.String())
	}
	if q.Offset != nil {
		w.add(" OFFSET ", q.Offset.String())
	}
	if q.Emit != nil {
		w.add(" ", q.Emit.String())
	}
	if q.QoS != nil {
		w.add(" WITH QOS (", q.QoS.String(), ")")
	}
	return w.Builder.String()
}

// String prints the arm without the UNION ALL before it.
func (s *Select) String() string {
	var w printer
	w.add("SELECT ")
	w.when(s.Distinct, "DISTINCT ")
	w.list(len(s.Items), func(i int) { w.add(s.Items[i].String()) })
	if s.From != nil {
		w.add(" FROM ", s.From.String())
	}
	if s.Where != nil {
		w.add(" WHERE ", s.Where.String())
	}
	if len(s.GroupBy) > 0 {
		w.add(" GROUP BY ")
		w.list(len(s.GroupBy), func(i int) { w.add(s.GroupBy[i].String()) })
	}
	if s.Having != nil {
		w.add(" HAVING ", s.Having.String())
	}
	return w.Builder.String()
}

// String prints the entry with its alias.
func (it Item) String() string { return it.Expr.String() + alias(it.Alias) }

func alias(name *Ident) string {
	if name == nil {
		return ""
	}
	return " AS " + name.String()
}

// String prints the entry; ascending order and the default place of NULL are not spelt out.
func (o OrderItem) String() string {
	s := o.Expr.String()
	if o.Desc {
		s += " DESC"
	}
	return s + [...]string{"", " NULLS FIRST", " NULLS LAST"}[o.Nulls]
}

// String prints the clause.
func (e *Emit) String() string {
	switch e.Kind {
	case EmitEvery:
		return "EMIT EVERY " + quote(e.Every.String(), '\'')
	case EmitChanges:
		return "EMIT CHANGES"
	}
	return "EMIT FINAL"
}

// String prints the table.
func (t *Table) String() string {
	name := t.Name.String()
	if t.IsPath {
		name = quote(t.Name.Name, '\'')
	}
	return name + relationTail(t.Alias, t.Sample)
}

func relationTail(name *Ident, s *Sample) string {
	if s == nil {
		return alias(name)
	}
	return alias(name) + " " + s.String()
}

// String prints the window function and its arguments.
func (f *Window) String() string {
	var w printer
	w.add(f.Func.String(), "(", f.Input.String())
	for _, a := range f.Args {
		w.add(", ", a.String())
	}
	w.add(")", relationTail(f.Alias, f.Sample))
	return w.Builder.String()
}

// String prints the query in parentheses.
func (q *Subquery) String() string {
	return "(" + q.Query.String() + ")" + relationTail(q.Alias, q.Sample)
}

// String prints the join; a join on the right-hand side stands in parentheses.
func (j *Join) String() string {
	var w printer
	w.add(j.Left.String())
	w.add([...]string{" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ", " CROSS JOIN "}[j.Kind])
	if _, nested := j.Right.(*Join); nested {
		w.add("(", j.Right.String(), ")")
	} else {
		w.add(j.Right.String())
	}
	if j.On != nil {
		w.add(" ON ", j.On.String())
	}
	if len(j.Using) > 0 {
		w.add(" USING (")
		w.list(len(j.Using), func(i int) { w.add(j.Using[i].String()) })
		w.add(")")
	}
	return w.Builder.String()
}

// String prints the clause.
func (s *Sample) String() string {
	var w printer
	w.add("TABLESAMPLE ", [...]string{"", "BERNOULLI ", "SYSTEM ", "RESERVOIR ", "UNIVERSE "}[s.Method])
	w.add("(", strconv.FormatFloat(s.Amount, 'g', -1, 64))
	if s.Rows {
		w.add(" ROWS)")
	} else {
		w.add(" PERCENT)")
	}
	if s.Key != nil {
		w.add(" ON (", s.Key.String(), ")")
	}
	if s.Seed != nil {
		w.add(" REPEATABLE (", s.Seed.String(), ")")
	}
	return w.Builder.String()
}

// String prints the statement.
func (c *CreateStream) String() string {
	var w printer
	w.add("CREATE STREAM ", c.Name.String())
	if len(c.Columns) > 0 {
		w.add(" (")
		w.list(len(c.Columns), func(i int) { w.add(c.Columns[i].String()) })
		w.add(")")
	}
	if len(c.Options) > 0 {
		w.add(" WITH (")
		w.list(len(c.Options), func(i int) { w.add(c.Options[i].String()) })
		w.add(")")
	}
	return w.Builder.String()
}

// String prints the column and its type.
func (c ColumnDef) String() string { return c.Name.String() + " " + c.Type.String() }

// String prints the key and the value.
func (o Option) String() string { return o.Key.String() + " " + o.Value.String() }

// String prints the statement.
func (e *Explain) String() string { return "EXPLAIN " + e.Query.String() }

// String prints the terms without WITH QOS around them.
func (q *QoS) String() string {
	var w printer
	w.list(len(q.Terms), func(i int) { w.add(q.Terms[i].String()) })
	return w.Builder.String()
}

// String prints the term.
func (t QoSTerm) String() string {
	var w printer
	w.add(t.Kind.String())
	if t.Column != nil {
		w.add(" ", t.Column.String())
	}
	if t.Scalar != nil {
		w.add(" ", t.Scalar.String())
	}
	if len(t.Graph) > 0 {
		w.add(" (")
		w.list(len(t.Graph), func(i int) { w.add(t.Graph[i].String()) })
		w.add(")")
	}
	if t.Low != nil {
		w.add(" ", t.Low.String(), "..", t.High.String())
	}
	if t.Bound != BoundUnset {
		w.add(" ", quote(t.Bound.String(), '\''))
	}
	if t.Action != ViolationUnset {
		w.add(" ", t.Action.String())
	}
	return w.Builder.String()
}

// String prints the point.
func (t QoSPoint) String() string {
	s := ""
	if t.X != nil {
		s = t.X.String()
	}
	if t.Range {
		s += ".."
	}
	if t.To != nil {
		s += t.To.String()
	}
	return s + " " + t.Y.String()
}
