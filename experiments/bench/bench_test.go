package bench_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/experiments/bench"
)

func TestEveryCaseIsMeasuredOverItsFile(t *testing.T) {
	const events = 500
	results, err := bench.Run(bench.Options{Events: events, Runs: 2, Workers: 1, Dir: t.TempDir()}, bench.Cases())
	require.NoError(t, err)
	rows := map[string]int64{}
	for _, r := range results {
		rows[r.Name] = r.Rows
		assert.Positive(t, r.CPU, r.Name)
		assert.Positive(t, r.Bytes, r.Name)
		assert.InEpsilon(t, float64(r.CPU)/events, r.PerEvent(events), 1e-12, r.Name)
	}
	assert.EqualValues(t, events, rows["count line feeds, as wc -l does"])
	assert.EqualValues(t, events+1, rows["count line feeds, CSV"], "the header is a line")
	assert.EqualValues(t, 1, rows["count(*): every record checked"])
	assert.EqualValues(t, 1, rows["count, avg in 1 group"])
	assert.Equal(t, 4*rows["one query by host"], rows["four queries by host"])
	assert.Positive(t, rows["reference query"])
	assert.Equal(t, rows["reference query"], rows["reference query, CSV"], "the files have the same records")
}

func TestThereMustBeSomethingToMeasure(t *testing.T) {
	_, err := bench.Run(bench.Options{Events: 10, Dir: t.TempDir()}, bench.Cases())
	assert.ErrorContains(t, err, "0 runs")
}
