package op

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "time/tzdata"
)

func zone(t require.TestingT, name string) *time.Location {
	z, err := time.LoadLocation(name)
	require.NoError(t, err)
	return z
}

func instant(t require.TestingT, s string) int64 {
	at, err := time.Parse(time.RFC3339, s)
	require.NoError(t, err)
	return at.UnixNano()
}

func tumble(size time.Duration) Window { return Window{Kind: Tumble, Size: size, Slide: size} }

func tumbleDays(days int, z *time.Location) Window {
	return Window{Kind: Tumble, SizeDays: days, SlideDays: days, Zone: z}
}

func in(w Window, z *time.Location) Window {
	w.Zone = z
	return w
}

func TestWindowOf(t *testing.T) {
	newYork, berlin := zone(t, "America/New_York"), zone(t, "Europe/Berlin")
	lordHowe, kathmandu := zone(t, "Australia/Lord_Howe"), zone(t, "Asia/Kathmandu")
	saoPaulo, samoa := zone(t, "America/Sao_Paulo"), zone(t, "Pacific/Apia")
	for _, c := range []struct {
		claim          string
		w              Window
		at, start, end string
	}{
		{"a boundary belongs to the later window", tumble(10 * time.Second), "2024-01-01T00:00:10Z", "2024-01-01T00:00:10Z", "2024-01-01T00:00:20Z"},
		{"windows before 1970 are floored", tumble(10 * time.Second), "1969-12-31T23:59:59Z", "1969-12-31T23:59:50Z", "1970-01-01T00:00:00Z"},
		{"windows are counted from the origin", Window{Kind: Tumble, Size: time.Hour, Origin: int64(5 * time.Minute)}, "2024-01-01T00:04:00Z", "2023-12-31T23:05:00Z", "2024-01-01T00:05:00Z"},
		{"days without a zone are those of UTC", tumbleDays(1, nil), "2024-03-10T12:00:00Z", "2024-03-10T00:00:00Z", "2024-03-11T00:00:00Z"},
		{"Kathmandu's day is 5:45 ahead", tumbleDays(1, kathmandu), "2024-01-01T18:20:00Z", "2024-01-01T18:15:00Z", "2024-01-02T18:15:00Z"},
		{"Kathmandu's hours too", in(tumble(time.Hour), kathmandu), "2024-01-01T18:20:00Z", "2024-01-01T18:15:00Z", "2024-01-01T19:15:00Z"},
		{"a day of spring has 23 hours", tumbleDays(1, newYork), "2024-03-10T12:00:00-04:00", "2024-03-10T00:00:00-05:00", "2024-03-11T00:00:00-04:00"},
		{"a day of autumn has 25 hours", tumbleDays(1, berlin), "2024-10-27T12:00:00+01:00", "2024-10-27T00:00:00+02:00", "2024-10-28T00:00:00+01:00"},
		{"weeks count from the epoch's Thursday", tumbleDays(7, berlin), "2024-03-31T12:00:00+02:00", "2024-03-28T00:00:00+01:00", "2024-04-04T00:00:00+02:00"},
		{"a day without midnight begins at the jump", tumbleDays(1, saoPaulo), "2018-11-04T12:00:00-02:00", "2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"},
		{"the day before ends there", tumbleDays(1, saoPaulo), "2018-11-03T12:00:00-03:00", "2018-11-03T00:00:00-03:00", "2018-11-04T01:00:00-02:00"},
		{"a date that a zone skipped has no day", tumbleDays(1, samoa), "2011-12-29T12:00:00-10:00", "2011-12-29T00:00:00-10:00", "2011-12-31T00:00:00+14:00"},
		{"the repeated hour is two windows: first", in(tumble(time.Hour), newYork), "2024-11-03T05:30:00Z", "2024-11-03T05:00:00Z", "2024-11-03T06:00:00Z"},
		{"the repeated hour is two windows: second", in(tumble(time.Hour), newYork), "2024-11-03T06:30:00Z", "2024-11-03T06:00:00Z", "2024-11-03T07:00:00Z"},
		{"six hours last seven when the clock is set back", in(tumble(6*time.Hour), newYork), "2024-11-03T05:30:00Z", "2024-11-03T00:00:00-04:00", "2024-11-03T06:00:00-05:00"},
		{"and five when it is set forward", in(tumble(6*time.Hour), newYork), "2024-03-10T05:30:00Z", "2024-03-10T00:00:00-05:00", "2024-03-10T06:00:00-04:00"},
		{"a window begins where the clock jumps over its start", in(tumble(2*time.Hour), newYork), "2024-03-10T07:30:00Z", "2024-03-10T03:00:00-04:00", "2024-03-10T04:00:00-04:00"},
		{"Lord Howe: half an hour is set back into an hour", in(tumble(time.Hour), lordHowe), "2024-04-06T14:30:00Z", "2024-04-07T01:00:00+11:00", "2024-04-07T02:00:00+10:30"},
		{"Lord Howe: half an hour is jumped over", in(tumble(time.Hour), lordHowe), "2024-10-05T15:30:00Z", "2024-10-06T02:30:00+11:00", "2024-10-06T03:00:00+11:00"},
		{"Lord Howe's day of autumn has 24.5 hours", tumbleDays(1, lordHowe), "2024-04-06T20:00:00Z", "2024-04-07T00:00:00+11:00", "2024-04-08T00:00:00+10:30"},
		{"24 hours do not follow the clock", in(tumble(24*time.Hour), newYork), "2024-07-01T12:00:00Z", "2024-07-01T01:00:00-04:00", "2024-07-02T01:00:00-04:00"},
		{"a zone's origin is a reading of its clock", Window{Kind: Tumble, SizeDays: 1, Zone: newYork, Origin: int64(6 * time.Hour)}, "2024-07-01T12:00:00Z", "2024-07-01T06:00:00-04:00", "2024-07-02T06:00:00-04:00"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			w, err := c.w.windows()
			require.NoError(t, err)
			s := w.starts.at(instant(t, c.at))
			print := func(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }
			assert.Equal(t, print(instant(t, c.start)), print(s.start), "start")
			assert.Equal(t, print(instant(t, c.end)), print(s.end), "end")
		})
	}
}

func TestInvalidWindowsAreRefused(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for claim, w := range map[string]Window{
		"a size of nothing":              tumble(0),
		"a negative size":                tumble(-time.Second),
		"days and hours":                 {Kind: Tumble, Size: time.Hour, SizeDays: 1},
		"slide over size":                {Kind: Hop, Size: time.Second, Slide: time.Hour},
		"no slide":                       {Kind: Hop, Size: time.Second},
		"a thousand years":               tumbleDays(365_000, nil),
		"days by seven hours in a zone":  {Kind: Hop, SizeDays: 1, Slide: 7 * time.Hour, Zone: berlin},
		"36 hours by days in a zone":     {Kind: Hop, Size: 36 * time.Hour, SlideDays: 1, Zone: berlin},
		"a kind of window not known yet": {Kind: Hop + 1, Size: 1},
	} {
		_, err := w.windows()
		assert.Error(t, err, claim)
	}
}

// someWindow draws a window and an instant that is often near a change of clocks.
func someWindow(t *rapid.T) (w Window, at int64) {
	zones := []string{"", "UTC", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo", "America/Havana", "America/St_Johns", "Pacific/Apia"}
	if name := rapid.SampledFrom(zones).Draw(t, "zone"); name != "" {
		w.Zone = zone(t, name)
	}
	sizes := []time.Duration{time.Minute, 20 * time.Minute, 40 * time.Minute, 30 * time.Minute, time.Hour, 80 * time.Minute, 2 * time.Hour, 160 * time.Minute, 6 * time.Hour, 8 * time.Hour, 7 * time.Hour, 24 * time.Hour, 36 * time.Hour}
	w.Kind = rapid.SampledFrom([]WindowKind{Tumble, Hop}).Draw(t, "kind")
	if rapid.Bool().Draw(t, "days") {
		w.SizeDays = rapid.IntRange(1, 9).Draw(t, "size")
	} else {
		w.Size = rapid.SampledFrom(sizes).Draw(t, "size")
	}
	if rapid.Bool().Draw(t, "slide days") {
		w.SlideDays = rapid.IntRange(1, 9).Draw(t, "slide")
	} else {
		w.Slide = rapid.SampledFrom(sizes).Draw(t, "slide")
	}
	if rapid.Bool().Draw(t, "with origin") {
		w.Origin = rapid.Int64Range(-int64(1000*day), int64(1000*day)).Draw(t, "origin")
	}
	at = rapid.Int64Range(-int64(3000*day), int64(30_000*day)).Draw(t, "at")
	if w.Zone != nil && rapid.Bool().Draw(t, "near a change") {
		if _, change := time.Unix(0, at).In(w.Zone).ZoneBounds(); !change.IsZero() {
			at = change.UnixNano() + rapid.Int64Range(-int64(26*time.Hour), int64(26*time.Hour)).Draw(t, "off")
		}
	}
	return w, at
}

func TestEveryInstantIsInOneTumblingWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, at := someWindow(t)
		w, err := spec.windows()
		if err != nil {
			t.Skip(err)
		}
		for name, g := range map[string]grid{"starts": w.starts, "panes": w.panes} {
			s := g.at(at)
			require.True(t, s.contains(at), "%s %v: %v not in %v", name, spec, at, s)
			require.Equal(t, s, g.at(s.start), "%s of its start", name)
			require.Equal(t, s, g.at(s.end-1), "%s of its last instant", name)
			require.Equal(t, s.end, g.at(s.end).start, "%s leave no gap after", name)
			require.Equal(t, s.start, g.at(s.start-1).end, "%s leave no gap before", name)
		}
	})
}

func TestHoppingWindowsConsistOfPanesAndCoverTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, at := someWindow(t)
		w, err := spec.windows()
		if err != nil {
			t.Skip(err)
		}
		first := w.first(at)
		require.LessOrEqual(t, first, at)
		require.Greater(t, w.end(first), at, "the first window contains the instant")
		before := w.starts.at(first - 1).start
		require.LessOrEqual(t, w.end(before), at, "the one before does not")
		pane, end := w.panes.at(at), first
		for start := first; start <= at; start = w.next(start) {
			require.Equal(t, start, w.panes.at(start).start, "a window begins with a pane")
			require.GreaterOrEqual(t, w.end(start), end, "windows end in order of their starts")
			require.GreaterOrEqual(t, w.end(start), w.next(start), "windows leave no gap")
			end = w.end(start)
			require.Equal(t, end, w.panes.at(end).start, "a window ends with a pane")
			require.LessOrEqual(t, start, pane.start)
			require.GreaterOrEqual(t, end, pane.end, "a pane is in all windows of its instants")
		}
		require.Equal(t, end, w.lastEnd(at))
	})
}

// TestWallWindowsAgreeWithTheClock compares with the definition, minute by minute around each change of clocks of a year.
func TestWallWindowsAgreeWithTheClock(t *testing.T) {
	for _, name := range []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Havana", "America/Sao_Paulo"} {
		z := zone(t, name)
		for _, size := range []time.Duration{20 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour} {
			spec := in(tumble(size), z)
			w, err := spec.windows()
			require.NoError(t, err)
			at := time.Date(2018, 1, 1, 0, 0, 0, 0, z)
			for range 3 {
				_, change := at.ZoneBounds()
				if change.IsZero() {
					change = at
				}
				agrees(t, fmt.Sprint(name, " ", size, " ", change), w.starts, change.Truncate(time.Minute), size)
				at = change
			}
		}
	}
}

func agrees(t *testing.T, claim string, g grid, around time.Time, size time.Duration) {
	bucket := func(at time.Time) (n int64, first bool) {
		_, offset := at.Zone()
		reading := at.Unix() + int64(offset)
		n = floorDiv(reading, int64(size/time.Second))
		return n, reading%int64(size/time.Second) == 0
	}
	start := int64(math.MinInt64)
	last, _ := bucket(around.Add(-24*time.Hour - time.Minute))
	for minute := -24 * 60; minute < 24*60; minute++ {
		at := around.Add(time.Duration(minute) * time.Minute)
		n, first := bucket(at)
		if n != last || first {
			start = at.UnixNano()
		}
		last = n
		if start != math.MinInt64 {
			require.Equal(t, start, g.at(at.UnixNano()).start, "%s at %v", claim, at)
		}
	}
}

func TestWindowsAtTheEndsOfTime(t *testing.T) {
	for _, spec := range []Window{
		tumble(time.Second), tumble(3), tumbleDays(1, nil), tumbleDays(maxDays, zone(t, "Europe/Berlin")), tumbleDays(1, zone(t, "Europe/Berlin")),
		in(tumble(time.Hour), zone(t, "Australia/Lord_Howe")),
		{Kind: Hop, Size: 3 * time.Hour, Slide: 2 * time.Hour},
		{Kind: Hop, Size: 3 * time.Hour, Slide: 2 * time.Hour, Zone: zone(t, "America/New_York")},
		{Kind: Hop, SizeDays: 9, SlideDays: 6, Zone: zone(t, "Asia/Kathmandu")},
		{Kind: Hop, SizeDays: 9, Slide: time.Hour, Zone: zone(t, "Asia/Kathmandu"), Origin: math.MaxInt64},
	} {
		w, err := spec.windows()
		require.NoError(t, err)
		for _, at := range []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt64 + int64(day), math.MaxInt64 - int64(day), math.MaxInt64 - 1, math.MaxInt64} {
			for _, g := range []grid{w.starts, w.panes} {
				s := g.at(at)
				require.True(t, s.contains(at), "%v: %v not in %v", spec, at, s)
				require.Less(t, s.start, s.end)
			}
			first := w.first(at)
			require.LessOrEqual(t, first, at, spec)
			end := w.end(first)
			require.True(t, end > at || end == math.MaxInt64, "%v", spec)
			require.GreaterOrEqual(t, w.lastEnd(at), end)
		}
	}
}

func TestFindingTheWindowDoesNotAllocate(t *testing.T) {
	spec := in(tumble(time.Hour), zone(t, "America/New_York"))
	w, err := spec.windows()
	require.NoError(t, err)
	at := int64(0)
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		at += int64(time.Hour)
		w.panes.at(at)
		w.lastEnd(at)
	}))
}
