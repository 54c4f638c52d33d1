package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// unit is a unit of the calendar.
type unit uint8

const (
	nanosecond unit = iota
	microsecond
	millisecond
	second
	minute
	hour
	day
	week // Monday to Sunday
	month
	quarter
	year
	decade
	century
	isoYear
	dayOfWeek // 0 is Sunday
	isoDayOfWeek
	dayOfYear
	epoch
)

var unitNames = map[string]unit{
	"nanosecond": nanosecond, "ns": nanosecond, "microsecond": microsecond, "us": microsecond, "millisecond": millisecond,
	"ms": millisecond, "second": second, "s": second, "sec": second, "minute": minute, "min": minute, "m": minute,
	"hour": hour, "h": hour, "day": day, "d": day, "dayofmonth": day, "week": week, "w": week, "weekofyear": week,
	"month": month, "mon": month, "quarter": quarter, "year": year, "y": year, "decade": decade, "century": century, "isoyear": isoYear,
	"dow": dayOfWeek, "dayofweek": dayOfWeek, "weekday": dayOfWeek, "isodow": isoDayOfWeek,
	"doy": dayOfYear, "dayofyear": dayOfYear, "epoch": epoch,
}

// lengths of the units that have one.
var unitLengths = [...]int64{
	nanosecond: 1, microsecond: int64(time.Microsecond), millisecond: int64(time.Millisecond), second: int64(time.Second),
	minute: int64(time.Minute), hour: int64(time.Hour), day: 24 * int64(time.Hour), week: 7 * 24 * int64(time.Hour),
}

// unitOf reads a unit's name, singular or plural.
func unitOf(name string) (unit, error) {
	lower := strings.ToLower(name)
	if u, ok := unitNames[lower]; ok {
		return u, nil
	}
	if u, ok := unitNames[strings.TrimSuffix(lower, "s")]; ok && len(lower) > 3 {
		return u, nil
	}
	var list []string
	for n := range unitNames {
		if len(n) > 3 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return 0, fmt.Errorf("unknown unit '%s': there are %s", name, strings.Join(list, ", "))
}

// floorTo returns the greatest multiple of length, counted from origin, that is at most ns.
func floorTo(ns, length, origin int64) (int64, bool) {
	_, rest := floorDivide(ns, length)
	_, start := floorDivide(origin, length)
	if rest -= start; rest < 0 {
		rest += length
	}
	return ns - rest, ns >= math.MinInt64+rest
}

// mondayOrigin is a Monday: 1970-01-05.
const mondayOrigin = 4 * 24 * int64(time.Hour)

// firstYear is the year in which the range of times begins; its own beginning is outside.
const firstYear = 1677

// truncate returns the beginning of the unit that ns lies in, in UTC.
func (u unit) truncate(ns int64) (int64, bool) {
	switch u {
	case week:
		return floorTo(ns, unitLengths[week], mondayOrigin)
	case nanosecond, microsecond, millisecond, second, minute, hour, day:
		return floorTo(ns, unitLengths[u], 0)
	}
	y, m, _ := time.Unix(0, ns).UTC().Date()
	switch u {
	case quarter:
		m = (m-1)/3*3 + 1
	case year:
		m = 1
	case decade:
		y, m = y-y%10, 1
	case century:
		y, m = (y-1)/100*100+1, 1
	case isoYear:
		iso, _ := time.Unix(0, ns).UTC().ISOWeek()
		if iso <= firstYear {
			return 0, false
		}
		// 4 January is always in week 1.
		return week.truncate(time.Date(iso, 1, 4, 0, 0, 0, 0, time.UTC).UnixNano())
	}
	t := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC).Unix()
	return t * int64(time.Second), t > math.MinInt64/int64(time.Second)
}

// truncates reports whether date_trunc takes the unit.
func (u unit) truncates() bool { return u <= isoYear }

// part returns the unit's number in ns, in UTC, for units other than epoch. Seconds are whole; milliseconds,
// microseconds and nanoseconds include the seconds of the minute.
func (u unit) part(ns int64) int64 {
	if u <= second {
		start, _ := floorTo(ns, unitLengths[minute], 0)
		return (ns - start) / unitLengths[u]
	}
	t := time.Unix(0, ns).UTC()
	switch u {
	case minute:
		return int64(t.Minute())
	case hour:
		return int64(t.Hour())
	case day:
		return int64(t.Day())
	case week:
		_, w := t.ISOWeek()
		return int64(w)
	case month:
		return int64(t.Month())
	case quarter:
		return int64(t.Month()-1)/3 + 1
	case year:
		return int64(t.Year())
	case decade:
		return int64(t.Year() / 10)
	case century:
		return int64((t.Year()-1)/100 + 1)
	case isoYear:
		y, _ := t.ISOWeek()
		return int64(y)
	case dayOfWeek:
		return int64(t.Weekday())
	case isoDayOfWeek:
		return int64((t.Weekday()+6)%7 + 1)
	}
	return int64(t.YearDay())
}

// boundaries returns how many beginnings of the unit lie after from up to to, negative if to is earlier.
func (u unit) boundaries(from, to int64) int64 {
	a, b := time.Unix(0, from).UTC(), time.Unix(0, to).UTC()
	months := func(t time.Time) int64 { return int64(t.Year())*12 + int64(t.Month()) - 1 }
	switch u {
	case month:
		return months(b) - months(a)
	case quarter:
		return months(b)/3 - months(a)/3
	case year, decade, century, isoYear:
		return u.part(to) - u.part(from)
	case week:
		return floorQuotient(to, u, mondayOrigin) - floorQuotient(from, u, mondayOrigin)
	}
	return floorQuotient(to, u, 0) - floorQuotient(from, u, 0)
}

// floorQuotient numbers the units of a fixed length from origin, rounding down.
func floorQuotient(ns int64, u unit, origin int64) int64 {
	q, rest := floorDivide(ns, unitLengths[u])
	first, start := floorDivide(origin, unitLengths[u])
	return q - first - int64(bit(rest < start))
}

func floorDivide(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		quotient--
		rest += b
	}
	return quotient, rest
}
