package tuple_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestParseTime(t *testing.T) {
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC).UnixNano()
	hour, minute := int64(time.Hour), int64(time.Minute)
	for _, c := range []struct {
		claim, in string
		want      int64
	}{
		{"a date is midnight UTC", "2024-02-29", day},
		{"RFC 3339", "2024-02-29T01:00:00Z", day + hour},
		{"lower case", "2024-02-29t01:00:00z", day + hour},
		{"a space parts date and time", "2024-02-29 01:00:00", day + hour},
		{"seconds are optional", "2024-02-29 01:30", day + hour + 30*minute},
		{"a fraction", "2024-02-29 00:00:00.25", day + 250_000_000},
		{"a decimal comma", "2024-02-29 00:00:00,001", day + 1_000_000},
		{"digits beyond the ninth are cut off", "2024-02-29T00:00:00.0000000019Z", day + 1},
		{"an offset east is earlier", "2024-02-29T01:00:00+01:00", day},
		{"an offset of hours and minutes", "2024-02-29T05:45:00+0545", day},
		{"an offset of hours", "2024-02-28T20:00:00-04", day},
		{"an offset with seconds", "2024-02-29T00:19:32+00:19:32", day},
		{"a space before the zone", "2024-02-29 01:00:00 +01:00", day},
		{"UTC by name", "2024-02-29 00:00:00 UTC", day},
		{"before 1970", "1969-12-31T23:59:59.999999999Z", -1},
		{"the first ns", "1677-09-21T00:12:43.145224192Z", math.MinInt64},
		{"the last ns", "2262-04-11T23:47:16.854775807Z", math.MaxInt64},
	} {
		got, ok := tuple.ParseTime([]byte(c.in))
		assert.True(t, ok, c.claim)
		assert.Equal(t, c.want, got, c.claim)
	}
}

func TestParseTimeRefuses(t *testing.T) {
	for claim, in := range map[string]string{
		"empty": "", "a bare year": "2024", "day 30 of February": "2024-02-30", "no leap year": "2023-02-29",
		"no leap year at a century": "1900-02-29", "month 13": "2024-13-01", "month 0": "2024-00-01",
		"hour 24": "2024-01-01T24:00:00Z", "a leap second": "2016-12-31T23:59:60Z", "a point without digits": "2024-01-01T00:00:00.Z",
		"rubbish after it": "2024-01-01T00:00:00Zx", "a sign without a zone": "2024-01-01T00:00:00+", "half a zone": "2024-01-01T00:00:00+5",
		"a date and a T": "2024-01-01T", "slashes": "2024/01/01", "below the range": "1677-09-21T00:12:43.145224191Z",
		"above the range": "2262-04-11T23:47:16.854775808Z", "far above": "9999-12-31", "year 0": "0000-01-01",
		"letters": "2o24-01-01", "a zone with four parts": "2024-01-01T00:00:00+01:00:00:00",
	} {
		_, ok := tuple.ParseTime([]byte(in))
		assert.False(t, ok, claim)
	}
}

func TestAppendTime(t *testing.T) {
	kathmandu, err := time.LoadLocation("Asia/Kathmandu")
	require.NoError(t, err)
	london, err := time.LoadLocation("Europe/London")
	require.NoError(t, err)
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
	for _, c := range []struct {
		claim string
		ns    int64
		zone  *time.Location
		want  string
	}{
		{"UTC prints Z", start, nil, "2024-01-01T00:00:00Z"},
		{"so does time.UTC", start, time.UTC, "2024-01-01T00:00:00Z"},
		{"zones print their offset", start, kathmandu, "2024-01-01T05:45:00+05:45"},
		{"also when it is zero", start, london, "2024-01-01T00:00:00+00:00"},
		{"west of UTC", start, time.FixedZone("", -3*3600-1800), "2023-12-31T20:30:00-03:30"},
		{"an offset with seconds", start, time.FixedZone("", 1172), "2024-01-01T00:19:32+00:19:32"},
		{"trailing zeros are trimmed", start + 120_000_000, nil, "2024-01-01T00:00:00.12Z"},
		{"leading zeros are not", start + 1, nil, "2024-01-01T00:00:00.000000001Z"},
		{"before 1970", -1, nil, "1969-12-31T23:59:59.999999999Z"},
		{"the first ns", math.MinInt64, nil, "1677-09-21T00:12:43.145224192Z"},
		{"the last ns", math.MaxInt64, nil, "2262-04-11T23:47:16.854775807Z"},
	} {
		assert.Equal(t, c.want, string(tuple.AppendTime([]byte("x"), c.ns, c.zone))[1:], c.claim)
	}
}

func TestTimeAgreesWithTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64().Draw(t, "ns")
		offset := rapid.IntRange(-23*60, 23*60).Draw(t, "minutes")
		zone := time.FixedZone("", offset*60)
		text := tuple.AppendTime(nil, ns, zone)
		want := time.Unix(0, ns).In(zone).Format(time.RFC3339Nano)
		require.Equal(t, strings.TrimSuffix(want, "Z"), strings.TrimSuffix(string(text), "+00:00"))
		got, ok := tuple.ParseTime(text)
		require.True(t, ok)
		require.Equal(t, ns, got)
	})
}

func FuzzParseTime(f *testing.F) {
	f.Add("2024-02-29T01:02:03.4567+05:45")
	f.Add("1969-12-31")
	f.Fuzz(func(t *testing.T, s string) {
		want, err := time.Parse(time.RFC3339Nano, s)
		got, ok := tuple.ParseTime([]byte(s))
		if ok && err == nil && got != want.UnixNano() {
			t.Fatalf("%q: %d, the standard library says %d", s, got, want.UnixNano())
		}
		if year := want.Year(); err == nil && !ok && year > 1677 && year < 2262 && len(s) < 36 {
			// The standard library takes an hour of one digit, which RFC 3339 does not have.
			short := len(s) > 12 && s[12] == ':'
			if _, offset := want.Zone(); offset < 24*3600 && offset > -24*3600 && !short {
				t.Fatalf("%q is refused", s)
			}
		}
	})
}

func TestTimesDoNotAllocate(t *testing.T) {
	text := []byte("2024-02-29T01:02:03.4567+05:45")
	zone := time.FixedZone("", 20700)
	var dst [64]byte
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		ns, _ := tuple.ParseTime(text)
		tuple.AppendTime(dst[:0], ns, zone)
	}))
}

func BenchmarkParseTime(b *testing.B) {
	text := []byte("2024-02-29T01:02:03.456Z")
	for b.Loop() {
		tuple.ParseTime(text)
	}
}

func BenchmarkAppendTime(b *testing.B) {
	var dst [64]byte
	for b.Loop() {
		tuple.AppendTime(dst[:0], 1704067200123000000, nil)
	}
}
