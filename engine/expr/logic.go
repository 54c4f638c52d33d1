package expr

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
)

var logicFunctions = []*function{
	{
		name: "and", ways: []overload{takes(yields(tuple.Boolean), isBool, isBool).repeated()},
		build: func(c *compiler, n *Node) (kernel, error) { return c.junction(n, false, false) },
	},
	{
		name: "or", ways: []overload{takes(yields(tuple.Boolean), isBool, isBool).repeated()},
		build: func(c *compiler, n *Node) (kernel, error) { return c.junction(n, true, false) },
	},
	{
		name: "not", ways: []overload{takes(yields(tuple.Boolean), isBool)},
		build: func(c *compiler, n *Node) (kernel, error) { return c.negated(n.Args[0]) },
	},
	{
		name: "is null", ways: []overload{takes(yields(tuple.Boolean), isAny)},
		build: func(c *compiler, n *Node) (kernel, error) { return c.nullTest(n, true) },
	},
	{
		name: "is not null", ways: []overload{takes(yields(tuple.Boolean), isAny)},
		build: func(c *compiler, n *Node) (kernel, error) { return c.nullTest(n, false) },
	},
}

// junction is AND (decides is false: one FALSE decides) or OR (one TRUE decides). Each argument is evaluated on the
// rows that those before it left undecided.
type junction struct {
	decides bool
	args    []kernel
	out     tuple.Column
	rest    []uint16
	yes     []uint16
	found   []bool
}

func (c *compiler) junction(n *Node, decides, negate bool) (kernel, error) {
	k := &junction{decides: decides != negate}
	for _, a := range n.Args {
		arg, err := c.condition(a, negate)
		if err != nil {
			return nil, err
		}
		k.args = append(k.args, arg)
	}
	return k, nil
}

// condition builds n or its negation.
func (c *compiler) condition(n *Node, negate bool) (kernel, error) {
	if negate {
		return c.negated(n)
	}
	return c.build(n)
}

func (k *junction) eval(f *frame, sel []uint16) *tuple.Column {
	out := &k.out
	out.Reset(tuple.Boolean, f.n)
	for _, r := range sel {
		out.B[r] = !k.decides
	}
	rest := tuple.Resize(k.rest, len(sel))
	k.rest = rest
	rest = rest[:copy(rest, sel)]
	for _, a := range k.args {
		if len(rest) == 0 {
			break
		}
		rest = k.step(f, a.eval(f, rest), rest)
	}
	return out
}

// step takes one argument into account and returns the rows still undecided.
func (k *junction) step(f *frame, c *tuple.Column, rest []uint16) []uint16 {
	out := &k.out
	i := 0
	for _, r := range rest {
		switch {
		case c.IsNull(int(r)):
			out.SetNull(int(r), f.n)
		case c.B[r] == k.decides:
			decide(out, r, k.decides)
			continue
		}
		rest[i] = r
		i++
	}
	return rest[:i]
}

func (k *junction) pick(f *frame, sel, dst []uint16) []uint16 {
	if !k.decides {
		for _, a := range k.args {
			dst = pick(a, f, sel, dst)
			sel = dst
			if len(sel) == 0 {
				break
			}
		}
		return dst
	}
	return k.pickAny(f, sel, dst)
}

// pickAny is OR: each argument sees the rows that no earlier one picked.
func (k *junction) pickAny(f *frame, sel, dst []uint16) []uint16 {
	rest := tuple.Resize(k.rest, len(sel))
	k.rest = rest
	rest = rest[:copy(rest, sel)]
	k.yes = tuple.Resize(k.yes, len(sel))
	k.found = tuple.Resize(k.found, f.n)
	found := k.found
	clear(found)
	for _, a := range k.args {
		if len(rest) == 0 {
			break
		}
		yes := pick(a, f, rest, k.yes[:len(rest)])
		for _, r := range yes {
			found[r] = true
		}
		rest = without(rest, found)
	}
	i := 0
	for _, r := range sel {
		dst[i] = r
		i += bit(found[r])
	}
	return dst[:i]
}

// decide makes row r of a Boolean column v, though it was NULL before.
func decide(out *tuple.Column, r uint16, v bool) {
	out.B[r] = v
	if out.Null != nil {
		out.Null[r] = false
	}
}

// without removes marked rows in place.
func without(sel []uint16, marked []bool) []uint16 {
	i := 0
	for _, r := range sel {
		sel[i] = r
		i += bit(!marked[r])
	}
	return sel[:i]
}

// negated builds NOT n, moving the negation inward where that is exact.
func (c *compiler) negated(n *Node) (kernel, error) {
	if n.Kind == Call {
		if rel, ok := relations[n.Name]; ok {
			return c.compare(n, rel.opposite())
		}
		switch n.Name {
		case "and":
			return c.junction(n, false, true)
		case "or":
			return c.junction(n, true, true)
		case "not":
			return c.build(n.Args[0])
		case "is null", "is not null":
			return c.nullTest(n, n.Name != "is null")
		case "is distinct from", "is not distinct from":
			return c.distinct(n, n.Name != "is distinct from")
		}
	}
	arg, err := c.build(n)
	if err != nil {
		return nil, err
	}
	if p, ok := arg.(*textPredicate); ok {
		p.want = !p.want
		return p, nil
	}
	return &complement{arg: arg}, nil
}

// complement is NOT.
type complement struct {
	arg kernel
	out tuple.Column
}

func (k *complement) eval(f *frame, sel []uint16) *tuple.Column {
	a := k.arg.eval(f, sel)
	if f.begin(&k.out, tuple.Boolean, a) {
		for _, r := range sel {
			k.out.B[r] = !a.B[r]
		}
	}
	return &k.out
}

func (k *complement) pick(f *frame, sel, dst []uint16) []uint16 {
	return pickBool(k.arg.eval(f, sel), sel, dst, false)
}

// nullTest is IS NULL or IS NOT NULL.
type nullTest struct {
	arg  kernel
	null bool
	out  tuple.Column
	rows []uint16
}

func (c *compiler) nullTest(n *Node, null bool) (kernel, error) {
	arg, err := c.build(n.Args[0])
	if err != nil {
		return nil, err
	}
	return &nullTest{arg: arg, null: null}, nil
}

func (k *nullTest) pick(f *frame, sel, dst []uint16) []uint16 {
	a := k.arg.eval(f, sel)
	i := 0
	for _, r := range sel {
		dst[i] = r
		i += bit(a.IsNull(int(r)) == k.null)
	}
	return dst[:i]
}

func (k *nullTest) eval(f *frame, sel []uint16) *tuple.Column {
	k.rows = k.pick(f, sel, tuple.Resize(k.rows, len(sel)))
	f.truth(&k.out, sel, k.rows)
	return &k.out
}
