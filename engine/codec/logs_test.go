package codec

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestLogfmt(t *testing.T) {
	for _, c := range []struct{ claim, line, want string }{
		{"pairs", `level=info msg="hello world" n=42`, `"info" "hello world" 42 NULL`},
		{"any order, tabs, carriage return", "n=1.5\tok=true  level=warn\r", `"warn" NULL 1.5. true`},
		{"escapes", `msg="say \"hi\"\n\u00e9\ud83d\ude00\q\\"`, `NULL "say \"hi\"\né😀q\\" NULL NULL`},
		{"a key alone is true", `ok level n=`, `"true" NULL NULL true`},
		{"nothing is NULL, quotes are the empty text", `level= msg=""`, `NULL "" NULL NULL`},
		{"the last of duplicates wins", `n=1 n=2 level=a level=`, `NULL NULL 2 NULL`},
		{"= in a value", `msg=a=b==`, `NULL "a=b==" NULL NULL`},
		{"quoted numbers", `n="7" ok="f"`, `NULL NULL 7 false`},
		{"what does not fit", `n=many`, `NULL NULL NULL (1 unfit) NULL`},
		{"nothing", "  \t", ``},
		{"prose", `hello world`, `bad syntax at 0: "hello world"`},
		{"no key", `a=1 =2`, `bad syntax at 0: "a=1 =2"`},
		{"a quote in a key", `a"b=1`, `bad syntax at 0: "a\"b=1"`},
		{"a quote in a value", `a=b"c`, `bad syntax at 0: "a=b\"c"`},
		{"text behind quotes", `a="b"c`, `bad syntax at 0: "a=\"b\"c"`},
		{"open quotes", `a="b c\"`, `bad quote at 0: "a=\"b c\\\""`},
	} {
		opt := Options{Format: Logfmt}
		got := decodeText(t, opt, c.line, "level:TEXT", "msg:TEXT", "n:NUMBER", "ok:BOOLEAN")
		require.Equal(t, c.want, strings.Join(got, "\n"), c.claim)
		// A neighbour does not change it.
		both := decodeText(t, opt, "n=1 ok=t\n"+c.line+"\n\nmsg=x n=many level=y\n", "level:TEXT", "msg:TEXT")
		require.Equal(t, "NULL NULL", both[0], c.claim)
		require.Equal(t, `"y" "x"`, both[len(both)-1], c.claim)
	}
	twice := decodeText(t, Options{Format: Logfmt}, "a.b=7", "a.b:TEXT", "a.b:BIGINT", "c:NULL")
	require.Equal(t, []string{`"7" 7 NULL`}, twice, "a key for two fields")
}

func TestAccessLog(t *testing.T) {
	all := []string{"ip:TEXT", "ident:TEXT", "user:TEXT", "time:TIMESTAMP", "method:TEXT", "path:TEXT", "protocol:TEXT", "status:BIGINT", "bytes:BIGINT", "referer:TEXT", "agent:TEXT"}
	const client, when, tail = `198.51.100.7 - - `, `[17/May/2015:10:05:03 +0000] `, ` 200 17 "-" "curl/8.5"`
	request := func(s string) string { return client + when + `"` + s + `"` + tail }
	const got = `"198.51.100.7" NULL NULL 2015-05-17T10:05:03Z `
	const rest = ` 200 17 NULL "curl/8.5"`
	for _, c := range []struct{ claim, line, want string }{
		{"combined", client + when + `"GET /a HTTP/1.1"` + tail, got + `"GET" "/a" "HTTP/1.1"` + rest},
		{"common", client + when + `"GET /a HTTP/1.1" 200 17`, got + `"GET" "/a" "HTTP/1.1" 200 17 NULL NULL`},
		{"a referer alone", client + when + `"GET /a HTTP/1.1" 200 17 "r"`, got + `"GET" "/a" "HTTP/1.1" 200 17 "r" NULL`},
		{
			"all places taken", `::1 id john smith [02/Mar/2026:12:00:01 +0230] "POST /b HTTP/2.0" 404 - "https://example.org/" ""`,
			`"::1" "id" "john smith" 2026-03-02T09:30:01Z "POST" "/b" "HTTP/2.0" 404 NULL "https://example.org/" NULL`,
		},
		{"escapes", request(`GET /b?x=\"1\"\\\x22\x5C\x16\n HTTP/1.1`), got + `"GET" "/b?x=\"1\"\\\"\\\\x16\\n" "HTTP/1.1"` + rest},
		{"spaces in the path", request("GET /a b c HTTP/1.0"), got + `"GET" "/a b c" "HTTP/1.0"` + rest},
		{"no protocol", request("GET /"), got + `"GET" "/" NULL` + rest},
		{"no request", request("-"), got + `NULL NULL NULL` + rest},
		{"an empty request", request(""), got + `NULL NULL NULL` + rest},
		{"not HTTP", request(`\x16\x03\x01 \x00`), got + `NULL "\\x16\\x03\\x01 \\x00" NULL` + rest},
		{"one word", request("SSH-2.0-Go"), got + `NULL "SSH-2.0-Go" NULL` + rest},
		{"a suffix", request("GET / HTTP/1.1") + ` 0.003 "x y" -`, got + `"GET" "/" "HTTP/1.1"` + rest},
		{"a virtual host", "example.org:443 " + request("GET / HTTP/1.1"), got + `"GET" "/" "HTTP/1.1"` + rest},
		{"ISO time", client + `[2015-05-17T10:05:03+00:00] "GET / HTTP/1.1"` + tail, got + `"GET" "/" "HTTP/1.1"` + rest},
		{"no time", client + `[yesterday] "GET / HTTP/1.1"` + tail, `"198.51.100.7" NULL NULL NULL (1 unfit) "GET" "/" "HTTP/1.1"` + rest},
		{"no such day", client + `[31/Feb/2015:10:05:03 +0000] "GET / HTTP/1.1"` + tail, `"198.51.100.7" NULL NULL NULL (1 unfit) "GET" "/" "HTTP/1.1"` + rest},
		{"no such hour", client + `[17/May/2015:24:05:03 +0000] "GET / HTTP/1.1"` + tail, `"198.51.100.7" NULL NULL NULL (1 unfit) "GET" "/" "HTTP/1.1"` + rest},
		{"a blank line", " \r", ""},
		{"an open agent", client + when + `"GET / HTTP/1.1" 200 17 "-" "Mozilla`, "bad quote"},
		{"an open request", client + when + `"GET / HTTP/1.1\" 200 17`, "bad quote"},
		{"an open suffix", request("GET / HTTP/1.1") + ` "x`, "bad quote"},
		{"text behind quotes", request("GET / HTTP/1.1") + `x`, "bad syntax"},
		{"no size", client + when + `"GET / HTTP/1.1" 200`, "bad syntax"},
		{"no brackets", `198.51.100.7 - - "GET / HTTP/1.1"` + tail, "bad syntax"},
		{"open brackets", client + `[17/May/2015 "GET / HTTP/1.1"` + tail, "bad syntax"},
		{"no address", ` - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1"` + tail, "bad syntax"},
		{"no user", `198.51.100.7 - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1"` + tail, "bad syntax"},
		{"prose", "hello world", "bad syntax"},
	} {
		lines := strings.Join(decodeText(t, Options{Format: AccessLog}, c.line, all...), "\n")
		if strings.HasPrefix(c.want, "bad ") {
			lines, _, _ = strings.Cut(lines, " at ")
		}
		require.Equal(t, c.want, lines, c.claim)
	}
	require.Equal(t, []string{`NULL "200" 17.`},
		decodeText(t, Options{Format: AccessLog}, request("GET / HTTP/1.1"), "host:TEXT", "status:TEXT", "bytes:DOUBLE"), "declared otherwise")
}

// realData returns the content of a file of real data, which is not part of the repository.
func realData(t *testing.T, name string) []byte {
	f, err := os.Open("../../../shared/data/" + name)
	if err != nil {
		t.Skip("no real data here")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	return data
}

func TestRealAccessLog(t *testing.T) {
	data := realData(t, "access.log.gz")
	f, _, err := Sniff(data[:4096], "-")
	require.NoError(t, err)
	require.Equal(t, AccessLog, f)
	shape, err := Infer(data, Options{Format: f}, true)
	require.NoError(t, err)
	require.Equal(t, 9999, shape.Records)
	require.Equal(t, 1, shape.Bad)

	schema := &tuple.Schema{}
	for _, c := range shape.Fields {
		schema.Fields = append(schema.Fields, tuple.Field{Name: c.Name, Path: c.Path, Type: c.Type})
	}
	dec, err := New(schema, Options{Format: f, Unit: UnitText})
	require.NoError(t, err)
	row := 0
	for first := true; len(data) > 0; first = false {
		n := dec.Scan(data, first)
		rows, bad := dec.Found()
		for _, b := range bad {
			require.Equal(t, 8898, row+b.Row, "the bad one is the 8,899th")
			require.Equal(t, "quote", b.Reason)
		}
		for i := range schema.Fields {
			var c tuple.Column
			require.Zero(t, dec.Column(i, tuple.All(rows), &c), schema.Fields[i].Name)
		}
		row, data = row+rows, data[n:]
	}
}

func TestRealFlights(t *testing.T) {
	data := realData(t, "flights-1m.csv.gz")
	data = data[:bytes.IndexByte(data[1<<20:], '\n')+1+1<<20]
	shape, err := Infer(data, Options{}, false)
	require.NoError(t, err)
	require.Equal(t, "time TIMESTAMP, delay BIGINT, distance BIGINT, origin TEXT, destination TEXT", types(shape))
	require.Equal(t, bytes.Count(data, []byte{'\n'})-1, shape.Records)
}

func TestLogsDoNotDependOnChunks(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a=1", " ", " ", "\n", "\n", `"`, `\`, `msg="x y"`, "msg=", "=", "ok", "\r\n", `198.51.100.7 - - [17/May/2015:10:05:03 +0000] `, `"GET / HTTP/1.1" `, "200 17", ` "-" "curl"`,
	})
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "data"), ""))
		for _, f := range []Format{Logfmt, AccessLog} {
			dec, err := New(textSchema("a", "msg", "time", "path", "agent"), Options{Format: f})
			require.NoError(t, err)
			whole := chunked(t, dec, NewCutter(Options{Format: f}), 5, data, max(len(data), 1))
			for step := 1; step <= min(64, len(data)); step++ {
				require.Equal(t, whole, chunked(t, dec, NewCutter(Options{Format: f}), 5, data, step), "%q in steps of %d", data, step)
			}
		}
	})
}

// webLogs returns n web events as logfmt and as an access log.
func webLogs(n int) (logfmt, access []byte) {
	for i, l := range bytes.Split(webCSV(n), []byte{'\n'})[1 : n+1] {
		f := bytes.Split(l, []byte{','})
		logfmt = fmt.Appendf(logfmt, "ts=%s host=%s user=%s method=%s path=\"%s\" status=%s bytes=%s latency=%s\n", f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7])
		access = fmt.Appendf(access, "198.51.100.%d - %s [17/May/2015:10:%02d:%02d +0000] \"%s %s HTTP/1.1\" %s %s \"https://example.org/\" \"Mozilla/5.0 (X11; Linux x86_64)\"\n",
			i%200, f[2], i/60%60, i%60, f[3], f[4], f[5], f[6])
	}
	return logfmt, access
}

func logWorks(n int) []csvWork {
	logfmt, access := webLogs(n)
	return []csvWork{
		{"logfmt", logfmt, csvWorks(1)[0].fields},
		{"accesslog", access, []tuple.Field{
			{Name: "ip", Type: tuple.Text},
			{Name: "time", Type: tuple.Timestamp},
			{Name: "path", Type: tuple.Text},
			{Name: "status", Type: tuple.Bigint},
			{Name: "bytes", Type: tuple.Bigint},
		}},
	}
}

func TestLogsDecodeWithoutAllocating(t *testing.T) {
	for _, w := range logWorks(3000) {
		dec, err := New(&tuple.Schema{Fields: w.fields}, Options{Format: Format(w.name), Unit: UnitText})
		require.NoError(t, err)
		cols := make([]tuple.Column, len(w.fields))
		require.Equal(t, 3000, decodeAll(dec, w.data, cols))
		require.Zero(t, testing.AllocsPerRun(5, func() { decodeAll(dec, w.data, cols) }), w.name)
	}
}

func BenchmarkLogs(b *testing.B) {
	const rows = 20_000
	for _, w := range logWorks(rows) {
		for _, wanted := range []int{0, len(w.fields)} {
			b.Run(fmt.Sprintf("%s/columns-%d", w.name, wanted), func(b *testing.B) {
				dec, err := New(&tuple.Schema{Fields: w.fields}, Options{Format: Format(w.name), Unit: UnitText})
				require.NoError(b, err)
				cols := make([]tuple.Column, wanted)
				cpuPerRecord(b, rows, func() { decodeAll(dec, w.data, cols) })
			})
		}
	}
}
