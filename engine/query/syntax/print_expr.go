package syntax

import (
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// bindOf returns how strongly an expression holds together when printed.
func bindOf(x Expr) int {
	switch x := x.(type) {
	case *Unary:
		return ops[x.Op].bind
	case *Binary:
		return ops[x.Op].bind
	case *IsNull, *IsDistinct:
		return bindIs
	case *In, *Between, *Like:
		return bindMatch
	}
	return bindPrimary
}

// within prints x, in parentheses if it holds together less strongly than bind.
func within(x Expr, bind int) string {
	if bindOf(x) < bind {
		return "(" + x.String() + ")"
	}
	return x.String()
}

// String prints the dotted name.
func (n *Name) String() string {
	s := n.Parts[0].String()
	for _, part := range n.Parts[1:] {
		s += "." + partString(part)
	}
	return s
}

// partString prints a name behind a dot, where reserved words need no quotes.
func partString(n Ident) string {
	if !n.Quoted && reserved[capitals(n.Name)] {
		return n.Name
	}
	return n.String()
}

// String prints the field after its expression.
func (f *Field) String() string {
	switch f.X.(type) {
	case *Call, *Index, *Field:
		return f.X.String() + "." + partString(f.Name)
	}
	return "(" + f.X.String() + ")." + partString(f.Name)
}

// String prints the key in brackets.
func (x *Index) String() string {
	s := "(" + x.X.String() + ")"
	switch x.X.(type) {
	case *Name, *Call, *Index, *Field:
		s = x.X.String()
	}
	return s + "[" + x.Key.String() + "]"
}

// String prints the star.
func (s *Star) String() string {
	if s.Table != nil {
		return s.Table.String() + ".*"
	}
	return "*"
}

// String prints NULL.
func (*Null) String() string { return "NULL" }

// String prints TRUE or FALSE.
func (b *Bool) String() string { return strings.ToUpper(strconv.FormatBool(b.Value)) }

// String prints the integer.
func (n *Int) String() string { return strconv.FormatInt(n.Value, 10) }

// String prints the number as written.
func (f *Float) String() string { return f.Text }

// String prints the text in single quotes.
func (s *String) String() string { return quote(s.Value, '\'') }

// String prints the literal.
func (i *Interval) String() string { return "INTERVAL " + quote(i.Value.String(), '\'') }

// String prints the literal in UTC.
func (t *Timestamp) String() string {
	return "TIMESTAMP '" + string(tuple.AppendTime(nil, t.Nanos, nil)) + "'"
}

// String prints the list in brackets.
func (l *List) String() string { return "[" + commas(l.Items) + "]" }

func commas(list []Expr) string {
	var w printer
	w.list(len(list), func(i int) { w.add(list[i].String()) })
	return w.Builder.String()
}

// String prints the operator before its operand.
func (u *Unary) String() string {
	if u.Op == Not {
		return "NOT " + within(u.X, bindNot)
	}
	x := within(u.X, bindSign)
	switch first := x[0]; {
	case first == '-', isDigit(rune(first)), first == '.':
		x = "(" + x + ")"
	}
	return "-" + x
}

// String prints the operator between its operands.
func (b *Binary) String() string {
	bind := ops[b.Op].bind
	left := bind
	if b.Op.Comparison() {
		left++
	}
	return within(b.L, left) + " " + b.Op.String() + " " + within(b.R, bind+1)
}

func not(condition bool) string {
	if condition {
		return "NOT "
	}
	return ""
}

// String prints the test.
func (x *IsNull) String() string { return within(x.X, bindIs+1) + " IS " + not(x.Not) + "NULL" }

// String prints the comparison.
func (x *IsDistinct) String() string {
	return within(x.L, bindIs+1) + " IS " + not(x.Not) + "DISTINCT FROM " + within(x.R, bindIs+1)
}

// String prints the test.
func (x *In) String() string {
	return within(x.X, bindMatch+1) + " " + not(x.Not) + "IN (" + commas(x.List) + ")"
}

// String prints the test.
func (x *Between) String() string {
	return within(x.X, bindMatch+1) + " " + not(x.Not) + "BETWEEN " + within(x.Lo, bindMatch+1) + " AND " + within(x.Hi, bindMatch+1)
}

// String prints the test.
func (x *Like) String() string {
	word := "LIKE "
	if x.Fold {
		word = "ILIKE "
	}
	s := within(x.X, bindMatch+1) + " " + not(x.Not) + word + within(x.Pattern, bindMatch+1)
	if x.Escape != nil {
		s += " ESCAPE " + within(x.Escape, bindMatch+1)
	}
	return s
}

// String prints the form.
func (c *Case) String() string {
	var w printer
	w.add("CASE")
	if c.Operand != nil {
		w.add(" ", c.Operand.String())
	}
	for _, branch := range c.Whens {
		w.add(" ", branch.String())
	}
	if c.Else != nil {
		w.add(" ELSE ", c.Else.String())
	}
	w.add(" END")
	return w.Builder.String()
}

// String prints the branch.
func (b When) String() string { return "WHEN " + b.Cond.String() + " THEN " + b.Then.String() }

// String prints the form.
func (c *Cast) String() string {
	word := "CAST("
	if c.Try {
		word = "TRY_CAST("
	}
	return word + c.X.String() + " AS " + c.Type.String() + ")"
}

// String prints the form.
func (e *Extract) String() string {
	return "EXTRACT(" + e.Part.String() + " FROM " + e.X.String() + ")"
}

// String prints the call.
func (c *Call) String() string {
	var w printer
	w.add(c.Func.String(), "(")
	w.when(c.Star, "*")
	w.when(c.Distinct, "DISTINCT ")
	alone := len(c.Args) == 1 && c.Args[0].Name == nil && !c.Func.Quoted && capitals(c.Func.Name) == "POSITION" // else IN might part two arguments
	w.when(alone, "(")
	w.list(len(c.Args), func(i int) { w.add(c.Args[i].String()) })
	w.when(alone, ")")
	w.add(")")
	if c.Filter != nil {
		w.add(" FILTER (WHERE ", c.Filter.String(), ")")
	}
	return w.Builder.String()
}

// String prints the argument with its name.
func (a Arg) String() string {
	if a.Name != nil {
		return a.Name.String() + " => " + a.Value.String()
	}
	return a.Value.String()
}

// String prints the type's SQL name.
func (t Type) String() string { return t.Of.String() }
