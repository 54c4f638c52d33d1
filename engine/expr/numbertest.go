package expr

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// numberTest compares a numeric value with a constant. The constant is prepared for each representation, so that
// integers meet an integer and doubles a double, and the answer is still exact: n < 2.5 is n <= 2 for integers.
type numberTest struct {
	arg   kernel
	rel   relation
	bound number

	intRel   relation
	intBound int64
	floatRel relation
	bound64  float64

	col  *tuple.Column
	out  tuple.Column
	rows []uint16
}

func newNumberTest(arg kernel, rel relation, bound number) *numberTest {
	k := &numberTest{arg: arg, rel: rel, bound: bound}
	k.intRel, k.intBound = forIntegers(rel, bound)
	k.floatRel, k.bound64 = forDoubles(rel, bound)
	return k
}

// forIntegers restates x rel bound for integers x.
func forIntegers(rel relation, bound number) (relation, int64) {
	if bound.tag == tuple.TagInt {
		return rel, bound.i
	}
	switch f := bound.f; {
	case f != f || f >= two63: // above every integer
		if rel.base == equal {
			return relation{never, rel.not}, 0
		}
		return relation{never, !rel.not}, 0
	case f < -two63:
		return relation{never, rel.not}, 0
	case f == math.Floor(f):
		return rel, int64(f)
	case rel.base == equal:
		return relation{never, rel.not}, 0
	}
	return relation{lessOrEqual, rel.not}, int64(math.Floor(bound.f))
}

// forDoubles restates x rel bound for doubles x. A NaN bound keeps its meaning: only NaN equals it and everything is
// less or equal.
func forDoubles(rel relation, bound number) (relation, float64) {
	if bound.tag == tuple.TagFloat {
		return rel, bound.f
	}
	f := float64(bound.i)
	c := compareIntFloat(bound.i, f)
	if c == 0 {
		return rel, f
	}
	if rel.base == equal {
		return relation{never, rel.not}, 0
	}
	if c < 0 {
		f = math.Nextafter(f, math.Inf(-1))
	}
	return relation{lessOrEqual, rel.not}, f
}

func (k *numberTest) pick(f *frame, sel, dst []uint16) []uint16 {
	k.col = k.arg.eval(f, sel)
	switch {
	case k.col.Type == tuple.Null:
		return dst[:0]
	case k.col.Rep == tuple.RepInt:
		dst = pickConst(k.intRel, k.col.I, k.intBound, sel, dst)
	case k.col.Rep == tuple.RepFloat && k.bound64 == k.bound64:
		dst = pickConst(k.floatRel, k.col.F, k.bound64, sel, dst)
	default:
		return k.pickSlow(sel, dst)
	}
	return dropNulls(k.col, dst)
}

func (k *numberTest) pickSlow(sel, dst []uint16) []uint16 {
	i := 0
	for _, r := range sel {
		if k.col.IsNull(int(r)) || !k.rel.holds(compareNumbers(numberAt(k.col, int(r)), k.bound)) {
			continue
		}
		dst[i] = r
		i++
	}
	return dst[:i]
}

func (k *numberTest) eval(f *frame, sel []uint16) *tuple.Column {
	k.rows = k.pick(f, sel, tuple.Resize(k.rows, len(sel)))
	f.truth(&k.out, sel, k.rows, k.col)
	return &k.out
}

// pickConst writes the rows whose value is in relation to bound, which is not NaN. NaN values, greater than
// every bound, fall out of = < and <= by themselves and into their negations.
func pickConst[T int64 | float64](rel relation, x []T, bound T, sel, dst []uint16) []uint16 {
	k := 0
	switch rel.base {
	case equal:
		for _, r := range sel {
			dst[k] = r
			k += bit((x[r] == bound) != rel.not)
		}
	case less:
		for _, r := range sel {
			dst[k] = r
			k += bit((x[r] < bound) != rel.not)
		}
	case lessOrEqual:
		for _, r := range sel {
			dst[k] = r
			k += bit((x[r] <= bound) != rel.not)
		}
	case never:
		if rel.not {
			k = copy(dst, sel)
		}
	}
	return dst[:k]
}
