package expr

import (
	"bytes"
	"cmp"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// comparableKinds are the families of types that compare with each other.
var comparableKinds = []kinds{isNum, isText, isTime, isInterval, isBool}

func comparisonWays() []overload {
	ways := make([]overload, len(comparableKinds))
	for i, k := range comparableKinds {
		ways[i] = takes(yields(tuple.Boolean), k, k)
	}
	return ways
}

var comparisonFunctions = []*function{
	{name: "=", aliases: []string{"=="}, ways: comparisonWays(), build: buildCompare},
	{name: "<>", aliases: []string{"!="}, ways: comparisonWays(), build: buildCompare},
	{name: "<", ways: comparisonWays(), build: buildCompare},
	{name: "<=", ways: comparisonWays(), build: buildCompare},
	{name: ">", ways: comparisonWays(), build: buildCompare},
	{name: ">=", ways: comparisonWays(), build: buildCompare},
	{name: "is distinct from", ways: comparisonWays(), build: buildDistinct},
	{name: "is not distinct from", ways: comparisonWays(), build: buildDistinct},
}

// relation is a comparison, reduced to one of three by negation: a >= b is NOT a < b. It is exact because the
// order is total, NaN included.
type relation struct {
	base baseRelation
	not  bool
}

type baseRelation uint8

const (
	equal baseRelation = iota
	less
	lessOrEqual
	never // true for no row; negated, for all that are not NULL
)

var relations = map[string]relation{
	"=": {equal, false}, "<>": {equal, true}, "<": {less, false}, ">=": {less, true}, "<=": {lessOrEqual, false}, ">": {lessOrEqual, true},
}

// opposite is the relation that holds where r does not.
func (r relation) opposite() relation { return relation{r.base, !r.not} }

// mirrored is the relation with its sides exchanged.
func (r relation) mirrored() relation {
	switch r.base {
	case less:
		return relation{lessOrEqual, !r.not}
	case lessOrEqual:
		return relation{less, !r.not}
	}
	return r
}

// holds reports whether the relation is true of two values that compare as c.
func (r relation) holds(c int) bool {
	switch r.base {
	case equal:
		return (c == 0) != r.not
	case less:
		return (c < 0) != r.not
	case lessOrEqual:
		return (c <= 0) != r.not
	}
	return r.not
}

// Compare orders row i of a and row j of b, neither of which is NULL and whose types are comparable: -1, 0 or +1,
// in the order that ORDER BY and the comparison operators share.
func Compare(a *tuple.Column, i int, b *tuple.Column, j int) int {
	switch {
	case a.Type.Bytes():
		return bytes.Compare(a.Str(i), b.Str(j))
	case a.Type == tuple.Boolean:
		return bit(a.B[i]) - bit(b.B[j])
	case a.Rep == tuple.RepInt && b.Rep == tuple.RepInt:
		return cmp.Compare(a.I[i], b.I[j])
	}
	return compareNumbers(numberAt(a, i), numberAt(b, j))
}

// comparison compares two computed values.
type comparison struct {
	rel         relation
	left, right kernel
	a, b        *tuple.Column
	out         tuple.Column
	rows        []uint16
}

func buildCompare(c *compiler, n *Node) (kernel, error) {
	return c.compare(n, relations[n.Name])
}

func (c *compiler) compare(n *Node, rel relation) (kernel, error) {
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	if _, ok := args[0].(*literal); ok {
		args[0], args[1] = args[1], args[0]
		rel = rel.mirrored()
	}
	if right, ok := args[1].(*literal); ok && right.col.Null == nil {
		switch t := right.col.Type; {
		case t.Bytes():
			return &textPredicate{arg: args[0], match: matchText(rel.base, right.col.Str(0)), want: !rel.not}, nil
		case t != tuple.Boolean && numberAt(&right.col, 0).tag != tuple.TagHuge:
			return newNumberTest(args[0], rel, numberAt(&right.col, 0)), nil
		}
	}
	return &comparison{rel: rel, left: args[0], right: args[1]}, nil
}

// matchText returns a test for a relation with a constant text.
func matchText(base baseRelation, k []byte) func([]byte) bool {
	switch base {
	case less:
		return func(s []byte) bool { return bytes.Compare(s, k) < 0 }
	case lessOrEqual:
		return func(s []byte) bool { return bytes.Compare(s, k) <= 0 }
	}
	return func(s []byte) bool { return string(s) == string(k) }
}

func (k *comparison) pick(f *frame, sel, dst []uint16) []uint16 {
	k.a, k.b = k.left.eval(f, sel), k.right.eval(f, sel)
	a, b := k.a, k.b
	if a.Type == tuple.Null || b.Type == tuple.Null {
		return dst[:0]
	}
	if a.Rep == tuple.RepInt && b.Rep == tuple.RepInt && !a.Type.Bytes() && a.Type != tuple.Boolean {
		dst = pickInts(k.rel, a.I, b.I, sel, dst)
		return dropNulls(b, dropNulls(a, dst))
	}
	i := 0
	for _, r := range sel {
		if a.IsNull(int(r)) || b.IsNull(int(r)) || !k.rel.holds(Compare(a, int(r), b, int(r))) {
			continue
		}
		dst[i] = r
		i++
	}
	return dst[:i]
}

func (k *comparison) eval(f *frame, sel []uint16) *tuple.Column {
	k.rows = k.pick(f, sel, tuple.Resize(k.rows, len(sel)))
	f.truth(&k.out, sel, k.rows, k.a, k.b)
	return &k.out
}

func pickInts(rel relation, x, y []int64, sel, dst []uint16) []uint16 {
	k := 0
	switch rel.base {
	case equal:
		for _, r := range sel {
			dst[k] = r
			k += bit((x[r] == y[r]) != rel.not)
		}
	case less:
		for _, r := range sel {
			dst[k] = r
			k += bit((x[r] < y[r]) != rel.not)
		}
	case lessOrEqual:
		for _, r := range sel {
			dst[k] = r
			k += bit((x[r] <= y[r]) != rel.not)
		}
	}
	return dst[:k]
}

// distinction is IS [NOT] DISTINCT FROM: NULL is a value like others and the result is never NULL.
type distinction struct {
	want        bool // true for rows that differ
	left, right kernel
	out         tuple.Column
	rows        []uint16
}

func buildDistinct(c *compiler, n *Node) (kernel, error) {
	return c.distinct(n, n.Name == "is distinct from")
}

func (c *compiler) distinct(n *Node, want bool) (kernel, error) {
	args, err := c.buildAll(n.Args)
	if err != nil {
		return nil, err
	}
	return &distinction{want: want, left: args[0], right: args[1]}, nil
}

func (k *distinction) pick(f *frame, sel, dst []uint16) []uint16 {
	a, b := k.left.eval(f, sel), k.right.eval(f, sel)
	i := 0
	for _, r := range sel {
		null := a.IsNull(int(r))
		differ := null != b.IsNull(int(r)) || !null && Compare(a, int(r), b, int(r)) != 0
		dst[i] = r
		i += bit(differ == k.want)
	}
	return dst[:i]
}

func (k *distinction) eval(f *frame, sel []uint16) *tuple.Column {
	k.rows = k.pick(f, sel, tuple.Resize(k.rows, len(sel)))
	f.truth(&k.out, sel, k.rows)
	return &k.out
}
