package op

import (
	"fmt"
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// input computes an expression of the input's columns: a column of it directly, or a program.
type input struct {
	index int
	prog  *expr.Program
}

func newInput(n *expr.Node) (input, error) {
	if n.Kind == expr.Col {
		return input{index: n.Index}, nil
	}
	p, err := expr.Compile(n)
	return input{prog: p}, err
}

func (in *input) column(b *tuple.Batch, sel []uint16) *tuple.Column {
	if in.prog == nil {
		return &b.Cols[in.index]
	}
	return in.prog.Eval(b.Cols, b.N, sel)
}

// laneSpec says which rows and values a lane carries. Aggregates with equal ones share the lane.
type laneSpec struct {
	arg, filter *expr.Node // or nil
	distinct    bool
	nulls       bool // rows whose argument is NULL take part
}

func (s *laneSpec) equal(o *laneSpec) bool {
	return s.distinct == o.distinct && s.nulls == o.nulls && expr.Equal(s.arg, o.arg) && expr.Equal(s.filter, o.filter)
}

// stateSpec makes the accumulators that serve one or more aggregates. kind and param tell which
// aggregates of a lane can share one.
type stateSpec struct {
	lane  int
	kind  string
	param float64
	takes rowSet // the rows that it is given; 0: all of them
	fresh func() accumulator
}

// output writes an aggregate's values for groups to the rows of c from at on; n is the column's length.
type output func(p *pane, ids []uint32, c *tuple.Column, at, n int)

// aggPlan is what an Aggregate computes, with what can be shared shared.
type aggPlan struct {
	keys    []input
	types   []tuple.Type // of the keys
	specs   []laneSpec
	lanes   []laneInput
	states  []stateSpec
	answers []answer // one per aggregate
	ratios  []answer // one per ratio

	sampling *Sampling
	domain   bool           // there are keys or windows: groups need not be the whole of their strata
	hop      bool           // panes are merged
	tallies  []columnTally  // of the sampled columns
	shapes   []columnShape  // of what else is followed of them
	ranges   []*columnRange // declared of columns
	most     int            // the state that follows the rows of blocks, with Sampling
	numbers  []int32        // while panes are merged: the number in the merged design of each stratum of the pane

	asked []*laneQuantiles

	hashes    []uint64
	text      []byte
	top       []sketch.TopItem
	overflows int64 // intervals that sums could not hold
}

func newAggPlan(s *Aggregate) (*aggPlan, error) {
	p := &aggPlan{
		sampling: s.Sampling,
		domain:   len(s.Keys) > 0 || s.Window.Kind != NoWindow,
		hop:      s.Window.Kind == Hop || s.Memory > 0,
	}
	if len(s.Keys) != len(s.KeyFields) {
		return nil, fmt.Errorf("%d keys with %d fields", len(s.Keys), len(s.KeyFields))
	}
	if len(s.Keys) > maxKeys {
		return nil, fmt.Errorf("more than %d group keys", maxKeys)
	}
	for _, k := range s.Keys {
		in, err := newInput(k)
		if err != nil {
			return nil, err
		}
		p.keys = append(p.keys, in)
		p.types = append(p.types, k.Type)
	}
	for i := range s.Aggs {
		if err := s.Aggs[i].check(); err != nil {
			return nil, err
		}
	}
	for i := range s.Aggs {
		out, err := p.answer(&s.Aggs[i], s.Aggs)
		if err != nil {
			return nil, err
		}
		p.answers = append(p.answers, out)
	}
	if s.Sampling != nil {
		p.most = p.blockRowsState()
	}
	for i := range s.Ratios {
		out, err := p.ratioAnswer(s, i)
		if err != nil {
			return nil, err
		}
		p.ratios = append(p.ratios, out)
	}
	return p, p.makeLanes()
}

// maxKeys bounds the group keys; encode has room for the looks of as many.
const maxKeys = 64

func (p *aggPlan) makeLanes() error {
	for i := range p.specs {
		spec := &p.specs[i]
		lane := laneInput{nulls: spec.nulls, distinct: spec.distinct}
		if spec.arg != nil {
			in, err := newInput(spec.arg)
			if err != nil {
				return err
			}
			lane.arg, lane.typ = &in, spec.arg.Type
		}
		if spec.filter != nil {
			prog, err := expr.Compile(spec.filter)
			if err != nil {
				return err
			}
			lane.filter = prog
		}
		for j := range p.states {
			if p.states[j].lane == i {
				lane.states = append(lane.states, j)
			}
		}
		p.lanes = append(p.lanes, lane)
	}
	return nil
}

// lane returns the number of a's lane.
func (p *aggPlan) lane(a *Agg) int {
	spec := laneSpec{arg: a.Arg, filter: a.Filter}
	switch a.Func {
	case First, Last:
		spec.nulls = true
	case CountDistinct:
		spec.distinct = true
	case Min, Max, AnyValue, ApproxDistinct:
	default:
		spec.distinct = a.Distinct
	}
	for i := range p.specs {
		if p.specs[i].equal(&spec) {
			return i
		}
	}
	p.specs = append(p.specs, spec)
	return len(p.specs) - 1
}

// state returns the number of the state that spec describes.
func (p *aggPlan) state(spec stateSpec) int {
	for i := range p.states {
		if o := &p.states[i]; o.lane == spec.lane && o.kind == spec.kind && o.param == spec.param {
			return i
		}
	}
	p.states = append(p.states, spec)
	return len(p.states) - 1
}

// summed reports whether some aggregate of the lane needs a sum, which counts as well.
func (p *aggPlan) summed(lane int, all []Agg) bool {
	return slices.ContainsFunc(all, func(a Agg) bool {
		return (a.Func == Sum || a.Func == Avg) && p.lane(&a) == lane
	})
}

// pickState returns the state of a function that picks one value of type t.
func pickState(f AggFunc, t tuple.Type) (kind string, fresh func() accumulator) {
	isBytes := t.Bytes()
	switch {
	case f == First || f == AnyValue:
		return "first", func() accumulator { return &picks{by: pickFirst, bytes: isBytes} }
	case f == Last:
		return "last", func() accumulator { return &picks{by: pickLast, bytes: isBytes} }
	case f == Min:
		return "min", func() accumulator { return &picks{by: pickLeast, bytes: isBytes} }
	}
	return "max", func() accumulator { return &picks{by: pickGreatest, bytes: isBytes} }
}

// programs returns the programs of a's keys, arguments and filters in a fixed order.
func (a *aggregate) programs() []*expr.Program {
	var list []*expr.Program
	add := func(p *expr.Program) {
		if p != nil {
			list = append(list, p)
		}
	}
	for i := range a.plan.keys {
		add(a.plan.keys[i].prog)
	}
	for i := range a.plan.lanes {
		if l := &a.plan.lanes[i]; l.arg != nil {
			add(l.arg.prog)
		}
		add(a.plan.lanes[i].filter)
	}
	return list
}
