package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
)

func TestFieldsThatWereLeftOutAreMentioned(t *testing.T) {
	for _, fields := range []int{codec.MaxFields, codec.MaxFields + 1} {
		var record strings.Builder
		for i := range fields {
			fmt.Fprintf(&record, `,"k%d":1`, i)
		}
		path := filepath.Join(t.TempDir(), "s.ndjson")
		require.NoError(t, os.WriteFile(path, []byte("{"+record.String()[1:]+"}\n"), 0o600))
		notes := ""
		e := engine.New(engine.Options{Note: func(text string) { notes += text + "\n" }})
		require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}}))
		d, err := e.Describe("s", false)
		require.NoError(t, err)
		more := fields > codec.MaxFields
		assert.Equal(t, more, d.Shape.More)
		assert.Equal(t, !more, d.Stream.Closed, "a column that is not known may be one of those left out")
		assert.Equal(t, more, strings.Contains(notes, "s: its records have more than 4096 fields"))
	}
}
