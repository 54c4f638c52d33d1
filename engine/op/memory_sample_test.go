package op_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// sampledFold answers from a thinned stream within a budget.
func sampledFold(t *testing.T, spec *op.Aggregate, script enginetest.Script, drops ...*op.Drop) [][]expr.Value {
	o, out := made(t, spec), &enginetest.Collector{}
	var entry op.Emitter = through{o, out}
	for _, d := range drops {
		entry = through{made(t, d), entry}
	}
	for at := 0; at < len(script); at += tuple.MaxRows {
		var rows [][]expr.Value
		var times []int64
		for _, s := range script[at:min(at+tuple.MaxRows, len(script))] {
			rows, times = append(rows, s.Values), append(times, s.Time)
		}
		require.NoError(t, entry.Emit(enginetest.Batch(foldColumns, rows, times)))
	}
	for done := false; !done; {
		var err error
		done, err = o.Advance(0, tuple.End, out)
		require.NoError(t, err)
	}
	return out.Rows
}

// TestIntervalsOfFoldedSamplesCover: an interval is sampling and folding together.
func TestIntervalsOfFoldedSamplesCover(t *testing.T) {
	const rows, runs = 12_000, 15
	for name, window := range foldWindows {
		t.Run(name, func(t *testing.T) {
			memory := int64(200_000)
			if window.Kind != op.NoWindow {
				memory = 600_000 // all windows are open until the end
			}
			spec := foldSpec(window, memory, foldInt)
			spec.Aggs = []op.Agg{spec.Aggs[0], spec.Aggs[2]}
			spec.Sampling = &op.Sampling{Confidence: 0.95, Filtered: true}
			exact := foldSpec(window, 0, foldInt)
			exact.Aggs = spec.Aggs
			lead := spec.BoundsOf(0) - len(spec.Aggs)
			_, exactly, _, other := spec.RowColumns()
			cells, lost, covered := 0, 0, [2]int{}
			for seed := range uint64(runs) {
				script := foldScript(rows, 2500, seed)
				truth := map[string][]expr.Value{}
				whole, err := enginetest.Play(exact, foldColumns, script, enginetest.Cutter{})
				require.NoError(t, err)
				for _, row := range whole.Rows {
					truth[fmt.Sprint(row[:lead])] = row
				}
				drop := dropV(tuple.Random, 0.6, 0.4)
				drop.Epoch, drop.Seed = 1000, rand.New(rand.NewPCG(seed, 9)).Uint64()
				for _, row := range sampledFold(t, spec, script, drop) {
					for i := range spec.Aggs {
						if at := spec.BoundsOf(i); !row[at].Null && !row[at+1].Null {
							require.LessOrEqual(t, asFloat(row[at]), asFloat(row[at+1]))
						}
					}
					true := truth[fmt.Sprint(row[:lead])]
					if row[other].B || asFloat(true[lead]) < 20 {
						continue
					}
					require.False(t, row[exactly].B)
					cells++
					if low := row[spec.BoundsOf(0)]; asFloat(row[spec.BoundsOf(0)+1]) > 3*asFloat(low) {
						lost++
					}
					for i := range spec.Aggs {
						at, v := spec.BoundsOf(i), asFloat(true[lead+i])
						if row[at+2].B || asFloat(row[at]) <= v && v <= asFloat(row[at+1]) {
							covered[i]++
						}
					}
				}
			}
			t.Logf("%d cells, %d wide, covered %v", cells, lost, covered)
			for i := range covered {
				assert.Greater(t, float64(covered[i]), 0.94*float64(cells), "aggregate %d", i)
			}
			assert.Greater(t, cells, 30*runs)
			assert.Greater(t, lost, runs)
		})
	}
}

// TestWeightsOfFoldedGroupsAddUp: with more different weights than are kept, sums of weights and of weighted values stay what they are.
func TestWeightsOfFoldedGroupsAddUp(t *testing.T) {
	for name, window := range foldWindows {
		if window.Kind == op.Hop {
			continue // rows are in several windows
		}
		t.Run(name, func(t *testing.T) {
			spec := foldSpec(window, 1_200_000, foldInt)
			spec.Aggs = []op.Agg{spec.Aggs[0], spec.Aggs[2]}
			spec.Sampling = &op.Sampling{Confidence: 0.95, Weighted: true}
			o, out := made(t, spec), &enginetest.Collector{}
			r := rand.New(rand.NewPCG(1, 2))
			weights, sum := 0.0, 0.0
			script := foldScript(60_000, 20_000, 4)
			for at := 0; at < len(script); at += 1000 {
				var rows [][]expr.Value
				var times []int64
				var weight []float64
				for _, s := range script[at : at+1000] {
					w := 1 + r.ExpFloat64()
					rows, times, weight = append(rows, s.Values), append(times, s.Time/10), append(weight, w)
					weights, sum = weights+w, sum+w*asFloat(s.Values[foldV])
				}
				b := enginetest.Batch(foldColumns, rows, times)
				b.Weight = weight
				require.NoError(t, o.Process(0, b, out))
			}
			for done := false; !done; {
				var err error
				done, err = o.Advance(0, tuple.End, out)
				require.NoError(t, err)
			}
			_, _, _, other := spec.RowColumns()
			require.True(t, out.Rows[len(out.Rows)-1][other].B)
			for _, row := range out.Rows {
				lead := spec.BoundsOf(0) - len(spec.Aggs)
				weights, sum = weights-asFloat(row[lead]), sum-asFloat(row[lead+1])
			}
			assert.InDelta(t, 0, weights, 1e-3)
			assert.InDelta(t, 0, sum, 1e-3)
		})
	}
}
