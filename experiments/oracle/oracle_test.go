package oracle_test

import (
	"testing"

	"pgregory.net/rapid"
)

func TestEngineAnswersAsTheOracle(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, 60)
		d := &drawer{t, table}
		judge(t, table.data, dir, d.query(), table.in, table.from)
	})
}
