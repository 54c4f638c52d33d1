package query_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

var errBroken = errors.New("a.ndjson: is a directory")

// broken is a catalog whose streams cannot be opened.
type broken struct{}

// Stream implements query.Catalog.
func (broken) Stream(string, bool) (*query.Stream, error) { return nil, errBroken }

func TestErrorsOfTheCatalogKeepTheirCause(t *testing.T) {
	s, err := query.Parse("SELECT a\nFROM 'a.ndjson'")
	require.NoError(t, err)
	_, err = s.Bind(0, broken{})
	require.ErrorIs(t, err, errBroken)
	assert.Equal(t, "2:6: a.ndjson: is a directory", err.Error())
	var e *syntax.Error
	require.ErrorAs(t, err, &e)
	assert.Contains(t, e.Render(), "^^^^^^^^^^", "with its place")
}

func TestScript(t *testing.T) {
	s, err := query.ParseSource(syntax.NewSource("q.sql", "CREATE STREAM a WITH (path 'a.csv'); SELECT x FROM a;\nEXPLAIN SELECT y FROM a"))
	require.NoError(t, err)
	require.Len(t, s.Streams, 1)
	require.Len(t, s.Queries, 2)
	assert.Equal(t, "SELECT x FROM a", s.Queries[0].Text)
	assert.Equal(t, "SELECT y FROM a", s.Queries[1].Text)
	assert.True(t, s.Queries[1].Explain)

	_, err = query.ParseSource(syntax.NewSource("q.sql", "SELECT nothing(x) FROM a"))
	assert.ErrorContains(t, err, "q.sql:1:8: ")
}

// TestDeepTexts holds that a short text cannot stand for an endless tree.
func TestDeepTexts(t *testing.T) {
	between := "a"
	for range 60 {
		between = "(" + between + " BETWEEN b AND c)"
	}
	_, err := query.Parse("SELECT 1 AS x FROM s WHERE " + between)
	assert.ErrorContains(t, err, "too large")
}
