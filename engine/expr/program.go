package expr

import (
	"fmt"
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// fault is a reason why a value could not be computed.
type fault uint8

const (
	overflow fault = iota // an integer, time or text too large
	cast                  // a value that does not convert
	domain                // a function outside its domain: ln(0), a bad regular expression in a column
	faultCount
)

var faultNames = [faultCount]string{"overflow", "cast", "domain"}

// frame is what kernels share while a batch is evaluated.
type frame struct {
	cols   []tuple.Column
	n      int // rows of the block
	faults [faultCount]int64
}

// fail makes row r of out NULL and counts why, unless it is NULL already.
func (f *frame) fail(out *tuple.Column, r uint16, why fault) {
	if !out.IsNull(int(r)) {
		out.SetNull(int(r), f.n)
		f.faults[why]++
	}
}

// kernel computes one node of an expression.
type kernel interface {
	// eval returns a column with f.n rows whose values are defined for the rows of sel. It is valid until the
	// kernel's next eval and may be one of f.cols.
	eval(f *frame, sel []uint16) *tuple.Column
}

// predicate is a kernel with a Boolean result that finds true rows without making a column of them.
type predicate interface {
	kernel
	// pick writes the rows of sel for which the condition is true to dst, which has room for len(sel), and
	// returns them. dst may be the memory of sel.
	pick(f *frame, sel, dst []uint16) []uint16
}

// Program is a compiled expression. It is made by Compile and serves one goroutine at a time.
type Program struct {
	root  kernel
	typ   tuple.Type
	frame frame
}

// Compile turns a bound expression into a program, after folding what is constant. It fails iff the tree is not
// well formed: an unknown function, arguments or a result of types that Resolve would not give, a bad pattern.
func Compile(n *Node) (*Program, error) {
	c := &compiler{}
	root, err := c.build(Fold(n))
	if err != nil {
		return nil, err
	}
	return &Program{root: root, typ: n.Type}, nil
}

// Type returns the type of the program's result.
func (p *Program) Type() tuple.Type { return p.typ }

// Eval computes the expression for the rows of sel of a block with n rows and columns cols. The result has n rows, of which
// only those in sel are defined. It is valid until the next call of Eval or Select, must not be changed, and may
// be one of cols.
func (p *Program) Eval(cols []tuple.Column, n int, sel []uint16) *tuple.Column {
	p.frame.cols, p.frame.n = cols, n
	return p.root.eval(&p.frame, sel)
}

// Select appends to dst the rows of sel for which the expression, which must be Boolean, is true: neither false nor NULL.
// dst must not share memory with sel.
func (p *Program) Select(cols []tuple.Column, n int, sel, dst []uint16) []uint16 {
	if p.typ != tuple.Boolean && p.typ != tuple.Null {
		panic("expr: Select of a " + p.typ.String())
	}
	p.frame.cols, p.frame.n = cols, n
	old := len(dst)
	dst = slices.Grow(dst, len(sel))
	return dst[:old+len(pick(p.root, &p.frame, sel, dst[old:old+len(sel)]))]
}

// Faults returns how many rows had a value that could not be computed, by reason: "overflow" (integers, times
// or text too large), "cast" and "domain" (ln(0), a bad regular expression that is not constant). Reasons that
// did not occur are absent.
func (p *Program) Faults() map[string]int64 {
	m := map[string]int64{}
	p.AddFaults(m)
	return m
}

// AddFaults adds the program's faults to those of others.
func (p *Program) AddFaults(to map[string]int64) {
	for i, n := range p.frame.faults {
		if n > 0 {
			to[faultNames[i]] += n
		}
	}
}

// SetFaults makes the counters what Faults of another program said, for operators that load a saved state.
func (p *Program) SetFaults(from map[string]int64) {
	for i := range p.frame.faults {
		p.frame.faults[i] = from[faultNames[i]]
	}
}

// pick runs a kernel as a condition.
func pick(k kernel, f *frame, sel, dst []uint16) []uint16 {
	if p, ok := k.(predicate); ok {
		return p.pick(f, sel, dst)
	}
	return pickBool(k.eval(f, sel), sel, dst, true)
}

// pickBool writes to dst the rows of sel where c is want.
func pickBool(c *tuple.Column, sel, dst []uint16, want bool) []uint16 {
	if c.Type != tuple.Boolean {
		return dst[:0]
	}
	k := 0
	for _, r := range sel {
		dst[k] = r
		k += bit(c.B[r] == want)
	}
	return dropNulls(c, dst[:k])
}

// dropNulls removes from sel, in place, the rows where c is NULL.
func dropNulls(c *tuple.Column, sel []uint16) []uint16 {
	if c.Null == nil {
		return sel
	}
	k := 0
	for _, r := range sel {
		sel[k] = r
		k += bit(!c.Null[r])
	}
	return sel[:k]
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// begin makes out a column for the result of a function that is NULL where an argument is. It returns false when an argument
// is NULL everywhere, and then out is finished.
func (f *frame) begin(out *tuple.Column, t tuple.Type, args ...*tuple.Column) bool {
	out.Reset(t, f.n)
	for _, a := range args {
		if a.Type == tuple.Null {
			allNull(out, f.n)
			return false
		}
	}
	f.spread(out, args...)
	return true
}

// spread makes out NULL where one of args is.
func (f *frame) spread(out *tuple.Column, args ...*tuple.Column) {
	for _, a := range args {
		switch {
		case a.Null == nil:
		case out.Null == nil:
			copy(out.WithNulls(f.n), a.Null)
		default:
			for r, null := range a.Null[:f.n] {
				if null {
					out.Null[r] = true
				}
			}
		}
	}
}

// allNull makes every row of c NULL.
func allNull(c *tuple.Column, n int) {
	nulls := c.WithNulls(n)
	for r := range nulls {
		nulls[r] = true
	}
	if c.Type.Bytes() {
		clear(c.Span)
	}
}

// compiler builds kernels.
type compiler struct{}

func (c *compiler) build(n *Node) (kernel, error) {
	switch n.Kind {
	case Col:
		return column(n.Index), nil
	case Const:
		return constant(n.Value, n.Type), nil
	case Call:
		return c.buildCall(n)
	case Case:
		return c.buildCase(n)
	case Cast, TryCast:
		return c.buildCast(n)
	case In:
		return c.buildIn(n)
	}
	return nil, fmt.Errorf("expr: no such kind of node: %d", n.Kind)
}

func (c *compiler) buildCall(n *Node) (kernel, error) {
	f, ok := functions[n.Name]
	if !ok {
		return nil, fmt.Errorf("%w %s", ErrUnknown, n.Name)
	}
	t, err := f.resolve(n.Args)
	if err != nil {
		return nil, err
	}
	if t != n.Type {
		return nil, fmt.Errorf("expr: %v is a %v, not a %v", n, t, n.Type)
	}
	return f.build(c, n)
}

// buildAll builds the kernels of several nodes.
func (c *compiler) buildAll(nodes []*Node) ([]kernel, error) {
	list := make([]kernel, len(nodes))
	for i, n := range nodes {
		k, err := c.build(n)
		if err != nil {
			return nil, err
		}
		list[i] = k
	}
	return list, nil
}

// column is a column of the input.
type column int

func (k column) eval(f *frame, _ []uint16) *tuple.Column { return &f.cols[k] }

// literal is a constant, held MaxRows times so that kernels read it like any column.
type literal struct{ col tuple.Column }

func (k *literal) eval(*frame, []uint16) *tuple.Column { return &k.col }

func constant(v Value, t tuple.Type) kernel {
	k := &literal{}
	k.col.Reset(t, tuple.MaxRows)
	if v.Null || t == tuple.Null {
		allNull(&k.col, tuple.MaxRows)
		return k
	}
	v.Type = t
	SetValue(&k.col, 0, tuple.MaxRows, v)
	spreadFirst(&k.col)
	return k
}

// spreadFirst copies row 0 to every row.
func spreadFirst(c *tuple.Column) {
	for r := 1; r < tuple.MaxRows; r++ {
		switch {
		case c.Type == tuple.Boolean:
			c.B[r] = c.B[0]
		case c.Type.Bytes():
			c.Span[r] = c.Span[0]
		case c.Rep == tuple.RepFloat:
			c.F[r] = c.F[0]
		case c.Rep == tuple.RepMixed:
			setNumber(c, uint16(r), numberAt(c, 0))
		default:
			c.I[r] = c.I[0]
		}
	}
}
