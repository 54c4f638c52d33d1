package expr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var formatFunctions = []*function{
	{
		name: "strftime", check: checkFormat(conversions), build: buildStrftime,
		ways: []overload{takes(yields(tuple.Text), isTime, isText), takes(yields(tuple.Text), isText, isTime)},
	},
	{name: "strptime", check: checkFormat(readConversions), build: buildStrptime, ways: parseWays},
	{name: "try_strptime", check: checkFormat(readConversions), build: buildStrptime, ways: parseWays},
	{name: "dayname", ways: nameWays, build: byRow(dayNameRow)},
	{name: "monthname", ways: nameWays, build: byRow(monthNameRow)},
}

var (
	parseWays = []overload{takes(yields(tuple.Timestamp), isText, isText)}
	nameWays  = []overload{takes(yields(tuple.Text), isTime)}
)

// Conversions of formats, by their letters as in DuckDB, where %g, %f and %n are the milliseconds, microseconds and
// nanoseconds of the second; %s, the seconds since the epoch, and %e, the day behind a space, are those of C.
const (
	readConversions = "aAbBdefgHIjmMnpsSuwyYzZ"
	conversions     = readConversions + "GUVW"
	// unpadded are those that %- writes without leading zeros.
	unpadded = "dHIjmMSy"
)

// composites writes conversions that stand for several as those.
var composites = strings.NewReplacer("%%", "%%", "%F", "%Y-%m-%d", "%T", "%H:%M:%S", "%R", "%H:%M", "%D", "%m/%d/%y",
	"%x", "%Y-%m-%d", "%X", "%H:%M:%S", "%c", "%Y-%m-%d %H:%M:%S")

// timeFormat is a format of strftime or strptime.
type timeFormat []formatPart

// formatPart is text and the conversion after it.
type formatPart struct {
	literal string
	letter  byte // 0: none, at the end of the format
	bare    bool // without leading zeros
}

// compileFormat reads a format whose conversions must be among known.
func compileFormat(format, known string) (timeFormat, error) {
	var f timeFormat
	var literal strings.Builder
	for s := composites.Replace(format); s != ""; {
		text, rest, found := strings.Cut(s, "%")
		literal.WriteString(text)
		if !found {
			break
		}
		s = strings.TrimPrefix(rest, "-")
		bare := s != rest
		if s == "" {
			return nil, errors.New("the format ends inside a conversion: write %% for a percent sign")
		}
		letter := s[0]
		switch {
		case letter == '%' && !bare:
			literal.WriteByte('%')
		case strings.IndexByte(known, letter) < 0, bare && strings.IndexByte(unpadded, letter) < 0:
			return nil, badConversion(s, bare, known)
		default:
			f = append(f, formatPart{literal.String(), letter, bare})
			literal.Reset()
		}
		s = s[1:]
	}
	return append(f, formatPart{literal: literal.String()}), nil
}

// badConversion says what is wrong with the conversion that s begins with.
func badConversion(s string, bare bool, known string) error {
	_, size := utf8.DecodeRuneInString(s)
	name := s[:size]
	switch {
	case bare && strings.Contains(known, name):
		return fmt.Errorf("'%%-%s' has no meaning: only %s go without leading zeros", name, letterList(unpadded))
	case bare:
		name = "-" + name
	case strings.Contains(conversions, name):
		return fmt.Errorf("strptime does not read '%%%s', which only strftime takes", name)
	}
	return fmt.Errorf("unknown conversion '%%%s': there are %s and %%F, %%T, %%R, %%D, %%c, %%x, %%X, %%%%", name, letterList(known))
}

func letterList(letters string) string { return "%" + strings.Join(strings.Split(letters, ""), ", %") }

// formatAt returns the position of the format among the arguments of strftime, which takes both orders, and strptime.
func formatAt(args []*Node) int { return bit(!args[0].Type.Bytes() || args[1].Type.Bytes()) }

// formatArg returns the format that is an argument of a call.
func formatArg(args []*Node, known string) (timeFormat, error) {
	s, ok := constantText(args[formatAt(args)])
	if !ok {
		return nil, errors.New("the format must be a literal, such as '%Y-%m-%d %H:%M:%S'")
	}
	return compileFormat(string(s), known)
}

func checkFormat(known string) func([]*Node) error {
	return func(args []*Node) error {
		_, err := formatArg(args, known)
		return err
	}
}

func buildStrftime(c *compiler, n *Node) (kernel, error) {
	format, err := formatArg(n.Args, conversions)
	if err != nil {
		return nil, err
	}
	at := 1 - formatAt(n.Args)
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		start := len(out.Buf)
		out.Buf = format.append(out.Buf, args[at].I[r])
		f.endText(out, r, start)
	})
}

// append appends the time ns in the format.
func (f timeFormat) append(dst []byte, ns int64) []byte {
	m := momentOf(ns)
	for i := range f {
		p := &f[i]
		dst = append(dst, p.literal...)
		switch p.letter {
		case 0:
		case 'a':
			dst = append(dst, m.Weekday().String()[:3]...)
		case 'A':
			dst = append(dst, m.Weekday().String()...)
		case 'b':
			dst = append(dst, m.month.String()[:3]...)
		case 'B':
			dst = append(dst, m.month.String()...)
		case 'p':
			dst = append(dst, "AP"[bit(m.hour >= 12)], 'M')
		case 'z':
			dst = append(dst, "+00"...)
		case 'Z':
			dst = append(dst, "UTC"...)
		case 's':
			dst = strconv.AppendInt(dst, m.Unix(), 10)
		case 'e':
			dst = appendPadded(dst, m.day, 2, ' ')
		default:
			n, width := m.number(p.letter)
			if p.bare {
				width = 1
			}
			dst = appendPadded(dst, n, width, '0')
		}
	}
	return dst
}

// moment is a time in UTC with its date and clock.
type moment struct {
	time.Time
	year, day, hour, minute, second int
	month                           time.Month
}

func momentOf(ns int64) (m moment) {
	m.Time = time.Unix(0, ns).UTC()
	m.year, m.month, m.day = m.Date()
	m.hour, m.minute, m.second = m.Clock()
	return m
}

// number returns what a conversion into digits writes, and its least width.
func (m *moment) number(letter byte) (n, width int) {
	switch letter {
	case 'Y':
		return m.year, 4
	case 'y':
		return m.year % 100, 2
	case 'm':
		return int(m.month), 2
	case 'd':
		return m.day, 2
	case 'H':
		return m.hour, 2
	case 'I':
		return (m.hour+11)%12 + 1, 2
	case 'M':
		return m.minute, 2
	case 'S':
		return m.second, 2
	case 'g':
		return m.Nanosecond() / int(time.Millisecond), 3
	case 'f':
		return m.Nanosecond() / int(time.Microsecond), 6
	case 'n':
		return m.Nanosecond(), 9
	case 'j':
		return m.YearDay(), 3
	}
	return m.week(letter)
}

// week is number for conversions that count weeks and their days.
func (m *moment) week(letter byte) (n, width int) {
	sunday := int(m.Weekday())
	monday := (sunday + 6) % 7
	year, week := m.ISOWeek()
	switch letter {
	case 'w':
		return sunday, 1
	case 'u':
		return monday + 1, 1
	case 'G':
		return year, 4
	case 'V':
		return week, 2
	case 'U':
		return (m.YearDay() + 6 - sunday) / 7, 2
	}
	return (m.YearDay() + 6 - monday) / 7, 2
}

// appendPadded appends n, which is not negative, with fill before it to the width.
func appendPadded(dst []byte, n, width int, fill byte) []byte {
	least := 1
	for range width - 1 {
		least *= 10
	}
	for ; n < least && least > 1; least /= 10 {
		dst = append(dst, fill)
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func dayNameRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	start := len(out.Buf)
	out.Buf = append(out.Buf, time.Unix(0, args[0].I[r]).UTC().Weekday().String()...)
	f.endText(out, r, start)
}

func monthNameRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	start := len(out.Buf)
	out.Buf = append(out.Buf, time.Unix(0, args[0].I[r]).UTC().Month().String()...)
	f.endText(out, r, start)
}
