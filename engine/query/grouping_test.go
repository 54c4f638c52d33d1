package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestAsManyGroupKeysAsTheOperatorTakes(t *testing.T) {
	logs := &query.Stream{Name: "logs", Closed: true, Fields: []query.Field{{Name: "v", Path: []string{"v"}, Type: tuple.Number}}}
	grouped := func(keys int, by string) (*query.Bound, error) {
		var items, names []string
		for i := range keys {
			items, names = append(items, fmt.Sprintf("v + %d AS k%d", i, i)), append(names, fmt.Sprintf("k%d", i))
		}
		if by == "" {
			by = strings.Join(names, ", ")
		}
		s, err := query.Parse("SELECT " + strings.Join(items, ", ") + ", count(*) FROM logs GROUP BY " + by)
		require.NoError(t, err)
		return s.Bind(0, streams{"logs": logs})
	}
	for _, by := range []string{"", "ALL"} {
		bound, err := grouped(64, by)
		require.NoError(t, err)
		made := false
		for _, box := range bound.Plan.Boxes {
			if a, ok := box.Spec.(*op.Aggregate); ok {
				_, err := a.Make()
				assert.NoError(t, err)
				made = true
			}
		}
		assert.True(t, made)

		_, err = grouped(65, by)
		var e *syntax.Error
		require.ErrorAs(t, err, &e)
		assert.Contains(t, e.Render(), "more than 64 group keys")
		at := by
		if by == "" {
			at = "k64"
		}
		assert.Contains(t, e.Render(), strings.Repeat("^", len(at)))
		assert.NotContains(t, e.Render(), strings.Repeat("^", len(at)+1))
	}
}
