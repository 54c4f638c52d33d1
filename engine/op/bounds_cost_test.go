package op_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// sampledBy is by with bounds, for a stream that is thinned.
func sampledBy(key int, aggs []op.Agg) *op.Aggregate {
	spec := by(key, append([]op.Agg(nil), aggs...))
	spec.Sampling = &op.Sampling{Confidence: 0.95, Filtered: true}
	for i := range spec.Aggs {
		spec.Aggs[i].Bounds = true
	}
	return spec
}

// shed stamps batch i of a stream of whom a tenth was kept, 16 batches an epoch.
func shed(b *tuple.Batch, i int) {
	n := int64(i%16 + 1)
	b.Sample = []tuple.Stratum{{ID: 1<<24 | uint32(i/16), Keep: 0.1, Raw: true, Offered: 10 * n * int64(b.N), Kept: n * int64(b.N)}}
}

func BenchmarkSampledAggregate(b *testing.B) {
	for _, groups := range []int{1, 100, 1000} {
		for name, aggs := range map[string][]op.Agg{
			"count": {{Func: op.CountAll}}, "count+avg": sets[1].aggs,
		} {
			batches := stream(groups)
			b.Run(fmt.Sprintf("%s/%d", name, groups), func(b *testing.B) {
				o, err := sampledBy(colTextKey, aggs).Make()
				require.NoError(b, err)
				b.ReportAllocs()
				rows := 0
				for i := 0; b.Loop(); i++ {
					batch := batches[i%len(batches)]
					shed(batch, i)
					if err := o.Process(0, batch, nil); err != nil {
						b.Fatal(err)
					}
					rows += tuple.MaxRows
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
			})
		}
	}
}

// TestSampledRowsDoNotAllocate runs windows until pools are warm.
func TestSampledRowsDoNotAllocate(t *testing.T) {
	hop := sampledBy(colTextKey, sets[1].aggs)
	hop.Window = op.Window{Kind: op.Hop, Size: 3 * time.Minute, Slide: time.Minute}
	for name, spec := range map[string]*op.Aggregate{"tumble": sampledBy(colTextKey, sets[1].aggs), "hop": hop} {
		batches := stream(50)
		o, err := spec.Make()
		require.NoError(t, err)
		var out sink
		now, n := int64(0), 0
		window := func() {
			for _, batch := range batches[:8] {
				for r := range batch.Time {
					batch.Time[r] = now
				}
				shed(batch, n)
				n++
				require.NoError(t, o.Process(0, batch, &out))
			}
			now += int64(time.Minute)
			for done := false; !done; {
				done, err = o.Advance(0, now, &out)
			}
			require.NoError(t, err)
		}
		for range 40 {
			window()
		}
		perRow := testing.AllocsPerRun(40, window) / (8 * tuple.MaxRows)
		assert.Less(t, perRow, 0.005, name)
	}
}

// TestHostileSampledStateIsAnError damages the state of a sampled aggregate, byte by byte, and runs what loads to its end.
func TestHostileSampledStateIsAnError(t *testing.T) {
	for _, w := range []op.Window{{}, tumble10, {Kind: op.Hop, Size: 25, Slide: 10}} {
		spec := thinSpec(w, []int{thinKey}, thinCount, thinSum)
		s := newThinned(t, spec, 3, &place{keeps: []float64{0.5, 0.9}, each: 12}, &place{keeps: []float64{0.7}, each: 40})
		for i := range 60 {
			s.row(int64(i/4), Int(int64(i%3)), Int(int64(i)), Float(float64(i*i)), Bool(true))
		}
		s.flush()
		var saved bytes.Buffer
		require.NoError(t, s.o.(op.Saver).Save(&saved))
		body := saved.Bytes()[:saved.Len()-8]
		refused := 0
		for at := range body {
			damaged := bytes.Clone(body)
			damaged[at] ^= []byte{0x01, 0x80, 0xff}[at%3]
			if loads(t, spec, seal(damaged)) != nil {
				refused++
			}
		}
		assert.Greater(t, refused, len(body)/20)
		for cut := 0; cut < len(body); cut += 7 {
			assert.Error(t, loads(t, spec, seal(bytes.Clone(body[:cut]))), "cut to %d", cut)
		}
	}
}
