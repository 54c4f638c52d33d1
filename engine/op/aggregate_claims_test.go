package op_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// answer runs an aggregate over a single column without keys or window and prints its row.
func answer(t *testing.T, a op.Agg, typ tuple.Type, values ...expr.Value) string {
	in := Schema(typ)
	if a.Func != op.CountAll {
		a.Arg = Ref(in, 0)
	}
	spec := &op.Aggregate{Aggs: []op.Agg{a}}
	var script Script
	for _, v := range values {
		script = append(script, Row(0, v))
	}
	out, err := Play(spec, in, script, Cutter{})
	require.NoError(t, err)
	require.Len(t, out.Rows, 1)
	v := out.Rows[0][0]
	if v.Null {
		return "NULL"
	}
	c := Column(v.Type, v)
	return v.Type.String() + " " + string(tuple.AppendValue(nil, &c, 0, nil))
}

func ints(values ...int64) (list []expr.Value) {
	for _, v := range values {
		list = append(list, Int(v))
	}
	return list
}

func TestAggregates(t *testing.T) {
	const big = math.MaxInt64
	minute := int64(time.Minute)
	thousand := make([]int64, 1000)
	for i := range thousand {
		thousand[i] = int64(i + 1)
	}
	for _, c := range []struct {
		claim  string
		agg    op.Agg
		typ    tuple.Type
		values []expr.Value
		want   string
	}{
		{"count of nothing is 0", op.Agg{Func: op.CountAll}, tuple.Bigint, nil, "BIGINT 0"},
		{"sum of nothing is NULL", op.Agg{Func: op.Sum}, tuple.Bigint, nil, "NULL"},
		{"avg of NULLs is NULL", op.Agg{Func: op.Avg}, tuple.Bigint, []expr.Value{Null(tuple.Bigint)}, "NULL"},
		{"min of NULLs is NULL", op.Agg{Func: op.Min}, tuple.Text, []expr.Value{Null(tuple.Text)}, "NULL"},
		{"a quantile of NULLs is NULL", op.Agg{Func: op.Quantile, Quantiles: []float64{0.5}}, tuple.Bigint, []expr.Value{Null(tuple.Bigint)}, "NULL"},
		{"a list of quantiles of NULLs is NULL", op.Agg{Func: op.Quantile, Quantiles: []float64{0.5, 1}}, tuple.Bigint, []expr.Value{Null(tuple.Bigint)}, "NULL"},
		{"the most frequent of NULLs are NULL", op.Agg{Func: op.TopK, K: 1}, tuple.Bigint, []expr.Value{Null(tuple.Bigint)}, "NULL"},
		{"count leaves NULL out", op.Agg{Func: op.Count}, tuple.Bigint, []expr.Value{Int(1), Null(tuple.Bigint)}, "BIGINT 1"},
		{"a sum does not wrap", op.Agg{Func: op.Sum}, tuple.Bigint, ints(big, 3), "NUMBER 9223372036854775810"},
		{"an avg does not overflow", op.Agg{Func: op.Avg}, tuple.Double, []expr.Value{Float(1.7e308), Float(1.7e308)}, "DOUBLE 1.7e+308"},
		{"a sum with a double is a double", op.Agg{Func: op.Sum}, tuple.Number, []expr.Value{NumberInt(1), NumberFloat(2)}, "NUMBER 3.0"},
		{"a variance of large values is stable", op.Agg{Func: op.VarPop}, tuple.Bigint, ints(1e9, 1e9+1, 1e9+2), "DOUBLE 0.6666666666666666"},
		{"a sample variance of one is NULL", op.Agg{Func: op.VarSamp}, tuple.Bigint, ints(1), "NULL"},
		{"a population variance of one is 0", op.Agg{Func: op.VarPop}, tuple.Bigint, ints(1), "DOUBLE 0.0"},
		{"NaN is left out", op.Agg{Func: op.Max}, tuple.Double, []expr.Value{Float(math.NaN()), Float(1)}, "DOUBLE 1.0"},
		{"min of numbers is exact", op.Agg{Func: op.Min}, tuple.Number, []expr.Value{NumberFloat(1 << 62), NumberInt(1<<62 - 1)}, "NUMBER 4611686018427387903"},
		{"first may be NULL", op.Agg{Func: op.First}, tuple.Bigint, []expr.Value{Null(tuple.Bigint), Int(1)}, "NULL"},
		{"any_value is not, if it can", op.Agg{Func: op.AnyValue}, tuple.Bigint, []expr.Value{Null(tuple.Bigint), Int(1)}, "BIGINT 1"},
		{"last is the last row's", op.Agg{Func: op.Last}, tuple.Text, []expr.Value{Text("a"), Text("longer"), Text("b")}, "TEXT b"},
		{"1 and 1.0 are one distinct value", op.Agg{Func: op.CountDistinct}, tuple.Number, []expr.Value{NumberInt(1), NumberFloat(1), NumberFloat(1.5)}, "BIGINT 2"},
		{"sum of distinct values", op.Agg{Func: op.Sum, Distinct: true}, tuple.Bigint, ints(3, 3, 4), "NUMBER 7"},
		{"a sum of intervals is one", op.Agg{Func: op.Sum}, tuple.Interval, []expr.Value{Interval(minute), Interval(minute)}, "INTERVAL 2m"},
		{"a mean of intervals is rounded to ns", op.Agg{Func: op.Avg}, tuple.Interval, []expr.Value{Interval(-1), Interval(-2)}, "INTERVAL -2ns"},
		{"a quantile is nearest-rank", op.Agg{Func: op.Quantile, Quantiles: []float64{0.7}}, tuple.Bigint, ints(1, 2, 3, 4, 5, 6), "BIGINT 5"},
		{"a quantile of many integers is one", op.Agg{Func: op.Quantile, Quantiles: []float64{1}}, tuple.Bigint, ints(thousand...), "BIGINT 1000"},
		{"a quantile of times is a time", op.Agg{Func: op.Quantile, Quantiles: []float64{0}}, tuple.Timestamp, []expr.Value{Time(0), Time(1)}, "TIMESTAMP 1970-01-01T00:00:00Z"},
		{"quantiles are a list", op.Agg{Func: op.Quantile, Quantiles: []float64{0, 1}}, tuple.Number, []expr.Value{NumberInt(1), NumberFloat(2.5)}, "JSON [1,2.5]"},
		{"a list of one is a list", op.Agg{Func: op.QuantileRank, Quantiles: []float64{0}, List: true}, tuple.Bigint, ints(1), "JSON [1]"},
		{"approximate distinct is exact while small", op.Agg{Func: op.ApproxDistinct}, tuple.Text, []expr.Value{Text("a"), Text("b"), Text("a")}, "BIGINT 2"},
		{"the most frequent are a list", op.Agg{Func: op.TopK, K: 1}, tuple.Text, []expr.Value{Text(`"`), Text(`"`), Text("a")}, `JSON [{"value":"\"","count":2,"lo":2,"hi":2}]`},
	} {
		t.Run(c.claim, func(t *testing.T) { assert.Equal(t, c.want, answer(t, c.agg, c.typ, c.values...)) })
	}
}

func TestInvalidAggregatesAreRefused(t *testing.T) {
	in := Schema(tuple.Text, tuple.Bigint, tuple.Timestamp)
	for claim, a := range map[string]op.Agg{
		"sum of text":               {Func: op.Sum, Arg: Ref(in, 0)},
		"mean of times":             {Func: op.Avg, Arg: Ref(in, 2)},
		"quantile 95":               {Func: op.Quantile, Arg: Ref(in, 1), Quantiles: []float64{95}},
		"no quantile":               {Func: op.Quantile, Arg: Ref(in, 1)},
		"no argument":               {Func: op.Sum},
		"an argument of count(*)":   {Func: op.CountAll, Arg: Ref(in, 1)},
		"k of 0":                    {Func: op.TopK, Arg: Ref(in, 1)},
		"a count as text":           {Func: op.CountAll, Field: tuple.Field{Type: tuple.Text}},
		"an error of 200 %":         {Func: op.ApproxDistinct, Arg: Ref(in, 1), Error: 2},
		"a rank error of 200 %":     {Func: op.QuantileRank, Arg: Ref(in, 1), Error: 2, Quantiles: []float64{0}},
		"a filter that is a number": {Func: op.CountAll, Filter: Ref(in, 1)},
	} {
		_, err := (&op.Aggregate{Aggs: []op.Agg{a}}).Make()
		assert.Error(t, err, claim)
	}
}

func countBy(w op.Window, key int) *op.Aggregate {
	return &op.Aggregate{
		Window: w, Keys: []*expr.Node{ref(key)}, KeyFields: columns.Fields[key : key+1],
		Aggs: []op.Agg{{Func: op.CountAll, Field: tuple.Field{Name: "n"}}},
	}
}

func TestKeysPrintAsTheyFirstAppeared(t *testing.T) {
	at := func(time int64, k expr.Value) Step {
		values := make([]expr.Value, len(columns.Fields))
		for i, f := range columns.Fields {
			values[i] = Null(f.Type)
		}
		values[colNumberKey] = k
		return Row(time, values...)
	}
	// In the hopping window the row that came first stands in the later pane.
	script := Script{at(12, NumberFloat(1)), at(3, NumberInt(1)), at(4, Null(tuple.Number)), at(13, NumberInt(0)), at(14, NumberFloat(math.Copysign(0, -1)))}
	for _, w := range []op.Window{{}, {Kind: op.Hop, Size: 20, Slide: 10}} {
		out, err := Play(countBy(w, colNumberKey), columns, script, Cutter{})
		require.NoError(t, err)
		var got []string
		for _, row := range out.Rows {
			if w.Kind == op.NoWindow || row[0].I == 0 {
				row = row[len(row)-2:]
				got = append(got, fmt.Sprintf("%v %v %v %d", row[0].Null, row[0].Float, row[0].I+int64(row[0].F), row[1].I))
			}
		}
		assert.Equal(t, []string{"false true 1 2", "true false 0 1", "false false 0 2"}, got, w)
	}
}

func TestDrainMarksWhatIsOpenAsPartial(t *testing.T) {
	for _, w := range []op.Window{{}, {Kind: op.Tumble, Size: 10, Slide: 10}, {Kind: op.Hop, Size: 20, Slide: 10}} {
		spec := &op.Aggregate{Window: w, Aggs: []op.Agg{{Func: op.CountAll}}}
		script := Script{Row(5, ints(1)...), Mark(10), Row(15, ints(1)...)}
		out, err := Play(spec, Schema(tuple.Bigint), script, Cutter{Last: tuple.Drain})
		require.NoError(t, err)
		require.NotEmpty(t, out.Partial)
		for i, row := range out.Rows {
			assert.Equal(t, w.Kind == op.NoWindow || row[1].I > 10, out.Partial[i], "%v row %d", w, i)
		}
	}
	out, err := Play(&op.Aggregate{Aggs: []op.Agg{{Func: op.CountAll}}}, Schema(tuple.Bigint), nil, Cutter{Last: tuple.Drain})
	require.NoError(t, err)
	assert.Equal(t, []bool{true}, out.Partial, "the answer for no input")
}

func TestAdvanceStopsAfterABlock(t *testing.T) {
	o, err := countBy(op.Window{Kind: op.Tumble, Size: 10, Slide: 10}, colIntKey).Make()
	require.NoError(t, err)
	b := newRows(tuple.MaxRows, 1<<20)
	for i := range 5 {
		for r := range b.Time {
			b.Time[r] = int64(i % 2 * 10)
			b.Cols[colIntKey].I[r] = int64(i*tuple.MaxRows + r)
		}
		require.NoError(t, o.Process(0, b, nil))
	}
	var out Collector
	calls := 1
	for ; ; calls++ {
		done, err := o.Advance(0, 20, &out)
		require.NoError(t, err)
		require.LessOrEqual(t, len(out.Rows), calls*tuple.MaxRows)
		if done {
			break
		}
	}
	assert.Equal(t, 6, calls)
	assert.Len(t, out.Rows, 5*tuple.MaxRows)
	assert.Equal(t, tuple.MaxRows, out.Largest)
}

func TestBoundaryAndLateness(t *testing.T) {
	for _, c := range []struct {
		w                         op.Window
		mark, boundary            int64
		late, accepted, boundary2 int64
	}{
		{op.Window{Kind: op.Tumble, Size: 10, Slide: 10}, 5, 10, 9, 10, 20},
		{op.Window{Kind: op.Hop, Size: 20, Slide: 10}, 5, 10, -1, 0, 20},
		{op.Window{Kind: op.Hop, Size: 25, Slide: 10}, 6, 15, -11, -10, 15},
	} {
		o, err := (&op.Aggregate{Window: c.w, Aggs: []op.Agg{{Func: op.CountAll}}}).Make()
		require.NoError(t, err)
		b := o.(op.Boundary)
		_, err = o.Advance(0, c.mark, nil)
		require.NoError(t, err)
		assert.Equal(t, c.boundary, b.NextBoundary(), c.w)
		_, err = o.Advance(0, 10, nil)
		require.NoError(t, err)
		assert.Equal(t, c.boundary2, b.NextBoundary(), c.w)
		assert.True(t, b.Late(c.late, 10), "%v: every window of %d has ended", c.w, c.late)
		assert.False(t, b.Late(c.accepted, 10), "%v: a window of %d is open", c.w, c.accepted)
	}
	o, err := (&op.Aggregate{Aggs: []op.Agg{{Func: op.CountAll}}}).Make()
	require.NoError(t, err)
	assert.Equal(t, tuple.End, o.(op.Boundary).NextBoundary())
	assert.False(t, o.(op.Boundary).Late(0, 1<<60))
}

func TestFaultsAreCounted(t *testing.T) {
	in := Schema(tuple.Double, tuple.Bigint)
	spec := &op.Aggregate{
		Window: op.Window{Kind: op.Hop, Size: 20, Slide: 10},
		Aggs:   []op.Agg{{Func: op.Sum, Arg: Ref(in, 0)}, {Func: op.Avg, Arg: Ref(in, 0)}, {Func: op.Max, Arg: Call("+", Ref(in, 1), Constant(Int(1)))}},
	}
	o, err := spec.Make()
	require.NoError(t, err)
	_, err = o.Advance(0, 40, nil)
	require.NoError(t, err)
	rows := [][]expr.Value{{Float(math.NaN()), Int(1)}, {Float(1), Int(math.MaxInt64)}, {Float(1), Int(1)}}
	require.NoError(t, o.Process(0, Batch(in, rows, []int64{41, 42, 3}), nil))
	assert.Equal(t, map[string]int64{"nan": 1, "overflow": 1, "late": 1}, o.(op.Faults).Faults())
}

func TestTheSpecDescribesItself(t *testing.T) {
	spec := &op.Aggregate{
		Window: op.Window{Kind: op.Hop, Size: time.Hour, Slide: time.Minute, Zone: time.UTC},
		Keys:   []*expr.Node{ref(colTextKey)}, KeyFields: columns.Fields[colTextKey : colTextKey+1],
		Aggs: []op.Agg{
			{Func: op.CountAll, Filter: ref(colBool)},
			{Func: op.Sum, Arg: ref(colInt), Distinct: true},
			{Func: op.Quantile, Arg: ref(colInt), Quantiles: []float64{0.99}},
		},
	}
	assert.Equal(t, "aggregate count(*) FILTER (WHERE g), sum(DISTINCT i), approx_quantile(i, 0.99) by b over hop 1m0s of 1h0m0s in UTC", spec.String())
}

// TestHostileStateIsAnError damages a state with a right checksum, byte by byte, and runs what loads to its end.
func TestHostileStateIsAnError(t *testing.T) {
	for i, w := range []op.Window{{}, {Kind: op.Tumble, Size: 10, Slide: 10}, {Kind: op.Hop, Size: 25, Slide: 10}} {
		spec := aggregateOf(w, allKeys[2+i]...)
		spec.Aggs = oneOfEachState
		o, err := spec.Make()
		require.NoError(t, err)
		rows := [][]expr.Value{}
		times := []int64{3, 14, 15}
		for range times {
			rows = append(rows, []expr.Value{NumberFloat(1), Text("k"), Int(3), NumberInt(4), Float(0.5), Text("some text"), Bool(true), Time(7), Int(9)})
		}
		require.NoError(t, o.Process(0, Batch(columns, rows, times), nil))
		var saved bytes.Buffer
		require.NoError(t, o.(op.Saver).Save(&saved))
		body := saved.Bytes()[:saved.Len()-8]

		refused := 0
		for at := range body {
			damaged := bytes.Clone(body)
			damaged[at] ^= []byte{0x01, 0x80, 0xff}[at%3]
			if loads(t, spec, seal(damaged)) != nil {
				refused++
			}
		}
		assert.Greater(t, refused, len(body)/10)
		for cut := range body {
			assert.Error(t, loads(t, spec, seal(bytes.Clone(body[:cut]))), "cut to %d", cut)
		}
		assert.Error(t, loads(t, spec, []byte(strings.Repeat("x", 100))))
	}
	tumbling, err := countBy(op.Window{Kind: op.Tumble, Size: 10, Slide: 10}, colIntKey).Make()
	require.NoError(t, err)
	var saved bytes.Buffer
	require.NoError(t, tumbling.(op.Saver).Save(&saved))
	assert.ErrorContains(t, loads(t, countBy(op.Window{}, colIntKey), saved.Bytes()), "another")
}

var oneOfEachState = []op.Agg{
	{Func: op.CountAll},
	{Func: op.Sum, Arg: ref(colNumber)},
	{Func: op.VarPop, Arg: ref(colDouble)},
	{Func: op.Min, Arg: ref(colInt)},
	{Func: op.Max, Arg: ref(colNumber)},
	{Func: op.Last, Arg: ref(colText)},
	{Func: op.CountDistinct, Arg: ref(colText)},
	{Func: op.Sum, Arg: ref(colNumber), Distinct: true},
	{Func: op.ApproxDistinct, Arg: ref(colText)},
	{Func: op.Quantile, Arg: ref(colDouble), Quantiles: []float64{0.5}},
	{Func: op.QuantileRank, Arg: ref(colInt), Quantiles: []float64{0.5}},
	{Func: op.QuantileTDigest, Arg: ref(colInt), Quantiles: []float64{0.5}},
	{Func: op.TopK, Arg: ref(colText), K: 1},
}

func seal(body []byte) []byte {
	sum := xxhash.Sum64(body)
	for i := range 8 {
		body = append(body, byte(sum>>(8*i)))
	}
	return body
}

func loads(t *testing.T, spec op.Spec, state []byte) error {
	o, err := spec.Make()
	require.NoError(t, err)
	if err := o.(op.Saver).Load(bytes.NewReader(state)); err != nil {
		return err
	}
	var out Collector
	for range 1000 {
		done, err := o.Advance(0, tuple.End, &out)
		require.NoError(t, err)
		if done {
			return nil
		}
	}
	t.Fatal("a loaded state never ends")
	return nil
}
