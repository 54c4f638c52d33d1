package codec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// decodeText decodes data, which begins a file, with fields given as name:TYPE.
func decodeText(t *testing.T, opt Options, data string, fields ...string) []string {
	schema := &tuple.Schema{}
	for _, f := range fields {
		name, typ, _ := strings.Cut(f, ":")
		for k := tuple.Null; k <= tuple.JSON; k++ {
			if k.String() == typ {
				schema.Fields = append(schema.Fields, tuple.Field{Name: name, Type: k})
			}
		}
	}
	require.Len(t, schema.Fields, len(fields))
	if opt.Unit == "" {
		opt.Unit = UnitText
	}
	dec, err := New(schema, opt)
	require.NoError(t, err)
	return chunked(t, dec, NewCutter(opt), len(fields), []byte(data), len(data))
}

func TestCSVHeaders(t *testing.T) {
	opt := Options{Format: CSV, Header: []string{"a", "b", "c"}}
	for _, c := range []struct {
		claim, data string
		want        []string
	}{
		{"the header that is expected", "a,b,c\n1,2,3\n", []string{`"1" "3" NULL`}},
		{"quoted names, spaces, a byte order mark", "\ufeff\"a\", b ,\"c\"\r\n1,2,3\r\n", []string{`"1" "3" NULL`}},
		{"empty lines before it", "\n\r\na,b,c\n1,2,3", []string{`"1" "3" NULL`}},
		{"another order", "c,b,a\n1,2,3\n", []string{`"3" "1" NULL`}},
		{"more columns", "x,a,new,c\n0,1,2,3\n0,1,2\n", []string{`"1" "3" "2"`, `bad columns at 18: "0,1,2"`}},
		{"a column that is not wanted is missing", "c,a\n1,2\n", []string{`"2" "1" NULL`}},
		{"a wanted column is missing", "a,b\n1,2\n\n3,4\n\"5\",6\n", []string{
			`bad header at 0: "a,b"`, `bad header at 4: "1,2"`, `bad header at 9: "3,4"`, `bad header at 13: "\"5\",6"`,
		}},
		{"no header but data", "1,2,3\n", []string{`bad header at 0: "1,2,3"`}},
		{"broken quotes", "a,b\"x,c\n1,2,3\n", []string{`bad header at 0: "a,b\"x,c"`, `bad header at 8: "1,2,3"`}},
		{"nothing at all", "\n", nil},
		{"a header alone", "a,b,c", nil},
	} {
		require.Equal(t, c.want, decodeText(t, opt, c.data, "a:TEXT", "c:TEXT", "new:TEXT"), c.claim)
	}
	opt.NoHeader = true
	require.Equal(t, []string{`"1" "3"`}, decodeText(t, opt, "1,2,3\n", "a:TEXT", "c:TEXT"))

	dec, err := NewCSV(textSchema("a"), Options{Format: CSV, Header: []string{"a", "b"}})
	require.NoError(t, err)
	dec.Scan([]byte("b,c\n1,2\n"), true)
	_, bad := dec.Found()
	require.Equal(t, `no column "a" in the header`, bad[0].Detail)
	dec.Scan([]byte("a,b\n1,2\n"), true)
	rows, bad := dec.Found()
	require.Equal(t, 1, rows, "the next file is good again")
	require.Empty(t, bad)

	names, err := HeaderOf([]byte("b;\"a\"\"\";;b;b_1\n"), Options{Format: CSV, Delimiter: ';'})
	require.NoError(t, err)
	require.Equal(t, []string{"b", `a"`, "column2", "b_1", "b_1_1"}, names)
	_, err = HeaderOf([]byte("\n"), opt)
	require.ErrorContains(t, err, "no header")
}

func TestCSVConstructorRefuses(t *testing.T) {
	for _, opt := range []Options{
		{Format: NDJSON, Header: []string{"a"}},
		{Format: CSV, Header: []string{"a"}, Delimiter: '"'},
		{Format: CSV, Header: []string{"a"}, Delimiter: 0xc3},
		{Format: CSV, Header: []string{"a"}, Unit: UnitAuto},
	} {
		_, err := NewCSV(textSchema("a"), opt)
		require.Error(t, err, "%+v", opt)
	}
	_, err := New(nil, Options{Format: "avro"})
	require.ErrorContains(t, err, "avro")
}

func TestCSVValues(t *testing.T) {
	for _, c := range []struct {
		claim, typ string
		unit       Unit
		cells      []string
		want       string
	}{
		{"text keeps spaces, and empty quotes are the empty text", "TEXT", "", []string{` a `, `""`, ``, `"b ""c"""`}, `" a " "" NULL "b \"c\""`},
		{"text keeps line ends in quotes", "TEXT", "", []string{"\"a\r\nb\"", "\"\n\""}, `"a\r\nb" "\n"`},
		{"integers are exact", "NUMBER", "", []string{"9007199254740993", "-9223372036854775808"}, "9007199254740993 -9223372036854775808"},
		{"integers and doubles mix", "NUMBER", "", []string{"1", "0.5", "18446744073709551616", "12345678.1234567"}, "1 0.5. 1.8446744073709552e+19. 1.23456781234567e+07."},
		{"not finite", "NUMBER", "", []string{"NaN", "inf", "-Infinity", "1"}, "NaN. +Inf. -Inf. 1"},
		{"quotes and spaces around numbers do not count", "NUMBER", "", []string{`"7"`, " 8 ", `" 9"`, "+1", "007", ".5", "5."}, "7 8 9 1 7 0.5. 5."},
		{"what is no number", "NUMBER", "", []string{"1,000", "12a", "--1", "1.2.3", "-", ".", "1e", "0x10"}, "NULL NULL NULL NULL NULL NULL NULL NULL (8 unfit)"},
		{"nothing is NULL", "NUMBER", "", []string{"", "  ", `""`}, "NULL NULL NULL"},
		{"integers only", "BIGINT", "", []string{"1", "1.0", "1e3", "1.5", "NaN", "9223372036854775808"}, "1 1 1000 NULL NULL NULL (3 unfit)"},
		{"doubles", "DOUBLE", "", []string{"1", "-0", "nan", "1e400"}, "1. -0. NaN. NULL (1 unfit)"},
		{"truth values", "BOOLEAN", "", []string{"true", "F", "1", "no", "Y", "TRUE", "2", "on"}, "true false true false true true NULL NULL (2 unfit)"},
		{"times as text", "TIMESTAMP", UnitText, []string{
			"2001-01-01T00:01:00Z", "2001-01-01T00:01:07.25Z", "2001-01-01 00:01:59", "2001-01-01", "2001-01-01T00:01:60Z", "2001-01-01T00:01:5xZ", "2001-01-01T00:01:00+01:00", "7",
		}, "2001-01-01T00:01:00Z 2001-01-01T00:01:07.25Z 2001-01-01T00:01:59Z 2001-01-01T00:00:00Z NULL NULL 2000-12-31T23:01:00Z NULL (3 unfit)"},
		{"times as numbers", "TIMESTAMP", UnitMillis, []string{"1500", "-1", "1.5", "1970-01-01"}, "1970-01-01T00:00:01.5Z 1969-12-31T23:59:59.999Z 1970-01-01T00:00:00.0015Z 1970-01-01T00:00:00Z"},
		{"JSON", "JSON", "", []string{`{}`, `"[1,""x""]"`, "{"}, `"{}" "[1,\"x\"]" NULL (1 unfit)`},
		{"intervals are not read", "INTERVAL", "", []string{"5s", ""}, "NULL NULL (1 unfit)"},
	} {
		opt := Options{Format: CSV, Header: []string{"id", "v"}, Unit: c.unit}
		data := "id,v\n"
		for _, cell := range c.cells {
			if strings.Contains(cell, ",") && cell[0] != '"' {
				cell = strconv.Quote(cell)
			}
			data += "some text before," + cell + "\n"
		}
		require.Equal(t, c.want, strings.Join(decodeText(t, opt, data, "v:"+c.typ), " "), c.claim)
	}
}

func TestQuickNumbersAreThoseOfTheSlowWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(numberText, rapid.StringMatching(`-?[0-9]{0,9}\.?[0-9]{0,8}`), rapid.StringMatching(`[-0-9.a+/:]{0,10}`)).Draw(t, "s")
		typ := rapid.SampledFrom([]tuple.Type{tuple.Number, tuple.Bigint, tuple.Double}).Draw(t, "type")
		dec, err := NewCSV(&tuple.Schema{Fields: []tuple.Field{{Name: "v", Type: typ}}}, Options{Format: CSV, Header: []string{"x", "v"}})
		require.NoError(t, err)
		// At the beginning of the data the quick way is not taken.
		var slow, quick tuple.Column
		dec.Scan([]byte(","+s), false)
		slowUnfit := dec.Column(0, tuple.All(1), &slow)
		dec.Scan([]byte("some digits 0123456789,"+s), false)
		require.Equal(t, slowUnfit, dec.Column(0, tuple.All(1), &quick), "%q", s)
		require.Equal(t, slow.IsNull(0), quick.IsNull(0), "%q", s)
		if slow.IsNull(0) {
			return
		}
		require.Equal(t, slow.Rep, quick.Rep, "%q", s)
		if slow.Rep == tuple.RepFloat {
			require.Equal(t, math.Float64bits(slow.F[0]), math.Float64bits(quick.F[0]), "%q", s)
		} else {
			require.Equal(t, slow.I[0], quick.I[0], "%q", s)
		}
	})
}

func TestMinuteReadsAsParseTime(t *testing.T) {
	var m minute
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`(2001-0[12]-3[01]|1677-09-21|2262-04-11)[T ](00:12|23:47|0:123):[0-6][0-9](\.[0-9]{0,10}|,5|)(Z|z|)`).Draw(t, "s")
		b := []byte(s)
		want, ok := tuple.ParseTime(b)
		if m.quick(unsafe.Pointer(unsafe.SliceData(b)), 0, len(b)) {
			require.True(t, ok, "%q", s)
			require.Equal(t, want, m.ns, "%q", s)
		}
	})
}

// cellValue prints what the general way makes of a cell.
func cellValue(cell string, t tuple.Type, u Unit) string {
	var c tuple.Column
	w := newValueWriter(&c, t, 1, u)
	switch {
	case !w.cell(0, []byte(cell)), c.IsNull(0):
		return "NULL"
	}
	return cellText(&c, 0)
}

func TestColumnsAreThoseOfTheirCells(t *testing.T) {
	whole := rapid.OneOf(rapid.StringMatching(`[0-9]{9,16}`), rapid.StringMatching(`[0-9a:]{1,8}[0-9]{8}`))
	cell := rapid.OneOf(
		rapid.StringMatching(`[0-9]{0,17}`), rapid.StringMatching(`17724528[0-9]{5}`), rapid.StringMatching(`[0-9]{1,8}`), rapid.StringMatching(`-?[0-9]{1,3}\.[0-9]{1,3}`),
		rapid.StringMatching(`2026-03-02T12:3[45]:[0-5][0-9]\.[0-9]{3}Z`), rapid.SampledFrom([]string{"", " 1", "x", "9223372036854775", "999999999999999", "1/2", "12345678:", "\r", "1\r"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]tuple.Type{tuple.Timestamp, tuple.Timestamp, tuple.Number, tuple.Bigint, tuple.Double}).Draw(t, "type")
		unit := rapid.SampledFrom([]Unit{UnitSeconds, UnitMillis, UnitMicros, UnitNanos, UnitText}).Draw(t, "unit")
		form := rapid.SampledFrom([]string{"%s,x\n", "x,%s\n", "x,%s\r\n"}).Draw(t, "form")
		common := cell.Draw(t, "common")
		var data, want []string
		for _, c := range rapid.SliceOfN(rapid.OneOf(rapid.Just(common), rapid.Just(common), whole, cell), 20, 60).Draw(t, "cells") {
			data = append(data, fmt.Sprintf(form, c))
			if form == "x,%s\n" {
				c = strings.TrimSuffix(c, "\r")
			}
			want = append(want, cellValue(c, typ, unit))
		}
		header := []string{"x", "v"}
		if form[0] == '%' {
			header = []string{"v", "x"}
		}
		schema := &tuple.Schema{Fields: []tuple.Field{{Name: "v", Type: typ}}}
		dec, err := NewCSV(schema, Options{Format: CSV, Header: header, Unit: unit})
		require.NoError(t, err)
		require.Equal(t, len(strings.Join(data, "")), dec.Scan([]byte(strings.Join(data, "")), false))
		var c tuple.Column
		dec.Column(0, tuple.All(len(want)), &c)
		for r := range want {
			got := "NULL"
			if !c.IsNull(r) {
				got = cellText(&c, r)
			}
			require.Equal(t, want[r], got, "row %d: %q", r, data[r])
		}
	})
}
