package enginetest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Step is a row with its event time or, if Values is nil, a mark of time.
type Step struct {
	Values []expr.Value
	Time   int64
}

// Row is a step that brings a row.
func Row(time int64, values ...expr.Value) Step { return Step{Values: values, Time: time} }

// Mark is a step that says that time has reached t.
func Mark(t int64) Step { return Step{Time: t} }

// Script is the input of an operator with one port. Play adds the last mark, tuple.End.
type Script []Step

// Cutter decides what a script looks like to the operator. Its functions are called in the order of the input and
// may be nil.
type Cutter struct {
	// Rows returns how many of the n rows up to the next mark the next batch takes, at least 1. nil: as many as fit.
	Rows func(n int) int
	// Holes returns how many unselected rows stand before the next row. nil: none.
	Holes func() int
	// Mixed says whether a batch's Number columns are mixed and its columns carry a mask of NULLs even when none
	// is. nil: no.
	Mixed func() bool
	// Save says whether the operator is saved and replaced by one that loads its state before the next batch
	// or mark. nil: never.
	Save func() bool
	// Last is the last mark; 0 is tuple.End.
	Last int64
}

// advances is how often one mark may be given before Play takes the operator for one that never finishes.
const advances = 1 << 20

// Play runs an operator made from spec over a script. It stops early if the operator is a Stopper and has stopped. An error
// is one of the operator, or a breach of its contract.
func Play(spec op.Spec, in *tuple.Schema, script Script, cut Cutter) (*Collector, error) {
	o, err := spec.Make()
	if err != nil {
		return nil, err
	}
	p := &player{spec: spec, in: in, cut: cut, o: o}
	if p.cut.Last == 0 {
		p.cut.Last = tuple.End
	}
	script = append(slices.Clone(script), Mark(p.cut.Last))
	for len(script) > 0 {
		if script, err = p.next(script); err != nil {
			return nil, err
		}
	}
	return &p.out, nil
}

type player struct {
	spec op.Spec
	in   *tuple.Schema
	cut  Cutter
	o    op.Operator
	out  Collector
}

// next gives the operator its next batch or mark and returns the rest of the script.
func (p *player) next(script Script) (Script, error) {
	if s, ok := p.o.(op.Stopper); ok && s.Stopped() && len(script) > 1 {
		return script[len(script)-1:], nil
	}
	if p.cut.Save != nil && p.cut.Save() {
		if err := p.reload(); err != nil {
			return nil, err
		}
	}
	if script[0].Values == nil {
		return script[1:], p.advance(script[0].Time)
	}
	n := slices.IndexFunc(script, func(s Step) bool { return s.Values == nil })
	if p.cut.Rows != nil {
		n = min(n, max(1, p.cut.Rows(n)))
	}
	b, n := p.batch(script[:min(n, tuple.MaxRows)])
	err := p.o.Process(0, b, &p.out)
	scribble(b)
	return script[n:], err
}

func (p *player) advance(t int64) error {
	for range advances {
		done, err := p.o.Advance(0, t, &p.out)
		if done || err != nil {
			return err
		}
	}
	return fmt.Errorf("advance to %d is not done after %d calls", t, advances)
}

// reload replaces the operator by one that loads its state.
func (p *player) reload() error {
	saver, ok := p.o.(op.Saver)
	if !ok {
		return nil
	}
	var state bytes.Buffer
	if err := saver.Save(&state); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	fresh, err := p.spec.Make()
	if err != nil {
		return err
	}
	if err := fresh.(op.Saver).Load(&state); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	if state.Len() > 0 {
		return fmt.Errorf("load leaves %d bytes", state.Len())
	}
	p.o = fresh
	return nil
}

// batch builds a batch of steps, or of the first of them when holes take the room, and returns how many it holds.
func (p *player) batch(steps Script) (*tuple.Batch, int) {
	var rows [][]expr.Value
	var times []int64
	var sel []uint16
	taken := 0
	for _, s := range steps {
		holes := 0
		if p.cut.Holes != nil {
			holes = p.cut.Holes()
		}
		if len(rows)+holes >= tuple.MaxRows {
			break
		}
		for range holes {
			rows = append(rows, p.hole())
			times = append(times, -1)
		}
		sel = append(sel, uint16(len(rows)))
		rows = append(rows, s.Values)
		times = append(times, s.Time)
		taken++
	}
	b := Batch(p.in, rows, times)
	b.Sel = sel
	if p.cut.Mixed != nil && p.cut.Mixed() {
		for i := range b.Cols {
			b.Cols[i].WithNulls(b.N)
			if b.Cols[i].Type == tuple.Number {
				b.Cols[i].Mix(b.N)
			}
		}
	}
	return b, taken
}

// hole is a row that nobody may look at.
func (p *player) hole() []expr.Value {
	row := make([]expr.Value, len(p.in.Fields))
	for i, f := range p.in.Fields {
		row[i] = expr.Value{Type: f.Type, I: -7777, S: "hole"}
	}
	return row
}
