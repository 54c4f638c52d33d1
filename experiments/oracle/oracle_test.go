package oracle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/experiments/oracle"
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
		d.table.repeat(t, 40)
		q := question{d.table.data, []string{d.declaration() + d.query()}, d.table.in, d.table.from}
		q.judge(t, dir, few)
	})
}

// changes are moments, in UTC, near which clocks are set: by an hour, by half of one, over midnight, and by a day.
var changes = []struct{ zone, at string }{
	{"Europe/Berlin", "2024-03-31T01:00:00Z"},
	{"Europe/Berlin", "2024-10-27T01:00:00Z"},
	{"Australia/Lord_Howe", "2024-04-06T15:00:00Z"},
	{"Australia/Lord_Howe", "2024-10-05T15:30:00Z"},
	{"America/Sao_Paulo", "2018-11-04T03:00:00Z"},
	{"America/Sao_Paulo", "2018-02-18T02:00:00Z"},
	{"Pacific/Apia", "2011-12-30T10:00:00Z"},
	{"Asia/Kathmandu", "1985-12-31T18:30:00Z"},
}

func TestWindowsWhereClocksAreSet(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{t: t}
		change := rapid.SampledFrom(changes).Draw(t, "change")
		at, _ := time.Parse(time.RFC3339, change.at)
		pace := rapid.SampledFrom([]time.Duration{time.Minute, 17 * time.Minute, 3 * time.Hour, 20 * time.Hour}).Draw(t, "pace")
		var data strings.Builder
		for range 40 {
			ts := at.Add(time.Duration(rapid.IntRange(-20, 20).Draw(t, "step")) * pace)
			fmt.Fprintf(&data, "{\"ts\":%q}\n", ts.Format(time.RFC3339))
		}
		window := "tumble(ts, '" + d.pick("15 minutes", "30 minutes", "1 hour", "2 hours", "3 hours", "6 hours", "12 hours", "7 hours", "24 hours", "1 day", "2 days", "7 days") + "'"
		if d.chance(2) {
			window = "hop(ts, " + d.pick("'15 minutes', '1 hour'", "'1 hour', '2 hours'", "'2 hours', '6 hours'", "'30 minutes', '45 minutes'", "'3 hours', '1 day'", "'1 day', '2 days'", "'2 days', '3 days'", "'7 hours', '21 hours'")
		}
		window += d.pick("", ", origin => INTERVAL '90 minutes'", ", origin => INTERVAL '6 hours'") + ", timezone => '" + change.zone + "')"
		sql := "SELECT window_start, window_end, count(*) AS n FROM t GROUP BY " + window
		from := oracle.Input{Format: codec.NDJSON, Unit: codec.UnitText}
		in := engine.Input{Lateness: engine.Lateness{Set: true}}
		if d.chance(2) {
			from.ToEnd, in.Lateness.End = true, true
		}
		q := question{[]byte(data.String()), []string{sql}, in, from}
		q.judge(t, dir, settings[:2])
	})
}
