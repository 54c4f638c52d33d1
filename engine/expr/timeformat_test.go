package expr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestStrftime(t *testing.T) {
	at := ts("2024-02-29T13:04:05.678901234Z") // a Thursday
	check(t, []claim{
		is("a date", "strftime", "'2024-02-29'", at, "%Y-%m-%d"),
		is("the format may come first", "strftime", "'2024-02-29'", "%Y-%m-%d", at),
		is("a clock", "strftime", "'13:04:05'", at, "%H:%M:%S"),
		is("fractions of the second", "strftime", "'678 678901 678901234'", at, "%g %f %n"),
		is("fractions keep zeros", "strftime", "'001 001000 001000000'", Time(1e6), "%g %f %n"),
		is("twelve hours", "strftime", "'01 PM'", at, "%I %p"),
		is("midnight is twelve", "strftime", "'12 AM'", Time(0), "%I %p"),
		is("noon is twelve", "strftime", "'12 PM'", ts("2024-01-01 12:00"), "%I %p"),
		is("names", "strftime", "'Thu Thursday Feb February'", at, "%a %A %b %B"),
		is("days by number", "strftime", "'060 4 4 24'", at, "%j %w %u %y"),
		is("Sunday by number", "strftime", "'0 7'", ts("2024-03-03"), "%w %u"),
		is("ISO weeks", "strftime", "'2020-W53'", ts("2021-01-03"), "%G-W%V"),
		is("weeks from Sunday and Monday", "strftime", "'01 00'", ts("2021-01-03"), "%U %W"),
		is("weeks of a year's first days", "strftime", "'00 01'", ts("2024-01-01"), "%U %W"),
		is("without zeros", "strftime", "'2/9 3:4:5 am'", ts("2024-02-09 03:04:05"), "%-m/%-d %-I:%-M:%-S am"),
		is("a day behind a space", "strftime", "'Feb  9'", ts("2024-02-09"), "%b %e"),
		is("the zone is UTC", "strftime", "'+00 UTC'", at, "%z %Z"),
		is("seconds since the epoch", "strftime", "'1709211845'", at, "%s"),
		is("seconds before the epoch go down", "strftime", "'-1'", Time(-1), "%s"),
		is("composites", "strftime", "'2024-02-29 13:04:05 13:04 02/29/24 2024-02-29 13:04:05'", at, "%F %T %R %D %c"),
		is("a percent sign", "strftime", "'100%F 2024'", at, "100%%F %Y"),
		is("text alone", "strftime", "'né'", at, "né"),
		is("nothing", "strftime", "''", at, ""),
		is("NULL", "strftime", "NULL", Null(tuple.Timestamp), "%Y"),
		is("the first time there is", "strftime", "'1677-09-21 00:12:43.145224192'", Time(-1<<63), "%F %T.%n"),
		is("dayname", "dayname", "'Thursday'", at),
		is("monthname", "monthname", "'February'", at),
	})
}

func TestStrptime(t *testing.T) {
	for _, c := range []struct{ says, text, format, want string }{
		{"a date", "2024-02-29", "%Y-%m-%d", "2024-02-29T00:00:00Z"},
		{"a clock", "2024-02-29 13:04:05", "%Y-%m-%d %H:%M:%S", "2024-02-29T13:04:05Z"},
		{"digits in a row", "20240229130405", "%Y%m%d%H%M%S", "2024-02-29T13:04:05Z"},
		{"an access log", "29/Feb/2024:13:04:05 -0730", "%d/%b/%Y:%H:%M:%S %z", "2024-02-29T20:34:05Z"},
		{"a system log has no year", "Feb  9 13:04:05", "%b %e %T", "1900-02-09T13:04:05Z"},
		{"a clock alone", "13:04", "%R", "1900-01-01T13:04:00Z"},
		{"without leading zeros", "2/9/2024", "%m/%d/%Y", "2024-02-09T00:00:00Z"},
		{"milliseconds", "1.5 2024", "%S.%g %Y", "2024-01-01T00:00:01.5Z"},
		{"microseconds", "1.000001 2024", "%S.%f %Y", "2024-01-01T00:00:01.000001Z"},
		{"nanoseconds", "1.000000001 2024", "%S.%n %Y", "2024-01-01T00:00:01.000000001Z"},
		{"the afternoon", "Friday, 1 march 2024 - 08:32:45 pm", "%A, %-d %B %Y - %I:%M:%S %p", "2024-03-01T20:32:45Z"},
		{"half before the hour", "PM 12 2024", "%p %I %Y", "2024-01-01T12:00:00Z"},
		{"twelve at night", "12 AM 2024", "%I %p %Y", "2024-01-01T00:00:00Z"},
		{"%p says nothing of 24 hours", "13 AM 2024", "%H %p %Y", "2024-01-01T13:00:00Z"},
		{"a long name for a short one", "September 2024", "%b %Y", "2024-09-01T00:00:00Z"},
		{"a name that is short anyway", "may 2024", "%B %Y", "2024-05-01T00:00:00Z"},
		{"years of two digits", "68 1", "%y %m", "2068-01-01T00:00:00Z"},
		{"years of two digits before", "69 1", "%y %m", "1969-01-01T00:00:00Z"},
		{"the day of the year", "2024 366", "%Y %j", "2024-12-31T00:00:00Z"},
		{"a date counts before it", "2024-02-01 366", "%F %j", "2024-02-01T00:00:00Z"},
		{"seconds since the epoch", "-1.5", "%s.%f", "1969-12-31T23:59:59.5Z"},
		{"an offset with a colon", "2024-01-01T00:00:00+05:45", "%Y-%m-%dT%H:%M:%S%z", "2023-12-31T18:15:00Z"},
		{"an offset of hours", "2024-01-01 00-03", "%F %H%z", "2024-01-01T03:00:00Z"},
		{"an offset of seconds", "2024-01-01 +00:00:01", "%F %z", "2023-12-31T23:59:59Z"},
		{"Z", "2024-01-01Z", "%F%z", "2024-01-01T00:00:00Z"},
		{"the name of UTC", "2024-01-01 gmt", "%F %Z", "2024-01-01T00:00:00Z"},
		{"spaces around", " 2024-01-01\n", " %F ", "2024-01-01T00:00:00Z"},
		{"a run of spaces", "2024  \t01", "%Y %m", "2024-01-01T00:00:00Z"},
		{"a percent sign", "5% 2024", "%m%% %Y", "2024-05-01T00:00:00Z"},
		{"a wrong name of a day", "Mon 2024-02-29", "%a %F", "2024-02-29T00:00:00Z"},
		{"the last time there is", "2262-04-11 23:47:16.854775807", "%F %T.%n", "2262-04-11T23:47:16.854775807Z"},
		{"one more", "2262-04-11 23:47:16.854775808", "%F %T.%n", ""},
		{"a year out of range", "9999-01-01", "%F", ""},
		{"seconds out of range", "999999999999999999", "%s", ""},
		{"no such day", "2023-02-29", "%F", ""},
		{"no such day of the year", "2023 366", "%Y %j", ""},
		{"no such month", "2023-13-01", "%F", ""},
		{"no such hour", "24:00", "%R", ""},
		{"a leap second", "23:59:60", "%T", ""},
		{"hour 0 of twelve", "0 AM", "%I %p", ""},
		{"no such offset", "2024-01-01 +24", "%F %z", ""},
		{"half an offset", "2024-01-01 +1", "%F %z", ""},
		{"the name of another zone", "2024-01-01 CET", "%F %Z", ""},
		{"another separator", "2024/01/01", "%F", ""},
		{"spaces that are not there", "202401", "%Y %m", ""},
		{"something behind", "2024-01-01x", "%F", ""},
		{"too little", "2024-01", "%F", ""},
		{"text without its end", "2024", "%Y!", ""},
		{"nothing", "", "%F", ""},
		{"no month", "Foo 2024", "%b %Y", ""},
	} {
		want, quiet := "TIMESTAMP '"+c.want+"'", "TIMESTAMP '"+c.want+"'"
		if c.want == "" {
			want, quiet = "NULL cast", "NULL"
		}
		check(t, []claim{
			is(c.says, "strptime", want, Text(c.text), c.format),
			is(c.says+", not counted", "try_strptime", quiet, Text(c.text), c.format),
		})
	}
	check(t, []claim{is("NULL", "strptime", "NULL", Null(tuple.Text), "%Y")})
}

func TestFormatsSayWhatIsWrong(t *testing.T) {
	text, at := typed(tuple.Text), typed(tuple.Timestamp)
	for _, c := range []struct {
		claim, name string
		args        []*expr.Node
		says        string
	}{
		{"an unknown conversion", "strftime", []*expr.Node{at, word("%Y-%Q")}, "unknown conversion '%Q': there are %a, %A, "},
		{"in either place", "strftime", []*expr.Node{word("%é"), at}, "unknown conversion '%é'"},
		{"a percent sign at the end", "strptime", []*expr.Node{text, word("%Y%")}, "the format ends inside a conversion: write %% for"},
		{"a minus sign at the end", "strptime", []*expr.Node{text, word("%-")}, "the format ends inside"},
		{"what has no zeros", "strftime", []*expr.Node{at, word("%-Y")}, "'%-Y' has no meaning: only %d, %H, "},
		{"what has no zeros and is not there", "strftime", []*expr.Node{at, word("%-F")}, "unknown conversion '%-F'"},
		{"weeks do not make a date", "strptime", []*expr.Node{text, word("%Y %W")}, "strptime does not read '%W'"},
		{"a format from a column", "strftime", []*expr.Node{at, text}, "the format must be a literal"},
		{"a format that is NULL", "strptime", []*expr.Node{text, Constant(Null(tuple.Text))}, "the format must be a literal"},
		{"no time", "strftime", []*expr.Node{text, word("%Y")}, "strftime takes (TIMESTAMP, TEXT) or (TEXT, TIMESTAMP), not (TEXT, TEXT)"},
	} {
		_, _, err := expr.Resolve(c.name, c.args)
		assert.ErrorContains(t, err, c.says, c.claim)
	}
}

func TestStrptimeReadsWhatStrftimeWrites(t *testing.T) {
	dates := []string{"%F", "%Y %j", "%D", "%a %d %b %Y", "%A, %B %-d %Y", "%Y%m%d", "%e.%m.%Y"}
	clocks := []string{"%T.%n%z", "%I:%M:%S %p,%n", "%H%M%S%n", "%-I%p %-M %-S %n %Z"}
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64().Draw(t, "ns")
		date := rapid.SampledFrom(dates).Draw(t, "date")
		if strings.Contains(date, "%D") {
			ns = rapid.Int64Range(0, 1<<61).Draw(t, "two digits of the year")
		}
		format := Constant(Text(date + " " + rapid.SampledFrom(clocks).Draw(t, "clock")))
		if rapid.Bool().Draw(t, "epoch") {
			format = Constant(Text("%s %n"))
		}
		p, err := expr.Compile(Call("strptime", Call("strftime", &expr.Node{Kind: expr.Col, Type: tuple.Timestamp}, format), format))
		require.NoError(t, err)
		got := p.Eval([]tuple.Column{Column(tuple.Timestamp, Time(ns))}, 1, tuple.All(1))
		require.Equal(t, Time(ns).String(), expr.ValueAt(got, 0).String(), "%v", format)
	})
}
