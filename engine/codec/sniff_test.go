package codec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestSniff(t *testing.T) {
	const access = `::1 - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 512` + "\n"
	for _, c := range []struct {
		claim, name, sample string
		format              Format
		delim               byte
	}{
		{"nothing", "", "", NDJSON, 0},
		{"white space", "", " \n", NDJSON, 0},
		{"an object", "", "\ufeff {\"a\":1}\n", NDJSON, 0},
		{"an array", "-", "[\n  {\"a\":1},\n", JSONArray, 0},
		{"an array by name", "x.JSON.gz", " [ 1", JSONArray, 0},
		{"records by name", "x.json", "{\"a\":1}\n{\"a\":2}\n", NDJSON, 0},
		{"an empty file by name", "dir.csv/x.jsonl.zst", "", NDJSON, 0},
		{"access log by content", "access.log", access + access, AccessLog, 0},
		{"access log with a bad line", "", access + "x\n" + access + "::1 - - [02", AccessLog, 0},
		{"objects in a log", "app.log", "{\"a\":1}\n", NDJSON, 0},
		{"logfmt", "app.log", "level=info msg=\"a, b\" n=1\n", Logfmt, 0},
		{"logfmt with a key alone", "", "ts=1 ok x=2\nts=2 x=3\n", Logfmt, 0},
		{"logfmt by name", "a.logfmt", "ok\n", Logfmt, 0},
		{"commas", "", "a,b\n1,2\n", CSV, ','},
		{"tabs", "", "a\tb,c\n1\t2\n", TSV, '\t'},
		{"semicolons and decimal commas", "x.csv", "a;b\n1,5;2\n\"x;y\";3\n", CSV, ';'},
		{"bars", "", "a|b|c\n1|2|3\n", CSV, '|'},
		{"one column", "", "word\nto\nbe\n", CSV, ','},
		{"queries in CSV", "", "url,n\n/a?x=1,2\n", CSV, ','},
		{"JSON in CSV by name", "x.csv", "{a},b\n1,2\n", CSV, ','},
		{"tabs by name", "x.tsv", "a,b\n", TSV, '\t'},
		{"tabs in .csv", "x.csv", "a\tb\n1\t2", CSV, '\t'},
		{"a comma in quotes", "", "\"a,b\";c\n\"1,2\";3\n", CSV, ';'},
	} {
		f, delim, err := Sniff([]byte(c.sample), c.name)
		require.NoError(t, err, c.claim)
		require.Equal(t, c.format, f, c.claim)
		require.Equal(t, string(c.delim), string(delim), c.claim)
	}
	for sample, want := range map[string]string{
		"\xff\xfea\x00":          "iconv -f utf-16 -t utf-8",
		"\xfe\xff\x00a":          "iconv -f utf-16 -t utf-8",
		"a\x00,\x00b\x00\n\x00":  "UTF-16",
		"PAR1\x15\x04":           "Parquet",
		"PK\x03\x04":             "zip",
		"\xfd7zXZ\x00":           "xz -dc",
		"BZh91AY&SY":             "bzip2 -dc",
		"abcdef\x00ghijklmnopqr": "binary",
	} {
		_, _, err := Sniff([]byte(sample), "x.csv")
		require.ErrorContains(t, err, want)
	}
	for claim, sample := range map[string]string{
		"several lines, but a record must be one": "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n",
		"give --format":  "Jan  1 00:00:01 host sshd[12]: Accepted\nJan  1 00:00:02 host cron[3]: ran\n",
		"cannot be told": "2024/03/30 20:00:00 [error] 12#0: *1 open() \"/srv/www/favicon.ico\" failed (2: No such file), client: 1.2.3.4\n",
	} {
		_, _, err := Sniff([]byte(sample), "some.log")
		require.ErrorContains(t, err, claim)
	}
	f, _, err := Sniff([]byte("BZh,b\n1,2\n"), "")
	require.NoError(t, err)
	require.Equal(t, CSV, f)
}

func TestAWordAmongTimesDoesNotHideTheirUnit(t *testing.T) {
	lines := strings.Repeat("{\"ts\":1704067200000}\n", 20) + "{\"ts\":\"unset\"}\n"
	shape, err := Infer([]byte(lines), Options{}, true)
	require.NoError(t, err)
	require.Equal(t, UnitMillis, shape.Fields[0].Unit)
	shape, err = Infer([]byte("{\"ts\":1704067200000}\n{\"ts\":\"unset\"}\n"), Options{}, true)
	require.NoError(t, err)
	require.Empty(t, shape.Fields[0].Unit, "as many words as times")
}

// types prints the names and types of a shape.
func types(s *Shape) string {
	var out []string
	for _, f := range s.Fields {
		out = append(out, fmt.Sprintf("%s %s", f.Name, f.Type))
	}
	return strings.Join(out, ", ")
}

func TestInfer(t *testing.T) {
	for _, c := range []struct {
		claim, sample string
		complete      bool
		opt           Options
		want          string
		records, bad  int
	}{
		{
			"kinds", "id,at,ok,x,name\n1,2026-03-02,true,NaN,a\n2,2026-03-02T00:00:00Z,false,0.5,\n", true,
			Options{},
			"id BIGINT, at TIMESTAMP, ok BOOLEAN, x DOUBLE, name TEXT", 2, 0,
		},
		{"the last record is not whole", "a,b\n1,2\n3,\"x", false, Options{}, "a BIGINT, b BIGINT", 1, 0},
		{"nothing follows", "a,b\n1,2\n3,x", true, Options{}, "a BIGINT, b TEXT", 2, 0},
		{"bad records", "a,b\n1,2\n3\n4,\"5\"6\n", true, Options{Format: CSV}, "a BIGINT, b BIGINT", 1, 2},
		{"spaces and quotes", "a,b\n 1,\"\"\n,\"2\"\n", true, Options{}, "a BIGINT, b BIGINT", 2, 0},
		{"no header: numbers", "1,2\n3,4\n", true, Options{}, "column0 BIGINT, column1 BIGINT", 2, 0},
		{"no header: a time", "2001-01-01T00:01:00Z,LAS\n2001-01-01T00:02:00Z,PHL\n", true, Options{}, "column0 TIMESTAMP, column1 TEXT", 2, 0},
		{"no header: a fraction", "LAS,0.5\nPHL,1\n", true, Options{}, "column0 TEXT, column1 DOUBLE", 2, 0},
		{"years are names", "country,2019,2020\nde,1,2\n", true, Options{}, "country TEXT, 2019 BIGINT, 2020 BIGINT", 1, 0},
		{"no header as told", "a,b\n", true, Options{Format: CSV, NoHeader: true}, "column0 TEXT, column1 TEXT", 1, 0},
		{"a header alone", "a,a,,\n", true, Options{}, "a NULL, a_1 NULL, column2 NULL, column3 NULL", 0, 0},
		{"one column", "word\nto\nbe\n", true, Options{}, "word TEXT", 2, 0},
		{"leading zeros are kept", "zip,n\n00501,1\n10001,0\n", true, Options{}, "zip TEXT, n BIGINT", 2, 0},
		{"tabs", "a\tb\n1\t\"x\"\"\"\n", true, Options{}, "a BIGINT, b TEXT", 1, 0},
		{"no content", "\n", true, Options{Format: CSV}, "", 0, 0},
		{"logfmt", "a=1 b=\"x y\"\nb=z ok c\nd\ne=", false, Options{Format: Logfmt}, "a BIGINT, b TEXT, ok BOOLEAN, c BOOLEAN, d NULL", 2, 1},
		{
			"access log", `::1 - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 -` + "\nx\n", true,
			Options{Format: AccessLog},
			"ip TEXT, ident TEXT, user TEXT, time TIMESTAMP, method TEXT, path TEXT, protocol TEXT, status BIGINT, bytes BIGINT, referer TEXT, agent TEXT", 1, 1,
		},
		{"JSON", "{\"a\":1}\n{\"a\":", false, Options{}, "a BIGINT", 1, 0},
		{"a JSON array", "[{\"a\":1},{\"a\":", false, Options{}, "a BIGINT", 1, 0},
	} {
		shape, err := Infer([]byte(c.sample), c.opt, c.complete)
		require.NoError(t, err, c.claim)
		require.Equal(t, c.want, types(shape), c.claim)
		require.Equal(t, c.records, shape.Records, c.claim)
		require.Equal(t, c.bad, shape.Bad, c.claim)
		if shape.Format == CSV && len(shape.Fields) > 0 {
			require.Len(t, shape.Header, len(shape.Fields), c.claim)
			require.Equal(t, byte(','), shape.Delimiter, c.claim)
			require.Equal(t, shape.Header[0] == "column0", shape.NoHeader, c.claim)
		}
	}
	for sample, opt := range map[string]Options{
		"\"a\"b,c\n": {Format: CSV},
		"a,b\n":      {Format: "avro"},
		"a;b\n":      {Format: CSV, Delimiter: '\n'},
		"\xff\xfea":  {},
	} {
		_, err := Infer([]byte(sample), opt, true)
		require.Error(t, err, "%q", sample)
	}
	shape, err := Infer([]byte("t,n\n1772452800000,5\n1772452800001,\n"), Options{Format: CSV}, true)
	require.NoError(t, err)
	require.Equal(t, Field{Name: "t", Path: []string{"t"}, Type: tuple.Bigint, Seen: 2, Unit: UnitMillis, Sample: "1772452800000"}, shape.Fields[0])
	require.Equal(t, Field{Name: "n", Path: []string{"n"}, Type: tuple.Bigint, Seen: 1, Nulls: 1, Sample: "5"}, shape.Fields[1])
}

// FuzzInfer checks that whatever a sample is, what is inferred from it as text can be decoded, and gives the same number of
// records in chunks as it does at once.
func FuzzInfer(f *testing.F) {
	for _, s := range []string{
		"a,b\n1,2\n", "a\tb\n1\t2", "\"a\"\"\",b\n\"1\n\",2", "a=1 b=\"x\\\"\" c\n=\n", "\"", "\ufeff\"a\"\n1\n",
		"\nA\r\n\n0", "::1 - - [02/Mar/2026:12:00:00 +0000] \"GET / HTTP/1.1\" 200 512 \"-\" \"\\x22\\\\\"\n", "h ::1 - - [02] \"\" 1 1 \"\n", "{\"a\":[1]}\n", "[{\"a\":1},2]",
	} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, sample []byte, step uint8) {
		if len(sample) > 1000 {
			return
		}
		for _, format := range []Format{CSV, TSV, Logfmt, AccessLog} {
			_, _, _ = Sniff(sample, "")
			shape, err := Infer(sample, Options{Format: format}, true)
			if err != nil {
				continue
			}
			schema := &tuple.Schema{}
			for _, c := range shape.Fields {
				schema.Fields = append(schema.Fields, tuple.Field{Name: c.Name, Path: c.Path, Type: c.Type})
			}
			opt := Options{Format: shape.Format, Header: shape.Header, NoHeader: shape.NoHeader, Delimiter: shape.Delimiter, Unit: UnitText}
			dec, err := New(schema, opt)
			if err != nil {
				require.Empty(t, shape.Fields, "%q as %s: %v", sample, format, err)
				continue
			}
			data := sample[markLength(sample):]
			whole := chunked(t, dec, NewCutter(opt), len(schema.Fields), data, max(len(data), 1))
			require.Len(t, whole, shape.Records+shape.Bad, "%q as %s", sample, format)
			require.Len(t, chunked(t, dec, NewCutter(opt), len(schema.Fields), data, int(step)+1), len(whole), "%q as %s", sample, format)
		}
	})
}

func TestVeryWideFilesTakeTimeAndMemoryInProportion(t *testing.T) {
	wide := strings.Repeat(",", 100_000) + "\n"
	shape, err := Infer([]byte(wide+wide), Options{Format: CSV}, true)
	require.NoError(t, err)
	require.Equal(t, 1, shape.Records)
	require.Len(t, shape.Fields, 100_001)
	require.False(t, shape.More)
	for _, columns := range []int{MaxColumns + 1, 2_000_000} {
		wide = strings.Repeat(",", columns-1) + "\n"
		for _, opt := range []Options{{}, {Format: CSV}} {
			_, err = Infer([]byte(wide), opt, true)
			require.EqualError(t, err, "the first record: more than 131072 columns")
		}
		_, err = HeaderOf([]byte(wide), Options{Format: CSV})
		require.EqualError(t, err, "the header: more than 131072 columns")
	}
}

func TestLinesOfOldMacsAreRefused(t *testing.T) {
	for sample, refused := range map[string]bool{
		"a,b\r1,2\r":                 true,
		"a,b\r1,2":                   true,
		"\"a\",\"b\"\r\"1\",\"2\"\r": true,
		"\r\ra,b\r":                  true,
		"a,\"b\rc\",d":               false,
		"a,b\r":                      false,
		"a,b\r1,2\r\n":               false,
	} {
		_, err := Infer([]byte(sample), Options{Format: CSV}, true)
		if refused {
			require.ErrorContains(t, err, `tr '\r' '\n'`, "%q", sample)
		} else {
			require.NoError(t, err, "%q", sample)
		}
	}
}

func TestBlankLinesAreNoRecords(t *testing.T) {
	for _, sample := range []string{"", "\n", "\n\r\n\n"} {
		shape, err := Infer([]byte(sample), Options{Format: CSV}, true)
		require.NoError(t, err)
		require.Empty(t, shape.Fields)
		dec, err := New(textSchema("a"), Options{Format: CSV, Header: shape.Header})
		require.NoError(t, err)
		require.Equal(t, len(sample), dec.Scan([]byte(sample), true))
		rows, bad := dec.Found()
		require.Zero(t, rows)
		require.Empty(t, bad)
	}
}
