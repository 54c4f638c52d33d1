package sink_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// sample returns 1,024 rows of one column each.
func sample(t require.TestingT, f tuple.Field, value func(r *rand.Rand) any) *tuple.Batch {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]row, tuple.MaxRows)
	for i := range rows {
		rows[i] = row{value(r)}
	}
	return batch(t, schema(f), rows...)
}

var cells = []struct {
	name  string
	field tuple.Field
	value func(r *rand.Rand) any
}{
	{"count", field("n", tuple.Bigint), func(r *rand.Rand) any { return r.IntN(100_000) }},
	{"id", field("n", tuple.Bigint), func(r *rand.Rand) any { return r.Int() }},
	{"cents", field("n", tuple.Double), func(r *rand.Rand) any { return float64(r.IntN(10_000_000)) / 100 }},
	{"mean", field("n", tuple.Double), func(r *rand.Rand) any { return r.Float64() * 1000 }},
	{"time", field("n", tuple.Timestamp), func(r *rand.Rand) any { return 1_772_452_800_000_000_000 + r.IntN(1e9)*1_000_000_000 }},
	{"text", field("n", tuple.Text), func(r *rand.Rand) any { return fmt.Sprintf("/products/item/%d", r.IntN(1_000_000)) }},
}

// BenchmarkWrite reports ns per row of one cell.
func BenchmarkWrite(b *testing.B) {
	for _, format := range []sink.Format{sink.NDJSON, sink.CSV, sink.Table} {
		for _, c := range cells {
			b.Run(string(format)+"/"+c.name, func(b *testing.B) {
				rows := sample(b, c.field, c.value)
				k, err := sink.New(format, io.Discard, sink.Options{})
				require.NoError(b, err)
				require.NoError(b, k.Begin(rows.Schema))
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, k.Write(rows))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows.Sel)), "ns/cell")
			})
		}
	}
}

func TestRowsDoNotAllocate(t *testing.T) {
	for _, format := range []sink.Format{sink.NDJSON, sink.JSON, sink.CSV, sink.TSV, sink.Markdown, sink.Table} {
		for _, c := range cells {
			rows := sample(t, c.field, c.value)
			k, err := sink.New(format, io.Discard, sink.Options{})
			require.NoError(t, err)
			require.NoError(t, k.Begin(rows.Schema))
			for range 4 {
				require.NoError(t, k.Write(rows))
			}
			require.Zero(t, testing.AllocsPerRun(4, func() { _ = k.Write(rows) }), "%s %s", format, c.name)
		}
	}
}
