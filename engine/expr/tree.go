package expr

import (
	"slices"
)

// Columns returns the numbers of the input columns that n reads, ascending, each once.
func Columns(n *Node) []int {
	var list []int
	var walk func(*Node)
	walk = func(n *Node) {
		if n.Kind == Col {
			list = append(list, n.Index)
		}
		for _, a := range n.Args {
			walk(a)
		}
	}
	walk(n)
	slices.Sort(list)
	return slices.Compact(list)
}

// Equal reports whether a and b are the same expression, whatever their text and place in the query. Nil, an
// expression that is absent, equals nil only.
func Equal(a, b *Node) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	if a.Kind != b.Kind || a.Type != b.Type || a.Name != b.Name || len(a.Args) != len(b.Args) {
		return false
	}
	if a.Kind == Col && a.Index != b.Index || a.Kind == Const && !a.Value.equal(b.Value) {
		return false
	}
	return slices.EqualFunc(a.Args, b.Args, Equal)
}

// Rewrite returns the tree that f makes of n, from the leaves up: f gets every node, its arguments already
// rewritten, and returns it or another in its place. Nodes that do not change are shared with n, which stays
// as it is; those whose arguments change lose their Text.
func Rewrite(n *Node, f func(*Node) *Node) *Node {
	var args []*Node
	for i, a := range n.Args {
		b := Rewrite(a, f)
		if b != a && args == nil {
			args = slices.Clone(n.Args)
		}
		if args != nil {
			args[i] = b
		}
	}
	if args != nil {
		fresh := *n
		fresh.Args, fresh.Text = args, ""
		n = &fresh
	}
	return f(n)
}

// Substitute replaces column i of n by exprs[i]: it turns an expression over a projection's output
// into one over its input.
func Substitute(n *Node, exprs []*Node) *Node {
	return Rewrite(n, func(n *Node) *Node {
		if n.Kind == Col {
			return exprs[n.Index]
		}
		return n
	})
}

// Shift adds to the number of every column.
func Shift(n *Node, by int) *Node {
	return Rewrite(n, func(n *Node) *Node {
		if n.Kind != Col || by == 0 {
			return n
		}
		fresh := *n
		fresh.Index += by
		return &fresh
	})
}
