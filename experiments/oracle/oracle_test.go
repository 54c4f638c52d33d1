package oracle_test

import (
	"testing"

	"pgregory.net/rapid"
)

func TestEngineAnswersAsTheOracle(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{t, drawTable(t, rapid.SampledFrom([]int{20, 60, 60}).Draw(t, "most"))}
		q := question{d.table.data, []string{d.declaration() + d.query()}, d.table.in, d.table.from}
		q.judge(t, dir, settings)
	})
}

func TestQueriesShareAStream(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{t, drawTable(t, 60)}
		q := question{d.table.data, []string{d.declaration() + d.query(), d.query(), d.query()}, d.table.in, d.table.from}
		q.judge(t, dir, settings[1:4])
	})
}

// Blocks have at most 1,024 rows, and sketches are exact to 256 and 512 values.
func TestLargeTables(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{t, drawTable(t, 60)}
		d.table.repeat(t, 50)
		q := question{d.table.data, []string{d.declaration() + d.query()}, d.table.in, d.table.from}
		q.judge(t, dir, few)
	})
}
