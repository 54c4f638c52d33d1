package coverage

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// layout says what the columns of an answer are for: their numbers, -1 for those that are not there.
type layout struct {
	keys       []int
	windows    []int // those of keys that tell windows apart
	aggregates []aggregate
	left       []string // columns that cannot be compared
	count      int      // of rows, of the group
	unseen     int
	other      int
}

// aggregate is the columns of one aggregate.
type aggregate struct {
	name                         string
	value, low, high, unreliable int
}

// layoutOf reads the schema's roles.
func layoutOf(a *answer) (*layout, error) {
	l := &layout{count: -1, unseen: -1, other: -1}
	bounds := map[int]*aggregate{}
	of := func(i int) *aggregate {
		if bounds[i] == nil {
			bounds[i] = &aggregate{name: a.schema.Fields[i].Name, value: i, low: -1, high: -1, unreliable: -1}
		}
		return bounds[i]
	}
	for i, f := range a.schema.Fields {
		switch f.Role {
		case tuple.Low:
			of(f.Of).low = i
		case tuple.High:
			of(f.Of).high = i
		case tuple.Unreliable:
			of(f.Of).unreliable = i
		case tuple.Unseen:
			l.unseen = i
		case tuple.Other:
			l.other = i
		}
	}
	box, spec := aggregateOf(a.plan)
	if spec == nil {
		return nil, unfit("the query has no aggregates: there is nothing to verify")
	}
	for i, f := range a.schema.Fields {
		from := trace(a.plan, box, i)
		switch g := bounds[i]; {
		case f.Role != tuple.Plain:
		case g != nil && f.Type.Bytes():
			l.left = append(l.left, f.Name)
		case g != nil:
			l.aggregates = append(l.aggregates, *g)
			if l.count < 0 && isCount(spec, from) {
				l.count = i
			}
		default:
			l.keys = append(l.keys, i)
			if spec.Window.Kind != op.NoWindow && from >= 0 && from < 2 {
				l.windows = append(l.windows, i)
			}
		}
	}
	return l, nil
}

// aggregateOf returns the first aggregating box of a plan.
func aggregateOf(p *plan.Query) (int, *op.Aggregate) {
	for i, b := range p.Boxes {
		if spec, ok := b.Spec.(*op.Aggregate); ok {
			return i, spec
		}
	}
	return -1, nil
}

// trace returns which column of a box's output the plan's output column i is, or -1 when it was computed from others.
func trace(p *plan.Query, box, i int) int {
	for _, b := range slices.Backward(p.Boxes[box+1:]) {
		project, ok := b.Spec.(*op.Project)
		if !ok {
			continue
		}
		if project.Exprs[i].Kind != expr.Col {
			return -1
		}
		i = project.Exprs[i].Index
	}
	return i
}

// isCount reports whether column i of an aggregating box is its count(*).
func isCount(s *op.Aggregate, i int) bool {
	if i -= len(s.Keys); s.Window.Kind != op.NoWindow {
		i -= 2
	}
	return i >= 0 && i < len(s.Aggs) && s.Aggs[i].Func == op.CountAll && s.Aggs[i].Filter == nil
}
