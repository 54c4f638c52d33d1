package coverage_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/experiments/coverage"
)

// question is about records of thirty groups, one of them rare, whose values are 0 to 99.
func question(t *testing.T, sql string, answers query.Settings) *coverage.Question {
	r := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for i := range 20_000 {
		g := r.IntN(29)
		if i%5000 == 0 {
			g = 99
		}
		fmt.Fprintf(&b, `{"g":%d,"x":%d}`+"\n", g, r.IntN(100))
	}
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return &coverage.Question{
		SQL: sql, Streams: []coverage.Stream{{Name: "s", Input: engine.Input{Paths: []string{path}}}}, Options: engine.Options{Workers: -1, Answers: answers},
	}
}

func TestIntervalsHoldOnPlainData(t *testing.T) {
	q := question(t, "SELECT g, count(*) AS n, avg(x) AS mean FROM s GROUP BY g HAVING count(*) > 100 ORDER BY n LIMIT 3", query.Settings{Sample: []float64{0.1}, Seed: 1})
	r, err := coverage.Verify(context.Background(), q, 20)
	require.NoError(t, err)
	assert.Equal(t, 30, r.Rows, "HAVING and LIMIT are left out")
	assert.EqualValues(t, 20*20_000, r.Offered)
	assert.InDelta(t, 0.9*20*20_000, r.Shed, 6*190)
	assert.Equal(t, 20*30, r.Listed+r.Missing)
	assert.Positive(t, r.Missing, "the rare group")
	assert.EqualValues(t, 20*29, r.Unseen.Cells, "groups that are too large to be missing")
	assert.Empty(t, r.Faults())
	require.Len(t, r.Columns, 2)
	n, mean := r.Columns[0], r.Columns[1]
	assert.Equal(t, "n", n.Name)
	assert.Zero(t, n.Labelled.Cells, "a count is never labelled")
	assert.EqualValues(t, r.Listed, n.Plain.Cells)
	assert.EqualValues(t, r.Listed, mean.Plain.Cells+mean.Labelled.Cells)
	// A group has about 69 kept rows: 1.96 sqrt(0.9/69) of its count, and 29/50 of that for the mean of uniform values.
	assert.InEpsilon(t, 0.224, n.Median, 0.2)
	assert.InEpsilon(t, 0.13, mean.Median, 0.2)
	assert.Less(t, n.Error, n.Width)
}

func TestEverythingKeptIsExact(t *testing.T) {
	q := question(t, "SELECT g, count(*) AS n, sum(x) AS total, median(x) AS mid FROM s GROUP BY g", query.Settings{Sample: []float64{1}})
	r, err := coverage.Verify(context.Background(), q, 2)
	require.NoError(t, err)
	assert.Zero(t, r.Missing)
	for _, c := range r.Columns[:2] {
		assert.Equal(t, coverage.Share{Cells: 60, Covered: 60}, c.Plain, c.Name)
		assert.Zero(t, c.Width, c.Name)
		assert.Zero(t, c.Error, c.Name)
	}
}

func TestTheSameSeedGivesTheSameResult(t *testing.T) {
	q := question(t, "SELECT g, count(*) AS n, sum(x) AS total FROM s GROUP BY g", query.Settings{Sample: []float64{0.2}, Seed: 7})
	a, err := coverage.Verify(context.Background(), q, 3)
	require.NoError(t, err)
	b, err := coverage.Verify(context.Background(), q, 3)
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprint(a), fmt.Sprint(b))
	q.Options.Answers.Seed = 8
	c, err := coverage.Verify(context.Background(), q, 3)
	require.NoError(t, err)
	assert.NotEqual(t, fmt.Sprint(a), fmt.Sprint(c))
}

func TestQuestionsThatCannotBeVerified(t *testing.T) {
	sample := query.Settings{Sample: []float64{0.1}}
	for claim, c := range map[string]struct {
		sql     string
		answers query.Settings
		want    string
	}{
		"nothing is dropped":           {"SELECT count(*) AS n FROM s", query.Settings{}, "every answer would be exact"},
		"rows cannot be told apart":    {"SELECT count(*) AS n FROM s GROUP BY g", sample, "select every column of GROUP BY"},
		"there is no aggregate":        {"SELECT g, x FROM s", sample, "no aggregate"},
		"the query samples by itself":  {"SELECT count(*) AS n FROM s TABLESAMPLE BERNOULLI (10 PERCENT)", sample, "leave TABLESAMPLE out"},
		"a plan has no rows":           {"EXPLAIN SELECT count(*) AS n FROM s", sample, "no rows"},
		"the only aggregate is a text": {"SELECT g, max(CAST(x AS TEXT)) AS m FROM s GROUP BY g", sample, "no aggregate"},
	} {
		t.Run(claim, func(t *testing.T) {
			_, err := coverage.Verify(context.Background(), question(t, c.sql, c.answers), 1)
			require.ErrorIs(t, err, coverage.ErrQuestion)
			require.ErrorContains(t, err, c.want)
		})
	}
}
