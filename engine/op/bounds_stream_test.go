package op_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// The columns of thinned streams: a key, an integer, a double and a condition.
const (
	thinKey = iota
	thinInt
	thinFloat
	thinCond
)

var thinColumns = Schema(tuple.Bigint, tuple.Bigint, tuple.Double, tuple.Boolean)

func thinRef(i int) *expr.Node { return Ref(thinColumns, i) }

// place is a drop location that keeps each row with the probability of its epoch.
type place struct {
	keeps []float64 // take turns
	each  int64     // rows offered an epoch
	raw   bool
	pass  func(row []expr.Value) bool // the filter behind it, or nil

	r       *rand.Rand
	stratum tuple.Stratum
}

func (p *place) turn(number uint32) {
	epoch := p.stratum.ID & 0xffffff
	if p.stratum.ID != 0 {
		epoch++
	}
	p.stratum = tuple.Stratum{ID: number<<24 | epoch, Keep: p.keeps[int(epoch)%len(p.keeps)], Raw: p.raw}
}

// thinned feeds an operator with what drop locations leave of rows.
type thinned struct {
	t      *testing.T
	spec   op.Spec
	o      op.Operator
	out    Collector
	places []*place
	// cut says whether the batch ends before the next row, and save whether the operator is saved and loaded then.
	cut, save func() bool

	rows  [][]expr.Value
	times []int64
}

func newThinned(t *testing.T, spec op.Spec, seed uint64, places ...*place) *thinned {
	o, err := spec.Make()
	require.NoError(t, err)
	s := &thinned{t: t, spec: spec, o: o, places: places}
	for i, p := range places {
		p.r, p.stratum = rand.New(rand.NewPCG(seed, uint64(i))), tuple.Stratum{}
		p.turn(uint32(i + 1))
	}
	return s
}

// row offers a row to the first location.
func (s *thinned) row(at int64, values ...expr.Value) {
	if s.cut != nil && s.cut() || len(s.rows) == tuple.MaxRows {
		s.flush()
	}
	for i, p := range s.places {
		if p.stratum.Offered == p.each {
			s.flush()
			p.turn(uint32(i + 1))
		}
		p.stratum.Offered++
		if p.stratum.Keep < 1 && p.r.Float64() >= p.stratum.Keep {
			return
		}
		p.stratum.Kept++
		if p.pass != nil && !p.pass(values) {
			return
		}
	}
	s.rows, s.times = append(s.rows, values), append(s.times, at)
}

// flush ends the batch, which may have no rows.
func (s *thinned) flush() {
	b := Batch(thinColumns, s.rows, s.times)
	for _, p := range s.places {
		b.Sample = append(b.Sample, p.stratum)
	}
	require.NoError(s.t, s.o.Process(0, b, &s.out))
	s.rows, s.times = s.rows[:0], s.times[:0]
	if s.save != nil && s.save() {
		s.o = reloaded(s.t, s.spec, s.o)
	}
}

func reloaded(t *testing.T, spec op.Spec, o op.Operator) op.Operator {
	var state bytes.Buffer
	require.NoError(t, o.(op.Saver).Save(&state))
	fresh, err := spec.Make()
	require.NoError(t, err)
	require.NoError(t, fresh.(op.Saver).Load(&state))
	return fresh
}

// mark ends the batch and says that time has reached t.
func (s *thinned) mark(t int64) {
	s.flush()
	for range 1000 {
		done, err := s.o.Advance(0, t, &s.out)
		require.NoError(s.t, err)
		if done {
			return
		}
	}
	s.t.Fatal("never done")
}

// end returns all answers.
func (s *thinned) end() [][]expr.Value {
	s.mark(tuple.End)
	return s.out.Rows
}

// thinSpec returns an aggregate of a thinned stream at 95 %, with bounds for all aggs.
func thinSpec(w op.Window, keys []int, aggs ...op.Agg) *op.Aggregate {
	spec := &op.Aggregate{Window: w, Aggs: aggs, Sampling: &op.Sampling{Confidence: 0.95}}
	for i := range spec.Aggs {
		spec.Aggs[i].Bounds = true
		spec.Aggs[i].Field.Name = spec.Aggs[i].String()
	}
	for _, k := range keys {
		spec.Keys = append(spec.Keys, thinRef(k))
		spec.KeyFields = append(spec.KeyFields, thinColumns.Fields[k])
	}
	return spec
}

// reading is an aggregate's value with its bounds; NULLs are NaN.
type reading struct {
	value, low, high float64
	label            bool
}

func (r reading) covers(x float64) bool { return !(x < r.low) && !(x > r.high) }

func readingOf(spec *op.Aggregate, row []expr.Value, i int) reading {
	at := spec.BoundsOf(i)
	lead := len(spec.Keys) + i
	if spec.Window.Kind != op.NoWindow {
		lead += 2
	}
	return reading{realOf(row[lead]), realOf(row[at]), realOf(row[at+1]), row[at+2].B}
}

var (
	thinCount = op.Agg{Func: op.CountAll}
	thinSum   = op.Agg{Func: op.Sum, Arg: thinRef(thinFloat)}
	thinSumI  = op.Agg{Func: op.Sum, Arg: thinRef(thinInt)}
	thinAvg   = op.Agg{Func: op.Avg, Arg: thinRef(thinFloat)}
	tumble10  = op.Window{Kind: op.Tumble, Size: 10, Slide: 10}
)
