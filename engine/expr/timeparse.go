package expr

import (
	"bytes"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func buildStrptime(c *compiler, n *Node) (kernel, error) {
	format, err := formatArg(n.Args, readConversions)
	if err != nil {
		return nil, err
	}
	format = format.trimmed()
	counted := n.Name == "strptime"
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		v, ok := format.parse(args[0].Str(int(r)))
		out.I[r] = v
		switch {
		case ok:
		case counted:
			f.fail(out, r, cast)
		default:
			out.SetNull(int(r), f.n)
		}
	})
}

// trimmed returns the format without spaces at its ends.
func (f timeFormat) trimmed() timeFormat {
	f[0].literal = strings.TrimLeft(f[0].literal, " \t\r\n")
	last := &f[len(f)-1]
	last.literal = strings.TrimRight(last.literal, " \t\r\n")
	return f
}

// parse reads a time in the format, which must be trimmed. Spaces around s are no part of it, and a run of spaces stands
// for any other. Numbers may lack leading zeros, names be short or long in any case. What the format does not have is
// that of 1900-01-01T00:00:00Z. The name of a day is read and not compared with the date.
func (f timeFormat) parse(s []byte) (ns int64, ok bool) {
	s = bytes.TrimSpace(s)
	t := reading{year: 1900, month: 1, day: 1}
	for i := range f {
		if s, ok = afterLiteral(s, f[i].literal); !ok {
			return 0, false
		}
		if f[i].letter == 0 {
			break
		}
		if s, ok = t.take(s, f[i].letter); !ok {
			return 0, false
		}
	}
	if len(s) > 0 {
		return 0, false
	}
	return t.instant()
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// afterLiteral returns what follows literal at the beginning of s.
func afterLiteral(s []byte, literal string) (rest []byte, ok bool) {
	for i := 0; i < len(literal); {
		switch {
		case len(s) == 0:
			return nil, false
		case isSpace(literal[i]) && isSpace(s[0]):
			for i < len(literal) && isSpace(literal[i]) {
				i++
			}
			s = afterSpaces(s)
		case s[0] != literal[i]:
			return nil, false
		default:
			i, s = i+1, s[1:]
		}
	}
	return s, true
}

func afterSpaces(s []byte) []byte {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}

// reading is what strptime has read of a time.
type reading struct {
	year, month, day, yearDay      int64
	hour, minute, second, fraction int64 // fraction is in ns
	twelve, afternoon              bool  // hour is one of twelve; those are of the afternoon
	dated                          bool  // there are months or days, so that a day of the year does not count
	offset                         int64
	epoch                          int64 // seconds since the epoch, instead of date and clock
	counted                        bool  // epoch is set
}

// numeral is what a conversion of digits takes: at most so many, from low to high.
type numeral struct {
	digits    int
	low, high int64
}

var numerals = [...]numeral{
	'Y': {4, 0, 9999}, 'y': {2, 0, 99}, 'm': {2, 1, 12}, 'd': {2, 1, 31}, 'e': {2, 1, 31}, 'j': {3, 1, 366},
	'H': {2, 0, 23}, 'I': {2, 1, 12}, 'M': {2, 0, 59}, 'S': {2, 0, 59}, 'g': {3, 0, 999}, 'f': {6, 0, 999_999},
	'n': {9, 0, 999_999_999}, 'u': {1, 1, 7}, 'w': {1, 0, 6},
}

var (
	monthNames = namesOf(time.January, 12)
	dayNames   = namesOf(time.Sunday, 7)
	halfNames  = []string{"AM", "PM"}
	// zoneNames are the names of UTC: those of others do not say what the clock there showed.
	zoneNames = []string{"UTC", "GMT", "Z"}
)

// calendarName is the name of a month or of a day.
type calendarName struct {
	short uint32 // the key of its first three letters
	full  string
}

func namesOf[T interface {
	~int
	String() string
}](first T, n int) []calendarName {
	list := make([]calendarName, n)
	for i := range list {
		full := (first + T(i)).String()
		list[i] = calendarName{shortKey([]byte(full)), full}
	}
	return list
}

// shortKey makes a number of three letters in any case.
func shortKey(s []byte) uint32 { return (uint32(s[0])<<16 | uint32(s[1])<<8 | uint32(s[2])) | 0x202020 }

// take reads a conversion at the beginning of s and returns what follows it.
func (t *reading) take(s []byte, letter byte) (rest []byte, ok bool) {
	var at int
	switch letter {
	case 'a', 'A':
		_, rest, ok = takeCalendarName(s, dayNames)
	case 'b', 'B':
		at, rest, ok = takeCalendarName(s, monthNames)
		t.month, t.dated = int64(at)+1, true
	case 'p':
		at, rest, ok = takeName(s, halfNames)
		t.afternoon = at == 1
	case 'Z':
		_, rest, ok = takeName(s, zoneNames)
	case 'z':
		t.offset, rest, ok = takeOffset(s)
	case 's':
		t.epoch, rest, ok = takeSigned(s)
		t.counted = true
	default:
		return t.takeNumeral(s, letter)
	}
	return rest, ok
}

// takeCalendarName reads one of names, long or short, in any case.
func takeCalendarName(s []byte, names []calendarName) (at int, rest []byte, ok bool) {
	if len(s) < 3 {
		return 0, nil, false
	}
	key := shortKey(s)
	for i := range names {
		if names[i].short != key {
			continue
		}
		if n := len(names[i].full); len(s) >= n && strings.EqualFold(string(s[:n]), names[i].full) {
			return i, s[n:], true
		}
		return i, s[3:], true
	}
	return 0, nil, false
}

// takeName reads the first of names that s begins with, in any case.
func takeName(s []byte, names []string) (at int, rest []byte, ok bool) {
	for i, name := range names {
		if len(s) >= len(name) && strings.EqualFold(string(s[:len(name)]), name) {
			return i, s[len(name):], true
		}
	}
	return 0, nil, false
}

// takeDigits reads a number of at most so many digits, and says how many there were.
func takeDigits(s []byte, most int) (n int64, digits int) {
	for digits < min(len(s), most) && s[digits]-'0' <= 9 {
		n = n*10 + int64(s[digits]-'0')
		digits++
	}
	return n, digits
}

// takeSigned reads an integer with an optional minus sign.
func takeSigned(s []byte) (n int64, rest []byte, ok bool) {
	negative := len(s) > 0 && s[0] == '-'
	s = s[bit(negative):]
	n, digits := takeDigits(s, 18)
	if negative {
		n = -n
	}
	return n, s[digits:], digits > 0
}

// takeOffset reads an offset from UTC, Z or +hh, +hhmm, +hh:mm or +hh:mm:ss, as seconds.
func takeOffset(s []byte) (seconds int64, rest []byte, ok bool) {
	switch {
	case len(s) == 0:
		return 0, nil, false
	case s[0]|0x20 == 'z':
		return 0, s[1:], true
	case s[0] != '+' && s[0] != '-':
		return 0, nil, false
	}
	negative := s[0] == '-'
	s = s[1:]
	unit := int64(3600)
	for ; unit > 0; unit /= 60 {
		part := s
		if unit < 3600 && len(part) > 0 && part[0] == ':' {
			part = part[1:]
		}
		n, digits := takeDigits(part, 2)
		if digits < 2 {
			break
		}
		if n > 59 || unit == 3600 && n > 23 {
			return 0, nil, false
		}
		seconds += n * unit
		s = part[2:]
	}
	if negative {
		seconds = -seconds
	}
	return seconds, s, unit < 3600
}

func (t *reading) takeNumeral(s []byte, letter byte) (rest []byte, ok bool) {
	if letter == 'e' {
		s = afterSpaces(s)
	}
	want := numerals[letter]
	n, digits := takeDigits(s, want.digits)
	if digits == 0 || n < want.low || n > want.high {
		return nil, false
	}
	switch letter {
	case 'Y':
		t.year = n
	case 'y':
		t.year = n + 1900 + 100*int64(bit(n < 69))
	case 'm':
		t.month, t.dated = n, true
	case 'd', 'e':
		t.day, t.dated = n, true
	case 'j':
		t.yearDay = n
	case 'H':
		t.hour, t.twelve = n, false
	case 'I':
		t.hour, t.twelve = n%12, true
	case 'M':
		t.minute = n
	case 'S':
		t.second = n
	case 'f', 'g', 'n':
		t.fraction = n
		for range 9 - digits {
			t.fraction *= 10
		}
	}
	return s[digits:], true
}

// instant returns the time that was read, in ns, unless there is no such date or 64 bits do not reach it.
func (t *reading) instant() (ns int64, ok bool) {
	sec, ok := t.epoch, true
	if !t.counted {
		sec, ok = t.seconds()
	}
	if sec < 0 && t.fraction > 0 { // the first second of the range begins outside of it
		sec, t.fraction = sec+1, t.fraction-int64(time.Second)
	}
	ns, fits := product(sec, int64(time.Second))
	ns, what := integers(add, ns, t.fraction)
	return ns, ok && fits && what == fine
}

// seconds returns the seconds from the epoch to the date and clock.
func (t *reading) seconds() (sec int64, ok bool) {
	hour := t.hour
	if t.twelve && t.afternoon {
		hour += 12
	}
	month, day := t.month, t.day
	if t.yearDay > 0 && !t.dated {
		month, day = 1, t.yearDay
	}
	date := time.Date(int(t.year), time.Month(month), int(day), int(hour), int(t.minute), int(t.second), 0, time.UTC)
	ok = int64(date.Day()) == day || month == 1 && int64(date.YearDay()) == day && int64(date.Year()) == t.year
	return date.Unix() - t.offset, ok
}
