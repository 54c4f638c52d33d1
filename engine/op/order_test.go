package op_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// smallSchema is window, key, key, payload.
var smallSchema = Schema(tuple.Timestamp, tuple.Number, tuple.Text, tuple.Bigint)

// drawWindows draws rows whose windows come one after the other, with few different keys.
func drawWindows(rows int) func(*rapid.T) Script {
	window, serial := int64(0), int64(0)
	inner := Wander(rows, 10, 3, func(t *rapid.T) []expr.Value {
		if rapid.IntRange(0, 5).Draw(t, "next") == 0 {
			window += 10
		}
		serial++
		row := []expr.Value{Time(window), NumberInt(rapid.Int64Range(0, 3).Draw(t, "int")), Text(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "text")), Int(serial)}
		if rapid.Bool().Draw(t, "float") {
			row[1] = NumberFloat(rapid.SampledFrom([]float64{0, 1, 1.5, math.NaN()}).Draw(t, "float"))
		}
		for i := 1; i < 3; i++ {
			if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
				row[i] = Null(row[i].Type)
			}
		}
		return row
	})
	return func(t *rapid.T) Script {
		window, serial = 0, 0
		return inner(t)
	}
}

// rowsOf returns the rows of a script, window by window if col is one.
func rowsOf(script Script, col int) [][][]expr.Value {
	var windows [][][]expr.Value
	var last expr.Value
	for _, s := range script {
		if s.Values == nil {
			continue
		}
		if windows == nil || col >= 0 && s.Values[col] != last {
			windows = append(windows, nil)
		}
		if col >= 0 {
			last = s.Values[col]
		}
		windows[len(windows)-1] = append(windows[len(windows)-1], s.Values)
	}
	return windows
}

// compareSlow orders values as ORDER BY does, by way of their columns.
func compareSlow(a, b expr.Value, k op.OrderKey) int {
	if a.Null || b.Null {
		if a.Null == b.Null {
			return 0
		}
		if a.Null == k.NullsFirst {
			return -1
		}
		return 1
	}
	x, y := Column(a.Type, a), Column(b.Type, b)
	c := expr.Compare(&x, 0, &y, 0)
	if k.Desc {
		return -c
	}
	return c
}

func orderSlow(o *op.Order, windows [][][]expr.Value) [][]expr.Value {
	var out [][]expr.Value
	for _, rows := range windows {
		rows = slices.Clone(rows)
		slices.SortStableFunc(rows, func(a, b []expr.Value) int {
			for _, k := range o.Keys {
				if c := compareSlow(a[k.Col], b[k.Col], k); c != 0 {
					return c
				}
			}
			return 0
		})
		rows = rows[min(int(o.Offset), len(rows)):]
		if o.Limit >= 0 {
			rows = rows[:min(int(o.Limit), len(rows))]
		}
		for _, row := range rows {
			out = append(out, row[:o.Keep])
		}
	}
	return out
}

var orders = map[string]*op.Order{
	"order by a key, nulls last":     {Keys: []op.OrderKey{{Col: 1}}, Limit: -1, Window: -1, Keep: 4},
	"order by two keys, nulls first": {Keys: []op.OrderKey{{Col: 2, Desc: true, NullsFirst: true}, {Col: 1, Desc: true}}, Limit: -1, Window: -1, Keep: 3},
	"order in windows":               {Keys: []op.OrderKey{{Col: 1}}, Limit: -1, Window: 0, Keep: 4},
	"top 2 of windows":               {Keys: []op.OrderKey{{Col: 1, Desc: true}}, Limit: 2, Window: 0, Keep: 4},
	"limit and offset":               {Keys: []op.OrderKey{{Col: 1}}, Limit: 3, Offset: 2, Window: -1, Keep: 4},
	"limit 0":                        {Keys: []op.OrderKey{{Col: 1}}, Limit: 0, Window: -1, Keep: 4},
	"limit without keys":             {Limit: 5, Offset: 2, Window: -1, Keep: 2},
	"limit without keys in windows":  {Limit: 2, Offset: 1, Window: 0, Keep: 4},
	"offset alone":                   {Limit: -1, Offset: 3, Window: -1, Keep: 4},
}

func TestOrderConforms(t *testing.T) {
	for claim, spec := range orders {
		t.Run(claim, func(t *testing.T) { Conform(t, spec, smallSchema, drawWindows(40)) })
	}
}

func TestOrderSorts(t *testing.T) {
	for claim, spec := range orders {
		t.Run(claim, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				script := slices.DeleteFunc(drawWindows(40)(t), func(s Step) bool { return s.Values == nil })
				got, err := Play(spec, smallSchema, script, Cutter{})
				require.NoError(t, err)
				require.Equal(t, Print(orderSlow(spec, rowsOf(script, spec.Window))), Print(got.Rows))
			})
		})
	}
}

func TestTopRowsStayFew(t *testing.T) {
	spec := &op.Order{Keys: []op.OrderKey{{Col: 0, Desc: true}}, Limit: 20, Window: -1, Keep: 1}
	o, err := spec.Make()
	require.NoError(t, err)
	var out Collector
	schema := Schema(tuple.Bigint)
	batch := func(from int64, up int64) *tuple.Batch {
		var rows [][]expr.Value
		for i := range int64(1000) {
			rows = append(rows, []expr.Value{Int(from + i*up)})
		}
		return Batch(schema, rows, nil)
	}
	for i := range int64(100) {
		require.NoError(t, o.Process(0, batch(i*1000, 1), &out))
	}
	below := batch(-5000, 1)
	assert.Zero(t, testing.AllocsPerRun(10, func() { _ = o.Process(0, below, &out) }), "rows that cannot win cost nothing")
	done, err := o.Advance(0, tuple.End, &out)
	require.True(t, done)
	require.NoError(t, err)
	require.Len(t, out.Rows, 20)
	for i, row := range out.Rows {
		assert.Equal(t, int64(99999-i), row[0].I)
	}
}

func TestOrderOfManyRowsComesInSlices(t *testing.T) {
	spec := &op.Order{Keys: []op.OrderKey{{Col: 0}}, Limit: -1, Window: -1, Keep: 1}
	o, err := spec.Make()
	require.NoError(t, err)
	var out Collector
	for i := range int64(3) {
		rows := make([][]expr.Value, 1000)
		for r := range rows {
			rows[r] = []expr.Value{Int((int64(r)*7919 + i) % 1000)}
		}
		require.NoError(t, o.Process(0, Batch(Schema(tuple.Bigint), rows, nil), &out))
	}
	done, err := o.Advance(0, 5, &out)
	assert.True(t, done, "without a window a mark before the end brings nothing out")
	require.NoError(t, err)
	require.Empty(t, out.Rows)
	calls := 0
	for done = false; !done; calls++ {
		done, err = o.Advance(0, tuple.Drain, &out)
		require.NoError(t, err)
	}
	assert.Equal(t, 3, calls)
	assert.Equal(t, tuple.MaxRows, out.Largest)
	assert.True(t, slices.IsSortedFunc(out.Rows, func(a, b []expr.Value) int { return cmp.Compare(a[0].I, b[0].I) }))
	assert.NotContains(t, out.Partial, false, "what a drain brings out is partial")
}

func TestLimitStops(t *testing.T) {
	o, err := (&op.Order{Limit: 2, Offset: 1, Window: -1, Keep: 1}).Make()
	require.NoError(t, err)
	var out Collector
	stopper := o.(op.Stopper)
	one := Batch(Schema(tuple.Bigint), [][]expr.Value{{Int(1)}, {Int(2)}}, nil)
	require.NoError(t, o.Process(0, one, &out))
	assert.False(t, stopper.Stopped())
	require.NoError(t, o.Process(0, one, &out))
	assert.True(t, stopper.Stopped())
	require.NoError(t, o.Process(0, one, &out))
	assert.Equal(t, "2\n1\n", Print(out.Rows))
}

func TestErrorsOfTheReceiverComeBack(t *testing.T) {
	bang := errors.New("bang")
	for claim, spec := range map[string]op.Spec{
		"order": &op.Order{Keys: []op.OrderKey{{Col: 0}}, Limit: -1, Window: -1, Keep: 1}, "limit": &op.Order{Limit: 2, Window: -1, Keep: 1},
		"distinct": &op.Distinct{Window: -1, Keep: 1},
	} {
		o, err := spec.Make()
		require.NoError(t, err)
		out := &Collector{Fail: bang}
		err = o.Process(0, Batch(Schema(tuple.Bigint), [][]expr.Value{{Int(1)}}, nil), out)
		if err == nil {
			_, err = o.Advance(0, tuple.End, out)
		}
		assert.Equal(t, bang, err, claim)
	}
}

func TestDistinct(t *testing.T) {
	for claim, spec := range map[string]*op.Distinct{
		"rows": {Window: -1, Keep: 3}, "one number": {Window: -1, Keep: 2}, "in windows": {Window: 0, Keep: 3},
	} {
		t.Run(claim, func(t *testing.T) {
			Conform(t, spec, smallSchema, drawWindows(40))
			rapid.Check(t, func(t *rapid.T) {
				script := drawWindows(40)(t)
				got, err := Play(spec, smallSchema, script, Cutter{})
				require.NoError(t, err)
				var want [][]expr.Value
				for _, rows := range rowsOf(script, spec.Window) {
					for i, row := range rows {
						if !slices.ContainsFunc(rows[:i], func(other []expr.Value) bool { return sameRow(row[:spec.Keep], other) }) {
							want = append(want, row)
						}
					}
				}
				require.Equal(t, Print(want), Print(got.Rows))
			})
		})
	}
}

func sameRow(a, b []expr.Value) bool {
	for i := range a {
		if compareSlow(a[i], b[i], op.OrderKey{}) != 0 {
			return false
		}
	}
	return true
}

func TestFilterAndProjectConform(t *testing.T) {
	key, text := Ref(smallSchema, 1), Ref(smallSchema, 2)
	Conform(t, &op.Filter{Cond: Call("or", Call(">", key, Constant(Int(1))), Call("=", text, Constant(Text("a"))))}, smallSchema, drawWindows(40))
	sum := Call("+", key, Constant(Float(0.5)))
	Conform(t, &op.Project{
		Exprs:  []*expr.Node{sum, text, Call("upper", text)},
		Fields: []tuple.Field{{Name: "sum", Type: tuple.Double}, {Name: "t", Type: tuple.Text}, {Name: "u", Type: tuple.Text}},
	}, smallSchema, drawWindows(40))
}

func BenchmarkOrderTop20(b *testing.B) {
	o, err := (&op.Order{Keys: []op.OrderKey{{Col: 0, Desc: true}}, Limit: 20, Window: -1, Keep: 1}).Make()
	require.NoError(b, err)
	rows := make([][]expr.Value, tuple.MaxRows)
	for r := range rows {
		rows[r] = []expr.Value{Int(int64(r) * 7919 % 1024)}
	}
	batch := Batch(Schema(tuple.Bigint), rows, nil)
	var out Collector
	for b.Loop() {
		_ = o.Process(0, batch, &out)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tuple.MaxRows, "ns/row")
}
