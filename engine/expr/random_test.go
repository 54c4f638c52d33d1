package expr_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

var schema = enginetest.Schema(
	tuple.Boolean, tuple.Bigint, tuple.Bigint, tuple.Double, tuple.Double, tuple.Number, tuple.Number,
	tuple.Text, tuple.Text, tuple.Timestamp, tuple.Interval,
)

var (
	edgeInts   = []int64{0, 1, -1, 2, 3, 7, -5, 1 << 53, 1<<53 + 1, -1<<53 - 1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 3037000500}
	edgeFloats = []float64{
		0, math.Copysign(0, -1), 1, -1, 2, 2.5, -0.5, 1.5, 1 << 53, 1<<53 + 2, 1 << 63, -1 << 63, math.Nextafter(1<<63, 0), 1e300, -1e19,
		math.NaN(), math.Inf(1), math.Inf(-1),
	}
	edgeTexts = []string{"", "a", "ab", "abc", "Zürich", "%", "b_", "aab", "10", "é"}
)

// drawValue draws a value of type t.
func drawValue(t *rapid.T, typ tuple.Type) expr.Value {
	v := expr.Value{Type: typ}
	switch typ {
	case tuple.Boolean:
		v.B = rapid.Bool().Draw(t, "b")
	case tuple.Bigint, tuple.Timestamp, tuple.Interval:
		v.I = rapid.SampledFrom(edgeInts).Draw(t, "i")
	case tuple.Double:
		v.F = rapid.SampledFrom(edgeFloats).Draw(t, "f")
	case tuple.Number:
		if v.Float = rapid.Bool().Draw(t, "float"); v.Float {
			v.F = rapid.SampledFrom(edgeFloats).Draw(t, "f")
		} else {
			v.I = rapid.SampledFrom(edgeInts).Draw(t, "i")
		}
	case tuple.Text:
		v.S = rapid.SampledFrom(edgeTexts).Draw(t, "s")
	}
	return v
}

func chance(t *rapid.T, one int) bool { return rapid.IntRange(1, one).Draw(t, "chance") == 1 }

// drawColumns draws n rows of the schema as values and as columns, in one of the representations that hold the
// values, with rubbish where a row is NULL.
func drawColumns(t *rapid.T, n int) ([][]expr.Value, []tuple.Column) {
	rows := make([][]expr.Value, n)
	cols := make([]tuple.Column, len(schema.Fields))
	for i, f := range schema.Fields {
		nulls, same := chance(t, 2), chance(t, 2)
		first := drawValue(t, f.Type)
		values := make([]expr.Value, n)
		for r := range n {
			values[r] = drawValue(t, f.Type)
			if f.Type == tuple.Number && same && values[r].Float != first.Float {
				values[r] = first
			}
			if nulls && chance(t, 3) {
				values[r] = enginetest.Null(f.Type)
			}
			rows[r] = append(rows[r], values[r])
		}
		cols[i] = enginetest.Column(f.Type, values...)
		if f.Type == tuple.Number && chance(t, 3) {
			cols[i].Mix(n)
		}
		spoilNulls(&cols[i], n)
	}
	return rows, cols
}

func spoilNulls(c *tuple.Column, n int) {
	for r := range n {
		if !c.IsNull(r) {
			continue
		}
		switch {
		case c.Type == tuple.Boolean:
			c.B[r] = true
		case c.Type.Bytes():
			c.Span[r] = tuple.Span{Off: math.MaxUint32, Len: 5}
		case c.Rep == tuple.RepInt:
			c.I[r] = math.MinInt64
		case c.Rep == tuple.RepFloat:
			c.F[r] = math.NaN()
		default:
			c.Tag[r], c.I[r] = tuple.TagInt, math.MinInt64
		}
	}
}

// drawTree draws an expression of type t that is at most depth calls deep.
func drawTree(t *rapid.T, typ tuple.Type, depth int) *expr.Node {
	if depth == 0 || chance(t, 5) {
		return drawLeaf(t, typ)
	}
	sub := func(types ...tuple.Type) *expr.Node {
		return drawTree(t, rapid.SampledFrom(types).Draw(t, "type"), depth-1)
	}
	numbers := []tuple.Type{tuple.Bigint, tuple.Double, tuple.Number}
	if chance(t, 6) {
		return &expr.Node{Kind: expr.Case, Type: typ, Args: []*expr.Node{sub(tuple.Boolean), sub(typ), sub(tuple.Boolean), sub(typ), sub(typ)}}
	}
	if chance(t, 6) {
		name := rapid.SampledFrom([]string{"coalesce", "nullif", "greatest", "least"}).Draw(t, "choice")
		return enginetest.Call(name, sub(typ), sub(typ))
	}
	switch typ {
	case tuple.Boolean:
		return drawCondition(t, sub)
	case tuple.Bigint:
		if chance(t, 4) {
			return &expr.Node{Kind: rapid.SampledFrom([]expr.Kind{expr.Cast, expr.TryCast}).Draw(t, "cast"), Type: typ, Args: []*expr.Node{sub(numbers...)}}
		}
		if chance(t, 6) {
			return enginetest.Call("ascii", sub(tuple.Text))
		}
		return drawArithmetic(t, sub(typ), sub(typ))
	case tuple.Double:
		if chance(t, 4) {
			return &expr.Node{Kind: expr.Cast, Type: typ, Args: []*expr.Node{sub(numbers...)}}
		}
		if chance(t, 3) {
			return enginetest.Call("/", sub(numbers...), sub(numbers...))
		}
		return drawArithmetic(t, sub(numbers...), sub(typ))
	case tuple.Number:
		return drawArithmetic(t, sub(typ), sub(typ, tuple.Bigint))
	case tuple.Text:
		switch rapid.IntRange(0, 4).Draw(t, "text") {
		case 0:
			return enginetest.Call("||", sub(typ), sub(typ, tuple.Number, tuple.Timestamp))
		case 1:
			return enginetest.Call("lower", sub(typ))
		case 2:
			return enginetest.Call("concat_ws", sub(typ), sub(typ, tuple.Number), sub(typ, tuple.Timestamp))
		case 3:
			format := rapid.SampledFrom([]string{"%a, %d %b %Y", "%Y-%j %T.%n", "%I %p"}).Draw(t, "format")
			return enginetest.Call("strftime", sub(tuple.Timestamp), enginetest.Constant(enginetest.Text(format)))
		}
		return &expr.Node{Kind: expr.Cast, Type: typ, Args: []*expr.Node{sub(tuple.Boolean, tuple.Bigint, tuple.Double, tuple.Number, tuple.Interval)}}
	case tuple.Timestamp:
		return enginetest.Call(rapid.SampledFrom([]string{"+", "-"}).Draw(t, "op"), sub(tuple.Timestamp), sub(tuple.Interval))
	}
	return enginetest.Call("-", sub(tuple.Timestamp), sub(tuple.Timestamp))
}

func drawArithmetic(t *rapid.T, a, b *expr.Node) *expr.Node {
	if chance(t, 6) {
		return enginetest.Call("neg", a)
	}
	return enginetest.Call(rapid.SampledFrom([]string{"+", "-", "*", "//", "%"}).Draw(t, "op"), a, b)
}

func drawCondition(t *rapid.T, sub func(...tuple.Type) *expr.Node) *expr.Node {
	a, b := sub(tuple.Bigint, tuple.Double, tuple.Number), sub(tuple.Bigint, tuple.Double, tuple.Number)
	if chance(t, 2) {
		typ := rapid.SampledFrom([]tuple.Type{tuple.Boolean, tuple.Text, tuple.Timestamp}).Draw(t, "type")
		a, b = sub(typ), sub(typ)
	}
	comparisons := []string{"=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"}
	switch rapid.IntRange(0, 6).Draw(t, "condition") {
	case 0:
		return enginetest.Call(rapid.SampledFrom([]string{"and", "or"}).Draw(t, "op"), sub(tuple.Boolean), sub(tuple.Boolean))
	case 1:
		return enginetest.Call("not", sub(tuple.Boolean))
	case 2:
		return enginetest.Call(rapid.SampledFrom([]string{"is null", "is not null"}).Draw(t, "op"), a)
	case 3:
		list := []*expr.Node{a, b}
		for range rapid.IntRange(0, 9).Draw(t, "in") {
			if chance(t, 4) {
				list = append(list, enginetest.Constant(enginetest.Null(a.Type)))
			} else {
				list = append(list, enginetest.Constant(drawValue(t, b.Type)))
			}
		}
		if chance(t, 2) {
			list[1] = enginetest.Constant(drawValue(t, b.Type))
		}
		return &expr.Node{Kind: expr.In, Type: tuple.Boolean, Args: list}
	case 4:
		pattern := enginetest.Constant(enginetest.Text(rapid.SampledFrom([]string{"%", "a%", "%b", "%a%", "a", "_", "a_%", "%é%", ""}).Draw(t, "pattern")))
		if chance(t, 4) {
			pattern = sub(tuple.Text)
		}
		return enginetest.Call("like", sub(tuple.Text), pattern)
	}
	return enginetest.Call(rapid.SampledFrom(comparisons).Draw(t, "op"), a, b)
}

func drawLeaf(t *rapid.T, typ tuple.Type) *expr.Node {
	if chance(t, 3) {
		if chance(t, 6) {
			return enginetest.Constant(enginetest.Null(typ))
		}
		return enginetest.Constant(drawValue(t, typ))
	}
	var fields []int
	for i, f := range schema.Fields {
		if f.Type == typ {
			fields = append(fields, i)
		}
	}
	return enginetest.Ref(schema, rapid.SampledFrom(fields).Draw(t, "col"))
}

func drawSelection(t *rapid.T, n int) []uint16 {
	if chance(t, 3) {
		return tuple.All(n)
	}
	sel := []uint16{}
	for r := range n {
		if rapid.Bool().Draw(t, "sel") {
			sel = append(sel, uint16(r))
		}
	}
	return sel
}

func TestProgramsAgreeWithTheReference(t *testing.T) {
	types := []tuple.Type{tuple.Boolean, tuple.Boolean, tuple.Bigint, tuple.Double, tuple.Number, tuple.Text, tuple.Timestamp, tuple.Interval}
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, rapid.SampledFrom(types).Draw(t, "type"), rapid.IntRange(1, 4).Draw(t, "depth"))
		program, err := expr.Compile(tree)
		require.NoError(t, err)
		wantFaults := map[string]int64{}
		for range 2 { // a second batch finds what the first left behind
			n := rapid.IntRange(1, 12).Draw(t, "n")
			rows, cols := drawColumns(t, n)
			sel := drawSelection(t, n)
			before := slices.Clone(sel)
			got := program.Eval(cols, n, sel)
			for _, r := range sel {
				want := (&reference{row: rows[r], faults: map[string]int64{}}).eval(tree)
				(&reference{row: rows[r], faults: wantFaults}).eval(expr.Fold(tree))
				require.Equal(t, want.String(), expr.ValueAt(got, int(r)).String(), "row %d of %v", r, tree)
			}
			require.Equal(t, before, sel)
			require.Equal(t, wantFaults, program.Faults(), "%v", tree)
		}
	})
}

func TestSelectAgreesWithEval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, tuple.Boolean, rapid.IntRange(1, 4).Draw(t, "depth"))
		program, err := expr.Compile(tree)
		require.NoError(t, err)
		for range 2 {
			n := rapid.IntRange(1, 12).Draw(t, "n")
			rows, cols := drawColumns(t, n)
			sel := drawSelection(t, n)
			want := []uint16{77}
			for _, r := range sel {
				if v := (&reference{row: rows[r], faults: map[string]int64{}}).eval(tree); !v.Null && v.B {
					want = append(want, r)
				}
			}
			require.Equal(t, want, program.Select(cols, n, sel, []uint16{77}), "%v", tree)
		}
	})
}
