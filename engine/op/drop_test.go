package op_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// keptRow is what a sieve saw of a row: its value, weight and unit, and the stratum it came in.
type keptRow struct {
	v      int64
	weight float64
	unit   uint8
	in     uint32
}

// sieve collects rows of one BIGINT column and the last totals of each stratum.
type sieve struct {
	rows    []keptRow
	last    map[uint32]tuple.Stratum
	order   []uint32
	strata  int // per batch, of the last one
	batches int
}

func (s *sieve) Emit(b *tuple.Batch) error {
	s.batches++
	s.strata = len(b.Sample)
	var in uint32
	if len(b.Sample) > 0 {
		last := b.Sample[len(b.Sample)-1]
		in = last.ID
		if s.last == nil {
			s.last = map[uint32]tuple.Stratum{}
		}
		if _, known := s.last[in]; !known {
			s.order = append(s.order, in)
		}
		s.last[in] = last
	}
	for _, r := range b.Sel {
		row := keptRow{v: b.Cols[0].I[r], weight: 1, in: in}
		if b.Weight != nil {
			row.weight = b.Weight[r]
		}
		if b.Unit != nil {
			row.unit = b.Unit[r]
		}
		s.rows = append(s.rows, row)
	}
	return nil
}

// integers is a batch of the integers from..from+n-1, each also its event time.
func integers(from, n int) *tuple.Batch {
	b := &tuple.Batch{Block: &tuple.Block{Schema: oneColumn, N: n, Cols: make([]tuple.Column, 1)}, Sel: tuple.All(n)}
	b.Cols[0].Reset(tuple.Bigint, n)
	b.Time = make([]int64, n)
	for i := range n {
		b.Cols[0].I[i], b.Time[i] = int64(from+i), int64(from+i)
	}
	return b
}

// feedInts gives the integers below n to a chain of operators in batches of the given sizes, which take turns.
func feedInts(t *testing.T, n int, sizes []int, ops ...op.Operator) *sieve {
	t.Helper()
	out := &sieve{}
	var emit op.Emitter = out
	for _, o := range slices.Backward(ops) {
		emit = through{o, emit}
	}
	for at, i := 0, 0; at < n; i++ {
		size := min(sizes[i%len(sizes)], n-at)
		require.NoError(t, emit.Emit(integers(at, size)))
		at += size
	}
	return out
}

type through struct {
	o   op.Operator
	out op.Emitter
}

func (p through) Emit(b *tuple.Batch) error { return p.o.Process(0, b, p.out) }

func made(t testing.TB, spec op.Spec) op.Operator {
	t.Helper()
	o, err := spec.Make()
	require.NoError(t, err)
	return o
}

// requireShare fails when a count of n trials of probability p is off by more than chance does once in a million
// (4.9 standard deviations, and one for the discreteness).
func requireShare(t *testing.T, p float64, n, got int, what string) {
	t.Helper()
	require.InDelta(t, float64(n)*p, float64(got), 4.9*math.Sqrt(float64(n)*p*(1-p))+1, what)
}

func dropV(kind tuple.DropKind, keeps ...float64) *op.Drop {
	d := &op.Drop{Kind: kind, Keeps: keeps, Seed: 7, Location: "raw", Place: 3}
	if kind == tuple.Universe {
		d.Keys = []*expr.Node{enginetest.Ref(oneColumn, 0)}
	}
	return d
}

var fullBatches, oddBatches = []int{tuple.MaxRows}, []int{1, 700, 33, 0, 1024, 250}

func TestRandomDropKeepsItsShareAndCountsWhatItIsOffered(t *testing.T) {
	const n = 400_000
	for _, keep := range []float64{0.9, 0.5, 0.1, 0.004} {
		t.Run(fmt.Sprint(keep), func(t *testing.T) {
			o := made(t, dropV(tuple.Random, keep))
			got := feedInts(t, n, fullBatches, o)
			requireShare(t, keep, n, len(got.rows), "share")
			pairs, at := 0, map[int64]bool{}
			for _, r := range got.rows {
				at[r.v] = true
			}
			for i := int64(0); i < n; i += 2 {
				if at[i] && at[i+1] {
					pairs++
				}
			}
			requireShare(t, keep*keep, n/2, pairs, "neighbours")
			offered, kept := int64(0), int64(0)
			for i, id := range got.order {
				s := got.last[id]
				assert.Equal(t, uint32(3<<24+i), id)
				assert.Equal(t, keep, s.Keep)
				assert.False(t, s.Raw)
				offered, kept = offered+s.Offered, kept+s.Kept
				if i < len(got.order)-1 {
					assert.EqualValues(t, max(32768, math.Ceil(128/keep)), s.Offered)
				}
			}
			assert.EqualValues(t, n, offered)
			assert.EqualValues(t, len(got.rows), kept)
			assert.EqualValues(t, n-len(got.rows), o.(op.Sheds).Shed())
		})
	}
}

func TestDropsDoNotDependOnHowRowsAreCut(t *testing.T) {
	group := &op.GroupDrop{Keys: []*expr.Node{mod(oneColumn, 10)}, Keep: 0.25, Whole: 20, Period: 3000, Seed: 1}
	for _, spec := range []op.Spec{
		dropV(tuple.Random, 0.3), dropV(tuple.Universe, 0.3), group,
		&op.Drop{Kind: tuple.Random, Keeps: []float64{1, 0.5, 0.01}, Epoch: 777, Seed: 2},
		&op.Drop{Kind: tuple.Universe, Keeps: []float64{1, 0.5, 0.01}, Epoch: 777, Seed: 2, Keys: group.Keys},
		&op.WindowDrop{Size: 100, Slide: 30, Batch: 3, Keep: 0.5},
	} {
		want := feedInts(t, 40_000, fullBatches, made(t, spec))
		require.NotEmpty(t, want.rows)
		require.Less(t, len(want.rows), 40_000)
		got := feedInts(t, 40_000, oddBatches, made(t, spec))
		require.Equal(t, want.rows, got.rows, "%v", spec)
		require.Equal(t, want.last, got.last, "%v", spec)
		require.Equal(t, want.order, got.order, "%v", spec)
	}
}

func TestDropsDifferBySeedAndLocationAlone(t *testing.T) {
	rows := func(seed uint64, location string, place uint8) []keptRow {
		d := dropV(tuple.Random, 0.1)
		d.Seed, d.Location, d.Place = seed, location, place
		got := feedInts(t, 5000, fullBatches, made(t, d)).rows
		for i := range got {
			got[i].in = 0
		}
		return got
	}
	want := rows(1, "raw", 0)
	assert.Equal(t, want, rows(1, "raw", 9))
	assert.NotEqual(t, want, rows(2, "raw", 0))
	assert.NotEqual(t, want, rows(1, "where", 0))
}

func TestDropsThatKeepAllLeaveRowsAlone(t *testing.T) {
	for _, kind := range []tuple.DropKind{tuple.Random, tuple.Universe} {
		o := made(t, dropV(kind, 1))
		b := integers(0, tuple.MaxRows)
		var out sieve
		for range 100 {
			require.NoError(t, o.Process(0, b, &out))
		}
		assert.Len(t, out.rows, 100*tuple.MaxRows)
		assert.Equal(t, []uint32{3 << 24}, out.order, "the epoch does not change")
		assert.Equal(t, tuple.Stratum{ID: 3 << 24, Kind: kind, Keep: 1, Offered: 102_400, Kept: 102_400}, out.last[3<<24])
		none := &sink{}
		assert.Zero(t, testing.AllocsPerRun(10, func() { require.NoError(t, o.Process(0, b, none)) }))
	}
}

func TestKeepsTakeTurnsByEpoch(t *testing.T) {
	d := dropV(tuple.Random, 1, 0.5)
	d.Epoch = 1000
	got := feedInts(t, 100_000, []int{300}, made(t, d))
	require.Len(t, got.order, 100)
	thinned := 0
	for i, id := range got.order {
		s := got.last[id]
		require.EqualValues(t, 1000, s.Offered)
		if i%2 == 0 {
			require.Equal(t, 1.0, s.Keep)
			require.EqualValues(t, 1000, s.Kept)
		} else {
			require.Equal(t, 0.5, s.Keep)
			thinned += int(s.Kept)
		}
	}
	requireShare(t, 0.5, 50_000, thinned, "share of the thinned epochs")
}

func TestBatchesThatLoseAllRowsStillBringTotals(t *testing.T) {
	d := dropV(tuple.Random, 0.001)
	got := feedInts(t, 5000, []int{50}, made(t, d))
	assert.Equal(t, 100, got.batches)
	assert.EqualValues(t, 5000, got.last[3<<24].Offered)
}

func TestNestedRandomDropsAreOneStageWhereComposed(t *testing.T) {
	const n = 300_000
	first, second := dropV(tuple.Random, 0.5), dropV(tuple.Random, 0.2)
	second.Location, second.Place, second.Composed = "query", 4, true
	for _, sizes := range [][]int{fullBatches, oddBatches} {
		got := feedInts(t, n, sizes, made(t, first), made(t, second))
		assert.Equal(t, 1, got.strata)
		requireShare(t, 0.1, n, len(got.rows), "share")
		offered, kept := int64(0), int64(0)
		for i, id := range got.order {
			s := got.last[id]
			assert.Equal(t, uint32(4<<24+i), id)
			assert.InDelta(t, 0.1, s.Keep, 1e-12)
			offered, kept = offered+s.Offered, kept+s.Kept
		}
		assert.EqualValues(t, n, offered, "what the first was offered")
		assert.EqualValues(t, len(got.rows), kept, "what the last kept")
		assert.Len(t, got.order, (n+32767)/32768)
	}
	second.Composed = false
	assert.Equal(t, 2, feedInts(t, n, fullBatches, made(t, first), made(t, second)).strata)
	first.Keeps, second.Composed = []float64{1}, true
	assert.Equal(t, 2, feedInts(t, n, fullBatches, made(t, first), made(t, second)).strata, "the first lost nothing")
}

func TestDropsConform(t *testing.T) {
	in := enginetest.Schema(tuple.Number, tuple.Text)
	x, s := enginetest.Ref(in, 0), enginetest.Ref(in, 1)
	gen := enginetest.Wander(300, 20, 10, func(t *rapid.T) []expr.Value {
		number := enginetest.NumberInt(rapid.Int64Range(0, 30).Draw(t, "x"))
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			number = enginetest.Null(tuple.Number)
		case 1:
			number = enginetest.NumberFloat(float64(number.I) / 2)
		}
		text := enginetest.Text(rapid.SampledFrom([]string{"", "a", "bb"}).Draw(t, "s"))
		if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
			text = enginetest.Null(tuple.Text)
		}
		return []expr.Value{number, text}
	})
	for name, spec := range map[string]op.Spec{
		"random":   &op.Drop{Kind: tuple.Random, Keeps: []float64{0.5, 1, 0.1}, Epoch: 70, Seed: 3},
		"universe": &op.Drop{Kind: tuple.Universe, Keeps: []float64{0.5, 0.9}, Epoch: 70, Keys: []*expr.Node{x, s}},
		"group":    &op.GroupDrop{Keys: []*expr.Node{s}, Keep: 0.3, Whole: 4, Period: 90},
		"value":    &op.ValueDrop{Value: x, Low: 3, High: 12},
		"windows":  &op.WindowDrop{Size: 40, Slide: 15, Batch: 2, Keep: 0.5},
	} {
		t.Run(name, func(t *testing.T) { enginetest.Conform(t, spec, in, gen) })
	}
}

func TestDropsContinueWithTotalsWhereTheyWereSaved(t *testing.T) {
	first, second := dropV(tuple.Random, 0.5), dropV(tuple.Random, 0.2)
	second.Place, second.Composed = 4, true
	whole := feedInts(t, 100_000, fullBatches, made(t, first), made(t, second))
	ops := []op.Operator{made(t, first), made(t, second)}
	out := &sieve{}
	for at := 0; at < 100_000; at += 1000 {
		for i, spec := range []op.Spec{first, second} {
			var state bytes.Buffer
			require.NoError(t, ops[i].(op.Saver).Save(&state))
			ops[i] = made(t, spec)
			require.NoError(t, ops[i].(op.Saver).Load(&state))
		}
		require.NoError(t, ops[0].Process(0, integers(at, 1000), through{ops[1], out}))
	}
	assert.Equal(t, whole.rows, out.rows)
	assert.Equal(t, whole.last, out.last)
}

func TestDropsDescribeThemselves(t *testing.T) {
	v := enginetest.Ref(oneColumn, 0)
	for want, spec := range map[string]op.Spec{
		"drop random, keep 0.1":                            dropV(tuple.Random, 0.1),
		"drop random, keep 0.5 0.05 in turn":               dropV(tuple.Random, 0.5, 0.05),
		"drop universe of a, keep 0.2":                     dropV(tuple.Universe, 0.2),
		"drop by group of a, keep 0.1 after 100 rows":      &op.GroupDrop{Keys: []*expr.Node{v}, Keep: 0.1, Whole: 100},
		"drop values of a in [0, 10)":                      &op.ValueDrop{Value: v, High: 10},
		"drop windows of 1m0s by 4, keep 0.5":              &op.WindowDrop{Size: time.Minute, Batch: 4, Keep: 0.5},
		"drop windows of 1m0s every 10s, keep 0.5":         &op.WindowDrop{Size: time.Minute, Slide: 10 * time.Second, Keep: 0.5},
		"drop universe of a, b, keep 0.2":                  &op.Drop{Kind: tuple.Universe, Keeps: []float64{0.2}, Keys: twoKeys()},
		"drop by group of a, b, keep 0.001 after 1 rows":   &op.GroupDrop{Keys: twoKeys(), Keep: 0.001, Whole: 1},
		"drop values of a in [-Inf, 10)":                   &op.ValueDrop{Value: v, Low: math.Inf(-1), High: 10},
		"drop windows of 1m0s every 30s by 10, keep 0.125": &op.WindowDrop{Size: time.Minute, Slide: 30 * time.Second, Batch: 10, Keep: 0.125},
	} {
		assert.Equal(t, want, spec.String())
		_, err := spec.Make()
		assert.NoError(t, err)
		assert.Same(t, oneColumn, spec.Schema(oneColumn))
	}
}

func twoKeys() []*expr.Node {
	in := enginetest.Schema(tuple.Bigint, tuple.Text)
	return []*expr.Node{enginetest.Ref(in, 0), enginetest.Ref(in, 1)}
}

func TestDropsRefuseWhatTheyCannotDo(t *testing.T) {
	v := enginetest.Ref(oneColumn, 0)
	for _, spec := range []op.Spec{
		&op.Drop{},
		dropV(tuple.Random, 0), dropV(tuple.Random, 1.5), dropV(tuple.Random, math.NaN()), dropV(tuple.Random, 0.5, -1),
		&op.Drop{Kind: tuple.Random, Keeps: []float64{1}, Keys: []*expr.Node{v}},
		&op.Drop{Kind: tuple.Random, Keeps: []float64{1}, Epoch: -1},
		&op.Drop{Kind: tuple.Universe, Keeps: []float64{1}},
		&op.Drop{Kind: tuple.Cluster, Keeps: []float64{1}},
		&op.GroupDrop{Keep: 0.5}, &op.GroupDrop{Keys: []*expr.Node{v}}, &op.GroupDrop{Keys: []*expr.Node{v}, Keep: 1, Whole: -1},
		&op.ValueDrop{Value: v, Low: 2, High: 1}, &op.ValueDrop{Value: v, Low: math.NaN()},
		&op.ValueDrop{Value: enginetest.Constant(enginetest.Text("x")), High: 1},
		&op.WindowDrop{Keep: 0.5}, &op.WindowDrop{Size: 5, Slide: 6, Keep: 0.5}, &op.WindowDrop{Size: 5, Keep: math.NaN()},
	} {
		_, err := spec.Make()
		assert.Error(t, err, "%v", spec)
	}
}

func TestDropsThatKeepAllGoOnAfterAnyNumberOfRows(t *testing.T) {
	spec := dropV(tuple.Random, 1)
	o := made(t, spec)
	feedInts(t, 12_345, fullBatches, o)
	var state bytes.Buffer
	require.NoError(t, o.(op.Saver).Save(&state))
	few, many := binary.LittleEndian.AppendUint64(nil, 12_345), binary.LittleEndian.AppendUint64(nil, 1<<40)
	require.Equal(t, 2, bytes.Count(state.Bytes(), few), "rows offered and kept")
	require.NoError(t, made(t, spec).(op.Saver).Load(bytes.NewReader(bytes.ReplaceAll(state.Bytes(), few, many))))
}
