package op_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// The columns of the tests: number, text and integer keys; arguments of every type.
const (
	colNumberKey = iota
	colTextKey
	colIntKey
	colNumber
	colDouble
	colText
	colBool
	colTime
	colInt
)

var columns = Schema(tuple.Number, tuple.Text, tuple.Bigint, tuple.Number, tuple.Double, tuple.Text, tuple.Boolean, tuple.Timestamp, tuple.Bigint)

func ref(i int) *expr.Node { return Ref(columns, i) }

// row draws a row. Groups are few. Doubles are halves, so that sums of them are exact in any order, and
// the argument columns have no integers written as doubles.
func row(t *rapid.T) []expr.Value {
	pick := func(name string, values ...expr.Value) expr.Value { return rapid.SampledFrom(values).Draw(t, name) }
	half := func() float64 { return float64(rapid.IntRange(-40, 40).Draw(t, "half")) + 0.5 }
	return []expr.Value{
		pick("k", NumberInt(1), NumberFloat(1), NumberFloat(0), NumberFloat(math.Copysign(0, -1)), NumberInt(0), NumberFloat(0.5), NumberFloat(math.NaN()), Null(tuple.Number), NumberInt(math.MaxInt64), NumberFloat(1e300), NumberFloat(math.MinInt64)),
		pick("s", Text(""), Text("a"), Text("abcdefgh"), Text("a text of more than sixteen bytes"), Null(tuple.Text)),
		pick("i", Int(-1), Int(0), Int(math.MaxInt64), Null(tuple.Bigint)),
		pick("n", NumberInt(3), NumberInt(math.MaxInt64), NumberFloat(half()), NumberInt(int64(rapid.IntRange(-9, 9).Draw(t, "n"))), Null(tuple.Number), NumberFloat(math.NaN())),
		pick("d", Float(half()), Float(half()), Null(tuple.Double), Float(math.NaN())),
		pick("x", Text("p"), Text("q"), Text("a much longer text than the others"), Null(tuple.Text)),
		pick("b", Bool(true), Bool(false), Null(tuple.Boolean)),
		pick("t", Time(5), Time(-5), Time(1<<60), Null(tuple.Timestamp)),
		pick("v", Int(7), Int(math.MaxInt64), Int(math.MinInt64), Int(int64(rapid.IntRange(-99, 99).Draw(t, "v"))), Null(tuple.Bigint)),
	}
}

// aggs are aggregates of every function over every type it takes. Where panes are merged, ties
// between values of one count are broken by pane, which the oracle does not do.
func aggs(hop bool) []op.Agg {
	list := []op.Agg{
		{Func: op.CountAll},
		{Func: op.CountAll, Filter: ref(colBool)},
		{Func: op.AnyValue, Arg: ref(colText)},
		{Func: op.First, Arg: ref(colNumber), Filter: ref(colBool)},
	}
	for _, col := range []int{colNumber, colDouble, colText, colBool, colTime, colInt} {
		for _, f := range []op.AggFunc{op.Count, op.CountDistinct, op.Min, op.Max, op.First, op.Last, op.AnyValue, op.ApproxDistinct} {
			list = append(list, op.Agg{Func: f, Arg: ref(col)})
		}
		if col == colText || col == colBool {
			continue
		}
		for _, f := range []op.AggFunc{op.Quantile, op.QuantileRank} {
			list = append(list, op.Agg{Func: f, Arg: ref(col), Quantiles: []float64{0.5}})
		}
	}
	for _, col := range []int{colNumber, colDouble, colInt} {
		for _, f := range []op.AggFunc{op.Sum, op.Avg, op.VarPop, op.VarSamp, op.StddevPop, op.StddevSamp} {
			list = append(list, op.Agg{Func: f, Arg: ref(col)}, op.Agg{Func: f, Arg: ref(col), Distinct: true})
		}
		list = append(list, op.Agg{Func: op.Sum, Arg: ref(col), Filter: ref(colBool)})
	}
	list = append(list, op.Agg{Func: op.QuantileTDigest, Arg: ref(colDouble), Quantiles: []float64{0.9}})
	for _, col := range []int{colText, colTime} {
		if !hop {
			list = append(list, op.Agg{Func: op.TopK, Arg: ref(col), K: 2})
		}
	}
	return list
}

func aggregateOf(w op.Window, keys ...int) *op.Aggregate {
	spec := &op.Aggregate{Window: w, Aggs: aggs(w.Kind == op.Hop)}
	for _, k := range keys {
		spec.Keys = append(spec.Keys, ref(k))
		spec.KeyFields = append(spec.KeyFields, columns.Fields[k])
	}
	for i := range spec.Aggs {
		spec.Aggs[i].Field.Name = spec.Aggs[i].String()
	}
	return spec
}

var allKeys = [][]int{
	{},
	{colNumberKey},
	{colTextKey},
	{colIntKey},
	{colNumberKey, colTextKey, colIntKey, colBool},
	{colBool},
}

var allWindows = []op.Window{
	{},
	{Kind: op.Tumble, Size: 10, Slide: 10},
	{Kind: op.Hop, Size: 20, Slide: 10},
	{Kind: op.Hop, Size: 25, Slide: 10},
}

// TestAggregateEqualsTheSlowOne compares all functions, keys and windows with the evaluator that keeps every row.
func TestAggregateEqualsTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SampledFrom(allKeys).Draw(t, "keys")
		spec := aggregateOf(rapid.SampledFrom(allWindows).Draw(t, "window"), keys...)
		fields := spec.Schema(columns).Fields
		script := Wander(60, 9, 9, row)(t)
		got, err := Play(spec, columns, script, Cutter{Mixed: func() bool { return rapid.Bool().Draw(t, "mixed") }})
		require.NoError(t, err)
		want := slowly(spec, script)
		require.Len(t, got.Rows, len(want), "rows")
		for i := range want {
			for j := range want[i] {
				requireSame(t, want[i][j], got.Rows[i][j], fmt.Sprintf("row %d, %s", i, fields[j].Name))
			}
		}
	})
}

// requireSame compares exactly, but for means and variances, which are compared to 12 digits.
func requireSame(t *rapid.T, want, got expr.Value, what string) {
	if want.Type == tuple.Number && len(want.S) > 0 {
		c := Column(tuple.Number, got)
		require.Equal(t, want.S, string(tuple.AppendValue(nil, &c, 0, nil)), what)
		return
	}
	if want.Type == tuple.Double && !want.Null && !got.Null && want.F != 0 {
		require.InEpsilon(t, want.F, got.F, 1e-12, what)
		return
	}
	want.Float = want.Float && want.Type == tuple.Number
	require.Equal(t, fmt.Sprint(want), fmt.Sprint(got), what)
}

func TestAggregateConforms(t *testing.T) {
	for i, w := range allWindows {
		for _, keys := range allKeys[i : i+2] {
			spec := aggregateOf(w, keys...)
			t.Run(fmt.Sprint(w, keys), func(t *testing.T) {
				Conform(t, spec, columns, Wander(12, 9, 9, row))
			})
		}
	}
}
