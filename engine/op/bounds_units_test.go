package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// unitAggs are what is asked of samples by blocks and keys, and unitRatios the quotients of them.
func unitSpec(w op.Window, keys ...int) *op.Aggregate {
	some := op.Agg{Func: op.CountAll, Filter: thinRef(thinCond)}
	spec := thinSpec(w, keys, thinCount, thinSum, thinAvg, some, thinSumI)
	spec.Ratios = []op.Ratio{{Num: 3, Den: 0, Scale: 100}, {Num: 1, Den: 4, Scale: 1}}
	return spec
}

// unitTruths are the true answers of unitSpec: the aggregates, then the ratios.
func unitTruths(rows [][]expr.Value) (v [7]float64) {
	for _, row := range rows {
		v[0]++
		v[1] += row[thinFloat].F
		v[4] += float64(row[thinInt].I)
		if row[thinCond].B {
			v[3]++
		}
	}
	v[2], v[5], v[6] = v[1]/v[0], 100*v[3]/v[0], v[1]/v[4]
	return v
}

// unitReadings returns the readings of unitSpec in the order of unitTruths.
func unitReadings(spec *op.Aggregate, row []expr.Value) (v [7]reading) {
	for i := range spec.Aggs {
		v[i] = readingOf(spec, row, i)
	}
	for i := range spec.Ratios {
		at := spec.RatioBounds(i)
		v[5+i] = reading{math.NaN(), realOf(row[at]), realOf(row[at+1]), row[at+2].B}
	}
	return v
}

// unitRow returns a row of a group: the groups differ in size, values and in how many rows have the condition.
func unitRow(r *rand.Rand, shift float64) []expr.Value {
	g := int64(0)
	if u := r.IntN(100); u < 2 {
		g = 2
	} else if u < 30 {
		g = 1
	}
	return []expr.Value{Int(g), Int(5 + int64(r.IntN(10))), Float(shift + r.ExpFloat64()), Bool(r.IntN(4) <= int(g))}
}

// blockFile is the rows of each block of a file.
func blockFile(r *rand.Rand, blocks, rows int) [][][]expr.Value {
	file := make([][][]expr.Value, blocks)
	for b := range file {
		shift := float64(b%7) / 3
		for range rows + r.IntN(rows) {
			file[b] = append(file[b], unitRow(r, shift))
		}
	}
	return file
}

// readBlocks feeds an operator with blocks in the given order, two batches each, and returns its answers. Rows of block b have time b.
func readBlocks(t *testing.T, spec op.Spec, file [][][]expr.Value, order []int, save bool) [][]expr.Value {
	o, err := spec.Make()
	require.NoError(t, err)
	var out Collector
	for i, b := range order {
		half := len(file[b]) / 2
		for _, rows := range [][][]expr.Value{file[b][:half], file[b][half:]} {
			times := make([]int64, len(rows))
			for j := range times {
				times[j] = int64(b)
			}
			batch := Batch(thinColumns, rows, times)
			batch.Sample = []tuple.Stratum{{ID: 1 << 24, Kind: tuple.Cluster, Raw: true, Keep: 1, Offered: int64(len(file)), Kept: int64(i + 1), Block: int64(b)}}
			require.NoError(t, o.Process(0, batch, &out))
		}
		if save {
			o = reloaded(t, spec, o)
		}
	}
	for done := false; !done; {
		done, err = o.Advance(0, tuple.End, &out)
		require.NoError(t, err)
	}
	return out.Rows
}

func TestBlocksOfAFileCover(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	file := blockFile(r, 600, 12)
	byGroup := map[int64][][]expr.Value{}
	for _, block := range file {
		for _, row := range block {
			byGroup[row[thinKey].I] = append(byGroup[row[thinKey].I], row)
		}
	}
	spec := unitSpec(op.Window{}, thinKey)
	_, _, unseen, _ := spec.RowColumns()
	var all [7]coverage
	for range 400 {
		for _, row := range readBlocks(t, spec, file, r.Perm(len(file))[:160], false) {
			truths := unitTruths(byGroup[row[0].I])
			for i, got := range unitReadings(spec, row) {
				all[i].take(got, truths[i])
			}
			require.Greater(t, realOf(row[unseen]), 10.0, "a group may be in a block that was not read")
		}
	}
	for i := range all {
		all[i].require(t, 0.94, fmt.Sprint("answer ", i))
	}
	require.LessOrEqual(t, all[5].labelled+all[6].labelled, 820, "of 2,400 ratios: the third group is in few blocks")
}

func (c *coverage) take(got reading, truth float64) {
	switch {
	case got.label:
		c.labelled++
	default:
		c.cells++
		if got.covers(truth) {
			c.held++
		}
	}
}

// A file whose blocks were all read is answered as the exact engine does.
func TestAllBlocksAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	file := blockFile(r, 50, 12)
	for _, w := range []op.Window{{}, tumble10, {Kind: op.Hop, Size: 20, Slide: 10}} {
		spec := unitSpec(w, thinKey)
		spec.Aggs = append(spec.Aggs, op.Agg{Func: op.VarSamp, Arg: thinRef(thinFloat), Bounds: true}, op.Agg{Func: op.Max, Arg: thinRef(thinFloat), Bounds: true})
		exact := *spec
		exact.Sampling, exact.Ratios = nil, nil
		order := make([]int, len(file))
		for i := range order {
			order[i] = i
		}
		got, want := readBlocks(t, spec, file, order, false), readBlocks(t, &exact, file, order, false)
		_, isExact, unseen, _ := spec.RowColumns()
		lead := len(spec.Schema(nil).Fields) - len(spec.Aggs)*3 - 3*len(spec.Ratios) - 3
		require.Len(t, got, len(want))
		for i, row := range got {
			require.Equal(t, Print([][]expr.Value{want[i][:lead]}), Print([][]expr.Value{row[:lead]}))
			require.True(t, row[isExact].B)
			require.Zero(t, realOf(row[unseen]))
		}
	}
}

// Panes that are merged give the answers of one, and so does an operator that was saved and loaded.
func TestMergedAndLoadedPanesOfUnitsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	file := blockFile(r, 90, 12)
	tumble, hop := op.Window{Kind: op.Tumble, Size: 30, Slide: 30}, op.Window{Kind: op.Hop, Size: 30, Slide: 10}
	spec := func(w op.Window) *op.Aggregate {
		s := unitSpec(w, thinKey)
		s.Aggs = append(s.Aggs, op.Agg{Func: op.VarPop, Arg: thinRef(thinFloat), Bounds: true})
		return s
	}
	order := r.Perm(len(file))[:45]
	for name, feed := range map[string]func(s *op.Aggregate, save bool) [][]expr.Value{
		"blocks": func(s *op.Aggregate, save bool) [][]expr.Value { return readBlocks(t, s, file, order, save) },
		"keys":   func(s *op.Aggregate, save bool) [][]expr.Value { return readKeys(t, s, file, 0.3, save) },
		"random": func(s *op.Aggregate, save bool) [][]expr.Value {
			f := newThinned(t, s, 5, &place{keeps: []float64{0.4, 0.2, 1}, each: 200})
			f.save = func() bool { return save }
			for b := range file {
				for _, row := range file[b] {
					f.row(int64(b), row...)
				}
			}
			return f.end()
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := feed(spec(tumble), false)
			require.NotEmpty(t, want)
			same(t, want, feed(spec(tumble), true), 1e-9, "loaded")
			merged := map[string][]expr.Value{}
			for _, save := range []bool{false, true} {
				for _, row := range feed(spec(hop), save) {
					merged[Print([][]expr.Value{row[:3]})] = row
				}
				var found [][]expr.Value
				for _, row := range want {
					found = append(found, merged[Print([][]expr.Value{row[:3]})])
				}
				// Eighth powers about another pivot, blocks in another order, and of rows in a block no more than a bound.
				_, _, unseen, _ := spec(hop).RowColumns()
				for i := range found {
					require.False(t, realOf(found[i][unseen]) < realOf(want[i][unseen]))
					found[i][unseen] = want[i][unseen]
				}
				same(t, want, found, 0.02, "merged")
			}
		})
	}
}

// same requires answers to be equal within a share of them.
func same(t *testing.T, want, got [][]expr.Value, within float64, about string) {
	t.Helper()
	require.Len(t, got, len(want), about)
	for i := range want {
		for c := range want[i] {
			x, y := realOf(want[i][c]), realOf(got[i][c])
			if math.IsNaN(x) {
				assert.True(t, math.IsNaN(y), "%s: row %d, column %d: %v for NULL", about, i, c, y)
				continue
			}
			assert.InDelta(t, x, y, within*(1+math.Abs(x)), "%s: row %d, column %d", about, i, c)
		}
	}
}

// readKeys feeds an operator with the keys of a file that a universe drop by thinInt, 100 rows of time a key, leaves.
func readKeys(t *testing.T, spec op.Spec, file [][][]expr.Value, theta float64, save bool) [][]expr.Value {
	return readKeysOf(t, spec, file, op.Drop{Keeps: []float64{theta}, Seed: 3}, save)
}

func readKeysOf(t *testing.T, spec op.Spec, file [][][]expr.Value, by op.Drop, save bool) [][]expr.Value {
	by.Kind, by.Keys = tuple.Universe, []*expr.Node{thinRef(thinInt)}
	drop, err := by.Make()
	require.NoError(t, err)
	o, err := spec.Make()
	require.NoError(t, err)
	var out Collector
	for b, rows := range file {
		times := make([]int64, len(rows))
		for i := range times {
			times[i] = int64(b)
		}
		require.NoError(t, drop.Process(0, Batch(thinColumns, rows, times), into{o, &out}))
		if save {
			o = reloaded(t, spec, o)
		}
	}
	for done := false; !done; {
		done, err = o.Advance(0, tuple.End, &out)
		require.NoError(t, err)
	}
	return out.Rows
}

// into hands batches on to an operator.
type into struct {
	o   op.Operator
	out *Collector
}

func (i into) Emit(b *tuple.Batch) error { return i.o.Process(0, b, i.out) }

// Keys are users with a few rows each, in groups.
func TestKeysCover(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 1))
	file := make([][][]expr.Value, 60)
	byGroup, rows := map[int64][][]expr.Value{}, 0
	for user := range int64(3000) {
		shift := r.ExpFloat64()
		for range 1 + r.IntN(6) {
			row := unitRow(r, shift)
			row[thinInt] = Int(user)
			byGroup[row[thinKey].I] = append(byGroup[row[thinKey].I], row)
			b := r.IntN(len(file))
			file[b] = append(file[b], row)
			rows++
		}
	}
	var all [7]coverage
	for seed := range uint64(200) {
		for _, keys := range [][]int{nil, {thinKey}} {
			spec := unitSpec(op.Window{}, keys...)
			for _, row := range readKeysOf(t, spec, file, op.Drop{Keeps: []float64{0.2}, Seed: seed}, false) {
				if len(keys) == 0 {
					require.Equal(t, reading{float64(rows), float64(rows), float64(rows), false}, readingOf(spec, row, 0), "rows were counted at the drop")
					continue
				}
				truths := unitTruths(byGroup[row[0].I])
				for i, got := range unitReadings(spec, row) {
					if i != 4 && i != 6 { // sums of names of users
						all[i].take(got, truths[i])
					}
				}
			}
		}
	}
	for i := range all {
		if i != 4 && i != 6 {
			all[i].cells = max(all[i].cells, 1)
			require.Less(t, all[i].labelled, 400, "of 600")
			covered(t, all[i], 0.93, fmt.Sprint("answer ", i))
		}
	}
}

// covered fails where so few cells are covered as happens by chance once in a million runs.
func covered(t *testing.T, c coverage, least float64, what string) {
	t.Helper()
	limit := least*float64(c.cells) - distuv.UnitNormal.Quantile(1-1e-6)*math.Sqrt(least*(1-least)*float64(c.cells))
	require.GreaterOrEqual(t, float64(c.held), limit, "%s: %+v", what, c)
}

func TestVariancesAndRatiosOfRandomDropsCover(t *testing.T) {
	for name, drops := range map[string][]*place{
		"a fifth":        {{keeps: []float64{0.2}, each: 1000}},
		"changing keeps": {{keeps: []float64{1, 0.3, 0.15}, each: 700}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := unitSpec(op.Window{Kind: op.Tumble, Size: 1000, Slide: 1000}, thinKey)
			spec.Aggs = append(spec.Aggs, op.Agg{Func: op.VarSamp, Arg: thinRef(thinFloat), Bounds: true}, op.Agg{Func: op.StddevPop, Arg: thinRef(thinFloat), Bounds: true})
			s := newThinned(t, spec, 11, drops...)
			r := rand.New(rand.NewPCG(25, 1))
			const windows, rows = 150, 3000
			truths := map[[2]int64][][]expr.Value{}
			for i := range windows * rows {
				at, row := int64(i/(rows/1000)), unitRow(r, 1)
				s.row(at, row...)
				cell := [2]int64{at / 1000, row[thinKey].I}
				truths[cell] = append(truths[cell], row)
				if i%rows == rows-1 {
					s.mark(at + 1)
				}
			}
			var variance, deviation, share, quotient coverage
			narrow, apart := 0.0, 0.0
			for _, row := range s.end() {
				rows := truths[[2]int64{row[0].I / 1000, row[2].I}]
				var m synopsis.Moments
				for _, row := range rows {
					m.AddFloat(row[thinFloat].F)
				}
				want, got := unitTruths(rows), unitReadings(spec, row)
				variance.take(readingOf(spec, row, 5), m.VarSamp())
				deviation.take(readingOf(spec, row, 6), m.StddevPop())
				share.take(got[5], want[5])
				quotient.take(got[6], want[6])
				if n, all := got[3], got[0]; row[2].I == 0 {
					narrow += got[5].high - got[5].low
					apart += 100*n.high/all.low - 100*n.low/all.high
				}
			}
			covered(t, variance, 0.94, "variance")
			covered(t, deviation, 0.94, "deviation")
			covered(t, share, 0.94, "share")
			covered(t, quotient, 0.94, "quotient")
			require.Less(t, share.labelled+quotient.labelled, 300, "of 900: the third group has 60 rows a window")
			require.Less(t, narrow, 0.95*apart, "a ratio is narrower than two intervals divided")
		})
	}
}
