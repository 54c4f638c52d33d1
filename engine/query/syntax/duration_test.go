package syntax_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

func TestParseDuration(t *testing.T) {
	for _, c := range []struct {
		text string
		days int64
		rest time.Duration
	}{
		{"1m", 0, time.Minute},
		{"500ms", 0, 500 * time.Millisecond},
		{"1h30m", 0, 90 * time.Minute},
		{"1 minute", 0, time.Minute},
		{"1 hour 30 minutes", 0, 90 * time.Minute},
		{" 2  Hours ", 0, 2 * time.Hour},
		{"1 day", 1, 0},
		{"1 week", 7, 0},
		{"1w 2d", 9, 0},
		{"1 day 2h", 1, 2 * time.Hour},
		{"24h", 0, 24 * time.Hour},
		{"1.5h", 0, 90 * time.Minute},
		{".5s", 0, 500 * time.Millisecond},
		{"0.000000001s", 0, 1},
		{"0.1s", 0, 100 * time.Millisecond},
		{"1.50 minutes", 0, 90 * time.Second},
		{"3µs", 0, 3 * time.Microsecond},
		{"-1h30m", 0, -90 * time.Minute},
		{"- 1 day", -1, 0},
		{"0", 0, 0},
		{"9223372036854775807ns", 0, math.MaxInt64},
		{"106751 days", 106751, 0},
	} {
		t.Run(c.text, func(t *testing.T) {
			d, err := syntax.ParseDuration(c.text)
			require.NoError(t, err)
			assert.Equal(t, syntax.Duration{Days: c.days, Rest: c.rest}, d)
		})
	}
}

func TestParseDurationRefuses(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "empty"},
		{"-", "empty"},
		{"5", "needs a unit"},
		{"1h 5", "needs a unit"},
		{"1 month", "have no fixed length"},
		{"2 YEARS", "have no fixed length"},
		{"1M", "minutes or months"},
		{"1 minuet", "did you mean minute?"},
		{"1 parsec", "unknown unit"},
		{"1.5 days", "fractions"},
		{"0.5 weeks", "fractions"},
		{"1.5ns", "finer than a nanosecond"},
		{"0.0000000001s", "finer than a nanosecond"},
		{"0.1234567890123456789h", "finer than a nanosecond"},
		{"106752 days", "too long"},
		{"106751 days 24h", "too long"},
		{"9223372036854775808ns", "too long"},
		{"99999999999999999999h", "too long"},
		{"minute", "expected a number"},
		{"1h -5m", "expected a number"},
		{"1h, 5m", "expected a number"},
		{"٣ hours", "expected a number"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := syntax.ParseDuration(c.text)
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.says)
		})
	}
}

func TestDurationsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDuration(t)
		again, err := syntax.ParseDuration(d.String())
		require.NoError(t, err, d.String())
		assert.Equal(t, d, again, d.String())
	})
}

func TestDurationsReadWhatGoPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := time.Duration(rapid.Int64Range(-math.MaxInt64, math.MaxInt64).Draw(t, "ns"))
		d, err := syntax.ParseDuration(want.String())
		require.NoError(t, err)
		assert.Equal(t, int64(want), d.Nanos())
		assert.Zero(t, d.Days)
	})
}

func drawDuration(t *rapid.T) syntax.Duration {
	d := syntax.Duration{
		Days: rapid.Int64Range(0, 50_000).Draw(t, "days"),
		Rest: time.Duration(rapid.OneOf(rapid.Int64Range(0, math.MaxInt64/2), rapid.Just(int64(0)), rapid.Just(int64(time.Hour))).Draw(t, "rest")),
	}
	if rapid.Bool().Draw(t, "negative") {
		d = syntax.Duration{Days: -d.Days, Rest: -d.Rest}
	}
	return d
}
