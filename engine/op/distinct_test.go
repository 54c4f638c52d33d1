package op_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
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

// TestDistinctInLittleMemoryConforms: when rows are left to filters depends on rows alone, also of texts, NULLs and numbers that are
// integers in one batch and doubles in the next.
func TestDistinctInLittleMemoryConforms(t *testing.T) {
	columns := Schema(tuple.Bigint, tuple.Number, tuple.Text)
	for claim, spec := range map[string]*op.Distinct{
		"rows": {Window: -1, Keep: 3, Memory: 5000}, "two": {Window: -1, Keep: 2, Memory: 5000}, "in windows": {Window: 0, Keep: 3, Memory: 5000, Error: 0.05},
		"rare errors": {Window: -1, Keep: 3, Memory: 20000, Error: 1e-8},
	} {
		t.Run(claim, func(t *testing.T) {
			gen := func(t *rapid.T) Script {
				r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				var s Script
				for i := range rapid.IntRange(0, 300).Draw(t, "rows") {
					v, text := expr.Value{Type: tuple.Number, I: int64(r.IntN(150))}, Text(strconv.Itoa(r.IntN(2)))
					switch r.IntN(20) {
					case 0:
						v, text = Null(tuple.Number), Null(tuple.Text)
					case 1:
						v.Float, v.F = true, float64(v.I)/2
					}
					s = append(s, Row(int64(i), Int(int64(i/150)), v, text))
				}
				return s
			}
			Conform(t, spec, columns, gen)
		})
	}
	for _, typ := range []tuple.Type{tuple.Text, tuple.Bigint} {
		Conform(t, &op.Distinct{Window: -1, Keep: 1, Memory: 4096, Error: 0.1}, Schema(typ), func(t *rapid.T) (s Script) {
			for i := range rapid.IntRange(0, 250).Draw(t, "rows") {
				v := Int(int64(i * 7919 % 200))
				if typ == tuple.Text {
					v = Text(strconv.Itoa(i * 7919 % 200))
				}
				if i%50 == 3 {
					v = Null(typ)
				}
				s = append(s, Row(int64(i), v))
			}
			return s
		})
	}
}

// feed gives an operator rows of one number, and returns those that pass.
func feed(t *testing.T, o op.Operator, values []int64) (passed []int64) {
	var out Collector
	for len(values) > 0 {
		n := min(len(values), tuple.MaxRows)
		rows := make([][]expr.Value, n)
		for i := range rows {
			rows[i] = []expr.Value{Int(values[i])}
		}
		out.Rows = out.Rows[:0]
		require.NoError(t, o.Process(0, Batch(oneColumn, rows, nil), &out))
		for _, row := range out.Rows {
			passed = append(passed, row[0].I)
		}
		values = values[n:]
	}
	return passed
}

func numbers(from, to int64) (list []int64) {
	for v := from; v < to; v++ {
		list = append(list, v)
	}
	return list
}

// TestNewRowsAreMissingAsRarelyAsSaid: the rate holds however many rows have come, and also where both filters are full.
func TestNewRowsAreMissingAsRarelyAsSaid(t *testing.T) {
	for _, c := range []struct {
		memory int64
		rate   float64
	}{{1 << 14, 0.01}, {1 << 15, 0.1}, {1 << 13, 0.5}, {1 << 16, 0.001}} {
		t.Run(fmt.Sprint(c.rate), func(t *testing.T) {
			spec := &op.Distinct{Window: -1, Keep: 1, Memory: c.memory, Error: c.rate}
			o, err := spec.Make()
			require.NoError(t, err)
			const all, piece = 200_000, 500
			missing, worst := 0, 0
			for from := int64(0); from < all; from += piece {
				lost := piece - len(feed(t, o, numbers(from, from+piece)))
				missing, worst = missing+lost, max(worst, lost)
			}
			limit := func(n int, chance float64) float64 {
				b := distuv.Binomial{N: float64(n), P: c.rate}
				k := b.Mean()
				for b.Survival(k) > chance {
					k++
				}
				return k
			}
			t.Logf("%d of %d missing, %d of %d at worst", missing, all, worst, piece)
			require.Positive(t, missing, "the filter is at work")
			require.LessOrEqual(t, float64(missing), limit(all, 1e-6))
			require.LessOrEqual(t, float64(worst), limit(piece, 1e-6*piece/all))
			require.Greater(t, float64(missing), 0.1*c.rate*all, "memory is used")
		})
	}
}

// Rows that fit half of the memory are told apart exactly, and nothing is said of them.
func TestDistinctIsExactWhileRowsFit(t *testing.T) {
	o, err := (&op.Distinct{Window: -1, Keep: 1, Memory: 1 << 20}).Make()
	require.NoError(t, err)
	require.Len(t, feed(t, o, append(numbers(0, 10_000), numbers(0, 10_000)...)), 10_000)
	require.Empty(t, o.(op.Noter).Notes())
	require.LessOrEqual(t, len(feed(t, o, numbers(10_000, 30_000))), 20_000)
	notes := o.(op.Noter).Notes()
	require.Len(t, notes, 1)
	require.Regexp(t, `^DISTINCT: (29|30)\d+ rows passed; the memory of 1048576 bytes held the first 1\d+ of them, and of the new rows from there on up to 1 % may be missing, taken for earlier ones$`, notes[0])
	require.Empty(t, feed(t, o, numbers(0, 30_000)), "none passes twice")
}

// What a filter forgot may pass again, but not before as many others came as it has room for; and a row that keeps coming never does.
func TestFiltersForgetOldRowsOnly(t *testing.T) {
	const memory = 1 << 14
	o, err := (&op.Distinct{Window: -1, Keep: 1, Memory: memory, Error: 0.02}).Make()
	require.NoError(t, err)
	room := int(memory / 4 * 3 * 4 * math.Ln2 * math.Ln2 / -math.Log(0.9*0.02/2))
	last := map[int64]int{} // at which distinct row it came
	n, again := 0, 0
	for v := range int64(100_000) {
		fresh := feed(t, o, []int64{v, 7})
		if len(fresh) > 0 && fresh[0] == v {
			n++
			last[v] = n
		}
		if v > 100 {
			require.NotContains(t, fresh, int64(7), "which came all the time")
		}
		if v%100 == 99 {
			old := v - int64(room)*9/10
			require.Empty(t, feed(t, o, []int64{max(old, 0)}), "%d", v)
			if len(feed(t, o, []int64{v / 10})) > 0 {
				again++
			}
		}
	}
	require.Positive(t, again)
	require.Regexp(t, `; a row may have passed again after `+strconv.Itoa(room)+` others$`, o.(op.Noter).Notes()[0])
}

// TestDistinctStaysWithinItsMemory saves the state after every batch: it is never larger than the memory.
func TestDistinctStaysWithinItsMemory(t *testing.T) {
	const memory = 1 << 18
	o, err := (&op.Distinct{Window: -1, Keep: 1, Memory: memory}).Make()
	require.NoError(t, err)
	columns := Schema(tuple.Text)
	for i := range 300 {
		var rows [][]expr.Value
		for k := range 500 {
			rows = append(rows, []expr.Value{Text(fmt.Sprintf("%0*d", 10+i%90, i*500+k))})
		}
		require.NoError(t, o.Process(0, Batch(columns, rows, nil), &Collector{}))
		var state bytes.Buffer
		require.NoError(t, o.(op.Saver).Save(&state))
		require.LessOrEqual(t, state.Len(), memory)
	}
}

func TestDistinctSaysWhatItPromises(t *testing.T) {
	assert.Equal(t, "distinct in each window   [exact within a memory of 65536 bytes, then by Bloom filters: a new row is missing with probability 1 % at most]",
		(&op.Distinct{Window: 0, Keep: 1, Memory: 65536}).String())
	for want, spec := range map[string]op.Distinct{
		"distinct: a memory of 1000 bytes is too small for an error of 1 %": {Memory: 1000},
		"distinct: a memory of -1 bytes":                                    {Memory: -1},
		"distinct: an error of 0.6 is not within [1e-08, 0.5]":              {Memory: 1 << 20, Error: 0.6},
		"distinct: an error of NaN is not within [1e-08, 0.5]":              {Memory: 1 << 20, Error: math.NaN()},
	} {
		spec.Window, spec.Keep = -1, 1
		_, err := spec.Make()
		assert.EqualError(t, err, want)
	}
	o, err := (&op.Distinct{Window: 0, Keep: 1, Memory: 4096}).Make()
	require.NoError(t, err)
	feed(t, o, numbers(0, 5000))
	assert.Empty(t, o.(op.Noter).Notes(), "every row is a window of its own")
}

// A state of another memory or rate, or one that was tampered with, is refused.
func TestStatesOfFiltersAreChecked(t *testing.T) {
	spec := op.Distinct{Window: -1, Keep: 1, Memory: 8192}
	o, err := spec.Make()
	require.NoError(t, err)
	feed(t, o, numbers(0, 3000))
	var state bytes.Buffer
	require.NoError(t, o.(op.Saver).Save(&state))
	for _, change := range []func(*op.Distinct){
		func(d *op.Distinct) { d.Memory = 0 }, func(d *op.Distinct) { d.Memory = 9000 }, func(d *op.Distinct) { d.Error = 0.2 },
	} {
		other := spec
		change(&other)
		o, err := other.Make()
		require.NoError(t, err)
		require.Error(t, o.(op.Saver).Load(bytes.NewReader(state.Bytes())))
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		data := bytes.Clone(state.Bytes())
		data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
		o, err := spec.Make()
		require.NoError(t, err)
		_ = o.(op.Saver).Load(bytes.NewReader(data[:r.IntN(len(data)+1)]))
	}
}

func BenchmarkDistinctByFilters(b *testing.B) {
	o, err := (&op.Distinct{Window: -1, Keep: 1, Memory: 1 << 20}).Make()
	require.NoError(b, err)
	rows := make([][]expr.Value, tuple.MaxRows)
	for i := range rows {
		rows[i] = []expr.Value{Int(int64(i))}
	}
	batch, out := Batch(oneColumn, rows, nil), &sinkless{}
	next := int64(0)
	for b.Loop() {
		for i := range batch.Cols[0].I {
			batch.Cols[0].I[i] = next
			next++
		}
		if err := o.Process(0, batch, out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tuple.MaxRows), "ns/row")
}

// sinkless takes batches and forgets them.
type sinkless struct{}

func (sinkless) Emit(*tuple.Batch) error { return nil }
