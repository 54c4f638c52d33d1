package syntax

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/query/nearest"
)

// Duration is a length of time. Days are kept apart because a calendar day in a time zone may have 23 or 25 hours; where
// there is no zone, a day has 24. Both parts have the same sign, and Nanos does not overflow.
type Duration struct {
	Days int64
	Rest time.Duration
}

const dayNanos = 24 * int64(time.Hour)

// Nanos returns the length in ns, of a day as 24 hours.
func (d Duration) Nanos() int64 { return d.Days*dayNanos + int64(d.Rest) }

// String prints the duration in a form that ParseDuration reads: "1 day", "1m", "-2 days 1h30m".
func (d Duration) String() string {
	sign := ""
	if d.Days < 0 || d.Rest < 0 {
		sign, d = "-", Duration{-d.Days, -d.Rest}
	}
	rest := d.Rest.String()
	if strings.HasSuffix(rest, "m0s") {
		rest = strings.TrimSuffix(rest, "0s")
	}
	if strings.HasSuffix(rest, "h0m") {
		rest = strings.TrimSuffix(rest, "0m")
	}
	switch {
	case d.Days == 0:
		return sign + rest
	case d.Rest == 0:
		rest = ""
	default:
		rest = " " + rest
	}
	if d.Days == 1 {
		return sign + "1 day" + rest
	}
	return fmt.Sprintf("%s%d days%s", sign, d.Days, rest)
}

// durationUnits in ns; zero stands for those that have no fixed length.
var durationUnits = func() map[string]int64 {
	m := map[string]int64{}
	for names, n := range map[string]int64{
		"ns nsec nanosecond nanoseconds":            1,
		"us µs μs usec microsecond microseconds":    int64(time.Microsecond),
		"ms msec millisecond milliseconds":          int64(time.Millisecond),
		"s sec secs second seconds":                 int64(time.Second),
		"m min mins minute minutes":                 int64(time.Minute),
		"h hr hrs hour hours":                       int64(time.Hour),
		"d day days":                                dayNanos,
		"w week weeks":                              7 * dayNanos,
		"mo mon mons month months quarter quarters": 0,
		"y yr yrs year years":                       0,
	} {
		for _, name := range strings.Fields(names) {
			m[name] = n
		}
	}
	return m
}()

// unitWords are the units that are offered for a mistyped one.
var unitWords = []string{
	"second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks",
	"millisecond", "milliseconds", "microsecond", "microseconds", "nanosecond", "nanoseconds",
}

var (
	errNoUnit   = errors.New("a duration needs a unit, such as '5s' or '5 minutes'")
	errTooLong  = errors.New("the duration is too long: at most 292 years")
	errNoLength = errors.New("months, quarters and years have no fixed length; write days, such as '30 days'")
	errTooFine  = errors.New("the duration is finer than a nanosecond")
	errDayParts = errors.New("days and weeks cannot have fractions, because a day may have 23 or 25 hours; write hours")
)

// ParseDuration reads a Go duration ("1h30m", "500ms") or SQL interval text ("1 hour 30 minutes", "2 weeks"), or a
// mixture. A sign at the beginning holds for the whole; "0" needs no unit. Months and years are refused: their
// length depends on where they begin. Parts of a nanosecond and of a day are refused, too.
func ParseDuration(text string) (Duration, error) {
	rest := strings.TrimSpace(text)
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = strings.TrimSpace(rest[1:])
	}
	if rest == "" {
		return Duration{}, errors.New("a duration cannot be empty; write for example '5s' or '5 minutes'")
	}
	if strings.Trim(rest, "0") == "" {
		return Duration{}, nil
	}
	var d Duration
	for rest != "" {
		part, tail, err := durationPart(rest)
		if err != nil {
			return Duration{}, err
		}
		var fits bool
		if d, fits = d.plus(part); !fits {
			return Duration{}, errTooLong
		}
		rest = strings.TrimLeftFunc(tail, unicode.IsSpace)
	}
	if negative {
		d = Duration{-d.Days, -d.Rest}
	}
	return d, nil
}

// plus adds durations that are not negative and reports whether the sum's Nanos fits in 64 bits.
func (d Duration) plus(e Duration) (Duration, bool) {
	days, rest := d.Days+e.Days, d.Rest+e.Rest
	if rest < 0 || days > math.MaxInt64/dayNanos || days*dayNanos > math.MaxInt64-int64(rest) {
		return Duration{}, false
	}
	return Duration{days, rest}, true
}

// durationPart reads a number and its unit from the beginning of s and returns what follows.
func durationPart(s string) (d Duration, rest string, err error) {
	whole, s := cutDigits(s)
	fraction := ""
	if strings.HasPrefix(s, ".") {
		fraction, s = cutDigits(s[1:])
		fraction = strings.TrimRight(fraction, "0")
	}
	if whole == "" && fraction == "" {
		r, _ := utf8.DecodeRuneInString(s)
		return d, "", fmt.Errorf("expected a number in the duration, found %q", r)
	}
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	unit, err := durationUnit(s[:end])
	if err != nil {
		return d, "", err
	}
	nanos, err := scale(whole, fraction, unit)
	if unit < dayNanos {
		return Duration{Rest: time.Duration(nanos)}, s[end:], err
	}
	if err == nil && fraction != "" {
		err = errDayParts
	}
	return Duration{Days: nanos / dayNanos}, s[end:], err
}

func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && isDigit(rune(s[i])) {
		i++
	}
	return s[:i], s[i:]
}

func durationUnit(name string) (int64, error) {
	n, known := durationUnits[strings.ToLower(name)]
	switch {
	case name == "":
		return 0, errNoUnit
	case name == "M":
		return 0, errors.New("the unit M could be minutes or months; write m or minutes")
	case known && n == 0:
		return 0, errNoLength
	case known:
		return n, nil
	}
	if near, ok := nearest.Name(name, unitWords); ok {
		return 0, fmt.Errorf("unknown unit of time %q; did you mean %s?", name, near)
	}
	return 0, fmt.Errorf("unknown unit of time %q; units are ns, us, ms, s, m, h, day and week, or their names", name)
}

// scale returns whole.fraction times unit, exactly.
func scale(whole, fraction string, unit int64) (int64, error) {
	var n, f uint64
	var err error
	if whole != "" {
		if n, err = strconv.ParseUint(whole, 10, 63); err != nil {
			return 0, errTooLong
		}
	}
	hi, lo := bits.Mul64(n, uint64(unit))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, errTooLong
	}
	if fraction == "" {
		return int64(lo), nil
	}
	if len(fraction) > 18 {
		return 0, errTooFine
	}
	f, _ = strconv.ParseUint(fraction, 10, 64)
	tens := uint64(1)
	for range fraction {
		tens *= 10
	}
	hi, part := bits.Mul64(f, uint64(unit))
	part, left := bits.Div64(hi, part, tens)
	if left != 0 {
		return 0, errTooFine
	}
	if part > math.MaxInt64-lo {
		return 0, errTooLong
	}
	return int64(lo + part), nil
}
