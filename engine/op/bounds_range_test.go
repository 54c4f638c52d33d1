package op_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/op"
)

// rangedSpec asks for count, sum and mean with a declared range of the values.
func rangedSpec(w op.Window, m op.Method, low, high float64) *op.Aggregate {
	sum, avg := thinSum, thinAvg
	for _, a := range []*op.Agg{&sum, &avg} {
		a.Ranged, a.Low, a.High = true, low, high
	}
	s := thinSpec(w, []int{thinKey}, thinCount, sum, avg)
	s.Sampling.Method = m
	return s
}

// TestGuaranteedAnswersCover: of values in a declared range, of which large ones are rare, with groups of all sizes.
func TestGuaranteedAnswersCover(t *testing.T) {
	for _, m := range []op.Method{op.Hoeffding, op.Bernstein} {
		spec := rangedSpec(op.Window{Kind: op.Tumble, Size: 1000, Slide: 1000}, m, 0, 1000)
		spec.Sampling.Confidence = 0.9
		s := newThinned(t, spec, 31, &place{keeps: []float64{0.05, 0.2}, each: 1500})
		r := rand.New(rand.NewPCG(31, uint64(m)))
		truths := map[[2]int64]*truth{}
		const windows, rows = 100, 4000
		for i := range windows * rows {
			at, g, x := int64(i/(rows/1000)), int64(min(r.ExpFloat64()*2, 7)), r.Float64()
			if r.IntN(400) == 0 {
				x = 1000
			}
			cell := [2]int64{at / 1000, g}
			if truths[cell] == nil {
				truths[cell] = &truth{}
			}
			truths[cell].n++
			truths[cell].sum += x
			s.row(at, Int(g), Int(0), Float(x), Bool(true))
			if i%rows == rows-1 {
				s.mark(at + 1)
			}
		}
		var all [3]coverage
		for _, row := range s.end() {
			want := truths[[2]int64{row[0].I / 1000, row[2].I}]
			for i, x := range []float64{want.n, want.sum, want.sum / want.n} {
				all[i].take(readingOf(spec, row, i), x)
			}
		}
		for i := range all {
			require.Zero(t, all[i].labelled)
			all[i].require(t, 0.9, m.String())
		}
	}
}

// A value outside of its range is part of the answers, is counted, and takes the promise away from its window and all later ones.
func TestAValueOutsideItsRangeBreaksThePromise(t *testing.T) {
	for _, w := range []op.Window{{Kind: op.Tumble, Size: 100, Slide: 100}, {Kind: op.Hop, Size: 100, Slide: 50}} {
		for _, m := range []op.Method{op.Transform, op.Hoeffding, op.Bernstein} {
			for _, save := range []bool{false, true} {
				spec := rangedSpec(w, m, 0, 10)
				s := newThinned(t, spec, 5, &place{keeps: []float64{0.5}, each: 1000})
				s.save = func() bool { return save }
				r := rand.New(rand.NewPCG(9, 9))
				for i := range 8000 {
					x := 10 * r.Float64()
					if i/20 >= 150 && i/20 < 160 && i%20 < 10 {
						x = 11
					}
					s.row(int64(i/20), Int(0), Int(0), Float(x), Bool(true))
					if i%1000 == 999 {
						s.mark(int64(i/20) + 1)
					}
				}
				rows := s.end()
				require.Len(t, rows, map[op.WindowKind]int{op.Tumble: 4, op.Hop: 9}[w.Kind])
				for _, row := range rows {
					for i := range 3 {
						got := readingOf(spec, row, i)
						if i > 0 && row[1].I > 150 {
							assert.True(t, got.label, "%v %v %v", w, m, got)
							assert.Less(t, got.low, got.high)
						} else {
							assert.False(t, got.label, "%v %v %v", w, m, got)
						}
					}
				}
				outside := s.o.(op.Faults).Faults()["range"]
				assert.Greater(t, outside, int64(20))
				assert.Less(t, outside, int64(80), "a row in several windows is one value")
			}
		}
	}
}

// Bounds stay where the range says that the true values are.
func TestRangesBoundTheTransform(t *testing.T) {
	mean := func(ranged bool) (sum, avg reading) {
		spec := rangedSpec(op.Window{}, op.Transform, 0, 1)
		for i := range spec.Aggs {
			spec.Aggs[i].Ranged = spec.Aggs[i].Ranged && ranged
		}
		s := newThinned(t, spec, 3, &place{keeps: []float64{0.03}, each: 200})
		for i := range 200 {
			s.row(0, Int(0), Int(0), Float(math.Min(1, 0.4+float64(i%10)/5)), Bool(true))
		}
		row := s.end()[0]
		return readingOf(spec, row, 1), readingOf(spec, row, 2)
	}
	sum, avg := mean(false)
	within, meanWithin := mean(true)
	require.Greater(t, avg.high, 1.0)
	require.Equal(t, 1.0, meanWithin.high)
	require.Equal(t, avg.low, meanWithin.low)
	require.LessOrEqual(t, within.high, sum.high)
	require.Greater(t, sum.value, 200.0, "more than all rows can add")
	require.LessOrEqual(t, within.value, 200.0)
}

func TestRangesAreSound(t *testing.T) {
	_, err := rangedSpec(op.Window{}, op.Hoeffding, 1, 1).Make()
	require.ErrorContains(t, err, "a range from 1 to 1")
	o, err := rangedSpec(op.Window{}, op.Hoeffding, 0, 1).Make()
	require.NoError(t, err)
	other, err := rangedSpec(op.Window{}, op.Hoeffding, 0, 2).Make()
	require.NoError(t, err)
	var state bytes.Buffer
	require.NoError(t, o.(op.Saver).Save(&state))
	require.ErrorContains(t, other.(op.Saver).Load(&state), "another aggregate")
}

func TestMethodsOfIntervals(t *testing.T) {
	spec := rangedSpec(op.Window{}, op.Hoeffding, -5, 1e6)
	names := func() (all []string) {
		for i := range spec.Aggs {
			all = append(all, spec.Aggs[i].Method(spec.Sampling))
		}
		return all
	}
	assert.Equal(t, []string{"Chernoff's bound", "Hoeffding's bound within -5..1000000", "Hoeffding's bound within -5..1000000"}, names())
	spec.Sampling.Method = op.Transform
	assert.Equal(t, "Hall's transform within -5..1000000", names()[1])
	spec.Aggs[1].Ranged = false
	assert.Empty(t, names()[0]+names()[1])
}
