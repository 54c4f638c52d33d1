package sink_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// row is a row of values: nil, bool, int, float64, string, tuple types as below.
type row []any

type (
	raw  string // JSON
	at   string // Timestamp
	huge struct {
		Hi int64
		Lo uint64
	}
)

// batch makes a batch of rows. Columns take their type from the fields.
func batch(t require.TestingT, schema *tuple.Schema, rows ...row) *tuple.Batch {
	n := len(rows)
	b := &tuple.Block{Schema: schema, N: n, Cols: make([]tuple.Column, len(schema.Fields))}
	for i, f := range schema.Fields {
		c := &b.Cols[i]
		c.Reset(f.Type, n)
		if f.Type == tuple.Number {
			c.SetRep(tuple.RepMixed, n)
		}
		for r := range rows {
			switch v := rows[r][i].(type) {
			case nil:
				c.SetNull(r, n)
			case bool:
				c.B[r] = v
			case int:
				c.I[r] = int64(v)
				if c.Rep == tuple.RepMixed {
					c.Tag[r] = tuple.TagInt
				}
			case float64:
				c.F[r] = v
				if c.Rep == tuple.RepMixed {
					c.Tag[r] = tuple.TagFloat
				}
			case huge:
				c.Tag[r], c.Hi[r], c.I[r] = tuple.TagHuge, v.Hi, int64(v.Lo)
			case string:
				c.SetStr(r, []byte(v))
			case raw:
				c.SetStr(r, []byte(v))
			case at:
				ns, ok := tuple.ParseTime([]byte(v))
				require.True(t, ok)
				c.I[r] = ns
			case time.Duration:
				c.I[r] = int64(v)
			default:
				panic(fmt.Sprintf("%T", v))
			}
		}
	}
	return &tuple.Batch{Block: b, Sel: tuple.All(n)}
}

func schema(fields ...tuple.Field) *tuple.Schema { return &tuple.Schema{Fields: fields} }

func field(name string, t tuple.Type) tuple.Field { return tuple.Field{Name: name, Type: t} }

// print writes batches and returns the text and the warnings.
func print(t require.TestingT, format sink.Format, opt sink.Options, s *tuple.Schema, batches ...*tuple.Batch) (string, []string) {
	var out bytes.Buffer
	var warnings []string
	opt.Warn = func(w string) { warnings = append(warnings, w) }
	k, err := sink.New(format, &out, opt)
	require.NoError(t, err)
	require.NoError(t, k.Begin(s))
	for _, b := range batches {
		require.NoError(t, k.Write(b))
	}
	require.NoError(t, k.Close())
	return out.String(), warnings
}

func TestNDJSONValues(t *testing.T) {
	kathmandu := time.FixedZone("", 5*3600+45*60)
	for _, tc := range []struct {
		claim string
		field tuple.Field
		value any
		want  string
	}{
		{"integers are exact", field("x", tuple.Bigint), math.MinInt64, "-9223372036854775808"},
		{"integers beyond 2^53 too", field("x", tuple.Number), 9007199254740993, "9007199254740993"},
		{"128 bits too", field("x", tuple.Number), huge{0, 1<<63 + 2}, "9223372036854775810"},
		{"negative 128 bits too", field("x", tuple.Number), huge{-1 << 63, 0}, "-170141183460469231731687303715884105728"},
		{"a double is told from an integer", field("x", tuple.Double), 3.0, "3.0"},
		{"a number can be a double", field("x", tuple.Number), 0.5, "0.5"},
		{"the shortest that reads back", field("x", tuple.Double), math.Nextafter(0.3, 1), "0.30000000000000004"},
		{"large doubles have an exponent", field("x", tuple.Double), 1.7e308, "1.7e+308"},
		{"NaN is null", field("x", tuple.Double), math.NaN(), "null"},
		{"so is infinity", field("x", tuple.Number), math.Inf(-1), "null"},
		{"NULL is null", field("x", tuple.Bigint), nil, "null"},
		{"the NULL type is null", field("x", tuple.Null), nil, "null"},
		{"booleans", field("x", tuple.Boolean), true, "true"},
		{"times are UTC", field("x", tuple.Timestamp), at("2026-03-02T12:00:00Z"), `"2026-03-02T12:00:00Z"`},
		{"or have their zone's offset", tuple.Field{Name: "x", Type: tuple.Timestamp, Zone: kathmandu}, at("2024-01-01T00:00:00.5Z"), `"2024-01-01T05:45:00.5+05:45"`},
		{"intervals are durations", field("x", tuple.Interval), 90 * time.Minute, `"1h30m"`},
		{"JSON stands as it is", field("x", tuple.JSON), raw(`[{"value":"a<b","count":2}]`), `[{"value":"a<b","count":2}]`},
		{"but on one line", field("x", tuple.JSON), raw("[1,\r\n 2]"), `[1,   2]`},
		{"escapes", field("x", tuple.Text), "a\"b\\c/\n\r\t\b\f\x00\x1f\x7f<&>", `"a\"b\\c/\n\r\t\b\f\u0000\u001f` + "\x7f" + `<&>"`},
		{"text beyond ASCII stands", field("x", tuple.Text), "é😀\u2028\u2029\xff", `"é😀\u2028\u2029\ufffd"`},
		{"names are escaped too", field("a\"b\n", tuple.Bigint), 1, "1"},
	} {
		t.Run(tc.claim, func(t *testing.T) {
			s := schema(tc.field)
			got, _ := print(t, sink.NDJSON, sink.Options{}, s, batch(t, s, row{tc.value}))
			name, err := json.Marshal(tc.field.Name)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("{%s:%s}\n", name, tc.want), got)
			require.True(t, json.Valid([]byte(got)))
		})
	}
}

func TestOneWarningPerColumnThatJSONCannotHold(t *testing.T) {
	s := schema(field("a", tuple.Double), field("b", tuple.Number), field("c", tuple.Double))
	b := batch(t, s, row{math.NaN(), math.Inf(1), 1.5}, row{math.NaN(), 1, 2.5})
	_, warnings := print(t, sink.NDJSON, sink.Options{}, s, b, b)
	require.Len(t, warnings, 2)
	require.Contains(t, warnings[0], `"a"`)
	require.Contains(t, warnings[1], `"b"`)
	got, warnings := print(t, sink.CSV, sink.Options{}, s, b)
	require.Equal(t, "a,b,c\nnan,inf,1.5\nnan,1,2.5\n", got)
	require.Empty(t, warnings)
}

func TestOnlySelectedRowsAreWritten(t *testing.T) {
	s := schema(field("v", tuple.Bigint))
	b := batch(t, s, row{1}, row{2}, row{3})
	b.Sel = []uint16{0, 2}
	empty := batch(t, s)
	for format, want := range map[sink.Format]string{
		sink.NDJSON:   "{\"v\":1}\n{\"v\":3}\n",
		sink.JSON:     "[\n{\"v\":1},\n{\"v\":3}\n]\n",
		sink.CSV:      "v\n1\n3\n",
		sink.TSV:      "v\n1\n3\n",
		sink.Markdown: "| v |\n|--:|\n| 1 |\n| 3 |\n",
		sink.Table:    "v\n-\n1\n3\n",
		sink.None:     "",
	} {
		got, _ := print(t, format, sink.Options{}, s, empty, b, empty)
		require.Equal(t, want, got, format)
	}
}

func TestNothingIsWrittenProperlyToo(t *testing.T) {
	s := schema(field("v", tuple.Bigint))
	for format, want := range map[sink.Format]string{
		sink.NDJSON: "", sink.JSON: "[]\n", sink.CSV: "v\n", sink.Table: "v\n-\n", sink.None: "",
	} {
		got, _ := print(t, format, sink.Options{}, s)
		require.Equal(t, want, got, format)
	}
	_, err := sink.New("xml", io.Discard, sink.Options{})
	require.EqualError(t, err, `unknown format "xml": write ndjson, json, csv, tsv, markdown, table or none`)
}

func TestRowsOfUnfinishedWindowsSaySo(t *testing.T) {
	s := schema(field("v", tuple.Bigint))
	b := batch(t, s, row{1})
	b.Partial = true
	got, warnings := print(t, sink.NDJSON, sink.Options{}, s, batch(t, s, row{0}), b)
	require.Equal(t, "{\"v\":0}\n{\"v\":1,\"_final\":false}\n", got)
	require.Empty(t, warnings)
	for _, format := range []sink.Format{sink.CSV, sink.TSV, sink.Markdown, sink.Table} {
		_, warnings = print(t, format, sink.Options{}, s, b, b)
		require.Len(t, warnings, 1, format)
		require.Contains(t, warnings[0], "final: false")
	}
	own := schema(field("_final", tuple.Boolean))
	b = batch(t, own, row{false})
	b.Partial = true
	got, _ = print(t, sink.NDJSON, sink.Options{}, own, b)
	require.Equal(t, "{\"_final\":false}\n", got)
}

func TestRepeatedNamesAreMadeDistinct(t *testing.T) {
	var fields []tuple.Field
	for _, name := range []string{"a", "a", "a_1", "b", "a"} {
		fields = append(fields, field(name, tuple.Bigint))
	}
	s := schema(fields...)
	b := batch(t, s, row{1, 2, 3, 4, 5})
	got, _ := print(t, sink.NDJSON, sink.Options{}, s, b)
	require.Equal(t, `{"a":1,"a_2":2,"a_1":3,"b":4,"a_3":5}`+"\n", got)
	got, _ = print(t, sink.CSV, sink.Options{}, s, b)
	require.Equal(t, "a,a_2,a_1,b,a_3\n1,2,3,4,5\n", got)
}

func TestCSVQuotesWhatNeedsIt(t *testing.T) {
	s := schema(field("k", tuple.Text), field("n", tuple.Bigint))
	got, _ := print(t, sink.CSV, sink.Options{}, s, batch(t, s, row{"a,b", 1}, row{`say "x"`, 1}, row{nil, nil}, row{"", 2}, row{"a\tb", 3}, row{"l\nm", 4}))
	require.Equal(t, "k,n\n\"a,b\",1\n\"say \"\"x\"\"\",1\n,\n\"\",2\na\tb,3\n\"l\nm\",4\n", got)
	got, _ = print(t, sink.TSV, sink.Options{}, s, batch(t, s, row{"a,b", 1}, row{"a\tb", 3}))
	require.Equal(t, "k\tn\na,b\t1\n\"a\tb\"\t3\n", got)
	lone := schema(field("k", tuple.Text))
	got, _ = print(t, sink.CSV, sink.Options{}, lone, batch(t, lone, row{nil}, row{"x"}))
	require.Equal(t, "k\n\"\"\nx\n", got)
}

func TestMarkdownCellsStayCells(t *testing.T) {
	s := schema(field("a|b", tuple.Text), field("n", tuple.Double))
	got, _ := print(t, sink.Markdown, sink.Options{}, s, batch(t, s, row{"x|y\n<b>&\x1b", 1.0}, row{nil, nil}))
	require.Equal(t, "| a\\|b | n |\n|---|--:|\n| x\\|y<br>&lt;b>&amp;\\x1b | 1.0 |\n| NULL | NULL |\n", got)
}

// broken fails after n bytes.
type broken struct {
	n   int
	err error
}

func (w *broken) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, w.err
	}
	return len(p), nil
}

func TestErrorsOfTheWriterAreNotLost(t *testing.T) {
	s := schema(field("k", tuple.Text))
	b := batch(t, s, row{strings.Repeat("x", 40_000)})
	small := batch(t, s, row{"x"})
	for _, cause := range []error{syscall.EPIPE, syscall.ENOSPC} {
		for _, format := range []sink.Format{sink.NDJSON, sink.JSON, sink.CSV, sink.TSV, sink.Markdown, sink.Table} {
			k, err := sink.New(format, &broken{0, cause}, sink.Options{})
			require.NoError(t, err)
			require.NoError(t, k.Begin(s))
			err = k.Write(b)
			if format == sink.Table {
				require.NoError(t, err, "held back")
				err = k.(sink.Flusher).Flush()
			}
			require.ErrorIs(t, err, cause, format)
			require.ErrorIs(t, k.Write(small), cause, format)
			require.ErrorIs(t, k.(sink.Flusher).Flush(), cause, format)
			require.NoError(t, k.Close(), "told already")

			k, err = sink.New(format, &broken{0, cause}, sink.Options{})
			require.NoError(t, err)
			require.NoError(t, k.Begin(s))
			require.NoError(t, k.Write(small))
			require.ErrorIs(t, k.Close(), cause, format)
		}
	}
}

func TestAFlushShowsEveryRow(t *testing.T) {
	s := schema(field("k", tuple.Text))
	for format, want := range map[sink.Format]string{
		sink.NDJSON: "{\"k\":\"x\"}\n", sink.JSON: "[\n{\"k\":\"x\"}", sink.CSV: "k\nx\n", sink.Markdown: "| k |\n|---|\n| x |\n", sink.Table: "k\n-\nx\n",
	} {
		var out bytes.Buffer
		k, err := sink.New(format, &out, sink.Options{})
		require.NoError(t, err)
		require.NoError(t, k.Begin(s))
		require.NoError(t, k.Write(batch(t, s, row{"x"})))
		require.Empty(t, out.String())
		require.NoError(t, k.(sink.Flusher).Flush())
		require.Equal(t, want, out.String(), format)
	}
}

func TestWhatIsWrittenReadsBack(t *testing.T) {
	s := schema(field("i", tuple.Bigint), field("f", tuple.Double), field("s", tuple.Text), field("b", tuple.Boolean))
	rapid.Check(t, func(t *rapid.T) {
		var rows []row
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			v := row{rapid.Int().Draw(t, "i"), rapid.Float64().Draw(t, "f"), rapid.String().Draw(t, "s"), rapid.Bool().Draw(t, "b")}
			if null := rapid.IntRange(0, 8).Draw(t, "null"); null < len(v) {
				v[null] = nil
			}
			rows = append(rows, v)
		}
		cut := rapid.IntRange(0, len(rows)).Draw(t, "cut")
		text, _ := print(t, sink.NDJSON, sink.Options{}, s, batch(t, s, rows[:cut]...), batch(t, s, rows[cut:]...))
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		array, _ := print(t, sink.JSON, sink.Options{}, s, batch(t, s, rows...))
		require.True(t, json.Valid([]byte(array)))
		table, _ := print(t, sink.CSV, sink.Options{}, s, batch(t, s, rows...))
		records, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		require.NoError(t, err)
		for i, want := range rows {
			var got map[string]any
			require.NoError(t, d.Decode(&got))
			require.Len(t, got, len(want))
			for j, v := range want {
				name := s.Fields[j].Name
				switch v := v.(type) {
				case nil:
					require.Nil(t, got[name])
					require.Empty(t, records[i+1][j])
				case int:
					require.Equal(t, json.Number(fmt.Sprint(v)), got[name])
				case float64:
					back, err := got[name].(json.Number).Float64()
					require.NoError(t, err)
					require.Equal(t, v, back)
				case string:
					require.Equal(t, v, got[name])
					require.Equal(t, strings.ReplaceAll(v, "\r\n", "\n"), records[i+1][j])
				default:
					require.Equal(t, v, got[name])
				}
			}
		}
		_, err = d.Token()
		require.True(t, errors.Is(err, io.EOF))
	})
}

func FuzzStringsAreThoseOfEncodingJSON(f *testing.F) {
	for _, s := range []string{"", "plain text of some length", "a\"b\\", "\x00\x1f\x7f", "é\u2028😀", "\xff\xc0\x80\xed\xa0\x80", "12345678\"", "1234567\x80"} {
		f.Add([]byte(s))
	}
	s := schema(field("k", tuple.Text))
	f.Fuzz(func(t *testing.T, text []byte) {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(map[string]string{"k": string(text)}))
		got, _ := print(t, sink.NDJSON, sink.Options{}, s, batch(t, s, row{string(text)}))
		require.Equal(t, want.String(), got)
	})
}
