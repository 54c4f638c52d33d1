package expr

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Fold replaces what does not depend on the input by constants, and AND and OR with constants by what is left of
// them. A constant expression that cannot be computed, such as a cast that fails, stays, so that it is counted for
// the rows that reach it.
func Fold(n *Node) *Node {
	return Rewrite(n, fold)
}

func fold(n *Node) *Node {
	switch n.Kind {
	case Col, Const:
		return n
	case Call:
		if n.Name == "and" || n.Name == "or" {
			return foldJunction(n)
		}
	}
	for _, a := range n.Args {
		if a.Kind != Const {
			return n
		}
	}
	return evaluated(n)
}

// evaluated computes n, whose arguments are constants.
func evaluated(n *Node) *Node {
	c := &compiler{}
	root, err := c.build(n)
	if err != nil {
		return n
	}
	f := &frame{n: 1}
	col := root.eval(f, tuple.All(1))
	if f.faults != [faultCount]int64{} {
		return n
	}
	v := ValueAt(col, 0)
	v.Type = n.Type
	return &Node{Kind: Const, Type: n.Type, Value: v, Text: n.Text, Pos: n.Pos}
}

// foldJunction drops the arguments of AND that are true and of OR that are false; one that is the opposite decides, unless
// something before it might be counted.
func foldJunction(n *Node) *Node {
	decides := n.Name == "or"
	var left []*Node
	for _, a := range n.Args {
		if a.Kind != Const || a.Value.Null || a.Type == tuple.Null {
			left = append(left, a)
			continue
		}
		if a.Value.B == decides {
			return &Node{Kind: Const, Type: tuple.Boolean, Value: a.Value, Text: n.Text, Pos: n.Pos}
		}
	}
	switch {
	case len(left) == len(n.Args):
	case len(left) == 0:
		return &Node{Kind: Const, Type: tuple.Boolean, Value: Value{Type: tuple.Boolean, B: !decides}, Text: n.Text, Pos: n.Pos}
	case len(left) == 1 && left[0].Type == tuple.Boolean:
		return left[0]
	case len(left) > 1:
		fresh := *n
		fresh.Args, fresh.Text = left, ""
		n = &fresh
	}
	for _, a := range n.Args {
		if a.Kind != Const {
			return n
		}
	}
	return evaluated(n)
}
