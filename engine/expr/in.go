package expr

import (
	"fmt"
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func (c *compiler) buildIn(n *Node) (kernel, error) {
	if n.Type != tuple.Boolean || len(n.Args) < 2 {
		return nil, fmt.Errorf("expr: IN with %d arguments of type %v", len(n.Args), n.Type)
	}
	constants := true
	for _, a := range n.Args[1:] {
		if _, err := functions["="].resolve([]*Node{n.Args[0], a}); err != nil {
			return nil, fmt.Errorf("IN: %w", err)
		}
		constants = constants && a.Kind == Const
	}
	if constants && n.Args[0].Type != tuple.Boolean {
		return c.memberOf(n)
	}
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &listed{args: args}, nil
}

// listed is IN with expressions: each is evaluated on the rows that have not found their equal.
type listed struct {
	args []kernel
	out  tuple.Column
	rest []uint16
}

func (k *listed) eval(f *frame, sel []uint16) *tuple.Column {
	x, out := k.args[0].eval(f, sel), &k.out
	if !f.begin(out, tuple.Boolean, x) {
		return out
	}
	rest := k.rest[:0]
	for _, r := range sel {
		out.B[r] = false
		if !x.IsNull(int(r)) {
			rest = append(rest, r)
		}
	}
	k.rest = rest
	for _, a := range k.args[1:] {
		if len(rest) == 0 {
			break
		}
		rest = k.step(f, x, a.eval(f, rest), rest)
	}
	return out
}

// step compares one expression with x and returns the rows that are not equal.
func (k *listed) step(f *frame, x, y *tuple.Column, rest []uint16) []uint16 {
	out, i := &k.out, 0
	for _, r := range rest {
		switch {
		case y.IsNull(int(r)):
			out.SetNull(int(r), f.n)
		case Compare(x, int(r), y, int(r)) == 0:
			decide(out, r, true)
			continue
		}
		rest[i] = r
		i++
	}
	return rest[:i]
}

// membership is IN with constants.
type membership struct {
	arg   kernel
	texts map[string]struct{}
	nums  map[number]struct{}
	// few holds the numbers when all are integers and they are so few that a scan beats hashing.
	few     []int64
	hasNull bool
	col     *tuple.Column
	out     tuple.Column
	rows    []uint16
}

// scanLimit is the number of constants up to which comparing with each is cheaper than a look-up.
const scanLimit = 8

func (c *compiler) memberOf(n *Node) (kernel, error) {
	arg, err := c.build(n.Args[0])
	if err != nil {
		return nil, err
	}
	k := &membership{arg: arg, texts: map[string]struct{}{}, nums: map[number]struct{}{}}
	for _, a := range n.Args[1:] {
		switch {
		case a.Value.Null || a.Type == tuple.Null:
			k.hasNull = true
		case a.Type.Bytes():
			k.texts[a.Value.S] = struct{}{}
		default:
			v := a.Value
			v.Type = a.Type
			x := canonical(numberOf(v))
			k.nums[x] = struct{}{}
			if x.tag == tuple.TagInt && !slices.Contains(k.few, x.i) {
				k.few = append(k.few, x.i)
			}
		}
	}
	if len(k.few) != len(k.nums) || len(k.few) > scanLimit {
		k.few = nil
	}
	return k, nil
}

func (k *membership) pick(f *frame, sel, dst []uint16) []uint16 {
	k.col = k.arg.eval(f, sel)
	c := k.col
	if c.Type == tuple.Null {
		return dst[:0]
	}
	i := 0
	if k.few != nil && c.Rep == tuple.RepInt {
		for _, r := range sel {
			dst[i] = r
			i += bit(slices.Contains(k.few, c.I[r]))
		}
		return dropNulls(c, dst[:i])
	}
	for _, r := range sel {
		if !c.IsNull(int(r)) && k.contains(c, r) {
			dst[i] = r
			i++
		}
	}
	return dst[:i]
}

func (k *membership) contains(c *tuple.Column, r uint16) (yes bool) {
	if c.Type.Bytes() {
		_, yes = k.texts[string(c.Str(int(r)))]
	} else {
		_, yes = k.nums[canonical(numberAt(c, int(r)))]
	}
	return yes
}

func (k *membership) eval(f *frame, sel []uint16) *tuple.Column {
	k.rows = k.pick(f, sel, tuple.Resize(k.rows, len(sel)))
	f.truth(&k.out, sel, k.rows, k.col)
	if k.hasNull {
		nulls := k.out.WithNulls(f.n)
		for _, r := range sel {
			nulls[r] = nulls[r] || !k.out.B[r]
		}
	}
	return &k.out
}
