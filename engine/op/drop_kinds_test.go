package op_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// mod is the remainder of the first column by n.
func mod(s *tuple.Schema, n int64) *expr.Node {
	return enginetest.Call("%", enginetest.Ref(s, 0), enginetest.Constant(enginetest.Int(n)))
}

func valuesOf(s *sieve) map[int64]uint8 {
	set := map[int64]uint8{}
	for _, r := range s.rows {
		set[r.v] = r.unit
	}
	return set
}

func TestUniversesKeepTheirShareOfKeysAndNest(t *testing.T) {
	const n = 200_000
	var wider map[int64]uint8
	for _, keep := range []float64{0.9, 0.5, 0.1, 0.01} {
		d := dropV(tuple.Universe, keep)
		d.Location = fmt.Sprint(keep) // which makes no difference
		got := valuesOf(feedInts(t, n, fullBatches, made(t, d)))
		requireShare(t, keep, n, len(got), "share of keys")
		units := [tuple.UniverseGroups]int{}
		for v, unit := range got {
			if wider != nil {
				u, in := wider[v]
				require.True(t, in, "key %d is in the smaller universe only", v)
				require.Equal(t, u, unit)
			}
			units[unit]++
		}
		for _, k := range units {
			requireShare(t, 1.0/tuple.UniverseGroups, len(got), k, "share of a group")
		}
		wider = got
	}
	d := dropV(tuple.Universe, 0.01)
	d.Seed++
	assert.NotEqual(t, wider, valuesOf(feedInts(t, n, fullBatches, made(t, d))), "another seed")
}

func TestUniversesKeepAllRowsOfAKeyOrNone(t *testing.T) {
	d := dropV(tuple.Universe, 0.3)
	d.Keys = []*expr.Node{mod(oneColumn, 100)}
	rows := map[int64]int{}
	for _, r := range feedInts(t, 10_000, oddBatches, made(t, d)).rows {
		rows[r.v%100]++
	}
	assert.Greater(t, len(rows), 5)
	for key, n := range rows {
		assert.Equal(t, 100, n, "key %d", key)
	}
}

func TestUniversesKnowEqualNumbersOfAllTypes(t *testing.T) {
	kept := func(typ tuple.Type, value func(int64) expr.Value) (list []bool) {
		in := enginetest.Schema(typ)
		o := made(t, &op.Drop{Kind: tuple.Universe, Keeps: []float64{0.5}, Keys: []*expr.Node{enginetest.Ref(in, 0)}})
		for v := range int64(200) {
			out := &sink{}
			require.NoError(t, o.Process(0, enginetest.Batch(in, [][]expr.Value{{value(v - 100)}}, nil), out))
			list = append(list, out.rows == 1)
		}
		return list
	}
	want := kept(tuple.Bigint, enginetest.Int)
	assert.Contains(t, want, true)
	assert.Contains(t, want, false)
	assert.Equal(t, want, kept(tuple.Double, func(v int64) expr.Value { return enginetest.Float(float64(v)) }))
	assert.Equal(t, want, kept(tuple.Number, enginetest.NumberInt))
	assert.Equal(t, want, kept(tuple.Number, func(v int64) expr.Value { return enginetest.NumberFloat(float64(v)) }))
}

func TestUniversesSayWhenOneKeyHasMostRows(t *testing.T) {
	for share, want := range map[int64]int{1: 0, 3: 0, 7: 1, 10: 1} { // tenths of the rows with key 0
		d := dropV(tuple.Universe, 0.5)
		d.Keys = []*expr.Node{enginetest.Call("if",
			enginetest.Call("<", mod(oneColumn, 10), enginetest.Constant(enginetest.Int(share))),
			enginetest.Constant(enginetest.Int(-1)), enginetest.Ref(oneColumn, 0))}
		o := made(t, d)
		feedInts(t, 4*32768+100, oddBatches, o)
		notes := o.(op.Noter).Notes()
		assert.Len(t, notes, want, "share %d/10", share)
		if want > 0 {
			assert.Contains(t, notes[0], "one value of if(")
		}
	}
}

func TestGroupDropKeepsRareGroupsWholeAndWeighsTheRest(t *testing.T) {
	const n = 400_000
	// Key 0 has half of the rows, and each of the other 100,000 or so keys two.
	key := enginetest.Call("*", enginetest.Call("%", enginetest.Ref(oneColumn, 0), enginetest.Constant(enginetest.Int(2))), mod(oneColumn, 200_000))
	o := made(t, &op.GroupDrop{Keys: []*expr.Node{key}, Keep: 0.1, Whole: 10, Period: n, Seed: 5})
	got := feedInts(t, n, oddBatches, o)
	rare, heavy, first := 0, 0, 0
	for _, r := range got.rows {
		switch {
		case r.v%2 == 1:
			rare++
			require.Equal(t, 1.0, r.weight)
		case r.weight == 1:
			first++
		default:
			require.Equal(t, 10.0, r.weight)
			heavy++
		}
	}
	assert.Equal(t, n/2, rare)
	assert.Equal(t, 10, first)
	requireShare(t, 0.1, n/2-10, heavy, "share of the heavy group")
	assert.EqualValues(t, n-len(got.rows), o.(op.Sheds).Shed())
	assert.Zero(t, got.strata)

	weighted := integers(0, 100)
	weighted.Weight = make([]float64, 100)
	for i := range weighted.Weight {
		weighted.Weight[i] = 3
	}
	out := &sieve{}
	require.NoError(t, made(t, &op.GroupDrop{Keys: []*expr.Node{mod(oneColumn, 2)}, Keep: 0.5, Whole: 1}).Process(0, weighted, out))
	for i, r := range out.rows {
		want := 6.0
		if i < 2 {
			want = 3
		}
		assert.Equal(t, want, r.weight, "weights multiply")
	}
}

func TestValueDropTalliesWhatItDropped(t *testing.T) {
	o := made(t, &op.ValueDrop{Value: enginetest.Ref(oneColumn, 0), Low: 10, High: 20})
	tally := o.(op.Tallied)
	assert.True(t, math.IsNaN(tally.Dropped().Min))
	got := feedInts(t, 3000, oddBatches, o)
	assert.Len(t, got.rows, 2990)
	assert.Equal(t, op.DroppedValues{Rows: 10, Sum: 145, Min: 10, Max: 19}, tally.Dropped())
	assert.EqualValues(t, 10, o.(op.Sheds).Shed())
	assert.Zero(t, got.strata)

	in := enginetest.Schema(tuple.Double)
	o = made(t, &op.ValueDrop{Value: enginetest.Ref(in, 0), Low: math.Inf(-1), High: math.Inf(1)})
	out := &sink{}
	require.NoError(t, o.Process(0, enginetest.Batch(in, [][]expr.Value{
		{enginetest.Null(tuple.Double)}, {enginetest.Float(math.NaN())}, {enginetest.Float(0.5)},
	}, nil), out))
	assert.Equal(t, 2, out.rows, "NULL and NaN lie nowhere")
}

func TestWindowDropLeavesWindowsCompleteOrDropped(t *testing.T) {
	const n = 60_000
	for _, spec := range []*op.WindowDrop{
		{Size: 20, Keep: 0.4},
		{Size: 20, Keep: 0.4, Batch: 5, Origin: 7},
		{Size: 45, Slide: 20, Keep: 0.4, Batch: 3, Origin: -11},
		{Size: 20, Keep: 0},
		{Size: 20, Keep: 1},
	} {
		o := made(t, spec)
		got := feedInts(t, n, oddBatches, o)
		rows := valuesOf(got)
		size, slide := int64(spec.Size), int64(spec.Slide)
		if slide == 0 {
			slide = size
		}
		skipped, kept, needed := 0, 0, map[int64]bool{}
		for start := spec.Origin - 5*slide; start < n; start += slide {
			if spec.Skips(start) {
				if start+size > 0 {
					skipped++
				}
				continue
			}
			kept++
			for at := max(start, 0); at < min(start+size, n); at++ {
				if _, there := rows[at]; !there {
					t.Fatalf("%v: row %d of window %d is gone", spec, at, start)
				}
				needed[at] = true
			}
		}
		require.Len(t, rows, len(needed), "rows of dropped windows only are gone")
		_, err := o.Advance(0, n/2, nil)
		require.NoError(t, err)
		half := o.(op.SkippedWindows).Skipped()
		_, err = o.Advance(0, tuple.End, nil)
		require.NoError(t, err)
		assert.EqualValues(t, skipped, o.(op.SkippedWindows).Skipped())
		if spec.Keep > 0 && spec.Keep < 1 {
			assert.Less(t, half, int64(skipped))
			runs := (kept + skipped) / int(max(1, spec.Batch))
			requireShare(t, spec.Keep, runs, kept/int(max(1, spec.Batch)), "share of runs")
		}
	}
}

func BenchmarkDrop(b *testing.B) {
	for _, bench := range []struct {
		name string
		spec op.Spec
	}{
		{"random/keep=1", dropV(tuple.Random, 1)},
		{"random/keep=0.5", dropV(tuple.Random, 0.5)},
		{"random/keep=0.1", dropV(tuple.Random, 0.1)},
		{"random/keep=0.01", dropV(tuple.Random, 0.01)},
		{"universe/keep=0.5", dropV(tuple.Universe, 0.5)},
		{"universe/keep=0.1", dropV(tuple.Universe, 0.1)},
		{"group/keep=0.1", &op.GroupDrop{Keys: []*expr.Node{enginetest.Ref(oneColumn, 0)}, Keep: 0.1, Whole: 10}},
		{"value", &op.ValueDrop{Value: enginetest.Ref(oneColumn, 0), High: 500}},
		{"windows", &op.WindowDrop{Size: 100, Keep: 0.5}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			o := made(b, bench.spec)
			batch := integers(0, tuple.MaxRows)
			out := &sink{}
			b.ReportAllocs()
			for b.Loop() {
				if err := o.Process(0, batch, out); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tuple.MaxRows, "ns/row")
		})
	}
}
