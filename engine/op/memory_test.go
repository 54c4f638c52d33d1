package op_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// The columns of the tests of memory: keys of three kinds and values, of which those of v are not negative.
var foldColumns = enginetest.Schema(tuple.Bigint, tuple.Text, tuple.Double, tuple.Bigint, tuple.Number)

const (
	foldInt = iota
	foldText
	foldDouble
	foldV
	foldSigned
)

func foldRow(key, v int64) []expr.Value {
	text := enginetest.Text("key " + strconv.FormatInt(key, 10))
	if key == 7 {
		text = enginetest.Null(tuple.Text) // a NULL that is a key, and not the rest
	}
	return []expr.Value{enginetest.Int(key), text, enginetest.Float(float64(key) / 2), enginetest.Int(v), enginetest.NumberInt(v - 50)}
}

// foldScript gives key k about 1/k of the rows, in a random order.
func foldScript(rows, keys int, seed uint64) enginetest.Script {
	r := rand.New(rand.NewPCG(seed, 0))
	zipf := rand.NewZipf(r, 1.05, 2, uint64(keys-1))
	script := make(enginetest.Script, rows)
	for i := range script {
		script[i] = enginetest.Row(int64(i), foldRow(int64(zipf.Uint64()), r.Int64N(100))...)
	}
	return script
}

// foldAggs are the aggregates that folding leaves bounds to, and some that it does not.
func foldAggs() []op.Agg {
	v, signed := enginetest.Ref(foldColumns, foldV), enginetest.Ref(foldColumns, foldSigned)
	even := enginetest.Call("=", enginetest.Call("%", v, enginetest.Constant(enginetest.Int(2))), enginetest.Constant(enginetest.Int(0)))
	aggs := []op.Agg{
		{Func: op.CountAll},
		{Func: op.Count, Arg: v, Filter: even},
		{Func: op.Sum, Arg: v},
		{Func: op.Sum, Arg: signed},
		{Func: op.Min, Arg: v},
		{Func: op.Max, Arg: v},
		{Func: op.Avg, Arg: v},
		{Func: op.CountDistinct, Arg: v},
		{Func: op.Quantile, Arg: v, Quantiles: []float64{0.5}},
	}
	for i := range aggs {
		aggs[i].Bounds, aggs[i].Field.Name = true, string(rune('a'+i))
	}
	return aggs
}

func foldSpec(window op.Window, memory int64, keys ...int) *op.Aggregate {
	spec := &op.Aggregate{Window: window, Aggs: foldAggs(), Memory: memory}
	for _, k := range keys {
		spec.Keys = append(spec.Keys, enginetest.Ref(foldColumns, k))
		spec.KeyFields = append(spec.KeyFields, foldColumns.Fields[k])
	}
	return spec
}

func asFloat(v expr.Value) float64 {
	if v.Float || v.Type == tuple.Double {
		return v.F
	}
	return float64(v.I)
}

var foldWindows = map[string]op.Window{
	"no window": {}, "tumble": {Kind: op.Tumble, Size: 3000, Slide: 3000}, "hop": {Kind: op.Hop, Size: 3000, Slide: 1000},
}

// TestFoldedGroupsAreBoundedAndAddUp compares answers within a budget with those without one.
func TestFoldedGroupsAreBoundedAndAddUp(t *testing.T) {
	for name, window := range foldWindows {
		for _, keys := range [][]int{{foldInt}, {foldText}, {foldDouble}, {foldText, foldInt}} {
			t.Run(fmt.Sprint(name, keys), func(t *testing.T) {
				script := foldScript(9000, 2500, 3)
				exact, err := enginetest.Play(foldSpec(window, 0, keys...), foldColumns, script, enginetest.Cutter{})
				require.NoError(t, err)
				spec := foldSpec(window, 1_000_000, keys...)
				got, err := enginetest.Play(spec, foldColumns, script, enginetest.Cutter{})
				require.NoError(t, err)
				require.Less(t, len(got.Rows), len(exact.Rows))
				checkFolded(t, spec, exact.Rows, got.Rows)
			})
		}
	}
}

// checkFolded compares rows within a budget with the exact ones.
func checkFolded(t *testing.T, spec *op.Aggregate, exact, got [][]expr.Value) {
	lead := spec.BoundsOf(0) - len(spec.Aggs)
	_, exactly, unseen, other := spec.RowColumns()
	truth := map[string][]expr.Value{}
	listed := map[string]bool{}
	type totals struct{ count, sum float64 }
	want, have := map[string]totals{}, map[string]totals{}
	add := func(m map[string]totals, row []expr.Value) {
		window := fmt.Sprint(row[:lead-len(spec.Keys)])
		s := m[window]
		m[window] = totals{s.count + asFloat(row[lead]), s.sum + asFloat(row[lead+3])}
	}
	for _, row := range exact {
		truth[fmt.Sprint(row[:lead])] = row
		add(want, row)
	}
	whole, lost := 0, 0
	last := ""
	unlisted := map[string]float64{}
	for i, row := range got {
		add(have, row)
		unlisted[fmt.Sprint(row[:lead-len(spec.Keys)])] = asFloat(row[unseen])
		listed[fmt.Sprint(row[:lead])] = listed[fmt.Sprint(row[:lead])] || !row[other].B
		if row[other].B {
			for _, key := range row[lead-len(spec.Keys) : lead] {
				assert.True(t, key.Null)
			}
			require.Equal(t, asFloat(row[lead]), asFloat(row[spec.BoundsOf(0)]), "the rest is exact")
			last = fmt.Sprint(row[:lead-len(spec.Keys)])
			if i+1 < len(got) {
				assert.NotEqual(t, last, fmt.Sprint(got[i+1][:lead-len(spec.Keys)]), "the rest comes last in its window")
			}
			continue
		}
		true, ok := truth[fmt.Sprint(row[:lead])]
		require.Truef(t, ok, "%v", row)
		if v := row[lead-1]; v.Type == tuple.Bigint && v.I == 0 {
			require.True(t, row[exactly].B, "the heaviest was there before the first fold: %v", row)
		}
		if row[exactly].B {
			whole++
			require.Equal(t, true[lead:lead+len(spec.Aggs)], row[lead:lead+len(spec.Aggs)])
			continue
		}
		lost++
		checkLost(t, spec, lead, true, row)
	}
	for _, row := range exact {
		if !listed[fmt.Sprint(row[:lead])] {
			require.LessOrEqual(t, asFloat(row[lead]), unlisted[fmt.Sprint(row[:lead-len(spec.Keys)])], "a group that is not listed: %v", row)
		}
	}
	assert.Equal(t, want, have, "with the rest everything adds up")
	assert.Positive(t, whole)
	assert.Positive(t, lost)
	assert.NotEmpty(t, last)
}

// checkLost checks the bounds of a group that may have lost rows.
func checkLost(t *testing.T, spec *op.Aggregate, lead int, true, row []expr.Value) {
	for i, a := range spec.Aggs {
		at := spec.BoundsOf(i)
		low, high, unreliable, v := row[at], row[at+1], row[at+2].B, asFloat(true[lead+i])
		if !low.Null {
			require.LessOrEqual(t, asFloat(low), v, "%v of %v", a.String(), row)
		}
		if !high.Null {
			require.GreaterOrEqual(t, asFloat(high), v, "%v of %v", a.String(), row)
		}
		signed := i == 3
		bounded := a.Func == op.CountAll || a.Func == op.Count || a.Func == op.Sum && !signed
		require.Equal(t, !bounded, unreliable, "%v of %v", a.String(), row)
		require.Equal(t, bounded || a.Func == op.Max, !low.Null, a.String())
		require.Equal(t, bounded || a.Func == op.Min, !high.Null, a.String())
	}
}

func TestHeavyGroupsThatCameFirstStayExact(t *testing.T) {
	spec := foldSpec(op.Window{}, 200_000, foldText)
	var script enginetest.Script
	for i := range int64(30_000) {
		key := i
		if i%2 == 1 {
			key = -1 - i/2%3
		}
		script = append(script, enginetest.Row(i, foldRow(key, 1)...))
	}
	got, err := enginetest.Play(spec, foldColumns, script, enginetest.Cutter{})
	require.NoError(t, err)
	_, exactly, _, other := spec.RowColumns()
	var heavy int
	for _, row := range got.Rows {
		if k := row[0].S; k == "key -1" || k == "key -2" || k == "key -3" {
			heavy++
			assert.True(t, row[exactly].B)
			assert.EqualValues(t, 5000, row[1].I)
		}
	}
	assert.Equal(t, 3, heavy)
	assert.True(t, got.Rows[len(got.Rows)-1][other].B)
}

// TestFoldingConforms: when groups are folded depends on rows alone, and a saved state continues the same; but sketches may take
// other memory after they were loaded.
func TestFoldingConforms(t *testing.T) {
	for name, window := range foldWindows {
		for _, key := range []int{foldInt, foldText} {
			t.Run(fmt.Sprint(name, key), func(t *testing.T) {
				for seed := range uint64(4) {
					spec := foldSpec(window, 300_000, key)
					saves := seed > 0
					if saves {
						spec.Aggs = spec.Aggs[:8]
					}
					script := foldScript(4000, 3000, seed)
					r := rand.New(rand.NewPCG(seed, 1))
					play := func(cut enginetest.Cutter) string {
						out, err := enginetest.Play(spec, foldColumns, script, cut)
						require.NoError(t, err)
						require.Less(t, len(out.Rows), 2500, "some are folded")
						return digest(out.Rows)
					}
					want := play(enginetest.Cutter{})
					require.Equal(t, want, play(enginetest.Cutter{Rows: func(n int) int { return 1 + r.IntN(300) }}))
					require.Equal(t, want, play(enginetest.Cutter{
						Rows: func(int) int { return 1 + r.IntN(1000) },
						Save: func() bool { return saves && r.IntN(3) == 0 },
					}))
				}
			})
		}
	}
}

func digest(rows [][]expr.Value) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(enginetest.Print(rows))))
}

func TestStateThatCannotBeFoldedFailsClearly(t *testing.T) {
	spec := &op.Aggregate{Memory: 100_000, Aggs: []op.Agg{{Func: op.CountDistinct, Arg: enginetest.Ref(foldColumns, foldInt)}}}
	_, err := enginetest.Play(spec, foldColumns, foldScript(20_000, 1_000_000, 1), enginetest.Cutter{})
	require.ErrorContains(t, err, "more than the memory of 97.66 KiB that they may have; count(DISTINCT x) keeps every value: approx_count_distinct(x)")
	_, err = (&op.Aggregate{Memory: -1}).Make()
	require.ErrorContains(t, err, "a memory of -1 bytes")
}

func TestSmallBudgetsKeepSomeGroups(t *testing.T) {
	spec := foldSpec(op.Window{}, 1, foldInt)
	spec.Aggs = spec.Aggs[:1]
	_, err := enginetest.Play(spec, foldColumns, foldScript(3000, 1000, 1), enginetest.Cutter{})
	require.ErrorContains(t, err, "memory")
	spec.Memory = 20_000
	got, err := enginetest.Play(spec, foldColumns, foldScript(3000, 1000, 1), enginetest.Cutter{})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(got.Rows), 64)
}

// distinctKeys makes batches of keys that are all new, in memory of its own.
type distinctKeys struct {
	batch *tuple.Batch
	next  int64
	text  []byte
}

func (d *distinctKeys) fill() *tuple.Batch {
	c := &d.batch.Cols[foldText]
	c.Buf = c.Buf[:0]
	for r := range d.batch.N {
		d.next++
		d.text = strconv.AppendInt(append(d.text[:0], "user-"...), d.next*7919, 10)
		c.SetStr(r, d.text)
		d.batch.Cols[foldInt].I[r], d.batch.Cols[foldV].I[r] = d.next, d.next%100
	}
	return d.batch
}

func newDistinctKeys() *distinctKeys {
	rows := make([][]expr.Value, tuple.MaxRows)
	for i := range rows {
		rows[i] = foldRow(0, 0)
	}
	return &distinctKeys{batch: enginetest.Batch(foldColumns, rows, make([]int64, tuple.MaxRows))}
}

// groupAll groups rows by keys that are all distinct and returns the greatest heap seen in use above that at first.
func groupAll(t testing.TB, o op.Operator, batches int) (most uint64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapInuse
	d := newDistinctKeys()
	for i := range batches {
		require.NoError(t, o.Process(0, d.fill(), nil))
		if i%64 == 0 {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
	}
	return most - min(before, most)
}

func TestManyDistinctKeysStayWithinTheBudget(t *testing.T) {
	const budget, batches = 32 << 20, 2 << 10
	spec := foldSpec(op.Window{}, budget, foldText)
	spec.Aggs = []op.Agg{{Func: op.CountAll, Bounds: true}, {Func: op.Sum, Arg: enginetest.Ref(foldColumns, foldV), Bounds: true}}
	o := made(t, spec)
	used := groupAll(t, o, batches)
	t.Logf("%d MiB in use", used>>20)
	assert.Less(t, used, uint64(budget*3/2+64<<20))
	out := &enginetest.Collector{}
	for done := false; !done; {
		var err error
		done, err = o.Advance(0, tuple.End, out)
		require.NoError(t, err)
	}
	total := 0.0
	for _, row := range out.Rows {
		total += asFloat(row[1])
	}
	assert.Equal(t, float64(batches*tuple.MaxRows), total)
	assert.Greater(t, len(out.Rows), 10_000, "the budget is used")
}

func TestMemoryComesBackWhenWindowsClose(t *testing.T) {
	const budget = 32 << 20
	spec := foldSpec(op.Window{Kind: op.Tumble, Size: 10, Slide: 10}, budget, foldText)
	spec.Aggs = append(spec.Aggs[:1], op.Agg{Func: op.Quantile, Arg: enginetest.Ref(foldColumns, foldV), Quantiles: []float64{0.5}, Bounds: true})
	o := made(t, spec)
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	for window := range int64(3) {
		groupAll(t, o, 256)
		full := held() - before
		assert.Greater(t, full, uint64(budget/8))
		for done := false; !done; {
			var err error
			done, err = o.Advance(0, 10*(window+1), &sink{})
			require.NoError(t, err)
		}
		assert.Less(t, held()-before, full/4)
	}
	runtime.KeepAlive(o)
}

func TestFoldedGroupsAreTold(t *testing.T) {
	spec := &op.Aggregate{Aggs: foldAggs()[:1], Memory: 1 << 20, Keys: []*expr.Node{enginetest.Ref(foldColumns, foldInt)}, KeyFields: foldColumns.Fields[:1]}
	o := made(t, spec)
	groupAll(t, o, 1)
	require.Empty(t, o.(op.Noter).Notes(), "there was room")
	groupAll(t, o, 256)
	out := &enginetest.Collector{}
	for done := false; !done; {
		var err error
		done, err = o.Advance(0, tuple.End, out)
		require.NoError(t, err)
	}
	_, _, unseen, other := spec.RowColumns()
	require.Positive(t, unseen)
	last := out.Rows[len(out.Rows)-1]
	require.True(t, last[other].B)
	require.Greater(t, asFloat(last[unseen]), 0.0)
	notes := o.(op.Noter).Notes()
	require.Len(t, notes, 1)
	require.Regexp(t, fmt.Sprintf(`^\d+ groups were folded into _other for want of memory \(1048576 bytes\); a group that is not listed has at most %.0f rows$`,
		asFloat(last[unseen])), notes[0])
}
