package expr_test

import (
	"testing"
	"time"
	_ "time/tzdata" // zones on machines that have none

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestZones(t *testing.T) {
	spring, autumn := ts("2024-03-31T10:00:00Z"), ts("2024-10-27T10:00:00Z") // when Berlin's clocks change
	check(t, []claim{
		is("a day begins at local midnight", "date_trunc", "TIMESTAMP '2024-02-29T23:00:00Z'", "day", ts("2024-03-01T12:00:00Z"), "Europe/Berlin"),
		is("a day of 23 hours begins before the change", "date_trunc", "TIMESTAMP '2024-03-30T23:00:00Z'", "day", spring, "Europe/Berlin"),
		is("a day of 25 hours begins before the change", "date_trunc", "TIMESTAMP '2024-10-26T22:00:00Z'", "day", autumn, "Europe/Berlin"),
		is("a month begins in winter time", "date_trunc", "TIMESTAMP '2024-02-29T23:00:00Z'", "month", spring, "Europe/Berlin"),
		is("a year begins in winter time", "date_trunc", "TIMESTAMP '2023-12-31T23:00:00Z'", "year", autumn, "Europe/Berlin"),
		is("a week begins on Monday", "date_trunc", "TIMESTAMP '2024-03-24T23:00:00Z'", "week", spring, "Europe/Berlin"),
		is("an hour that comes twice, once", "date_trunc", "TIMESTAMP '2024-10-27T00:00:00Z'", "hour", ts("2024-10-27T00:30:00Z"), "Europe/Berlin"),
		is("an hour that comes twice, again", "date_trunc", "TIMESTAMP '2024-10-27T01:00:00Z'", "hour", ts("2024-10-27T01:30:00Z"), "Europe/Berlin"),
		is("hours of an offset of 45 minutes", "date_trunc", "TIMESTAMP '2024-01-01T00:15:00Z'", "hour", ts("2024-01-01T01:00:00Z"), "Asia/Kathmandu"),
		is("an hour within which the clock is set back", "date_trunc", "TIMESTAMP '2024-04-06T14:00:00Z'", "hour", ts("2024-04-06T15:10:00Z"), "Australia/Lord_Howe"),
		is("a clock that jumps over midnight", "date_trunc", "TIMESTAMP '2018-11-04T03:00:00Z'", "day", ts("2018-11-04T12:00:00Z"), "America/Sao_Paulo"),
		is("a clock set back over midnight", "date_trunc", "TIMESTAMP '2010-11-07T02:30:00Z'", "day", ts("2010-11-07T03:00:00Z"), "America/St_Johns"),
		is("a date that was left out", "date_trunc", "TIMESTAMP '2011-12-30T10:00:00Z'", "day", ts("2011-12-30T12:00:00Z"), "Pacific/Apia"),
		is("UTC", "date_trunc", "TIMESTAMP '2024-10-27T00:00:00Z'", "day", autumn, "UTC"),
		is("at the end of time", "date_trunc", "NULL overflow", "day", Time(1<<63-1), "Europe/Berlin"),
		is("NULL", "date_trunc", "NULL", "day", Null(tuple.Timestamp), "Europe/Berlin"),
		is("the hour on the wall", "date_part", "12", "hour", spring, "Europe/Berlin"),
		is("the day on the wall", "extract", "1", "day", ts("2024-02-29T23:30:00Z"), "Europe/Berlin"),
		is("minutes on the wall", "date_part", "15", "minute", ts("2024-01-01T00:30:00Z"), "Asia/Kathmandu"),
		is("epoch is that of all zones", "date_part", "1.0", "epoch", Time(1e9), "Europe/Berlin"),
		is("a part at the end of time", "date_part", "NULL overflow", "hour", Time(1<<63-1), "Europe/Berlin"),
	})
}

func TestZonesSayWhatIsWrong(t *testing.T) {
	at, text := typed(tuple.Timestamp), typed(tuple.Text)
	for _, c := range []struct {
		claim string
		zone  *expr.Node
		says  string
	}{
		{"unknown", word("Europe/Berlni"), "unknown time zone 'Europe/Berlni': zones have names such as Europe/Berlin"},
		{"empty", word(""), "unknown time zone ''"},
		{"this machine's", word("Local"), "unknown time zone 'Local'"},
		{"from a column", text, "the time zone must be a literal"},
	} {
		for _, name := range []string{"date_trunc", "date_part"} {
			_, _, err := expr.Resolve(name, []*expr.Node{word("day"), at, c.zone})
			assert.ErrorContains(t, err, c.says, "%s: %s", name, c.claim)
		}
	}
	_, _, err := expr.Resolve("date_part", []*expr.Node{word("epoch"), typed(tuple.Interval), word("UTC")})
	assert.ErrorContains(t, err, "date_part takes (TEXT, TIMESTAMP[, TEXT]) or (TEXT, INTERVAL), not")
}

// lastBeginning looks minute by minute for the beginning of the day or hour, on the wall of the zone, that at lies in.
func lastBeginning(unit string, at time.Time) time.Time {
	reading := func(x time.Time) time.Time {
		y, m, d := x.Date()
		hour := 0
		if unit == "hour" {
			hour = x.Hour()
		}
		return time.Date(y, m, d, hour, 0, 0, 0, time.UTC)
	}
	at = at.Truncate(time.Minute)
	if unit == "hour" {
		x := at
		for x.Minute() != 0 && reading(x.Add(-time.Minute)).Equal(reading(x)) {
			x = x.Add(-time.Minute)
		}
		return x
	}
	latest, start := time.Time{}, time.Time{}
	for x := at.Add(-52 * time.Hour); !x.After(at); x = x.Add(time.Minute) {
		if date := reading(x); date.After(latest) {
			latest, start = date, x
		}
	}
	return start
}

func TestZonedTruncationAgreesWithTheWall(t *testing.T) {
	names := []string{
		"Europe/Berlin", "America/New_York", "America/Sao_Paulo", "America/St_Johns", "America/Havana", "Asia/Kathmandu",
		"Asia/Beirut", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll", "Asia/Pyongyang",
	}
	programs := map[string]*expr.Program{}
	rapid.Check(t, func(t *rapid.T) {
		name, unit := rapid.SampledFrom(names).Draw(t, "zone"), rapid.SampledFrom([]string{"day", "hour"}).Draw(t, "unit")
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		at := time.Unix(rapid.Int64Range(180e6, 2000e6).Draw(t, "s"), 0).In(zone)
		if _, change := at.ZoneBounds(); !change.IsZero() {
			at = change.In(zone)
		}
		at = at.Add(time.Duration(rapid.Int64Range(-int64(30*time.Hour), int64(30*time.Hour)).Draw(t, "around")))
		p := programs[unit+name] // kept, so that it remembers what it saw
		if p == nil {
			p, err = expr.Compile(Call("date_trunc", word(unit), typed(tuple.Timestamp), word(name)))
			require.NoError(t, err)
			programs[unit+name] = p
		}
		got := p.Eval([]tuple.Column{Column(tuple.Timestamp, Time(at.UnixNano()))}, 1, tuple.All(1))
		require.Equal(t, Time(lastBeginning(unit, at).UnixNano()).String(), expr.ValueAt(got, 0).String(), "%s of %v", unit, at)
	})
}
