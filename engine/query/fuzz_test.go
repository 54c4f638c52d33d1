package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// FuzzBind holds that no text makes the binder panic, that errors render, and that plans validate.
func FuzzBind(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // a folder of failed inputs
		}
		for _, part := range strings.Split(string(text), "\n\n") {
			if _, sql, ok := strings.Cut(part, "\nSELECT"); ok {
				sql, _, _ = strings.Cut(sql, "\n----")
				f.Add("SELECT" + sql)
			}
		}
	}
	f.Fuzz(func(t *testing.T, sql string) {
		script, err := Parse(sql)
		if err != nil {
			var e *syntax.Error
			require.ErrorAs(t, err, &e)
			_ = e.Render()
			return
		}
		for _, q := range script.Queries {
			for _, s := range randomStreams {
				b, err := bind(script.source, q, s, randomSettings[len(sql)%len(randomSettings)])
				if err == nil {
					require.NoError(t, b.Plan.Validate())
				}
			}
		}
	})
}
