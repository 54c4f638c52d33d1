package syntax

// Walk calls visit for x and, where visit returns true, for the expressions inside it, parents first and in the
// order of the text. A nil x is skipped.
func Walk(x Expr, visit func(Expr) bool) {
	if x == nil || !visit(x) {
		return
	}
	for _, child := range children(x) {
		Walk(child, visit)
	}
}

// children returns the expressions directly inside x; some may be nil.
func children(x Expr) []Expr {
	switch x := x.(type) {
	case *Field:
		return []Expr{x.X}
	case *Index:
		return []Expr{x.X, x.Key}
	case *List:
		return x.Items
	case *Unary:
		return []Expr{x.X}
	case *Binary:
		return []Expr{x.L, x.R}
	case *IsNull:
		return []Expr{x.X}
	case *IsDistinct:
		return []Expr{x.L, x.R}
	case *In:
		return append([]Expr{x.X}, x.List...)
	case *Between:
		return []Expr{x.X, x.Lo, x.Hi}
	case *Like:
		return []Expr{x.X, x.Pattern, x.Escape}
	case *Case:
		list := []Expr{x.Operand}
		for _, w := range x.Whens {
			list = append(list, w.Cond, w.Then)
		}
		return append(list, x.Else)
	case *Cast:
		return []Expr{x.X}
	case *Extract:
		return []Expr{x.X}
	case *Call:
		var list []Expr
		for _, a := range x.Args {
			list = append(list, a.Value)
		}
		return append(list, x.Filter)
	}
	return nil
}
