package expr_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// bound evaluates one of the functions of interval arithmetic; infinite arguments are given as NULL, and a NULL result
// is returned as missing.
func bound(t require.TestingT, name string, missing float64, ends ...float64) float64 {
	var args []*expr.Node
	for _, x := range ends {
		if math.IsInf(x, 0) {
			args = append(args, Constant(Null(tuple.Double)))
		} else {
			args = append(args, Constant(Float(x)))
		}
	}
	p, err := expr.Compile(&expr.Node{Kind: expr.Call, Name: name, Type: tuple.Double, Args: args})
	require.NoError(t, err)
	c := p.Eval(nil, 1, tuple.All(1))
	require.Empty(t, p.Faults(), "bounds are not the user's values: nothing is counted")
	if c.IsNull(0) {
		return missing
	}
	return c.F[0]
}

// TestIntervalArithmetic draws intervals and numbers inside them: the product and the quotient lie between the bounds, and
// the bounds of finite intervals are reached at their ends.
func TestIntervalArithmetic(t *testing.T) {
	end := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, -1, math.Inf(1), math.Inf(-1), 1e300, -1e-300}), rapid.Float64Range(-100, 100))
	rapid.Check(t, func(t *rapid.T) {
		var ends [4]float64
		var inside [2]float64
		for i := range 2 {
			a, b := end.Draw(t, "a"), end.Draw(t, "b")
			ends[2*i], ends[2*i+1] = min(a, b), max(a, b)
			if a == b && math.IsInf(a, 0) {
				ends[2*i], ends[2*i+1] = math.Inf(-1), math.Inf(1)
			}
			lo, hi := max(ends[2*i], -math.MaxFloat64), min(ends[2*i+1], math.MaxFloat64)
			inside[i] = rapid.OneOf(rapid.Just(lo), rapid.Just(hi), rapid.Float64Range(lo, hi)).Draw(t, "x")
		}
		x, y := inside[0], inside[1]
		low, high := bound(t, "low of product", math.Inf(-1), ends[:]...), bound(t, "high of product", math.Inf(1), ends[:]...)
		require.True(t, low <= x*y && x*y <= high, "%v: %v * %v = %v is not in [%v, %v]", ends, x, y, x*y, low, high)
		if y == 0 {
			return
		}
		low, high = bound(t, "low of quotient", math.Inf(-1), ends[:]...), bound(t, "high of quotient", math.Inf(1), ends[:]...)
		require.True(t, low <= x/y && x/y <= high, "%v: %v / %v = %v is not in [%v, %v]", ends, x, y, x/y, low, high)
	})
}

func TestBoundsOfQuotients(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		claim             string
		a, b, c, d        float64
		wantLow, wantHigh float64
	}{
		{"of two positive ones", 2, 3, 4, 6, 2.0 / 6, 3.0 / 4},
		{"a denominator that may be on either side of 0 tells nothing", 2, 3, -1, 1, -inf, inf},
		{"one that may come near 0 bounds from one side", 2, 3, 0, 4, 0.5, inf},
		{"also from below", 2, 3, -4, 0, -inf, -0.5},
		{"0 alone tells nothing", 2, 3, 0, 0, -inf, inf},
		{"an open denominator", 2, 3, 4, inf, 0, 0.75},
		{"an open numerator", 2, inf, 4, 5, 0.4, inf},
		{"points are divided as they are", 1, 1, 3, 3, 1.0 / 3, 1.0 / 3},
	} {
		assert.Equal(t, c.wantLow, bound(t, "low of quotient", -inf, c.a, c.b, c.c, c.d), c.claim)
		assert.Equal(t, c.wantHigh, bound(t, "high of quotient", inf, c.a, c.b, c.c, c.d), c.claim)
	}
}

func TestErrors(t *testing.T) {
	call := func(name string, args ...expr.Value) expr.Value {
		n := &expr.Node{Kind: expr.Call, Name: name}
		for _, a := range args {
			n.Args = append(n.Args, Constant(a))
		}
		_, result, err := expr.Resolve(name, n.Args)
		require.NoError(t, err)
		n.Type = result
		p, err := expr.Compile(n)
		require.NoError(t, err)
		return expr.ValueAt(p.Eval(nil, 1, tuple.All(1)), 0)
	}
	number := func(i int64) expr.Value { return expr.Value{Type: tuple.Number, I: i} }
	for _, c := range []struct {
		claim              string
		value, low, high   expr.Value
		absolute, relative string
	}{
		{"the larger distance counts", Int(10), Int(8), Int(11), "2", "0.2"},
		{"on either side", Int(10), Int(9), Int(15), "5", "0.5"},
		{"of bounds of another type", Int(10), Float(9.5), number(11), "1.0", "0.1"},
		{"which may be numbers", Int(-10), number(-12), number(-9), "2", "0.2"},
		{"no error is 0 of everything", Int(0), Int(0), Int(0), "0", "0.0"},
		{"an error of 0 has no share", Int(0), Int(-1), Int(2), "2", "NULL"},
		{"a bound that is not known has no distance", Int(10), Null(tuple.Number), Int(11), "NULL", "NULL"},
		{"nor has a value that is not", Null(tuple.Bigint), Int(1), Int(11), "NULL", "NULL"},
		{"lengths of time are numbers, too", Interval(1e9), Interval(5e8), Interval(1e9), "INTERVAL '500ms'", "0.5"},
		{"what 64 bits do not hold is a double", Int(math.MinInt64), Int(math.MinInt64), number(math.MaxInt64), "1.8446744073709552e+19", "2.0"},
	} {
		assert.Equal(t, c.absolute, call("absolute_error", c.value, c.low, c.high).String(), c.claim)
		assert.Equal(t, c.relative, call("relative_error", c.value, c.low, c.high).String(), c.claim)
	}
	assert.NotContains(t, expr.Names(), "absolute_error", "they are the binder's")
}
