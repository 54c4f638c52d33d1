package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func realOf(v expr.Value) float64 {
	switch {
	case v.Null:
		return math.NaN()
	case v.Float || v.Type == tuple.Double:
		return v.F
	}
	return float64(v.I)
}

// TestWhatWasKeptInWholeIsExact compares the answers for epochs that keep everything with those of the exact
// operator: values are the same to the bit, and are their own bounds.
func TestWhatWasKeptInWholeIsExact(t *testing.T) {
	for _, w := range []op.Window{{}, tumble10, {Kind: op.Hop, Size: 20, Slide: 10}} {
		for _, keys := range [][]int{nil, {thinKey}} {
			filtered := thinSum
			filtered.Filter = thinRef(thinCond)
			aggs := []op.Agg{thinCount, thinSum, thinSumI, thinAvg, filtered, {Func: op.Count, Arg: thinRef(thinFloat)}, {Func: op.Sum, Arg: thinRef(thinInt), Distinct: true}, {Func: op.Max, Arg: thinRef(thinInt)}}
			spec := thinSpec(w, keys, aggs...)
			exact := *spec
			exact.Sampling = nil
			s := newThinned(t, spec, 1, &place{keeps: []float64{1}, each: 100})
			var script Script
			r := rand.New(rand.NewPCG(1, 2))
			for i := range 1000 {
				row := someThinRow(r)
				s.row(int64(i/10), row...)
				script = append(script, Row(int64(i/10), row...))
			}
			got := s.end()
			want, err := Play(&exact, thinColumns, script, Cutter{})
			require.NoError(t, err)
			require.Len(t, got, len(want.Rows))
			kept, isExact, _, _ := spec.RowColumns()
			for i, row := range got {
				require.Equal(t, Print(want.Rows[i:i+1]), Print([][]expr.Value{row[:len(want.Rows[i])]}))
				require.Equal(t, 1.0, row[kept].F)
				require.True(t, row[isExact].B)
			}
		}
	}
}

func someThinRow(r *rand.Rand) []expr.Value {
	x := Float(math.Exp(r.NormFloat64()))
	if r.IntN(20) == 0 {
		x = Null(tuple.Double)
	}
	return []expr.Value{Int(int64(r.IntN(4))), Int(int64(r.IntN(1000))), x, Bool(r.IntN(3) > 0)}
}

// coverage counts cells whose interval held the truth.
type coverage struct{ cells, held, labelled int }

// require fails where so few of the cells that were not labelled are covered as happens by chance, at the least true
// coverage given, once in a million runs.
func (c *coverage) require(t *testing.T, least float64, what string) {
	t.Helper()
	t.Logf("%s: %d of %d cells held, %.4f; %d labelled", what, c.held, c.cells, float64(c.held)/float64(c.cells), c.labelled)
	require.Greater(t, c.cells, 300, what)
	require.Greater(t, distuv.Binomial{N: float64(c.cells), P: least}.CDF(float64(c.held)), 1e-6, what)
}

// truth is the exact answer for a cell.
type truth struct{ n, sum float64 }

// TestIntervalsCover thins streams of many windows and groups in several ways.
func TestIntervalsCover(t *testing.T) {
	for name, c := range map[string]struct {
		places   []*place
		filtered bool
	}{
		"a tenth":        {[]*place{{keeps: []float64{0.1}, each: 1000}}, false},
		"changing keeps": {[]*place{{keeps: []float64{1, 0.3, 0.1}, each: 700}}, false},
		"bad records":    {[]*place{{keeps: []float64{0.3}, each: 1000, raw: true, pass: func(row []expr.Value) bool { return row[thinInt].I%10 != 0 }}}, false},
		"two drops with a filter between": {[]*place{
			{keeps: []float64{0.6, 0.4}, each: 1500, pass: func(row []expr.Value) bool { return row[thinInt].I%2 != 0 }},
			{keeps: []float64{0.5}, each: 350},
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			spec := thinSpec(op.Window{Kind: op.Tumble, Size: 1000, Slide: 1000}, []int{thinKey}, thinCount, thinSum, thinAvg)
			spec.Sampling.Filtered = c.filtered
			s := newThinned(t, spec, 11, c.places...)
			r := rand.New(rand.NewPCG(3, 4))
			const windows, rows, groups = 150, 4000, 8
			truths := map[[2]int64]*truth{}
			for i := range windows * rows {
				at := int64(i / (rows / 1000))
				g := int64(min(r.ExpFloat64()*2, groups-1))
				v, x := int64(r.IntN(1000)), r.ExpFloat64()*float64(g+1)
				row := []expr.Value{Int(g), Int(v), Float(x), Bool(true)}
				s.row(at, row...)
				if passesAll(c.places, row) {
					cell := [2]int64{at / 1000, g}
					if truths[cell] == nil {
						truths[cell] = &truth{}
					}
					truths[cell].n++
					truths[cell].sum += x
				}
				if i%rows == rows-1 {
					s.mark(at + 1)
				}
			}
			var count, sum, avg coverage
			for _, row := range s.end() {
				want := truths[[2]int64{row[0].I / 1000, row[2].I}]
				for i, c := range []*coverage{&count, &sum, &avg} {
					got := readingOf(spec, row, i)
					x := [...]float64{want.n, want.sum, want.sum / want.n}[i]
					require.False(t, i == 0 && got.label, "counts are not labelled")
					if got.label {
						c.labelled++
						continue
					}
					c.cells++
					if got.covers(x) {
						c.held++
					}
				}
			}
			count.require(t, 0.94, "count")
			sum.require(t, 0.94, "sum")
			avg.require(t, 0.94, "avg")
		})
	}
}

func passesAll(places []*place, row []expr.Value) bool {
	for _, p := range places {
		if p.pass != nil && !p.pass(row) {
			return false
		}
	}
	return true
}

// TestCountsOfAWholeStreamAreExact: without groups, windows and filters all dropped rows are known to count; raw drops and
// filters behind the drop take that away.
func TestCountsOfAWholeStreamAreExact(t *testing.T) {
	for claim, c := range map[string]struct {
		agg           op.Agg
		raw, filtered bool
		exact         bool
	}{
		"count(*)":            {agg: thinCount, exact: true},
		"records may be bad":  {agg: thinCount, raw: true},
		"a filter stands by":  {agg: thinCount, filtered: true},
		"values may be NULL":  {agg: op.Agg{Func: op.Count, Arg: thinRef(thinFloat)}},
		"FILTER makes domain": {agg: op.Agg{Func: op.CountAll, Filter: thinRef(thinCond)}},
	} {
		spec := thinSpec(op.Window{}, nil, c.agg)
		spec.Sampling.Filtered = c.filtered
		s := newThinned(t, spec, 5, &place{keeps: []float64{0.2}, each: 1000, raw: c.raw})
		for i := range 5500 {
			s.row(int64(i), Int(0), Int(1), Float(1), Bool(true))
		}
		row := s.end()[0]
		got := readingOf(spec, row, 0)
		_, exact, _, _ := spec.RowColumns()
		assert.Equal(t, c.exact, row[exact].B, claim)
		assert.Equal(t, c.exact, got.low == 5500 && got.high == 5500, "%s: %v", claim, got)
		assert.True(t, got.covers(5500), "%s: %v", claim, got)
	}
}

// TestHoppingWindowsAreLikeTumblingOnes: panes share strata, whose shares are added up before variances are.
func TestHoppingWindowsAreLikeTumblingOnes(t *testing.T) {
	run := func(w op.Window) (*op.Aggregate, [][]expr.Value) {
		spec := thinSpec(w, []int{thinKey}, thinCount, thinSum, thinAvg)
		s := newThinned(t, spec, 5, &place{keeps: []float64{0.5, 0.1, 1}, each: 900})
		r := rand.New(rand.NewPCG(8, 9))
		for i := range 10_000 {
			s.row(int64(i*40/10_000), someThinRow(r)...)
		}
		return spec, s.end()
	}
	tumbling, want := run(op.Window{Kind: op.Tumble, Size: 40, Slide: 40})
	hopping, rows := run(op.Window{Kind: op.Hop, Size: 40, Slide: 10})
	var got [][]expr.Value
	for _, row := range rows {
		if row[0].I == 0 {
			got = append(got, row)
		}
	}
	require.Len(t, got, len(want))
	for g := range want {
		require.Equal(t, want[g][2], got[g][2])
		for i := range 3 {
			a, b := readingOf(tumbling, want[g], i), readingOf(hopping, got[g], i)
			assert.InEpsilon(t, a.value, b.value, 1e-9)
			assert.InEpsilon(t, a.low, b.low, 1e-9)
			assert.InEpsilon(t, a.high, b.high, 1e-9)
			assert.Less(t, a.low, a.high)
		}
	}
}

// TestCutsOfSampledBatchesChangeNothing cuts thinned streams elsewhere, with batches without rows, and saves and loads between.
func TestCutsOfSampledBatchesChangeNothing(t *testing.T) {
	for _, w := range []op.Window{{}, tumble10, {Kind: op.Hop, Size: 25, Slide: 10}} {
		spec := thinSpec(w, []int{thinKey}, thinCount, thinSum, thinSumI, thinAvg)
		rapid.Check(t, func(rt *rapid.T) {
			seed := rapid.Uint64().Draw(rt, "seed")
			places := func() []*place {
				if seed%2 == 0 {
					return []*place{{keeps: []float64{0.5, 0.05, 1}, each: 37}}
				}
				return []*place{{keeps: []float64{0.9, 0.7}, each: 40}, {keeps: []float64{0.5}, each: 33}}
			}
			run := func(cut, save func() bool) string {
				s := newThinned(t, spec, seed, places()...)
				s.cut, s.save = cut, save
				r := rand.New(rand.NewPCG(seed, 3))
				now := int64(0)
				for range 300 {
					now += int64(r.IntN(3)) - int64(r.IntN(2))
					s.row(max(now, 0), someThinRow(r)...)
					if r.IntN(40) == 0 {
						s.mark(now - 5)
					}
				}
				return Print(s.end())
			}
			want := run(nil, nil)
			coin := func(n int) func() bool {
				return func() bool { return rapid.IntRange(0, n).Draw(rt, "cut") == 0 }
			}
			require.Equal(t, want, run(coin(3), nil))
			require.Equal(t, want, run(coin(10), coin(3)))
		})
	}
}

// TestWhatKeptNothingIsCounted: records that were offered and all dropped may be of any cell.
func TestWhatKeptNothingIsCounted(t *testing.T) {
	spec := thinSpec(op.Window{}, nil, thinCount, thinSum)
	spec.Sampling.Filtered = true
	s := newThinned(t, spec, 5, &place{keeps: []float64{1e-3}, each: 1000})
	for i := range 50 {
		s.row(int64(i), Int(0), Int(1), Float(1), Bool(true))
	}
	row := s.end()[0]
	count, sum := readingOf(spec, row, 0), readingOf(spec, row, 1)
	assert.Zero(t, count.value)
	assert.True(t, count.covers(0) && count.covers(50) && count.high <= 50, "%v", count)
	assert.True(t, math.IsNaN(sum.value) && sum.label, "%v", sum)
}

func TestRowsWithWeights(t *testing.T) {
	for _, w := range []op.Window{{}, tumble10, {Kind: op.Hop, Size: 20, Slide: 10}} {
		spec := thinSpec(w, nil, thinCount, thinSum, thinAvg)
		spec.Sampling.Weighted = true
		o, err := spec.Make()
		require.NoError(t, err)
		b := Batch(thinColumns, [][]expr.Value{{Int(0), Int(1), Float(2), Bool(true)}, {Int(0), Int(1), Float(3), Bool(true)}}, []int64{11, 12})
		b.Weight = []float64{10, 1.5}
		var out Collector
		require.NoError(t, o.Process(0, b, &out))
		_, err = o.Advance(0, tuple.End, &out)
		require.NoError(t, err)
		row := out.Rows[0]
		assert.Equal(t, 11.5, readingOf(spec, row, 0).value, "%v", w)
		assert.Equal(t, 24.5, readingOf(spec, row, 1).value)
		assert.InEpsilon(t, 24.5/11.5, readingOf(spec, row, 2).value, 1e-12)
		kept, exact, _, _ := spec.RowColumns()
		assert.False(t, row[exact].B)
		assert.Equal(t, 2/11.5, row[kept].F)
	}
}

func TestDistinctValuesOfASampleAreLabelled(t *testing.T) {
	spec := thinSpec(op.Window{}, nil, op.Agg{Func: op.Sum, Arg: thinRef(thinInt), Distinct: true})
	s := newThinned(t, spec, 5, &place{keeps: []float64{0.5}, each: 1000})
	for i := range 500 {
		s.row(int64(i), Int(0), Int(int64(i)), Float(1), Bool(true))
	}
	got := readingOf(spec, s.end()[0], 0)
	assert.True(t, got.label && math.IsNaN(got.low) && math.IsNaN(got.high) && got.value > 0, "%v", got)
}

// TestStrataAreForgotten: an endless stream takes constant memory.
func TestStrataAreForgotten(t *testing.T) {
	spec := thinSpec(tumble10, []int{thinKey}, thinCount, thinAvg)
	s := newThinned(t, spec, 5, &place{keeps: []float64{0.5, 0.2}, each: 50})
	r := rand.New(rand.NewPCG(8, 9))
	run := func(from, to int) {
		for at := from; at < to; at++ {
			for range 20 {
				s.row(int64(at), someThinRow(r)...)
			}
			if at%10 == 9 {
				s.mark(int64(at + 1))
				s.out.Reset()
			}
		}
	}
	run(0, 5000)
	before := heap()
	run(5000, 20_000)
	assert.Less(t, float64(heap()), float64(before)+3e5, fmt.Sprint(before))
}
