package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/codec/scan64"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// field makes a field of a schema from a dotted path.
func field(path string, t tuple.Type) tuple.Field {
	return tuple.Field{Name: path, Path: strings.Split(path, "."), Type: t}
}

// fuzzSchema wants every type, at the top and below.
var fuzzSchema = &tuple.Schema{Fields: []tuple.Field{
	field("a", tuple.Number), field("a", tuple.Text), field("v", tuple.Bigint), field("v", tuple.Double),
	field("ts", tuple.Timestamp), field("host", tuple.Text), field("ok", tuple.Boolean),
	field("http", tuple.JSON), field("http.path", tuple.Text), field("x.y.z", tuple.Number), field("x.y.w", tuple.Text),
	field("msg", tuple.Text), field("é", tuple.JSON),
	{Name: "computed", Type: tuple.Text},
}}

// outcome is what a decoder made of its input, as text.
type outcome struct {
	rows  []string
	bad   []string // absolute offset, length, rows before it, reason
	unfit int
}

// show prints row r of a column so that different values look different.
func show(c *tuple.Column, r int) string {
	switch {
	case c.IsNull(r):
		return "NULL"
	case c.Type.Bytes():
		return fmt.Sprintf("%q", c.Str(r))
	case c.Type == tuple.Boolean:
		return fmt.Sprint(c.B[r])
	case c.Rep == tuple.RepFloat, c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagFloat:
		return fmt.Sprintf("float %x", math.Float64bits(c.F[r]))
	}
	return fmt.Sprint(c.I[r])
}

// drain decodes chunk with d and adds to o.
func (o *outcome) drain(d Decoder, schema *tuple.Schema, chunk []byte, pos int, first bool) {
	for len(chunk) > 0 {
		n := d.Scan(chunk, first)
		first = false
		rows, bad := d.Found()
		for _, b := range bad {
			o.bad = append(o.bad, fmt.Sprint(pos+b.Off, b.Len, len(o.rows)+b.Row, b.Reason))
		}
		texts := make([]string, rows)
		var col tuple.Column
		for i := range schema.Fields {
			o.unfit += d.Column(i, tuple.All(rows), &col)
			for r := range texts {
				texts[r] += show(&col, r) + "|"
			}
		}
		o.rows = append(o.rows, texts...)
		chunk, pos = chunk[n:], pos+n
	}
}

// decodeJSON reads data size bytes at a time, as a source does.
func decodeJSON(d Decoder, c Cutter, data []byte, size int) (o outcome) {
	var pending []byte
	pos, from, first := 0, 0, true
	for len(data) > 0 {
		n := min(size, len(data))
		pending, data = append(pending, data[:n]...), data[n:]
		cut := c.Cut(pending, from)
		from = len(pending)
		if cut == 0 {
			continue
		}
		o.drain(d, fuzzSchema, bytes.Clone(pending[:cut]), pos, first)
		first, from = false, 0
		pending, pos = pending[cut:], pos+cut
	}
	o.drain(d, fuzzSchema, pending, pos, first)
	return o
}

func fuzzDecoder(t require.TestingT, format Format, layout bool) Decoder {
	d, err := NewJSON(fuzzSchema, Options{Format: format, Unit: UnitMillis})
	require.NoError(t, err)
	if !layout {
		d.(*jsonDecoder).layout.full, d.(*jsonDecoder).layout.pause = true, 1<<60
	}
	return d
}

// lookup follows a path through a record by encoding/json.
func lookup(raw json.RawMessage, path []string) json.RawMessage {
	if len(path) == 0 {
		return nil
	}
	for _, key := range path {
		var object map[string]json.RawMessage
		if raw == nil || raw[0] != '{' || json.Unmarshal(raw, &object) != nil {
			return nil
		}
		raw = object[key]
	}
	return raw
}

// expect returns what encoding/json, strconv and the rules of types make of a value.
func expect(raw json.RawMessage, t tuple.Type) (text string, unfit int) {
	if raw == nil || string(raw) == "null" {
		return "NULL", 0
	}
	isNumber := raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
	i, notInt := strconv.ParseInt(string(raw), 10, 64)
	f, notFloat := strconv.ParseFloat(string(raw), 64)
	switch {
	case t == tuple.JSON:
		return fmt.Sprintf("%q", []byte(raw)), 0
	case raw[0] == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			panic(err)
		}
		if t == tuple.Text {
			return fmt.Sprintf("%q", s), 0
		}
		if ns, ok := tuple.ParseTime([]byte(s)); ok && t == tuple.Timestamp {
			return fmt.Sprint(ns), 0
		}
	case t == tuple.Text:
		return fmt.Sprintf("%q", []byte(raw)), 0
	case t == tuple.Boolean && (raw[0] == 't' || raw[0] == 'f'):
		return string(raw), 0
	case !isNumber:
	case t == tuple.Number && notInt == nil, t == tuple.Bigint && notInt == nil:
		return fmt.Sprint(i), 0
	case t == tuple.Number && notFloat == nil, t == tuple.Double && notFloat == nil:
		return fmt.Sprintf("float %x", math.Float64bits(f)), 0
	case t == tuple.Bigint:
		if v, exact, ok := scaled(raw, 0); ok && exact {
			return fmt.Sprint(v), 0
		}
	case t == tuple.Timestamp:
		if v, _, ok := scaled(raw, 6); ok {
			return fmt.Sprint(v), 0
		}
	}
	return "NULL", 1
}

// add is the outcome of one record by encoding/json, at off.
func (o *outcome) add(record []byte, off int) {
	trimmed := bytes.TrimLeft(record, " \t\r\n")
	switch {
	case !json.Valid(record):
		o.bad = append(o.bad, fmt.Sprint(off, len(record), len(o.rows), "syntax"))
	case trimmed[0] != '{':
		o.bad = append(o.bad, fmt.Sprint(off, len(record), len(o.rows), "not an object"))
	default:
		row := ""
		for _, f := range fuzzSchema.Fields {
			text, unfit := expect(lookup(trimmed, f.Path), f.Type)
			row += text + "|"
			o.unfit += unfit
		}
		o.rows = append(o.rows, row)
	}
}

// expectLines is the outcome of NDJSON.
func expectLines(data []byte) (o outcome) {
	off := 0
	for _, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.Trim(line, " \t\r")) > 0 {
			o.add(bytes.TrimSuffix(line, []byte("\r")), off)
		}
		off += len(line) + 1
	}
	return o
}

// padded gives data so often, and with so much behind, that layouts are learned and followed.
func padded(data []byte) []byte {
	twice := append(bytes.Clone(data), '\n')
	twice = append(twice, data...)
	return append(twice, "\n"+strings.Repeat(" ", 2*windowRoom)...)
}

// checkLines compares both ways through NDJSON records with encoding/json.
func checkLines(t require.TestingT, data []byte) {
	data = padded(data)
	want := expectLines(data)
	require.Equal(t, want, decodeJSON(fuzzDecoder(t, NDJSON, false), NewJSONCutter(false), data, len(data)), "by grammar: %q", data)
	d := fuzzDecoder(t, NDJSON, true)
	require.Equal(t, want, decodeJSON(d, NewJSONCutter(false), data, len(data)), "by layout: %q", data)
	require.Equal(t, want, decodeJSON(d, NewJSONCutter(false), data, len(data)), "by layout, again: %q", data)
}

// jsonSeeds are records and pieces of streams that reach every branch.
var jsonSeeds = []string{
	"{\"v\":1234567890iiii,\"w\":1}\n{\"v\":1}\n{\"v\":2}\n{\"v\":3}\n",
	"{\"v\":1}\n{\"v\":\n",
	"\n{\"v\":1}\n   \n{\"v\":2}\n\n",
	"{\"a\":1}\r\n{\"a\":2}\r\n \r\n",
	"{\"a\":1,\"a\":2}\n",
	"{\"v\":1}\n{\"v\":2}",
	`{"http":{"path":"\/a\u00e9\n"},"msg":"say \"hi\" \ud83d\ude00"}`,
	"{\"v\":1}\n{\"v\":2}\n{\"v\":\"many\"}\n{\"v\":3}\n",
	`{"ts":1772452800123,"host":"web-017","user":"u48213","method":"GET","path":"/api/v1/items/93812","status":200,"bytes":18233,"latency":12.345}`,
	`{"a":-0,"v":-0.0,"ts":-58000,"msg":"` + "\xff\xc3\xa9\xed\xa0\x80" + `"}`,
	`{"a":9223372036854775807,"v":9223372036854775808,"ts":1e30}`,
	`{"a":01}` + "\n" + `{"a":+1}` + "\n" + `{"a":1.}` + "\n" + `{"a":.5}` + "\n" + `{"a":1e}` + "\n" + `{"a":1e+5}` + "\n" + `{"a":1E400}` + "\n" + `{"a":-}`,
	`{"a":1,}` + "\n" + `{"a" 1}` + "\n" + `{"a":1}}` + "\n" + `{"a":1} x` + "\n" + `{,}` + "\n" + `{"a"}` + "\n" + `{1:2}` + "\n" + `{"a":1}{"a":2}`,
	`5` + "\n" + `"x"` + "\n" + `null` + "\n" + `[1,2]` + "\n" + `[1,2` + "\n" + `tru` + "\n" + `[,]` + "\n" + `[1,]`,
	`{"msg":"\ud800","a":"\ud800\u0041","host":"\udc00\ud800"}`,
	`{"msg":"\x"}` + "\n" + `{"msg":"\u12"}` + "\n" + `{"msg":"` + "\x01" + `"}` + "\n" + `{"msg":"open` + "\n" + "{\"a\":\x00}",
	` { "a" : 1 , "x" : { "y" : { "z" : 2.5 , "w" : [ 1 , { } , [ ] ] } } } `,
	`{"x":{"y":{"z":1}},"x":{"y":{"w":2}}}` + "\n" + `{"x":{"y":{"z":1}},"x":5}` + "\n" + `{"http":{"path":1},"http":null}`,
	`{"\u0061":1,"h\u006fst":"x","é":1,"\u00e9":{"a":[true,false,null]}}`,
	`{"ok":true,"a":true}` + "\n" + `{"ok":false,"a":[]}` + "\n" + `{"ok":null,"a":{}}` + "\n" + `{"ok":"true"}`,
	`{"ts":"2024-01-01T00:00:00Z"}` + "\n" + `{"ts":"2024-01-01\u00540:00"}` + "\n" + `{"ts":1.5}` + "\n" + `{"ts":"soon"}`,
	`{}` + "\n" + `{"x":{}}` + "\n" + `{"x":{"y":{}}}` + "\n" + `{"x":{"y":[{"z":1}]}}`,
	`{"host":"` + strings.Repeat("long ", 40) + `","http":{"path":"` + strings.Repeat("é", 40) + `","a.long.key.beyond.sixteen":1}}`,
	`{"a":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `,"v":12345678901234567890123.25e-3}`,
	`[{"a":1},{"a":2}]`, `[]`, ` [ { "a" : "],[" } , {"a":"\"]"} ] `, `[{"a":1},{"a":},{"a":3}]`, `[{"a":1},,{"a":2},]`,
	`[{"a":1} {"a":2},{"a":3}] {"a":4}`, `[1,"x",{"a":1},[2,{"a":2}]]`, `[{"a":1},{"a":"`, `,{"a":1}`, `[{"a":1}},{"a":2}]`, `{"a":1},{"a":2}]`, `]`, ` ],{}`, `[,,`, `[,{"a":1}]`, `[[],{"a":1}]`,
	"[\n  {\n    \"a\": 1,\n    \"x\": {\"y\": {\"z\": 1}}\n  },\n  {\n    \"a\": 2,\n    \"x\": {\"y\": {\"z\": 1}}\n  }\n]\n",
}

// eachKernel runs check with every way to find marks that the processor has.
func eachKernel(t *testing.T, check func(t *testing.T)) {
	t.Cleanup(func() { findMarks = scan64.Kernels()[0].Find })
	for _, k := range scan64.Kernels() {
		findMarks = k.Find
		t.Run(k.Name, check)
	}
}

func TestJSONSeeds(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, s := range jsonSeeds {
			checkLines(t, []byte(s))
			checkChunks(t, NDJSON, []byte(s))
			checkArray(t, []byte(s))
			checkChunks(t, JSONArray, []byte(s))
		}
	})
}

// checkChunks decodes data in chunks of every size from 1 to 64.
func checkChunks(t require.TestingT, format Format, data []byte) {
	array := format == JSONArray
	want := decodeJSON(fuzzDecoder(t, format, true), NewJSONCutter(array), data, len(data)+1)
	for size := 1; size <= min(64, len(data)); size++ {
		got := decodeJSON(fuzzDecoder(t, format, true), NewJSONCutter(array), data, size)
		require.Equal(t, want, got, "size %d: %q", size, data)
	}
}

// checkArray compares with encoding/json where data is an array, and both ways through records in any case.
func checkArray(t require.TestingT, data []byte) {
	want := decodeJSON(fuzzDecoder(t, JSONArray, false), NewJSONCutter(true), data, len(data)+1)
	d := fuzzDecoder(t, JSONArray, true)
	for range 2 {
		require.Equal(t, want, decodeJSON(d, NewJSONCutter(true), data, len(data)+1), "by layout: %q", data)
	}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) != nil || string(bytes.TrimSpace(data)) == "null" {
		require.True(t, len(want.bad) > 0 || unfinished(data), "broken: %q", data)
		return
	}
	var oracle outcome
	pos := 0
	for _, element := range list {
		pos += bytes.Index(data[pos:], element)
		oracle.add(element, pos)
		pos += len(element)
	}
	require.Equal(t, oracle, want, "%q", data)
}

// unfinished reports whether data is an array that lacks nothing but its end.
func unfinished(data []byte) bool {
	trimmed := bytes.TrimSpace(data)
	return len(trimmed) == 0 || json.Valid(append(bytes.Clone(trimmed), ']'))
}

func FuzzJSONDecode(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkLines(t, data)
		checkChunks(t, NDJSON, data)
	})
}

func FuzzJSONArray(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkArray(t, data)
		checkChunks(t, JSONArray, data)
	})
}

// jsonValue draws the text of a value; damaged ones are broken now and then.
func jsonValue(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 6+min(depth, 1)).Draw(t, "kind") {
		case 0, 1:
			return numberText.Draw(t, "number")
		case 2:
			b, _ := json.Marshal(rapid.String().Draw(t, "string"))
			return string(b)
		case 3:
			return `"` + rapid.StringMatching(`[a-z0-9 /é]{0,40}`).Draw(t, "plain") + `"`
		case 4:
			return `"` + rapid.StringMatching(`(\\["\\/bfnrtux]|\\u[0-9a-fD]{4}|[a-z]){0,12}`).Draw(t, "escapes") + `"`
		case 5, 6:
			return rapid.SampledFrom([]string{"true", "false", "null", "[]", "{}", "[1,{\"a\":2}]", "nul"}).Draw(t, "word")
		}
		return jsonObject(depth-1).Draw(t, "object")
	})
}

// jsonObject draws the text of an object whose keys are often the wanted ones, in one of a few layouts.
func jsonObject(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		space := rapid.SampledFrom([]string{"", "", "", " "}).Draw(t, "space")
		var b strings.Builder
		b.WriteString("{" + space)
		for i := range rapid.IntRange(0, 6).Draw(t, "members") {
			if i > 0 {
				b.WriteString("," + space)
			}
			key := rapid.SampledFrom([]string{"a", "v", "ts", "host", "ok", "http", "path", "x", "y", "z", "w", "é", "k"}).Draw(t, "key")
			b.WriteString(`"` + key + `":` + space + jsonValue(depth).Draw(t, "value"))
		}
		b.WriteString(space + "}")
		return b.String()
	})
}

func TestJSONRandomRecords(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			lines := rapid.SliceOfN(jsonObject(3), 1, 8).Draw(t, "lines")
			order := rapid.SliceOfN(rapid.IntRange(0, len(lines)-1), 1, 20).Draw(t, "order")
			var data []byte
			for _, i := range order {
				data = append(append(data, lines[i]...), '\n')
			}
			checkLines(t, data)
			checkArray(t, []byte("["+strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", ",")+"]"+strings.Repeat(" ", 2*windowRoom)))
		})
	})
}
