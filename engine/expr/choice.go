package expr

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var choiceFunctions = []*function{
	{name: "coalesce", aliases: []string{"ifnull", "nvl"}, ways: []overload{takes(unified, isAny).repeated()}, build: buildCoalesce},
	{name: "greatest", ways: []overload{takes(unified, isAny).repeated()}, build: buildExtreme(1)},
	{name: "least", ways: []overload{takes(unified, isAny).repeated()}, build: buildExtreme(-1)},
	{name: "nullif", ways: nullifWays(), build: buildNullif},
	{name: "if", ways: []overload{takes(ifType, isBool, isAny, isAny)}, build: func(c *compiler, n *Node) (kernel, error) {
		return c.buildCase(&Node{Kind: Case, Type: n.Type, Args: n.Args})
	}},
	{name: "typeof", ways: []overload{takes(yields(tuple.Text), isAny)}, build: buildTypeof},
}

// Unify returns the type of an expression that takes its value from expressions of the given types, such as CASE. NULL
// goes with every type, numbers of different types give NUMBER, so that integers stay exact, and JSON is text beside text.
func Unify(types ...tuple.Type) (tuple.Type, error) {
	t := tuple.Null
	for _, u := range types {
		switch {
		case u == tuple.Null, u == t:
		case t == tuple.Null:
			t = u
		case t.Numeric() && u.Numeric():
			t = tuple.Number
		case t.Bytes() && u.Bytes():
			t = tuple.Text
		default:
			return tuple.Null, fmt.Errorf("%v and %v do not go together", t, u)
		}
	}
	return t, nil
}

func unified(args []*Node) (tuple.Type, error) {
	types := make([]tuple.Type, len(args))
	for i, a := range args {
		types[i] = a.Type
	}
	return Unify(types...)
}

func ifType(args []*Node) (tuple.Type, error) { return unified(args[1:]) }

func nullifWays() []overload {
	first := func(args []*Node) (tuple.Type, error) { return args[0].Type, nil }
	ways := make([]overload, len(comparableKinds))
	for i, k := range comparableKinds {
		ways[i] = takes(first, k, k)
	}
	return ways
}

// choice collects rows from several columns into one.
type choice struct {
	out   tuple.Column
	typ   tuple.Type
	taken bool // something has been copied, so out's representation is settled
}

func (k *choice) reset(f *frame) {
	k.out.Reset(k.typ, f.n)
	k.taken = false
}

// take copies rows of src, whose type goes with k's, converting numbers.
func (k *choice) take(f *frame, src *tuple.Column, rows []uint16) {
	out := &k.out
	if src.Type == tuple.Null || out.Type == tuple.Null {
		for _, r := range rows {
			out.SetNull(int(r), f.n)
		}
		return
	}
	if src.Null != nil {
		nulls := out.WithNulls(f.n)
		for _, r := range rows {
			nulls[r] = src.Null[r]
		}
	}
	switch {
	case out.Type.Bytes():
		for _, r := range rows {
			if !src.IsNull(int(r)) {
				start := len(out.Buf)
				out.Buf = append(out.Buf, src.Str(int(r))...)
				f.endText(out, r, start)
			}
		}
	case out.Type == tuple.Boolean:
		for _, r := range rows {
			out.B[r] = src.B[r]
		}
	case out.Type == tuple.Number:
		k.takeNumbers(f, src, rows)
	case out.Type == tuple.Double && src.Rep != tuple.RepFloat:
		for _, r := range rows {
			if !src.IsNull(int(r)) {
				out.F[r] = numberAt(src, int(r)).float()
			}
		}
	case out.Type == tuple.Double:
		for _, r := range rows {
			out.F[r] = src.F[r]
		}
	default:
		for _, r := range rows {
			out.I[r] = src.I[r]
		}
	}
}

func (k *choice) takeNumbers(f *frame, src *tuple.Column, rows []uint16) {
	out := &k.out
	switch {
	case !k.taken:
		out.SetRep(src.Rep, f.n)
	case out.Rep != src.Rep:
		out.Mix(f.n)
	}
	k.taken = true
	switch out.Rep {
	case tuple.RepInt:
		for _, r := range rows {
			out.I[r] = src.I[r]
		}
	case tuple.RepFloat:
		for _, r := range rows {
			out.F[r] = src.F[r]
		}
	case tuple.RepMixed:
		for _, r := range rows {
			if !src.IsNull(int(r)) {
				setNumber(out, r, numberAt(src, int(r)))
			}
		}
	}
}

// branches is CASE: args are when1, then1, ..., else. A branch is evaluated on the rows that come to it.
type branches struct {
	choice
	args []kernel
	rest []uint16
	yes  []uint16
	mark []bool
}

func (c *compiler) buildCase(n *Node) (kernel, error) {
	if len(n.Args)%2 == 0 {
		return nil, fmt.Errorf("expr: CASE with %d arguments", len(n.Args))
	}
	var types []tuple.Type
	for i, a := range n.Args {
		if i%2 == 1 || i == len(n.Args)-1 {
			types = append(types, a.Type)
		} else if !isBool.has(a.Type) {
			return nil, fmt.Errorf("a CASE condition must be BOOLEAN, not %v", a.Type)
		}
	}
	t, err := Unify(types...)
	if err != nil {
		return nil, err
	}
	if t != n.Type && t != tuple.Null && !(n.Type.Numeric() && t.Numeric() && n.Type != tuple.Bigint) {
		return nil, fmt.Errorf("expr: a CASE of %v is not a %v", t, n.Type)
	}
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &branches{choice: choice{typ: n.Type}, args: args}, nil
}

func (k *branches) eval(f *frame, sel []uint16) *tuple.Column {
	k.reset(f)
	rest := tuple.Resize(k.rest, len(sel))
	k.rest = rest
	rest = rest[:copy(rest, sel)]
	k.yes = tuple.Resize(k.yes, len(sel))
	k.mark = tuple.Resize(k.mark, f.n)
	clear(k.mark)
	last := len(k.args) - 1
	for i := 0; i < last && len(rest) > 0; i += 2 {
		yes := pick(k.args[i], f, rest, k.yes[:len(rest)])
		if len(yes) == 0 {
			continue
		}
		k.take(f, k.args[i+1].eval(f, yes), yes)
		for _, r := range yes {
			k.mark[r] = true
		}
		rest = without(rest, k.mark)
	}
	if len(rest) > 0 {
		k.take(f, k.args[last].eval(f, rest), rest)
	}
	return &k.out
}

// coalesce takes the first argument that is not NULL and evaluates each on the rows that still lack one.
type coalesce struct {
	choice
	args []kernel
	rest []uint16
	some []uint16
}

func buildCoalesce(c *compiler, n *Node) (kernel, error) {
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &coalesce{choice: choice{typ: n.Type}, args: args}, nil
}

func (k *coalesce) eval(f *frame, sel []uint16) *tuple.Column {
	k.reset(f)
	rest := tuple.Resize(k.rest, len(sel))
	k.rest = rest
	rest = rest[:copy(rest, sel)]
	k.some = tuple.Resize(k.some, len(sel))
	for _, a := range k.args {
		if len(rest) == 0 {
			return &k.out
		}
		src := a.eval(f, rest)
		if src.Null == nil {
			k.take(f, src, rest)
			return &k.out
		}
		some, i := k.some[:0], 0
		for _, r := range rest {
			if src.Null[r] {
				rest[i] = r
				i++
			} else {
				some = append(some, r)
			}
		}
		rest = rest[:i]
		k.take(f, src, some)
	}
	for _, r := range rest {
		k.out.SetNull(int(r), f.n)
	}
	return &k.out
}

// extreme is GREATEST (sign 1) or LEAST (sign -1), which pass over NULLs.
type extreme struct {
	choice
	sign int
	args []kernel
	cols []*tuple.Column
	one  [1]uint16
}

func buildExtreme(sign int) func(*compiler, *Node) (kernel, error) {
	return func(c *compiler, n *Node) (kernel, error) {
		args, err := c.buildAll(n.Args)
		if err != nil {
			return nil, err
		}
		return &extreme{choice: choice{typ: n.Type}, sign: sign, args: args, cols: make([]*tuple.Column, len(args))}, nil
	}
}

func (k *extreme) eval(f *frame, sel []uint16) *tuple.Column {
	k.reset(f)
	for i, a := range k.args {
		k.cols[i] = a.eval(f, sel)
	}
	for _, r := range sel {
		best := k.cols[0]
		for _, c := range k.cols[1:] {
			if !c.IsNull(int(r)) && (best.IsNull(int(r)) || Compare(c, int(r), best, int(r))*k.sign > 0) {
				best = c
			}
		}
		k.one[0] = r
		k.take(f, best, k.one[:])
	}
	return &k.out
}

// nullif is NULL where its arguments are equal, else the first.
type nullif struct {
	choice
	left, right kernel
}

func buildNullif(c *compiler, n *Node) (kernel, error) {
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &nullif{choice: choice{typ: n.Type}, left: args[0], right: args[1]}, nil
}

func (k *nullif) eval(f *frame, sel []uint16) *tuple.Column {
	a, b := k.left.eval(f, sel), k.right.eval(f, sel)
	k.reset(f)
	k.take(f, a, sel)
	for _, r := range sel {
		if !a.IsNull(int(r)) && !b.IsNull(int(r)) && Compare(a, int(r), b, int(r)) == 0 {
			k.out.SetNull(int(r), f.n)
		}
	}
	return &k.out
}

func buildTypeof(c *compiler, n *Node) (kernel, error) {
	t := n.Args[0].Type
	if t != tuple.Number {
		return constant(Value{Type: tuple.Text, S: t.String()}, tuple.Text), nil
	}
	names := map[uint8]string{tuple.TagInt: "BIGINT", tuple.TagFloat: "DOUBLE", tuple.TagHuge: "HUGEINT"}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		start := len(out.Buf)
		out.Buf = append(out.Buf, names[numberAt(args[0], int(r)).tag]...)
		f.endText(out, r, start)
	})
}
