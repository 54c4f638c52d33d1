package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query"
)

// estimates runs a query over the numbers 0 to 9,999, k being the last digit, and calls f for each row.
func estimates(t *testing.T, answers query.Settings, sql string, f func(engine.Row)) {
	var in strings.Builder
	for i := range 10000 {
		in.WriteString(`{"v":`)
		in.WriteString(strings.Repeat("9", i%3+1))
		in.WriteString(`,"k":`)
		in.WriteByte(byte('0' + i%10))
		in.WriteString("}\n")
	}
	e := engine.New(engine.Options{Answers: answers})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: strings.NewReader(in.String())}))
	rows := 0
	_, err := e.Query(sql, engine.Each(func(r engine.Row) error {
		rows++
		f(r)
		return nil
	}))
	require.NoError(t, err)
	require.NoError(t, e.Run(t.Context()))
	require.Positive(t, rows)
}

func TestRowsHaveEstimates(t *testing.T) {
	sql := "SELECT k, count(*) AS n, avg(v) AS m FROM s GROUP BY k"
	estimates(t, query.Settings{}, sql, func(r engine.Row) {
		e := r.Estimate("n")
		assert.True(t, e.Exact, "an answer without bounds is exact")
		assert.Equal(t, 1000.0, e.Low)
		assert.Equal(t, 1.0, e.Confidence)
	})
	estimates(t, query.Settings{Sample: []float64{0.3}, Confidence: 0.9999}, sql, func(r engine.Row) {
		e := r.Estimate("n")
		assert.False(t, e.Exact)
		assert.Equal(t, 0.9999, e.Confidence)
		assert.True(t, e.Contains(1000), "%+v", e)
		assert.False(t, r.Unreliable("n"))
		assert.True(t, r.Estimate("k").Exact, "keys are")
		assert.InDelta(t, e.Low, r.Value("n_lo"), 0)
	})
	estimates(t, query.Settings{Sample: []float64{0.3}}, "SELECT count(*) % 7 AS n, max(v) AS most FROM s", func(r engine.Row) {
		assert.True(t, r.Unreliable("n"), "nothing bounds it")
		assert.Zero(t, r.Estimate("n").Confidence)
		assert.True(t, math.IsInf(r.Estimate("most").High, 1), "a maximum is only bounded from below")
		assert.Panics(t, func() { r.Estimate("nothing") })
	})
}
