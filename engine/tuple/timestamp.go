package tuple

import (
	"math"
	"time"
)

const (
	nanosPerSecond = 1_000_000_000
	secondsPerDay  = 86_400
)

// ParseTime reads a timestamp and returns it in ns since the Unix epoch. It takes RFC 3339 and what is
// commonly written instead: a date alone; a date and a time of day parted by "T", "t" or one space, with
// seconds optional; a fraction after "." or "," (digits beyond the ninth are cut off); and a zone "Z", "z", "UTC",
// +hh, +hhmm, +hh:mm or +hh:mm:ss, which one space may precede. Without a zone the time is UTC.
//
// ok is false for anything else, for dates that do not exist, for leap seconds and for times
// that 64 bits of ns do not reach (before 1677-09-21 or after 2262-04-11). ParseTime does not allocate.
func ParseTime(s []byte) (ns int64, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	year, ok1 := digits(s[0:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:10])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) {
		return 0, false
	}
	sec := daysFromCivil(year, month, day) * secondsPerDay
	if len(s) == 10 {
		return joinTime(sec, 0)
	}
	if s[10] != 'T' && s[10] != 't' && s[10] != ' ' {
		return 0, false
	}
	clock, frac, rest, ok := parseClock(s[11:])
	if !ok {
		return 0, false
	}
	offset, ok := parseOffset(rest)
	if !ok {
		return 0, false
	}
	return joinTime(sec+clock-offset, frac)
}

// AppendTime appends the time ns since the Unix epoch in RFC 3339, the fraction trimmed of trailing zeros:
// 2024-01-01T00:00:00Z. With a zone other than nil and time.UTC it prints that zone's local time
// and offset: 2024-01-01T05:45:00+05:45. An offset with seconds, as before standard time, prints
// as +hh:mm:ss. ParseTime reads the result back exactly. AppendTime does not allocate beyond dst's growth.
func AppendTime(dst []byte, ns int64, zone *time.Location) []byte {
	sec, frac := floorDiv(ns, nanosPerSecond)
	offset := 0
	zoned := zone != nil && zone != time.UTC
	if zoned {
		_, offset = time.Unix(sec, 0).In(zone).Zone()
	}
	days, clock := floorDiv(sec+int64(offset), secondsPerDay)
	year, month, day := civilFromDays(days)
	dst = appendPadded(dst, year, 4)
	dst = appendPadded(append(dst, '-'), month, 2)
	dst = appendPadded(append(dst, '-'), day, 2)
	dst = appendPadded(append(dst, 'T'), clock/3600, 2)
	dst = appendPadded(append(dst, ':'), clock/60%60, 2)
	dst = appendPadded(append(dst, ':'), clock%60, 2)
	if frac != 0 {
		width := 9
		for frac%10 == 0 {
			frac /= 10
			width--
		}
		dst = appendPadded(append(dst, '.'), frac, width)
	}
	if !zoned {
		return append(dst, 'Z')
	}
	return appendOffset(dst, int64(offset))
}

func appendOffset(dst []byte, offset int64) []byte {
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	dst = appendPadded(append(dst, sign), offset/3600, 2)
	dst = appendPadded(append(dst, ':'), offset/60%60, 2)
	if offset%60 != 0 {
		dst = appendPadded(append(dst, ':'), offset%60, 2)
	}
	return dst
}

// parseClock reads hh:mm[:ss[.fraction]] and returns the seconds since midnight, the ns, and what follows.
func parseClock(s []byte) (sec, frac int64, rest []byte, ok bool) {
	if len(s) < 5 || s[2] != ':' {
		return 0, 0, nil, false
	}
	hour, ok1 := digits(s[0:2])
	minute, ok2 := digits(s[3:5])
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, 0, nil, false
	}
	sec = hour*3600 + minute*60
	if len(s) == 5 || s[5] != ':' {
		return sec, 0, s[5:], true
	}
	if len(s) < 8 {
		return 0, 0, nil, false
	}
	second, ok := digits(s[6:8])
	if !ok || second > 59 {
		return 0, 0, nil, false
	}
	sec += second
	s = s[8:]
	if len(s) == 0 || s[0] != '.' && s[0] != ',' {
		return sec, 0, s, true
	}
	i, scale := 1, int64(nanosPerSecond)
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		if scale > 1 {
			scale /= 10
			frac += int64(s[i]-'0') * scale
		}
	}
	return sec, frac, s[i:], i > 1
}

// parseOffset reads a zone and returns its offset in seconds east of UTC.
func parseOffset(s []byte) (offset int64, ok bool) {
	if len(s) > 1 && s[0] == ' ' {
		s = s[1:]
	}
	switch {
	case len(s) == 0, len(s) == 1 && s[0]|0x20 == 'z', string(s) == "UTC":
		return 0, true
	case s[0] != '+' && s[0] != '-':
		return 0, false
	}
	sign := s[0]
	var part [3]int64
	s = s[1:]
	for i := 0; len(s) > 0; i++ {
		if i > 0 && s[0] == ':' {
			s = s[1:]
		}
		if i == len(part) || len(s) < 2 {
			return 0, false
		}
		if part[i], ok = digits(s[:2]); !ok {
			return 0, false
		}
		s = s[2:]
	}
	if !ok || part[0] > 23 || part[1] > 59 || part[2] > 59 {
		return 0, false
	}
	offset = part[0]*3600 + part[1]*60 + part[2]
	if sign == '-' {
		offset = -offset
	}
	return offset, true
}

// joinTime returns sec*1e9+frac unless that leaves the range of int64.
func joinTime(sec, frac int64) (ns int64, ok bool) {
	if sec < 0 && frac > 0 {
		sec++
		frac -= nanosPerSecond
	}
	if sec > math.MaxInt64/nanosPerSecond || sec < math.MinInt64/nanosPerSecond {
		return 0, false
	}
	ns = sec * nanosPerSecond
	if frac > 0 && ns > math.MaxInt64-frac || frac < 0 && ns < math.MinInt64-frac {
		return 0, false
	}
	return ns + frac, true
}

func digits(s []byte) (n int64, ok bool) {
	for _, c := range s {
		c -= '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	return n, true
}

func monthDays(year, month int64) int64 {
	switch {
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	case month != 2:
		return 31
	case year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	}
	return 28
}

func floorDiv(a, b int64) (quotient, remainder int64) {
	quotient, remainder = a/b, a%b
	if remainder < 0 {
		quotient--
		remainder += b
	}
	return quotient, remainder
}

// daysFromCivil returns the number of days from 1970-01-01 to a date of the proleptic Gregorian
// calendar. Years are taken to begin in March, so that the leap day is the last.
func daysFromCivil(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era, yearOfEra := floorDiv(year, 400)
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return era*146097 + dayOfEra - 719468
}

// civilFromDays is the inverse of daysFromCivil.
func civilFromDays(days int64) (year, month, day int64) {
	era, dayOfEra := floorDiv(days+719468, 146097)
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*dayOfYear + 2) / 153
	day = dayOfYear - (153*shifted+2)/5 + 1
	month = shifted + 3
	if month > 12 {
		month -= 12
	}
	year = yearOfEra + era*400
	if month <= 2 {
		year++
	}
	return year, month, day
}

func appendPadded(dst []byte, n int64, width int) []byte {
	for i := 0; i < width; i++ {
		dst = append(dst, '0')
	}
	for i := len(dst) - 1; n > 0; i-- {
		dst[i] = '0' + byte(n%10)
		n /= 10
	}
	return dst
}
