package op_test

import (
	"cmp"
	"math"
	"math/rand/v2"
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

// pickSchema is an estimate, its bounds, their label, and the window.
var pickSchema = Schema(tuple.Double, tuple.Number, tuple.Number, tuple.Boolean, tuple.Timestamp)

func picked(limit, offset int64, desc bool) *op.Order {
	return &op.Order{
		Keys: []op.OrderKey{{Col: 0, Desc: desc}}, Limit: limit, Offset: offset, Window: 4, Keep: 4,
		Pick: &op.Pick{Low: 1, High: 2, Desc: desc, Labels: []op.Estimate{{Low: 1, High: 2, Label: 3}}},
	}
}

func estimateRow(value, low, high float64) []expr.Value {
	row := []expr.Value{Float(value), NumberFloat(low), NumberFloat(high), Bool(false), Time(0)}
	for i, bound := range []float64{low, high} {
		if math.IsInf(bound, 0) {
			row[1+i] = Null(tuple.Number)
		}
	}
	return row
}

// labelsOf runs an order over rows and returns the labels of those that come out.
func labelsOf(t require.TestingT, spec *op.Order, rows ...[]expr.Value) []bool {
	o, err := spec.Make()
	require.NoError(t, err)
	var out Collector
	for part := range slices.Chunk(rows, tuple.MaxRows) {
		require.NoError(t, o.Process(0, Batch(pickSchema, part, nil), &out))
	}
	for done := false; !done; {
		done, err = o.Advance(0, tuple.End, &out)
		require.NoError(t, err)
	}
	labels := []bool{}
	for _, row := range out.Rows {
		labels = append(labels, row[3].B)
	}
	return labels
}

func TestPickedRowsAreLabelled(t *testing.T) {
	inf := math.Inf(1)
	rows := [][]expr.Value{estimateRow(10, 8, 12), estimateRow(7, 6, 9), estimateRow(5, 4, 7), estimateRow(20, 18, 22), estimateRow(1, 0, 2)}
	for _, c := range []struct {
		claim string
		spec  *op.Order
		more  []expr.Value
		want  []bool
	}{
		{"none that is apart from those left out", picked(2, 0, true), nil, []bool{false, true}},
		{"all are in: there was no choice", picked(5, 0, true), nil, []bool{false, false, false, false, false}},
		{"none without a limit", picked(-1, 0, true), nil, []bool{false, false, false, false, false}},
		{"the smallest, too", picked(2, 0, false), nil, []bool{false, true}},
		{"behind an offset, those that may belong before it", picked(2, 2, true), nil, []bool{true, false}},
		{"nobody knows how large one left out may be", picked(2, 0, true), estimateRow(0, 0, inf), []bool{true, true}},
		{"but what is known needs no label", picked(1, 0, true), estimateRow(21, 21, 21), []bool{false}},
	} {
		all := slices.Clone(rows)
		if c.more != nil {
			all = append(all, c.more)
		}
		assert.Equal(t, c.want, labelsOf(t, c.spec, all...), c.claim)
	}
	other := slices.Clone(estimateRow(100, 90, 110))
	other[4] = Time(1)
	assert.Equal(t, []bool{true, false}, labelsOf(t, picked(1, 0, true), rows[0], rows[1], other), "windows are apart")
}

func TestOrderThatPicksConforms(t *testing.T) {
	Conform(t, picked(2, 1, true), pickSchema, Wander(60, 10, 3, func(t *rapid.T) []expr.Value {
		v, w := float64(rapid.IntRange(0, 30).Draw(t, "v")), float64(rapid.IntRange(0, 3).Draw(t, "w"))
		return estimateRow(v, v-w, v+w)
	}))
}

// TestPickedRowsCoverOrAreLabelled draws estimates of groups and picks the largest: of the rows picked, at most one less the
// confidence is neither labelled nor covered by its interval, whatever the groups are; and where they differ, most rows
// have no label.
func TestPickedRowsCoverOrAreLabelled(t *testing.T) {
	const groups, limit, rounds, z, confidence = 500, 10, 400, 1.96, 0.95
	random := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		claim      string
		truth      func(i int) float64
		mostLabels float64 // share of rows that may have a label
		least      float64 // and of those that must have one
	}{
		{"equal groups are picked by luck alone", func(int) float64 { return 1000 }, 1, 0.999},
		{"groups drawn from one distribution nearly so", func(int) float64 { return 1000 + 30*random.NormFloat64() }, 1, 0.9},
		{"groups of a power law hardly", func(i int) float64 { return 20000 / float64(i+1) }, 0.3, 0},
		{"ten groups that are larger not at all", func(i int) float64 { return 1000 + 1000*float64(min(i/(groups-limit), 1)) }, 0.01, 0},
	} {
		wrong, labelled := 0, 0
		for range rounds {
			rows := make([][]expr.Value, groups)
			truth := make(map[float64]float64, groups)
			for i := range rows {
				v := c.truth(i)
				spread := math.Sqrt(v)
				x := v + spread*random.NormFloat64()
				truth[x] = v
				rows[i] = estimateRow(x, x-z*spread, x+z*spread)
			}
			labels := labelsOf(t, picked(limit, 0, true), rows...)
			slices.SortFunc(rows, func(a, b []expr.Value) int { return -cmp.Compare(a[0].F, b[0].F) })
			for i, label := range labels {
				row := rows[i]
				switch v := truth[row[0].F]; {
				case label:
					labelled++
				case v < row[1].F || v > row[2].F:
					wrong++
				}
			}
		}
		n := float64(rounds * limit)
		// 4.9 standard deviations of as many independent rows: false alarms one in a million.
		bound := n*(1-confidence) + 4.9*math.Sqrt(n*confidence*(1-confidence))
		assert.LessOrEqual(t, float64(wrong), bound, c.claim)
		assert.LessOrEqual(t, float64(labelled), c.mostLabels*n, c.claim)
		assert.GreaterOrEqual(t, float64(labelled), c.least*n, c.claim)
	}
}

func TestRowsPickedByWhatIsSaidOfEstimatesAreLabelled(t *testing.T) {
	blind := func(limit, offset, total int64) *op.Order {
		o := picked(limit, offset, true)
		o.Total = total
		o.Pick = &op.Pick{Blind: true, Labels: o.Pick.Labels}
		return o
	}
	rows := [][]expr.Value{estimateRow(30, 29, 31), estimateRow(20, 20, 20), estimateRow(10, 9, 11)}
	for _, c := range []struct {
		claim string
		spec  *op.Order
		want  []bool
	}{
		{"unless they are exact", blind(2, 0, 0), []bool{true, false}},
		{"not where all are there", blind(3, 0, 0), []bool{false, false, false}},
		{"behind an offset without a limit", blind(-1, 1, 0), []bool{false, true}},
		{"by an interval, too, behind an offset", picked(-1, 2, true), []bool{false}},
		{"under a limit of all windows", blind(-1, 0, 1), []bool{true}},
	} {
		assert.Equal(t, c.want, labelsOf(t, c.spec, rows...), c.claim)
	}
	lists := blind(1, 0, 0)
	lists.Pick.Labels, lists.Pick.Lists, lists.Pick.Exact = nil, []int{3}, 3
	assert.Equal(t, []bool{true}, labelsOf(t, lists, rows...), "lists, too")
}

// othersSchema is a value, whether the row stands for groups without room, and the window.
var othersSchema = func() *tuple.Schema {
	s := Schema(tuple.Bigint, tuple.Boolean, tuple.Timestamp)
	s.Fields[1].Role = tuple.Other
	return s
}()

func TestRowsOfOthersStandOutside(t *testing.T) {
	keys := []op.OrderKey{{Col: 0, Desc: true}}
	row := func(v int64, other bool, window int64) []expr.Value {
		return []expr.Value{Int(v), Bool(other), Time(window)}
	}
	rows := [][]expr.Value{row(5, false, 0), row(7, false, 0), row(6, false, 0), row(99, true, 0), row(1, false, 1), row(2, false, 1), row(88, true, 1), row(3, false, 2), row(77, true, 2)}
	for _, c := range []struct {
		claim string
		spec  op.Order
		want  []int64
	}{
		{"last", op.Order{Keys: keys, Limit: -1}, []int64{7, 6, 5, 99, 2, 1, 88, 3, 77}},
		{"uncounted by a limit", op.Order{Keys: keys, Limit: 1}, []int64{7, 99, 2, 88, 3, 77}},
		{"and by an offset", op.Order{Keys: keys, Limit: 1, Offset: 1}, []int64{6, 99, 1, 88, 77}},
		{"with a limit of all windows, in the windows that there are", op.Order{Keys: keys, Limit: -1, Total: 4}, []int64{7, 6, 5, 99, 2, 88}},
		{"with both", op.Order{Keys: keys, Limit: 2, Total: 4}, []int64{7, 6, 99, 2, 1, 88}},
		{"without an order", op.Order{Limit: 2}, []int64{5, 7, 99, 1, 2, 88, 3, 77}},
		{"behind an offset", op.Order{Limit: -1, Offset: 2}, []int64{6, 99, 88, 77}},
		{"with a limit of all", op.Order{Limit: -1, Total: 3}, []int64{5, 7, 6, 99}},
		{"none with a limit of none", op.Order{Limit: 0}, []int64{}},
	} {
		spec := c.spec
		spec.Window, spec.Keep = 2, 3
		o, err := spec.Make()
		require.NoError(t, err)
		var out Collector
		for part := range slices.Chunk(rows, 2) {
			require.NoError(t, o.Process(0, Batch(othersSchema, part, nil), &out))
		}
		for done := false; !done; {
			done, err = o.Advance(0, tuple.End, &out)
			require.NoError(t, err)
		}
		got := []int64{}
		for _, r := range out.Rows {
			got = append(got, r[0].I)
		}
		assert.Equal(t, c.want, got, c.claim)
		Conform(t, &spec, othersSchema, Wander(40, 10, 3, func(t *rapid.T) []expr.Value {
			return row(int64(rapid.IntRange(0, 30).Draw(t, "v")), rapid.IntRange(0, 9).Draw(t, "other") == 0, 0)
		}))
	}
}
