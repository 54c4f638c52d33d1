package op

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
	"github.com/aurora-dsms/aurora/synopsis"
)

// A stratum that lasts, above a drop with many epochs, is counted once.
func TestTotalsOfALongEpochAreReadOnce(t *testing.T) {
	for _, kind := range []tuple.DropKind{tuple.Universe, tuple.Cluster} {
		var table strata
		long := tuple.Stratum{ID: 1 << 24, Kind: kind, Keep: 0.5}
		elsewhere := tuple.Stratum{ID: 3 << 24, Keep: 0.5}
		seen := map[*synopsis.Stratum]bool{}
		var offered, kept int64
		for epoch := range uint32(500) {
			long.Offered += 100
			long.Kept += 50
			table.begin(&tuple.Batch{Sample: []tuple.Stratum{long, {ID: 2<<24 | epoch, Keep: 0.5, Offered: 50, Kept: 25}}})
			seen[table.now.places[0].stratum] = true
			if epoch%7 == 0 { // another input has its turn, and no window of the first one is open
				elsewhere.Offered++
				table.begin(&tuple.Batch{Sample: []tuple.Stratum{elsewhere}})
				table.sweep(nil)
			}
		}
		for s := range seen {
			offered += s.Offered
			kept += s.Kept
		}
		require.Equal(t, []int64{long.Offered, long.Kept}, []int64{offered, kept}, "%v", kind)
		require.Less(t, len(table.ways), 3*waysKept)
		require.Less(t, len(table.read), 4*waysKept)
	}
}

// All ways share the blocks of a file, also those of a table that was saved.
func TestBlocksAreSharedByWaysThatWereSaved(t *testing.T) {
	var table strata
	for epoch := range uint32(3) {
		table.begin(&tuple.Batch{Sample: []tuple.Stratum{
			{ID: 1 << 24, Kind: tuple.Cluster, Keep: 0.1, Offered: 100, Kept: int64(epoch + 1), Block: int64(epoch)},
			{ID: 2<<24 | epoch, Keep: 0.5, Offered: 40, Kept: 20},
		}})
	}
	var state bytes.Buffer
	require.NoError(t, saveState(&state, table.save))
	var loaded strata
	require.NoError(t, loadState(&state, loaded.load))
	loaded.begin(&tuple.Batch{Sample: []tuple.Stratum{
		{ID: 1 << 24, Kind: tuple.Cluster, Keep: 0.1, Offered: 100, Kept: 7, Block: 9}, {ID: 2<<24 | 9, Keep: 0.5, Offered: 8, Kept: 4},
	}})
	require.Len(t, loaded.ways, 4)
	for _, w := range loaded.ways {
		require.Same(t, loaded.ways[0].places[0].stratum, w.places[0].stratum)
	}
	require.Equal(t, int64(7), loaded.ways[0].places[0].stratum.Kept)
}

// A row as heavy as any that came may be missing in a group that has light ones alone.
func TestQuantilesReckonWithHeavyRowsThatWereNotSeen(t *testing.T) {
	a := &weightedQuantiles{plan: new(aggPlan), asked: new(laneQuantiles)}
	a.stock = &stock[*sketch.WeightedQuantile]{fresh: func() *sketch.WeightedQuantile { return new(sketch.WeightedQuantile) }}
	rng := rand.New(rand.NewPCG(1, 2))
	add := func(g uint32, n int, w float64) {
		c := tuple.Column{Type: tuple.Double, Rep: tuple.RepFloat}
		in := &lane{sample: sample{rows: weightedRows, scale: 1, weights: make([]float64, n)}}
		for i := range n {
			c.F = append(c.F, rng.Float64())
			in.sample.weights[i] = w
			in.sel = append(in.sel, uint16(i))
			in.ids = append(in.ids, g)
		}
		in.col = &c
		a.add(in, 2)
	}
	add(0, 300, 1)
	p := &pane{rowSets: weightedRows}
	rows, _ := a.worth(p, 0, 0.5, 0.95)
	require.Greater(t, rows, 1e300, "nothing was dropped")
	add(1, 1, 100)
	rows, _ = a.worth(p, 0, 0.5, 0.95)
	require.InDelta(t, 0.25*300*300/(100*99*0.25), rows, 1e-9)
	a.reset()
	add(0, 300, 1)
	rows, _ = a.worth(p, 0, 0.5, 0.95)
	require.Less(t, rows, 10.0, "of the window before")
}
