package op_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// bounded is the answer of an aggregate with its bounds.
type bounded struct {
	value, low, high expr.Value
	unreliable       bool
	exact            bool // of the row; true without Sampling
}

func (b bounded) String() string {
	label := ""
	if b.unreliable {
		label = " unreliable"
	}
	return fmt.Sprintf("%v [%v, %v]%s", shown(b.value), shown(b.low), shown(b.high), label)
}

func shown(v expr.Value) string { return enginetest.Print([][]expr.Value{{v}}) }

// contains reports whether x is within the bounds, a missing one being none.
func (b bounded) contains(x float64) bool {
	return (b.low.Null || real(b.low) <= x) && (b.high.Null || x <= real(b.high))
}

func real(v expr.Value) float64 {
	if v.Type == tuple.Double || v.Type == tuple.Number && v.Float {
		return v.F
	}
	return float64(v.I)
}

// sampled runs aggregates of a BIGINT column without keys over values, through a drop where there is one and with
// weights where there are some, and returns their answers.
func sampled(t *testing.T, spec *op.Aggregate, drop *op.Drop, values []int64, weights []float64) []bounded {
	t.Helper()
	rows := sampledRun{spec, drop, values, weights, false}.rows(t)
	require.Len(t, rows, 1)
	return boundedOf(spec, rows[0])
}

// sampledRun is a run of aggregates over a sample of values.
type sampledRun struct {
	spec    *op.Aggregate
	drop    *op.Drop // or nil
	values  []int64
	weights []float64 // or nil
	reload  bool      // the aggregate is saved and loaded between batches
}

// rows returns the rows that the aggregate emits.
func (run sampledRun) rows(t *testing.T) [][]expr.Value {
	t.Helper()
	spec, values := run.spec, run.values
	for i := range spec.Aggs {
		spec.Aggs[i].Bounds = true
		spec.Aggs[i].Field.Name = fmt.Sprint("a", i)
	}
	a := &through{made(t, spec), &enginetest.Collector{}}
	out, emit := a.out.(*enginetest.Collector), op.Emitter(a)
	if run.drop != nil {
		emit = through{made(t, run.drop), emit}
	}
	for at := 0; at < len(values); at += tuple.MaxRows {
		if run.reload {
			var state bytes.Buffer
			require.NoError(t, a.o.(op.Saver).Save(&state))
			a.o = made(t, spec)
			require.NoError(t, a.o.(op.Saver).Load(&state))
		}
		n := min(tuple.MaxRows, len(values)-at)
		b := integers(at, n)
		copy(b.Cols[0].I, values[at:at+n])
		if run.weights != nil {
			b.Weight = run.weights[at : at+n]
		}
		require.NoError(t, emit.Emit(b))
	}
	for done := false; !done; {
		var err error
		done, err = a.o.Advance(0, tuple.End, out)
		require.NoError(t, err)
	}
	return out.Rows
}

// boundedOf returns the answers of a row.
func boundedOf(spec *op.Aggregate, row []expr.Value) []bounded {
	lead := 0
	if spec.Window.Kind != op.NoWindow {
		lead = 2
	}
	answers := make([]bounded, len(spec.Aggs))
	_, exact, _, _ := spec.RowColumns()
	for i := range answers {
		at := spec.BoundsOf(i)
		answers[i] = bounded{row[lead+i], row[at], row[at+1], row[at+2].B, exact < 0 || row[exact].B}
	}
	return answers
}

var sampling = &op.Sampling{Confidence: 0.95}

func v() *expr.Node { return enginetest.Ref(oneColumn, 0) }

func sketches() []op.Agg {
	return []op.Agg{
		{Func: op.Quantile, Arg: v(), Quantiles: []float64{0.99}},
		{Func: op.QuantileRank, Arg: v(), Quantiles: []float64{0.5}},
		{Func: op.QuantileTDigest, Arg: v(), Quantiles: []float64{0.5}},
		{Func: op.Quantile, Arg: v(), Quantiles: []float64{0.1, 0.5, 0.9}},
		{Func: op.ApproxDistinct, Arg: v()},
		{Func: op.CountDistinct, Arg: v()},
		{Func: op.TopK, Arg: v(), K: 2},
		{Func: op.Min, Arg: v()},
		{Func: op.Max, Arg: v()},
		{Func: op.First, Arg: v()},
		{Func: op.Last, Arg: v()},
		{Func: op.AnyValue, Arg: v()},
	}
}

func TestMethodNamesTheSketch(t *testing.T) {
	for _, c := range []struct {
		agg  op.Agg
		want string
	}{
		{op.Agg{Func: op.Quantile}, "log-histogram (value within 0.8 %)"},
		{op.Agg{Func: op.QuantileRank}, "KLL (rank within 1.3 %)"},
		{op.Agg{Func: op.QuantileRank, Error: 0.001}, "KLL (rank within 0.1 %)"},
		{op.Agg{Func: op.QuantileTDigest}, "t-digest (no proved bound)"},
		{op.Agg{Func: op.ApproxDistinct}, "HyperLogLog (standard error 0.81 %)"},
		{op.Agg{Func: op.TopK, K: 10}, "SpaceSaving (80 counters)"},
		{op.Agg{Func: op.Sum}, ""},
	} {
		assert.Equal(t, c.want, c.agg.Method(nil))
	}
	distinct := &op.Agg{Func: op.CountDistinct, Arg: v()}
	assert.Empty(t, distinct.Method(nil))
	assert.Equal(t, "what was seen (a lower bound)", distinct.Method(sampling))
	assert.Equal(t, "the least hashes (standard error 1.6 %)", distinct.Method(&op.Sampling{Key: v()}))
}

// shuffled returns the integers 1 to n in an order of chance.
func shuffled(seed uint64, n int) []int64 {
	values := make([]int64, n)
	for i, x := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
		values[i] = int64(x + 1)
	}
	return values
}

func TestSketchesBoundTheirOwnError(t *testing.T) {
	values := shuffled(1, 30_011)
	got := sampled(t, &op.Aggregate{Aggs: sketches()}, nil, values, nil)
	for i, truth := range map[int]float64{0: 29_711, 1: 15_006, 2: 15_006, 4: 30_011} {
		assert.True(t, got[i].contains(truth), "%d: %v", i, got[i])
		assert.True(t, got[i].contains(real(got[i].value)), "%d: %v", i, got[i])
		assert.Less(t, real(got[i].high)-real(got[i].low), 0.08*truth, "%d", i)
	}
	assert.False(t, got[0].unreliable || got[1].unreliable || got[4].unreliable)
	assert.True(t, got[2].unreliable, "of a t-digest no more is known than experience")
	assert.LessOrEqual(t, real(got[4].high), 30_011.0, "no more distinct values than rows")
	for j, truth := range []float64{3002, 15_006, 27_010} {
		var value, low, high []float64
		for text, list := range map[string]*[]float64{got[3].value.S: &value, got[3].low.S: &low, got[3].high.S: &high} {
			require.NoError(t, json.Unmarshal([]byte(text), list), text)
		}
		assert.True(t, low[j] <= truth && truth <= high[j] && high[j] <= low[j]*1.02, "%v", got[3])
	}
	assert.True(t, got[6].low.Null && got[6].high.Null && !got[6].unreliable, "items of a list bound themselves")
	for i, want := range map[int]int64{5: 30_011, 7: 1, 8: 30_011, 9: values[0], 10: values[len(values)-1], 11: values[0]} {
		assert.Equal(t, want, got[i].value.I, "%d", i)
		assert.True(t, got[i].low.I == want && got[i].high.I == want && !got[i].unreliable, "%d: %v", i, got[i])
	}
}

// What a sample says where nothing was left out is what the exact engine says, to the last digit.
func TestSketchesOfAllRowsAnswerAsWithoutASample(t *testing.T) {
	for _, n := range []int{0, 1, 100, 20_000} {
		values := shuffled(2, n)
		want := sampled(t, &op.Aggregate{Aggs: sketches()}, nil, values, nil)
		for _, kind := range []tuple.DropKind{tuple.Random, tuple.Universe} {
			with := &op.Sampling{Confidence: 0.95, Key: v(), Seed: 7}
			got := sampled(t, &op.Aggregate{Aggs: sketches(), Sampling: with}, dropV(kind, 1), values, nil)
			for i := range got {
				assert.Equal(t, want[i].String(), got[i].String(), "%d rows, %d", n, i)
			}
		}
	}
}

func TestRandomDropLabelsWhatItCannotEstimate(t *testing.T) {
	values := shuffled(3, 20_000)
	got := sampled(t, &op.Aggregate{Aggs: sketches(), Sampling: sampling}, dropV(tuple.Random, 0.1), values, nil)
	for _, i := range []int{4, 5} {
		assert.True(t, got[i].unreliable && got[i].high.Null && real(got[i].low) <= 2200 && real(got[i].value) < 2200, "a lower bound: %v", got[i])
	}
	assert.True(t, got[7].unreliable && got[7].low.Null && got[7].high.I == got[7].value.I, "the least is at most that: %v", got[7])
	assert.True(t, got[8].unreliable && got[8].high.Null && got[8].low.I == got[8].value.I, "the greatest is at least that: %v", got[8])
	for _, i := range []int{9, 10} {
		assert.True(t, got[i].unreliable && got[i].low.Null && got[i].high.Null, "%v", got[i])
	}
	assert.False(t, got[11].unreliable, "any value is one")
	for i := range got {
		assert.False(t, got[i].exact)
	}
	few := sampled(t, &op.Aggregate{Aggs: sketches(), Sampling: sampling}, dropV(tuple.Random, 0.1), values[:1000], nil)
	assert.True(t, few[0].unreliable && few[0].high.Null, "100 rows do not close the 99th percentile: %v", few[0])
}

// covers fails when fewer of n intervals hold than chance leaves to the confidence once in a million.
func requireCovered(t *testing.T, confidence float64, covered, n int, what string) {
	t.Helper()
	limit := distuv.Binomial{N: float64(n), P: confidence}
	require.Greater(t, limit.CDF(float64(covered)), 1e-6, "%s: %d of %d", what, covered, n)
}

// The values follow the epochs, so that weights and values hang together, or do not.
func TestQuantilesOfRandomSamplesCover(t *testing.T) {
	const runs, n = 150, 12_000
	for _, keeps := range [][]float64{{0.1}, {0.5, 0.15, 0.3}} {
		for _, sorted := range []bool{false, true} {
			var covered [5]int
			for run := range uint64(runs) {
				values := shuffled(run, n)
				if sorted {
					for i := range values {
						values[i] = int64(i + 1)
					}
				}
				drop := dropV(tuple.Random, keeps...)
				drop.Seed, drop.Epoch = run, 2000
				got := sampled(t, &op.Aggregate{Aggs: sketches()[:4], Sampling: sampling}, drop, values, nil)
				for i, truth := range []float64{0.99 * n, 0.5 * n, 0.5 * n} {
					if got[i].contains(truth) {
						covered[i]++
					}
				}
				var low, high []float64
				require.NoError(t, json.Unmarshal([]byte(got[3].low.S), &low))
				require.NoError(t, json.Unmarshal([]byte(got[3].high.S), &high))
				if low[1] <= 0.5*n && 0.5*n <= high[1] {
					covered[3]++
				}
			}
			for i := range 4 {
				requireCovered(t, 0.95, covered[i], runs, fmt.Sprintf("keeps %v, sorted %v, %v", keeps, sorted, sketches()[i].String()))
			}
		}
	}
}

func TestTopOfRandomSamplesCovers(t *testing.T) {
	const runs = 150
	covered, items := 0, 0
	for run := range uint64(runs) {
		r := rand.New(rand.NewPCG(run, 2))
		values, truth := make([]int64, 10_000), map[int64]float64{}
		for i := range values {
			values[i] = int64(1 / (r.Float64() + 1e-3))
			truth[values[i]]++
		}
		drop := dropV(tuple.Random, 0.5, 0.1)
		drop.Seed, drop.Epoch = run, 2000
		got := sampled(t, &op.Aggregate{Aggs: sketches()[6:7], Sampling: sampling}, drop, values, nil)[0]
		var list []struct{ Value, Count, Lo, Hi float64 }
		require.NoError(t, json.Unmarshal([]byte(got.value.S), &list), got.value.S)
		require.False(t, got.unreliable)
		for _, it := range list {
			items++
			if n := truth[int64(it.Value)]; it.Lo <= n && n <= it.Hi {
				covered++
			}
		}
	}
	requireCovered(t, 0.95, covered, items, "items")
}

// Every key comes several times, under thresholds that change; some of the keys come under one threshold only.
func TestDistinctOfUniversesCovers(t *testing.T) {
	const runs = 150
	distinct := []op.Agg{sketches()[4], sketches()[5]}
	for _, keeps := range [][]float64{{0.1}, {0.5, 0.05, 1}} {
		for _, keys := range []int{3, 300, 9000} {
			var covered [2]int
			for run := range uint64(runs) {
				values := make([]int64, 3*keys)
				for i := range values {
					values[i] = int64(i/3 + int(run)<<32)
				}
				drop := dropV(tuple.Universe, keeps...)
				drop.Seed, drop.Epoch = run, 1+int64(keys)/2
				with := &op.Sampling{Confidence: 0.95, Key: v(), Seed: run}
				got := sampled(t, &op.Aggregate{Aggs: distinct, Sampling: with}, drop, values, nil)
				for i := range got {
					require.False(t, got[i].unreliable)
					if got[i].contains(float64(keys)) {
						covered[i]++
					}
				}
			}
			for i := range covered {
				requireCovered(t, 0.95, covered[i], runs, fmt.Sprintf("%d keys, keeps %v, %v", keys, keeps, distinct[i].String()))
			}
		}
	}
}

func TestDistinctOfAnotherUniverseIsALowerBound(t *testing.T) {
	values := shuffled(5, 9000)
	for name, with := range map[string]*op.Sampling{
		"no key":       {Confidence: 0.95},
		"another seed": {Confidence: 0.95, Key: v(), Seed: 8},
	} {
		drop := dropV(tuple.Universe, 0.5, 0.2)
		drop.Epoch = 1000
		for i, b := range sampled(t, &op.Aggregate{Aggs: sketches()[4:6], Sampling: with}, drop, values, nil) {
			assert.True(t, b.unreliable && b.high.Null && real(b.low) <= 9000, "%s, %d: %v", name, i, b)
		}
	}
}

// Given weights move the quantile to where the weight is, and count in top lists.
func TestSketchesOfWeightedRows(t *testing.T) {
	values, weights := make([]int64, 3000), make([]float64, 3000)
	for i := range values {
		values[i], weights[i] = int64(i%100), 1
		if i%100 >= 90 {
			weights[i] = 21 // a tenth of the values has 70 % of the weight
		}
	}
	with := &op.Sampling{Confidence: 0.95, Weighted: true}
	got := sampled(t, &op.Aggregate{Aggs: sketches(), Sampling: with}, nil, values, weights)
	for i := 1; i < 3; i++ {
		assert.InDelta(t, 93, real(got[i].value), 2, "the median of the weight")
		assert.True(t, got[i].contains(93), "%v", got[i])
	}
	var list []struct{ Value, Count, Lo, Hi float64 }
	require.NoError(t, json.Unmarshal([]byte(got[6].value.S), &list), got[6].value.S)
	for _, it := range list {
		assert.GreaterOrEqual(t, it.Value, 90.0)
		assert.InDelta(t, 630, it.Count, 30, "64 of 100 values are counted")
		assert.True(t, it.Lo < 630 && it.Hi > 630 && it.Lo > 300 && it.Hi < 1100, "%v", it)
	}
}

// Panes that serve several windows and states that were saved and loaded change nothing.
func TestSampledSketchesOfHoppingWindowsAndAfterLoading(t *testing.T) {
	values := shuffled(6, 9000)
	for _, kind := range []tuple.DropKind{tuple.Random, tuple.Universe} {
		drop := func() *op.Drop {
			d := dropV(kind, 0.5, 0.1)
			d.Epoch = 700
			return d
		}
		with := &op.Sampling{Confidence: 0.95, Key: v(), Seed: 7}
		tumble := &op.Aggregate{Aggs: sketches(), Sampling: with, Window: op.Window{Kind: op.Tumble, Size: 3000, Slide: 3000}}
		hop := &op.Aggregate{Aggs: sketches(), Sampling: with, Window: op.Window{Kind: op.Hop, Size: 3000, Slide: 1000}}
		want := sampledRun{tumble, drop(), values, nil, false}.rows(t)
		require.Len(t, want, 3)
		loaded := sampledRun{tumble, drop(), values, nil, true}.rows(t)
		byStart := map[int64][]expr.Value{}
		for _, row := range (sampledRun{hop, drop(), values, nil, true}).rows(t) {
			byStart[row[0].I] = row
		}
		for i, row := range want {
			again, merged := boundedOf(tumble, loaded[i]), boundedOf(hop, byStart[row[0].I])
			for j, b := range boundedOf(tumble, row) {
				f := sketches()[j].Func
				if f == op.QuantileTDigest {
					continue // loading merges its centroids once more
				}
				require.Equal(t, b.String(), again[j].String(), "loaded: %v", sketches()[j].String())
				if f == op.QuantileRank || f == op.TopK {
					continue // what they keep depends on order
				}
				require.Equal(t, b.String(), merged[j].String(), "merged: %v", sketches()[j].String())
			}
		}
	}
}

// Blocks of a file hold rows that are alike; what a quantile of few of them is worth goes by their number.
func TestQuantilesOfBlocksCover(t *testing.T) {
	const runs, blocks, kept, rows = 200, 400, 60, 20
	covered := 0
	for run := range uint64(runs) {
		spec := &op.Aggregate{Aggs: sketches()[1:2], Sampling: sampling}
		spec.Aggs[0].Bounds = true
		a, out := made(t, spec), &enginetest.Collector{}
		for i, block := range rand.New(rand.NewPCG(run, 3)).Perm(blocks)[:kept] {
			b := integers(block*rows, rows)
			b.Sample = []tuple.Stratum{{ID: 1, Kind: tuple.Cluster, Raw: true, Keep: 1, Offered: blocks, Kept: int64(i + 1), Block: int64(block)}}
			require.NoError(t, a.Process(0, b, out))
		}
		_, err := a.Advance(0, tuple.End, out)
		require.NoError(t, err)
		if b := boundedOf(spec, out.Rows[0])[0]; b.contains(blocks*rows/2 - 1) {
			covered++
			require.False(t, b.unreliable || b.low.Null || b.high.Null, "%v", b)
		}
	}
	requireCovered(t, 0.95, covered, runs, "median")
}
