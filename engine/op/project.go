package op

import (
	"fmt"
	"io"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

type project struct {
	schema   *tuple.Schema
	columns  []int // input column of an expression that is just that, or -1
	programs []*expr.Program
	block    tuple.Block
	out      tuple.Batch
}

// Make implements Spec.
func (p *Project) Make() (Operator, error) {
	if len(p.Exprs) != len(p.Fields) {
		return nil, fmt.Errorf("%d expressions for %d columns", len(p.Exprs), len(p.Fields))
	}
	o := &project{schema: p.Schema(nil)}
	for _, n := range p.Exprs {
		if n.Kind == expr.Col {
			o.columns, o.programs = append(o.columns, n.Index), append(o.programs, nil)
			continue
		}
		program, err := expr.Compile(n)
		if err != nil {
			return nil, err
		}
		o.columns, o.programs = append(o.columns, -1), append(o.programs, program)
	}
	o.block.Cols = make([]tuple.Column, len(p.Exprs))
	return o, nil
}

// Schema implements Spec.
func (p *Project) Schema(*tuple.Schema) *tuple.Schema { return &tuple.Schema{Fields: p.Fields} }

// String implements Spec.
func (p *Project) String() string {
	text := "project "
	for i, n := range p.Exprs {
		if i > 0 {
			text += ", "
		}
		text += n.String()
		if name := p.Fields[i].Name; name != n.String() {
			text += " AS " + name
		}
	}
	return text
}

// Process implements Operator: it emits the same selection of a block of computed columns.
func (p *project) Process(_ int, b *tuple.Batch, out Emitter) error {
	p.block.Schema, p.block.N = p.schema, b.N
	p.block.Source, p.block.Seq, p.block.Pos, p.block.Arrived = b.Source, b.Seq, b.Pos, b.Arrived
	for i, program := range p.programs {
		if program == nil {
			p.block.Cols[i] = b.Cols[p.columns[i]]
			continue
		}
		p.block.Cols[i] = *program.Eval(b.Cols, b.N, b.Sel)
	}
	p.out = *b
	p.out.Block = &p.block
	return out.Emit(&p.out)
}

// Advance implements Operator.
func (p *project) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Faults implements Faults.
func (p *project) Faults() map[string]int64 {
	sum := map[string]int64{}
	for _, program := range p.programs {
		if program != nil {
			program.AddFaults(sum)
		}
	}
	return sum
}

// Save implements Saver.
func (p *project) Save(w io.Writer) error { return saveFaults(w, p.programs...) }

// Load implements Saver.
func (p *project) Load(r io.Reader) error { return loadFaults(r, p.programs...) }

// saveFaults writes what the programs counted, which is all the state that operators without memory have.
func saveFaults(to io.Writer, programs ...*expr.Program) error {
	return saveState(to, func(w *stateWriter) {
		for _, p := range programs {
			if p != nil {
				w.faults(p.Faults())
			}
		}
	})
}

// loadFaults reads what saveFaults wrote for as many programs.
func loadFaults(from io.Reader, programs ...*expr.Program) error {
	return loadState(from, func(r *stateReader) {
		for _, p := range programs {
			if p != nil {
				p.SetFaults(r.faults())
			}
		}
	})
}
