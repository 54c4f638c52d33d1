package enginetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Conform checks what every operator promises, on random scripts that gen draws: that cutting the input into other
// batches, with rows that are not selected and other representations of the same values, changes nothing in what is
// emitted; that an operator which is saved and loaded continues the same; that rows have the types of the spec's
// schema; that batches fit; that everything is out at the end; and that what an operator was lent is not kept.
// Marks of a script must not decrease.
func Conform(t *testing.T, spec op.Spec, in *tuple.Schema, gen func(*rapid.T) Script) {
	t.Helper()
	schema := spec.Schema(in)
	rapid.Check(t, func(t *rapid.T) {
		script := gen(t)
		want, err := Play(spec, in, script, Cutter{})
		require.NoError(t, err)
		require.LessOrEqual(t, want.Largest, tuple.MaxRows)
		for _, row := range want.Rows {
			requireTypes(t, schema, row)
		}
		check := func(how string, cut Cutter) {
			got, err := Play(spec, in, script, cut)
			require.NoError(t, err, how)
			require.Equal(t, Print(want.Rows), Print(got.Rows), how)
			require.Equal(t, want.Partial, got.Partial, how)
		}
		check("one row a batch", Cutter{Rows: func(int) int { return 1 }})
		check("random batches with holes", randomCutter(t))
		saving := randomCutter(t)
		saving.Save = func() bool { return rapid.IntRange(0, 4).Draw(t, "save") == 0 }
		check("saved and loaded", saving)
	})
}

func randomCutter(t *rapid.T) Cutter {
	return Cutter{
		Rows:  func(n int) int { return rapid.IntRange(1, n).Draw(t, "rows") },
		Holes: func() int { return rapid.IntRange(0, 2).Draw(t, "holes") },
		Mixed: func() bool { return rapid.Bool().Draw(t, "mixed") },
	}
}

func requireTypes(t *rapid.T, schema *tuple.Schema, row []expr.Value) {
	require.Len(t, row, len(schema.Fields))
	for i, v := range row {
		require.Equal(t, schema.Fields[i].Type, v.Type, "column %s", schema.Fields[i].Name)
	}
}

// Print renders rows one a line, with the kind of each number visible, so that answers compare as text.
func Print(rows [][]expr.Value) string {
	var s []byte
	for _, row := range rows {
		for i, v := range row {
			if i > 0 {
				s = append(s, '\t')
			}
			s = fmt.Append(s, v)
		}
		s = append(s, '\n')
	}
	return string(s)
}

// Wander draws scripts of rows that gen draws, with times that wander upwards by up to step ns and go back by as
// much, and marks between them that never decrease and lag the greatest time by lateness.
func Wander(rows int, step, lateness int64, gen func(*rapid.T) []expr.Value) func(*rapid.T) Script {
	return func(t *rapid.T) Script {
		var script Script
		now, greatest := int64(0), int64(0)
		for range rapid.IntRange(0, rows).Draw(t, "count") {
			now = max(greatest+rapid.Int64Range(-step, step).Draw(t, "step"), 0)
			greatest = max(greatest, now)
			script = append(script, Row(now, gen(t)...))
			if rapid.IntRange(0, 9).Draw(t, "mark") == 0 {
				script = append(script, Mark(greatest-lateness))
			}
		}
		return script
	}
}
