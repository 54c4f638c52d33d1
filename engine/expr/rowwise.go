package expr

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// rowFunc computes row r of out from the same row of args, none of which is NULL there. It may make
// the row NULL by f.fail or out.SetNull.
type rowFunc func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column)

// rowwise evaluates a function that is NULL where an argument is, a row at a time. It is for functions
// whose work dwarfs a call.
type rowwise struct {
	args []kernel
	cols []*tuple.Column
	typ  tuple.Type
	fn   rowFunc
	out  tuple.Column
}

func (k *rowwise) eval(f *frame, sel []uint16) *tuple.Column {
	for i, a := range k.args {
		k.cols[i] = a.eval(f, sel)
	}
	if !f.begin(&k.out, k.typ, k.cols...) {
		return &k.out
	}
	for _, r := range sel {
		if !k.out.IsNull(int(r)) {
			k.fn(f, k.cols, r, &k.out)
		}
	}
	return &k.out
}

// byRow makes the build function of a function that one rowFunc computes.
func byRow(fn rowFunc) func(*compiler, *Node) (kernel, error) {
	return func(c *compiler, n *Node) (kernel, error) { return c.rowwise(n, fn) }
}

func (c *compiler) rowwise(n *Node, fn rowFunc) (kernel, error) {
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &rowwise{args: args, cols: make([]*tuple.Column, len(args)), typ: n.Type, fn: fn}, nil
}

// textPredicate is a condition on one text.
type textPredicate struct {
	arg   kernel
	match func(s []byte) bool
	want  bool // false: NOT match
	col   *tuple.Column
	out   tuple.Column
	rows  []uint16
}

func (k *textPredicate) pick(f *frame, sel, dst []uint16) []uint16 {
	k.col = k.arg.eval(f, sel)
	i := 0
	for _, r := range sel {
		if k.col.IsNull(int(r)) || k.match(k.col.Str(int(r))) != k.want {
			continue
		}
		dst[i] = r
		i++
	}
	return dst[:i]
}

func (k *textPredicate) eval(f *frame, sel []uint16) *tuple.Column {
	k.rows = k.pick(f, sel, tuple.Resize(k.rows, len(sel)))
	f.truth(&k.out, sel, k.rows, k.col)
	return &k.out
}

// truth makes out a Boolean column: true for the rows yes, a part of sel, NULL where one of args is, else false.
func (f *frame) truth(out *tuple.Column, sel, yes []uint16, args ...*tuple.Column) {
	if !f.begin(out, tuple.Boolean, args...) {
		return
	}
	if len(sel) == f.n {
		clear(out.B)
	} else {
		for _, r := range sel {
			out.B[r] = false
		}
	}
	for _, r := range yes {
		out.B[r] = true
	}
}

// endText makes what was appended to out.Buf since start row r's value.
func (f *frame) endText(out *tuple.Column, r uint16, start int) {
	if len(out.Buf) > math.MaxUint32 {
		out.Buf = out.Buf[:start]
		f.fail(out, r, overflow)
		return
	}
	out.Span[r] = tuple.Span{Off: uint32(start), Len: uint32(len(out.Buf) - start)}
}

// integerAt reads row r of a numeric column as an integer, rounding doubles.
func integerAt(c *tuple.Column, r uint16) (int64, bool) {
	if c.Rep == tuple.RepInt {
		return c.I[r], true
	}
	return integerOf(numberAt(c, int(r)))
}
