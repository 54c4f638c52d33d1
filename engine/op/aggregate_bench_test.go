package op_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// newRows returns a batch of n rows of the test's columns, with keys among groups.
func newRows(n, groups int) *tuple.Batch {
	r := rand.New(rand.NewPCG(1, uint64(groups)))
	b := &tuple.Batch{Block: &tuple.Block{Schema: columns, N: n, Cols: make([]tuple.Column, len(columns.Fields))}, Sel: tuple.All(n), Time: make([]int64, n)}
	for i, f := range columns.Fields {
		b.Cols[i].Reset(f.Type, n)
	}
	b.Cols[colNumber].SetRep(tuple.RepFloat, n)
	fill(b, r, groups)
	return b
}

func fill(b *tuple.Batch, r *rand.Rand, groups int) {
	b.Cols[colTextKey].Buf, b.Cols[colText].Buf = b.Cols[colTextKey].Buf[:0], b.Cols[colText].Buf[:0]
	for i := range b.N {
		g := int64(r.IntN(groups))
		b.Cols[colNumberKey].I[i], b.Cols[colIntKey].I[i] = g, g
		b.Cols[colTextKey].SetStr(i, strconv.AppendInt([]byte("host-"), g, 10))
		b.Cols[colNumber].F[i] = r.ExpFloat64() * 100
		b.Cols[colDouble].F[i] = r.ExpFloat64() * 100
		b.Cols[colText].SetStr(i, strconv.AppendInt([]byte("user-"), int64(r.IntN(20_000)), 10))
		b.Cols[colBool].B[i] = g%2 == 0
		b.Cols[colTime].I[i], b.Cols[colInt].I[i] = g, g
		b.Time[i] = 0
	}
}

// stream returns many batches, so that a benchmark's keys do not repeat in a pattern.
func stream(groups int) []*tuple.Batch {
	r := rand.New(rand.NewPCG(7, uint64(groups)))
	list := make([]*tuple.Batch, max(64, min(groups/256, 2048)))
	for i := range list {
		list[i] = newRows(tuple.MaxRows, groups)
		fill(list[i], r, groups)
	}
	return list
}

// sink counts rows.
type sink struct{ rows int }

func (s *sink) Emit(b *tuple.Batch) error {
	s.rows += len(b.Sel)
	return nil
}

func benchmarkAggregate(b *testing.B, spec *op.Aggregate, groups int) {
	batches := stream(groups)
	o, err := spec.Make()
	require.NoError(b, err)
	var out sink
	for _, batch := range batches {
		require.NoError(b, o.Process(0, batch, &out))
	}
	runtime.GC()
	b.ReportAllocs()
	b.ResetTimer()
	rows := 0
	for i := 0; b.Loop(); i++ {
		if err := o.Process(0, batches[i%len(batches)], &out); err != nil {
			b.Fatal(err)
		}
		rows += tuple.MaxRows
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}

var sets = []struct {
	name string
	aggs []op.Agg
}{
	{"no aggregate", nil},
	{"count+avg", []op.Agg{{Func: op.CountAll}, {Func: op.Avg, Arg: ref(colDouble)}}},
	{"count+avg+p99", []op.Agg{{Func: op.CountAll}, {Func: op.Avg, Arg: ref(colDouble)}, {Func: op.Quantile, Arg: ref(colDouble), Quantiles: []float64{0.99}}}},
	{"count+avg+distinct", []op.Agg{{Func: op.CountAll}, {Func: op.Avg, Arg: ref(colDouble)}, {Func: op.ApproxDistinct, Arg: ref(colText)}}},
	{"min+max of number", []op.Agg{{Func: op.Min, Arg: ref(colNumber)}, {Func: op.Max, Arg: ref(colNumber)}}},
	{"var", []op.Agg{{Func: op.VarPop, Arg: ref(colDouble)}}},
	{"exact distinct", []op.Agg{{Func: op.CountDistinct, Arg: ref(colText)}}},
}

func by(key int, aggs []op.Agg) *op.Aggregate {
	return &op.Aggregate{
		Window: op.Window{Kind: op.Tumble, Size: time.Minute, Slide: time.Minute},
		Keys:   []*expr.Node{ref(key)}, KeyFields: columns.Fields[key : key+1], Aggs: aggs,
	}
}

func BenchmarkAggregate(b *testing.B) {
	for name, key := range map[string]int{"text": colTextKey, "int": colIntKey} {
		for _, set := range sets {
			for _, groups := range []int{1, 100, 1000, 1_000_000} {
				if groups == 1_000_000 && set.name != "no aggregate" && set.name != "count+avg" {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%d", set.name, name, groups), func(b *testing.B) {
					benchmarkAggregate(b, by(key, set.aggs), groups)
				})
			}
		}
	}
}

func BenchmarkAggregateWithoutKey(b *testing.B) {
	for _, set := range sets[1:] {
		b.Run(set.name, func(b *testing.B) { benchmarkAggregate(b, &op.Aggregate{Aggs: set.aggs}, 1) })
	}
}

func BenchmarkAggregateBySeveralKeys(b *testing.B) {
	spec := &op.Aggregate{Keys: []*expr.Node{ref(colTextKey), ref(colNumberKey)}, KeyFields: []tuple.Field{columns.Fields[colTextKey], columns.Fields[colNumberKey]}, Aggs: sets[1].aggs}
	benchmarkAggregate(b, spec, 1000)
}

// reference is the aggregation of the reference query: per minute and host, count, mean, 99th percentile and
// distinct users.
func reference() *op.Aggregate {
	return by(colTextKey, []op.Agg{
		{Func: op.CountAll},
		{Func: op.Avg, Arg: ref(colDouble)},
		{Func: op.Quantile, Arg: ref(colDouble), Quantiles: []float64{0.99}},
		{Func: op.ApproxDistinct, Arg: ref(colText)},
	})
}

// BenchmarkReferenceQuery includes the closing of windows of 100 hosts.
func BenchmarkReferenceQuery(b *testing.B) {
	for _, each := range []int{64, 256, 1024} {
		b.Run(fmt.Sprintf("%d rows a host", each), func(b *testing.B) {
			benchmarkWindows(b, reference(), 100, 100*each/tuple.MaxRows)
		})
	}
}

func BenchmarkHop(b *testing.B) {
	spec := by(colTextKey, sets[1].aggs)
	spec.Window = op.Window{Kind: op.Hop, Size: time.Minute, Slide: 10 * time.Second}
	benchmarkWindows(b, spec, 100, 100)
}

// benchmarkWindows moves time on by a minute every so many batches.
func benchmarkWindows(b *testing.B, spec *op.Aggregate, groups, every int) {
	batches := stream(groups)
	o, err := spec.Make()
	require.NoError(b, err)
	var out sink
	b.ReportAllocs()
	rows, now := 0, int64(0)
	for i := 0; b.Loop(); i++ {
		batch := batches[i%len(batches)]
		for r := range batch.Time {
			batch.Time[r] = now
		}
		if err := o.Process(0, batch, &out); err != nil {
			b.Fatal(err)
		}
		rows += tuple.MaxRows
		if i%every == every-1 {
			now += int64(time.Minute)
			for done := false; !done; {
				if done, err = o.Advance(0, now, &out); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}

// TestSteadyStateDoesNotAllocate runs windows of every kind until pools are warm.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	exact := append(reference().Aggs, op.Agg{Func: op.CountDistinct, Arg: ref(colText)}, op.Agg{Func: op.Last, Arg: ref(colText)}, op.Agg{Func: op.Min, Arg: ref(colNumber), Filter: ref(colBool)})
	for name, spec := range map[string]*op.Aggregate{
		"tumble": by(colTextKey, exact), "number key": by(colNumberKey, exact),
		"hop": {
			Window: op.Window{Kind: op.Hop, Size: 3 * time.Minute, Slide: time.Minute}, Aggs: exact,
			Keys: []*expr.Node{ref(colTextKey), ref(colIntKey)}, KeyFields: columns.Fields[colTextKey : colIntKey+1],
		},
	} {
		batches := stream(50)
		o, err := spec.Make()
		require.NoError(t, err)
		var out sink
		now := int64(0)
		window := func() {
			for _, batch := range batches[:8] {
				for r := range batch.Time {
					batch.Time[r] = now
				}
				require.NoError(t, o.Process(0, batch, &out))
			}
			now += int64(time.Minute)
			for done := false; !done; {
				done, err = o.Advance(0, now, &out)
			}
			require.NoError(t, err)
		}
		for range 20 {
			window()
		}
		perRow := testing.AllocsPerRun(20, window) / (8 * tuple.MaxRows)
		assert.Zero(t, int(perRow*1000), "%s: %v allocations a row", name, perRow)
	}
}

// TestAMillionGroupsTakeLittleMemory measures the heap: 150 bytes a group of count and mean are the
// promise, 8-byte keys included.
func TestAMillionGroupsTakeLittleMemory(t *testing.T) {
	const groups = 1_000_000
	for name, key := range map[string]int{"text": colTextKey, "int": colIntKey} {
		o, err := by(key, sets[1].aggs).Make()
		require.NoError(t, err)
		b := newRows(tuple.MaxRows, 1)
		before := heap()
		for next := 0; next < groups; next += b.N {
			b.Cols[colTextKey].Buf = b.Cols[colTextKey].Buf[:0]
			for r := range b.N {
				b.Cols[colIntKey].I[r] = int64(next + r)
				b.Cols[colTextKey].SetStr(r, strconv.AppendInt([]byte("h"), int64(next+r), 10))
			}
			require.NoError(t, o.Process(0, b, nil))
		}
		each := float64(heap()-before) / groups
		t.Logf("%s: %.0f bytes a group", name, each)
		assert.Less(t, each, 150.0, name)
		runtime.KeepAlive(o)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestAnEndlessStreamTakesConstantMemory closes ten thousand windows.
func TestAnEndlessStreamTakesConstantMemory(t *testing.T) {
	o, err := reference().Make()
	require.NoError(t, err)
	b := newRows(256, 100)
	var out sink
	run := func(from, to int) {
		for now := from; now < to; now++ {
			for r := range b.Time {
				b.Time[r] = int64(now) * int64(time.Minute)
			}
			require.NoError(t, o.Process(0, b, &out))
			_, err := o.Advance(0, b.Time[0]+int64(time.Minute), &out)
			require.NoError(t, err)
		}
	}
	run(0, 1000)
	before := heap()
	run(1000, 10_000)
	assert.Less(t, float64(heap()), float64(before)+1e6)
	assert.Greater(t, out.rows, 900_000/2)
}
