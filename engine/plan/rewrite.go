package plan

import (
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
)

// PushFilters returns q with a filter that stands directly on an input, and nowhere else, moved into the input, so
// that it is evaluated while decoding and the other columns are decoded for survivors only. Answers stay the same:
// the input box still takes time and lateness from every record.
func PushFilters(q *Query) *Query {
	if len(q.Boxes) == 0 || len(q.Inputs) != 1 {
		return q
	}
	filter, ok := q.Boxes[0].Spec.(*op.Filter)
	if !ok || q.Boxes[0].In[0].Box >= 0 || len(q.Boxes) == 1 {
		return q
	}
	out := *q
	out.Inputs = append([]Input(nil), q.Inputs...)
	out.Inputs[0].Where = conjunction(out.Inputs[0].Where, filter.Cond)
	out.Boxes = make([]Box, 0, len(q.Boxes)-1)
	for _, b := range q.Boxes[1:] {
		b.In = append([]Port(nil), b.In...)
		for i, p := range b.In {
			switch {
			case p.Box == 0:
				b.In[i] = FromInput(0)
			case p.Box > 0:
				b.In[i].Box--
			}
		}
		out.Boxes = append(out.Boxes, b)
	}
	return &out
}

// conjunction returns a AND b, where a may be absent.
func conjunction(a, b *expr.Node) *expr.Node {
	if a == nil {
		return b
	}
	return &expr.Node{Kind: expr.Call, Name: "and", Type: b.Type, Args: []*expr.Node{a, b}, Text: a.Text + " AND " + b.Text, Pos: a.Pos}
}

// Conjuncts splits a condition at its top-level ANDs, left to right.
func Conjuncts(n *expr.Node) []*expr.Node {
	if n == nil {
		return nil
	}
	if n.Kind == expr.Call && n.Name == "and" {
		var all []*expr.Node
		for _, a := range n.Args {
			all = append(all, Conjuncts(a)...)
		}
		return all
	}
	return []*expr.Node{n}
}

// PlaceDrop returns q with the drop of its first input as a box, the first of the network.
func PlaceDrop(q *Query) *Query {
	in := q.Inputs[0]
	if in.Drop == nil {
		return q
	}
	out := *q
	out.Inputs = append([]Input(nil), q.Inputs...)
	out.Inputs[0].Drop = nil
	out.Boxes = append(make([]Box, 0, len(q.Boxes)+1), Box{Spec: in.Drop, In: []Port{FromInput(0)}, Schema: in.Drop.Schema(in.Schema)})
	for _, b := range q.Boxes {
		b.In = append([]Port(nil), b.In...)
		for i, p := range b.In {
			switch {
			case p.Box >= 0:
				b.In[i].Box++
			case p.Input == 0:
				b.In[i] = FromBox(0)
			}
		}
		out.Boxes = append(out.Boxes, b)
	}
	return &out
}
