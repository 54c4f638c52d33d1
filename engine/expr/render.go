package expr

import (
	"fmt"
	"strings"
)

// Binding strengths of SQL operators, loosest first.
const (
	bindsOr = iota + 1
	bindsAnd
	bindsNot
	bindsCompare
	bindsConcat
	bindsSum
	bindsProduct
	bindsSign
	bindsTight
)

var binds = map[string]int{
	"or": bindsOr, "and": bindsAnd, "not": bindsNot,
	"=": bindsCompare, "<>": bindsCompare, "<": bindsCompare, "<=": bindsCompare, ">": bindsCompare, ">=": bindsCompare,
	"is null": bindsCompare, "is not null": bindsCompare, "like": bindsCompare, "ilike": bindsCompare,
	"is distinct from": bindsCompare, "is not distinct from": bindsCompare,
	"||": bindsConcat, "+": bindsSum, "-": bindsSum, "*": bindsProduct, "/": bindsProduct, "//": bindsProduct, "%": bindsProduct,
	"neg": bindsSign,
}

// String returns n as SQL. Columns print as their Text, or as #3 when they have none.
func (n *Node) String() string {
	var b strings.Builder
	write(&b, n, 0)
	return b.String()
}

// write appends n, in parentheses if it binds more loosely than its surroundings ask for.
func write(b *strings.Builder, n *Node, outer int) {
	switch n.Kind {
	case Col:
		if n.Text == "" {
			fmt.Fprintf(b, "#%d", n.Index)
			return
		}
		b.WriteString(n.Text)
	case Const:
		b.WriteString(n.Value.String())
	case Call:
		if strength, ok := binds[n.Name]; ok {
			writeParenthesised(b, strength < outer, func() { writeOperator(b, n, strength) })
			return
		}
		b.WriteString(n.Name)
		writeList(b, n.Args)
	case Cast, TryCast:
		b.WriteString(map[Kind]string{Cast: "CAST(", TryCast: "TRY_CAST("}[n.Kind])
		write(b, n.Args[0], 0)
		fmt.Fprintf(b, " AS %v)", n.Type)
	case In:
		writeParenthesised(b, bindsCompare < outer, func() {
			write(b, n.Args[0], bindsConcat)
			b.WriteString(" IN ")
			writeList(b, n.Args[1:])
		})
	case Case:
		writeCase(b, n)
	}
}

func writeParenthesised(b *strings.Builder, needed bool, body func()) {
	if needed {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	body()
}

func writeOperator(b *strings.Builder, n *Node, strength int) {
	switch n.Name {
	case "not":
		b.WriteString("NOT ")
		write(b, n.Args[0], strength)
		return
	case "neg":
		b.WriteByte('-')
		write(b, n.Args[0], bindsTight)
		return
	case "is null", "is not null":
		write(b, n.Args[0], strength+1)
		b.WriteString(" " + strings.ToUpper(n.Name))
		return
	}
	for i, a := range n.Args {
		side := strength
		if i > 0 {
			word := strings.ToUpper(n.Name)
			if i == 2 && strings.HasSuffix(n.Name, "like") {
				word = "ESCAPE"
			}
			b.WriteString(" " + word + " ")
		}
		if i > 0 && strength > bindsAnd || strength == bindsCompare {
			side++
		}
		write(b, a, side)
	}
}

func writeList(b *strings.Builder, args []*Node) {
	b.WriteByte('(')
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		write(b, a, 0)
	}
	b.WriteByte(')')
}

func writeCase(b *strings.Builder, n *Node) {
	b.WriteString("CASE")
	last := len(n.Args) - 1
	for i := 0; i < last; i += 2 {
		b.WriteString(" WHEN ")
		write(b, n.Args[i], 0)
		b.WriteString(" THEN ")
		write(b, n.Args[i+1], 0)
	}
	b.WriteString(" ELSE ")
	write(b, n.Args[last], 0)
	b.WriteString(" END")
}
