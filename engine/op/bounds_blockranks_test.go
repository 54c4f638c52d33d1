package op_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
)

// rankCase is a file whose blocks have values of their kind: of row i of block b of n, and the group of the row.
type rankCase struct {
	name string
	row  func(r *rand.Rand, b, n int) (value float64, group int64)
}

var rankCases = []rankCase{
	{"independent", func(r *rand.Rand, _, _ int) (float64, int64) { return r.ExpFloat64(), 0 }},
	{"drifting", func(r *rand.Rand, b, n int) (float64, int64) { return float64(b)/float64(n) + r.ExpFloat64()/4, 0 }},
	{"sorted", func(r *rand.Rand, b, n int) (float64, int64) { return 1 + float64(b)/float64(n) + r.Float64()/100, 0 }},
	{"slow blocks", func(r *rand.Rand, b, _ int) (float64, int64) {
		if b%10 == 7 {
			return 5 * r.ExpFloat64(), 0
		}
		return r.ExpFloat64(), 0
	}},
	{"in streaks", func(r *rand.Rand, b, _ int) (float64, int64) {
		g := int64(b / 6 % 4)
		if r.IntN(10) == 0 {
			g = int64(r.IntN(4))
		}
		return (1 + float64(b%11)/5) * r.ExpFloat64(), g
	}},
}

// rankFile returns the rows of each block of a file, and the values of each group in order.
func rankFile(c rankCase, seed uint64, blocks, rows int) (file [][][]expr.Value, byGroup map[int64][]float64) {
	r := rand.New(rand.NewPCG(seed, 31))
	file, byGroup = make([][][]expr.Value, blocks), map[int64][]float64{}
	for b := range file {
		for range rows/2 + r.IntN(rows) {
			x, g := c.row(r, b, blocks)
			file[b] = append(file[b], []expr.Value{Int(g), Int(0), Float(x), Bool(true)})
			byGroup[g] = append(byGroup[g], x)
		}
	}
	for _, values := range byGroup {
		slices.Sort(values)
	}
	return file, byGroup
}

var rankQuantiles = []float64{0.5, 0.9, 0.99}

// rankSpec asks for the quantiles each, and for the list of them.
func rankSpec(w op.Window, keys ...int) *op.Aggregate {
	var aggs []op.Agg
	for _, q := range rankQuantiles {
		aggs = append(aggs, op.Agg{Func: op.Quantile, Arg: thinRef(thinFloat), Quantiles: []float64{q}})
	}
	aggs = append(aggs, op.Agg{Func: op.Quantile, Arg: thinRef(thinFloat), Quantiles: rankQuantiles, List: true})
	return thinSpec(w, keys, aggs...)
}

// rankTally is what intervals of a quantile came to.
type rankTally struct {
	coverage
	// widths are the shares of the values between the bounds, less what the sketch is off by itself, to that of a normal
	// interval of rows drawn one by one.
	widths []float64
}

// take takes in the bounds of quantile q of the values of a group, of whose blocks a share f was read.
func (a *rankTally) take(got reading, values []float64, q, f float64) {
	truth := values[int(math.Ceil(q*float64(len(values))))-1]
	a.coverage.take(got, truth)
	if got.label {
		return
	}
	between := func(low, high float64) float64 {
		i, _ := slices.BinarySearch(values, low)
		j, _ := slices.BinarySearch(values, high)
		return float64(j-i) / float64(len(values))
	}
	normal := 2 * 1.96 * math.Sqrt(q*(1-q)*(1-f)/(f*float64(len(values))))
	a.widths = append(a.widths, (between(got.low, got.high)-between(truth/1.008, truth*1.008))/normal)
}

// rankTrials draws blocks of files and takes in the bounds of each quantile.
func rankTrials(t *testing.T, c rankCase, s rankSize) (all [3]rankTally) {
	var file [][][]expr.Value
	var byGroup map[int64][]float64
	for run := range s.runs {
		if run%20 == 0 {
			file, byGroup = rankFile(c, uint64(run), s.blocks, s.rows)
		}
		spec := rankSpec(op.Window{}, thinKey)
		order := rand.New(rand.NewPCG(uint64(run), 32)).Perm(s.blocks)[:s.read]
		for _, row := range readBlocks(t, spec, file, order, false) {
			for i, q := range rankQuantiles {
				all[i].take(readingOf(spec, row, i), byGroup[row[0].I], q, float64(s.read)/float64(s.blocks))
			}
		}
	}
	return all
}

// rankSize is the size of a file, how much of it is read and how often.
type rankSize struct{ blocks, read, rows, runs int }

func TestQuantilesOfBlocksOfAllKindsCover(t *testing.T) {
	for _, c := range rankCases {
		for _, size := range []rankSize{{200, 40, 30, 160}, {2000, 300, 30, 30}, {16000, 1500, 6, 6}} {
			t.Run(fmt.Sprint(c.name, size), func(t *testing.T) {
				all := rankTrials(t, c, size)
				for i, q := range rankQuantiles {
					a := &all[i]
					covered(t, a.coverage, 0.94, fmt.Sprint("quantile ", q))
					if c.name == "independent" && (q < 0.99 || size.read > 40) {
						require.Zero(t, a.labelled)
						slices.Sort(a.widths)
						require.Less(t, a.widths[len(a.widths)/2], 1.5)
					}
				}
			})
		}
	}
}

// Of few blocks nobody knows the 99th percentile: one of a hundred blocks may be another kind.
func TestTailsOfFewBlocksAreLabelled(t *testing.T) {
	all := rankTrials(t, rankCases[0], rankSize{1000, 150, 30, 2})
	require.Equal(t, []int{0, 0, 2}, []int{all[0].labelled, all[1].labelled, all[2].labelled})
}

// A list has the bounds of its quantiles, and so has an operator that was saved and loaded. Panes that are merged have wider ones, as if
// rows of a block were alike.
func TestQuantilesOfBlocksInListsAndPanes(t *testing.T) {
	file, byGroup := rankFile(rankCases[0], 1, 360, 30)
	order := rand.New(rand.NewPCG(1, 33)).Perm(360)[:120]
	tumble := rankSpec(op.Window{Kind: op.Tumble, Size: 360, Slide: 360}, thinKey)
	rows := readBlocks(t, tumble, file, order, false)
	require.Len(t, rows, 1)
	require.Equal(t, Print(rows), Print(readBlocks(t, tumble, file, order, true)))
	at := tumble.BoundsOf(len(rankQuantiles))
	var low, high []float64
	require.NoError(t, json.Unmarshal([]byte(rows[0][at].S), &low))
	require.NoError(t, json.Unmarshal([]byte(rows[0][at+1].S), &high))

	hop := rankSpec(op.Window{Kind: op.Hop, Size: 360, Slide: 90}, thinKey)
	merged := readBlocks(t, hop, file, order, true)
	i := slices.IndexFunc(merged, func(row []expr.Value) bool { return row[0].I == rows[0][0].I })
	for j, q := range rankQuantiles {
		got, wide := readingOf(tumble, rows[0], j), readingOf(hop, merged[i], j)
		require.Equal(t, []float64{got.low, got.high}, []float64{low[j], high[j]}, "%v", q)
		require.True(t, wide.covers(byGroup[0][int(q*float64(len(byGroup[0])))]), "%v: %v", q, wide)
		require.True(t, !(wide.low > got.low) && !(wide.high < got.high), "%v: %v and %v", q, got, wide)
		if q == 0.5 {
			require.Greater(t, wide.high-wide.low, 2*(got.high-got.low))
		}
	}
}
