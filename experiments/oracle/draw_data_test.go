package oracle_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/experiments/oracle"
)

// table is drawn input and how both sides are to read it.
type table struct {
	data     []byte
	from     oracle.Input
	in       engine.Input
	declared bool
	mixed    bool // columns of numbers have other values, too
}

// columns are the columns of drawn tables; the records of NDJSON also have an object o.
var columns = []string{"ts", "n", "f", "k", "s", "b"}

// drawn values, as JSON writes them. Each list begins with the value that shows what the column is.
var jsonValues = map[string][]string{
	"n": {
		"1", "0", "2", "3", "-1", "7", "-0", "1.0", "0.5", "1e3", "9007199254740993", "9007199254740992", "-9223372036854775808", "9223372036854775807",
		"18446744073709551616", "null", "",
	},
	"f": {"0.5", "0.25", "-1.75", "1e-7", "12345.678", "2", "0", "-0.0", "100", "1e16", "-3.5e2", "0.1", "0.30000000000000004", "null", ""},
	"k": {`"a"`, `"b"`, `"c"`, `"A"`, `""`, `"é"`, `"\u00e9"`, `"a\"b"`, "null", "", "1", "1.0", `"1"`, "[1, 2]"},
	"s": {`"x"`, `"hello world"`, `"50% off_"`, `"\ud83d\ude00 smile"`, `"tab\tnew\nline"`, `"\ud800"`, `"ÄÖ straße"`, `" 12 "`, `"-3.5"`, `"2024-01-01"`, "null", "", `"\/"`},
	"b": {"true", "false", "null", "", `"true"`, "0"},
	"o": {`{"x":1,"y":"t"}`, `{"y":"u","x":2.5}`, `{ "x" : null }`, "{}", "5", "null", "", `{"x":{"z":1}}`, `{"x":1,"x":7}`},
}

// csvValues are the same for CSV. They are quoted where they must be.
var csvValues = map[string][]string{
	"n": {
		"1", "0", "2", "3", "-1", "7", "-0", "1.0", "0.5", "1e3", "9007199254740993", "-9223372036854775808", "9223372036854775807", "18446744073709551616",
		"", " 8 ", "+1",
	},
	"f": {"0.5", "0.25", "-1.75", "1e-7", "12345.678", "2", "0", "-0.0", ".5", "5.", "", " "},
	"k": {"a", "b", "c", "A", "é", "a\"b", "a,b", "two\nlines", "two\r\nlines", "", "1", " a "},
	"s": {"x", "hello world", "50% off_", "😀 smile", " 12 ", "-3.5", "", "2024-01-01", "ÄÖ straße"},
	"b": {"true", "false", "", "t", "NO", "0", "?"},
}

// What is mixed among numbers, as JSON and as CSV write it.
var (
	mixedJSON = []string{`"7"`, `"x"`, "true", `{"x":1}`, "[]", `"0.5"`, `""`}
	mixedCSV  = []string{"x", "NaN", "-inf", "1,5", "0x10", "--1", ".", "007"}
)

var badJSON = []string{"nonsense", `{"n":1`, `{"n":01}`, "[1]", "5", "null", `{"n":1} x`, `{"n":tru}`, `{"s":"\x"}`, "{\"s\":\"\t\"}", `{"n":1,}`, `"`}

var badCSV = []string{"1,2", "a,b,c,d,e,f,g", "1,2,3,x\"y,5,6", "\"1\"x,2,3,4,5,6", ",", "\"a\nb\",2"}

// start is where the times of a table begin: an ordinary day, the nights of Europe's changes of clocks, the epoch and the moment before it.
var starts = []string{"2024-01-01T00:00:00Z", "2024-03-30T20:00:00Z", "2024-10-26T20:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:58Z"}

// timeStyle says how times are written.
type timeStyle struct {
	unit    codec.Unit
	guessed bool // the engine has to find out the unit
}

// drawTable draws up to rows records.
func drawTable(t *rapid.T, rows int) *table {
	csv := rapid.Bool().Draw(t, "csv")
	d := &table{declared: rapid.IntRange(0, 3).Draw(t, "declared") == 0, mixed: rapid.IntRange(0, 2).Draw(t, "mixed") == 0}
	style := timeStyle{unit: rapid.SampledFrom([]codec.Unit{codec.UnitText, codec.UnitMillis, codec.UnitSeconds, codec.UnitMicros, codec.UnitNanos}).Draw(t, "unit")}
	from := rapid.SampledFrom(starts).Draw(t, "start")
	style.guessed = style.unit == codec.UnitText || from[0] == '2' && rapid.Bool().Draw(t, "guessed")
	times := drawTimes(t, style, from, rapid.IntRange(0, rows).Draw(t, "rows"), csv)
	d.from = oracle.Input{Format: codec.NDJSON, Unit: style.unit, Guessed: style.guessed && style.unit != codec.UnitText}
	if !style.guessed {
		d.in.Unit = style.unit
	}
	if csv {
		d.from.Format = codec.CSV
		d.data = d.drawCSV(t, times)
	} else {
		d.data = d.drawJSON(t, times)
	}
	d.in.Format = d.from.Format
	d.in.Lateness = engine.Lateness{Set: true, End: true}
	if !rapid.Bool().Draw(t, "end") {
		d.in.Lateness = engine.Lateness{Set: true, For: rapid.SampledFrom([]time.Duration{0, time.Second, 30 * time.Second, time.Hour}).Draw(t, "lateness")}
	}
	d.from.ToEnd, d.from.Lateness = d.in.Lateness.End, d.in.Lateness.For
	return d
}

// nested reports whether records have the object o.
func (d *table) nested() bool { return d.from.Format == codec.NDJSON && !d.declared }

// repeat makes the table longer by copies of its records: time begins anew in each.
func (d *table) repeat(t *rapid.T, most int) {
	records := bytes.TrimPrefix(d.data, []byte("\ufeff"))
	var header []byte
	if d.from.Format == codec.CSV {
		n := bytes.IndexByte(records, '\n') + 1
		header, records = records[:n], records[n:]
	}
	if i := bytes.Index(records, []byte(`"never`)); i >= 0 {
		records = records[:i]
	}
	records = append(bytes.TrimRight(records, "\r\n"), '\n')
	copies := rapid.IntRange(1, most).Draw(t, "copies")
	d.data = append(slices.Clip(header), bytes.Repeat(records, copies)...)
}

// drawTimes draws times as records write them. Some are out of order, some come twice, a few are none: not so many that the unit cannot be told.
func drawTimes(t *rapid.T, style timeStyle, from string, n int, csv bool) []string {
	start, _ := time.Parse(time.RFC3339, from)
	pace := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, 10 * time.Second, 7 * time.Minute, time.Hour}).Draw(t, "pace")
	times := make([]string, n)
	at := start
	for i := range times {
		at = at.Add(time.Duration(rapid.IntRange(-3, 6).Draw(t, "step")) * pace)
		exactly := at
		if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
			exactly = at.Truncate(10 * time.Second).Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "beside")))
		}
		times[i] = writeTime(t, style, exactly, csv)
	}
	odd := []string{"null", "", "null"}
	if csv {
		odd = []string{"", " ", ""}
	}
	if !style.guessed || style.unit == codec.UnitText {
		odd = append(odd, map[bool]string{false: `"soon"`, true: "soon"}[csv])
	}
	if style.guessed && style.unit != codec.UnitText && n >= 30 {
		odd = append(odd, "0", "17")
	}
	for range n / 15 {
		times[rapid.IntRange(0, n-1).Draw(t, "odd")] = rapid.SampledFrom(odd).Draw(t, "time")
	}
	return times
}

func writeTime(t *rapid.T, style timeStyle, at time.Time, csv bool) string {
	if style.unit == codec.UnitText {
		layout := rapid.SampledFrom([]string{time.RFC3339Nano, "2006-01-02 15:04:05.999", "2006-01-02T15:04:05.999+00:00", "2006-01-02 15:04"}).Draw(t, "layout")
		if rapid.Bool().Draw(t, "zone") {
			at, layout = at.In(time.FixedZone("", 5*3600+45*60)), time.RFC3339Nano
		}
		if csv {
			return at.Format(layout)
		}
		return strconv.Quote(at.Format(layout))
	}
	per := map[codec.Unit]int64{codec.UnitSeconds: 1e9, codec.UnitMillis: 1e6, codec.UnitMicros: 1e3, codec.UnitNanos: 1}[style.unit]
	ns := at.UnixNano()
	if ns%per == 0 {
		return strconv.FormatInt(ns/per, 10)
	}
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	return fmt.Sprintf("%s%d.%0*d", sign, ns/per, len(strconv.FormatInt(per, 10))-1, ns%per)
}

// drawValue draws a value of a column, its first and plainest ones more often.
func (d *table) drawValue(t *rapid.T, name string, of map[string][]string, mixed []string) string {
	values := of[name]
	if d.mixed && (name == "n" || name == "f") && rapid.IntRange(0, 5).Draw(t, "mixed") == 0 {
		return rapid.SampledFrom(mixed).Draw(t, "value")
	}
	if rapid.IntRange(0, 2).Draw(t, "plain") > 0 {
		values = values[:min(len(values), 5)]
	}
	return rapid.SampledFrom(values).Draw(t, "value")
}

// drawJSON draws NDJSON with a record of every time, bad and blank lines. One record has all fields and shows what they are.
func (d *table) drawJSON(t *rapid.T, times []string) []byte {
	var b strings.Builder
	model := rapid.IntRange(0, len(times)).Draw(t, "model")
	for i, ts := range append(times, "") {
		end := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\n\n", " \n", "\n \t\n"}).Draw(t, "end")
		if i == model {
			b.WriteString(`{"n":1,"f":0.5,"k":"a","s":"x","b":true,"o":{"x":1,"y":"t"}` + modelTime(times, `,"ts":`) + "}" + end)
		}
		if i == len(times) {
			break
		}
		if rapid.IntRange(0, 19).Draw(t, "bad") == 0 {
			b.WriteString(rapid.SampledFrom(badJSON).Draw(t, "line") + "\n")
		}
		b.WriteString(d.drawObject(t, ts) + end)
	}
	s := b.String()
	if rapid.IntRange(0, 4).Draw(t, "open") == 0 {
		s = strings.TrimRight(s, "\r\n \t")
	}
	if rapid.IntRange(0, 9).Draw(t, "mark") == 0 {
		s = "\ufeff" + s
	}
	return []byte(s)
}

// modelTime returns the first time that is one, so that the record that shows the fields shows it, too.
func modelTime(times []string, before string) string {
	for _, ts := range times {
		if len(ts) > 4 && !strings.Contains(ts, "soon") {
			return before + ts
		}
	}
	return before + "null"
}

func (d *table) drawObject(t *rapid.T, ts string) string {
	names := append([]string{"o"}, columns...)
	if rapid.IntRange(0, 2).Draw(t, "shuffle") == 0 {
		names = rapid.Permutation(names).Draw(t, "order")
	}
	comma, colon := ",", ":"
	if rapid.IntRange(0, 4).Draw(t, "spaces") == 0 {
		comma, colon = " , ", "\t: "
	}
	var members []string
	for _, name := range names {
		v := ts
		if name != "ts" {
			v = d.drawValue(t, name, jsonValues, mixedJSON)
		}
		if v == "" {
			continue
		}
		if rapid.IntRange(0, 29).Draw(t, "twice") == 0 {
			members = append(members, strconv.Quote(name)+colon+map[bool]string{false: "null", true: `{"x":3,"y":"z"}`}[name == "o"])
		}
		members = append(members, strconv.Quote(name)+colon+v)
	}
	return "{" + strings.Join(members, comma) + "}"
}

// drawCSV draws CSV with a header, a record of every time, bad and blank lines.
func (d *table) drawCSV(t *rapid.T, times []string) []byte {
	end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
	var b strings.Builder
	b.WriteString(strings.Join(columns, ",") + end)
	model := rapid.IntRange(0, len(times)).Draw(t, "model")
	for i, ts := range append(times, "") {
		if i == model {
			b.WriteString(strings.TrimPrefix(modelTime(times, ""), "null") + ",1,0.5,a,x,true" + end)
		}
		if i == len(times) {
			break
		}
		if rapid.IntRange(0, 19).Draw(t, "bad") == 0 {
			b.WriteString(rapid.SampledFrom(badCSV).Draw(t, "line") + end)
		}
		if rapid.IntRange(0, 19).Draw(t, "blank") == 0 {
			b.WriteString(end)
		}
		cells := []string{quoteCell(t, ts)}
		for _, name := range columns[1:] {
			cells = append(cells, quoteCell(t, d.drawValue(t, name, csvValues, mixedCSV)))
		}
		b.WriteString(strings.Join(cells, ",") + end)
	}
	s := b.String()
	switch rapid.IntRange(0, 9).Draw(t, "tail") {
	case 0:
		s = strings.TrimRight(s, "\r\n")
	case 1:
		s += `"never closed,` + end + "1,2,3" + end
	case 2:
		s = "\ufeff" + s
	}
	return []byte(s)
}

func quoteCell(t *rapid.T, s string) string {
	if strings.ContainsAny(s, "\",\r\n") || rapid.IntRange(0, 5).Draw(t, "quote") == 0 {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
