package expr

import (
	"bytes"
	"math"
	"time"
)

// ParseInterval reads a length of time and returns it in ns: numbers with units, in a row or parted by spaces, "1
// minute", "1h30m", "-1.5 days", "2 weeks 500ms", or hh:mm:ss with an optional fraction. A minus sign at the front
// is for the whole. "m" is a minute. Months and years, which have no fixed length, do not parse.
func ParseInterval(s []byte) (ns int64, ok bool) {
	s = bytes.TrimSpace(s)
	negative := len(s) > 0 && s[0] == '-'
	if negative || len(s) > 0 && s[0] == '+' {
		s = bytes.TrimSpace(s[1:])
	}
	if len(s) == 0 {
		return 0, false
	}
	for len(s) > 0 {
		part, rest, ok := intervalPart(s)
		if !ok || ns > math.MaxInt64-part {
			return 0, false
		}
		ns += part
		s = bytes.TrimLeft(rest, " \t,")
	}
	if negative {
		ns = -ns
	}
	return ns, true
}

// intervalPart reads one number with its unit.
func intervalPart(s []byte) (ns int64, rest []byte, ok bool) {
	end := 0
	for end < len(s) && (s[end]-'0' <= 9 || s[end] == '.') {
		end++
	}
	value := s[:end]
	if end < len(s) && s[end] == ':' {
		return clockPart(s)
	}
	s = bytes.TrimLeft(s[end:], " \t")
	end = 0
	for end < len(s) && (s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' || s[end] >= 0x80) {
		end++
	}
	unit, known := intervalUnit(bytes.ToLower(s[:end]))
	if !known {
		return 0, nil, false
	}
	if whole, ok := parseDigits(value); ok {
		ns, ok = product(whole, int64(unit))
		return ns, s[end:], ok
	}
	f, ok := parseDouble(value)
	ns, fits := integerOf(double(f * float64(unit)))
	return ns, s[end:], ok && fits
}

// clockPart reads hh:mm:ss[.fraction].
func clockPart(s []byte) (ns int64, rest []byte, ok bool) {
	fields := bytes.SplitN(s, []byte(":"), 3)
	if len(fields) != 3 {
		return 0, nil, false
	}
	hours, ok1 := parseDigits(fields[0])
	minutes, ok2 := parseDigits(fields[1])
	seconds, ok3 := parseDouble(fields[2])
	if !ok1 || !ok2 || !ok3 || hours > 1e6 || minutes > 59 || !(seconds >= 0 && seconds < 60) {
		return 0, nil, false
	}
	return hours*int64(time.Hour) + minutes*int64(time.Minute) + int64(math.Round(seconds*1e9)), nil, true
}

func intervalUnit(name []byte) (time.Duration, bool) {
	switch string(name) {
	case "ns", "nanosecond", "nanoseconds":
		return time.Nanosecond, true
	case "us", "µs", "μs", "microsecond", "microseconds":
		return time.Microsecond, true
	case "ms", "msec", "millisecond", "milliseconds":
		return time.Millisecond, true
	case "s", "sec", "secs", "second", "seconds":
		return time.Second, true
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute, true
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour, true
	case "d", "day", "days":
		return 24 * time.Hour, true
	case "w", "week", "weeks":
		return 7 * 24 * time.Hour, true
	}
	return 0, false
}
