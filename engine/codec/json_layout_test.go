package codec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// followed returns how many of the rows of data, decoded before, are decoded by layout.
func followed(t *testing.T, d *jsonDecoder, data string) (n int) {
	t.Helper()
	data += strings.Repeat(" ", 2*windowRoom)
	d.Scan([]byte(data), false)
	for p := 0; p < len(data); p++ {
		if p > 0 && data[p-1] != '\n' || data[p] != '{' {
			continue
		}
		d.rows = 0
		d.marks.forget()
		if d.follow(p) >= 0 {
			n += d.rows
			break
		}
	}
	return n
}

func TestLayoutsAreLearned(t *testing.T) {
	for _, c := range []struct{ claim, data string }{
		{"one layout", `{"a":1,"host":"x"}` + "\n"},
		{"an empty object", `{}` + "\n"},
		{"optional fields", `{"a":1,"host":"x"}` + "\n" + `{"host":"y"}` + "\n" + `{"a":2,"z":[1],"host":"y"}` + "\n"},
		{"other forms of a value", `{"a":1}` + "\n" + `{"a":-1.5e3}` + "\n" + `{"a":null}` + "\n" + `{"a":true}` + "\n" + `{"a":"\n"}` + "\n" + `{"a":{}}` + "\n"},
		{"nested values", `{"http":5,"x":{"y":{"z":1,"w":{"q":[]}}},"a":1}` + "\n"},
		{"white space", `{ "a" : 1, "host":"x" } ` + "\r\n"},
		{"long keys", `{"a key of more than sixteen bytes":1,"a":2}` + "\n"},
		{"escaped keys", `{"\u0061":1}` + "\n"},
		{"duplicate keys", `{"a":1,"a":2}` + "\n"},
	} {
		d := fuzzDecoder(t, NDJSON, true).(*jsonDecoder)
		followed(t, d, c.data)
		require.Equal(t, strings.Count(c.data, "\n"), followed(t, d, c.data), c.claim)
	}
}

func TestLayoutsThatRepeatAnObjectAreNotLearned(t *testing.T) {
	d := fuzzDecoder(t, NDJSON, true).(*jsonDecoder)
	data := `{"x":{"y":{"z":1}},"x":{}}` + "\n"
	followed(t, d, data)
	require.Zero(t, followed(t, d, data))
}

func TestFullLayoutTreeStartsAnew(t *testing.T) {
	d := fuzzDecoder(t, NDJSON, true).(*jsonDecoder)
	for i := range 200 {
		var b strings.Builder
		for j := range 20 {
			fmt.Fprintf(&b, `{"x":{"k%d":1},"k%d":"x","ok":true}`+"\n", i*20+j, j%8)
		}
		followed(t, d, b.String())
		require.LessOrEqual(t, d.layout.used, maxLayoutNodes)
	}
	require.Positive(t, d.layout.pauses)
	for range 2*maxLayoutPause + 2 {
		followed(t, d, `{"host":"x"}`+"\n")
	}
	require.Equal(t, 1, followed(t, d, `{"host":"x"}`+"\n"))
}

func TestManyWantedKeysAreFound(t *testing.T) {
	var fields []tuple.Field
	var b strings.Builder
	for i := range 50 {
		fields = append(fields, field(fmt.Sprintf("k%d", i), tuple.Bigint))
		fmt.Fprintf(&b, `,"k%d":%d`, 49-i, 49-i)
	}
	d, err := NewJSON(&tuple.Schema{Fields: fields}, Options{Format: NDJSON, Unit: UnitText})
	require.NoError(t, err)
	d.Scan([]byte("{"+b.String()[1:]+"}"), true)
	var col tuple.Column
	for i := range fields {
		require.Zero(t, d.Column(i, tuple.All(1), &col))
		require.Equal(t, int64(i), col.I[0])
	}
}

func TestNestingLimitIsThatOfEncodingJSON(t *testing.T) {
	for _, inner := range []string{`{"a":`, `{"x":{"y":{"w":`, `{"http":{"path":`} {
		around := strings.Count(inner, "{")
		for _, depth := range []int{maxJSONDepth - 1, maxJSONDepth, maxJSONDepth + 1} {
			n := depth - around
			record := inner + strings.Repeat("[", n) + strings.Repeat("]", n) + strings.Repeat("}", around) + "\n"
			short := inner + "[]" + strings.Repeat("}", around) + "\n"
			d := fuzzDecoder(t, NDJSON, true)
			d.Scan([]byte(short+short+record+record+strings.Repeat(" ", 2*windowRoom)), true)
			rows, bad := d.Found()
			require.Equal(t, depth <= maxJSONDepth, rows == 4, "%s %d", inner, depth)
			require.Len(t, bad, 4-rows)
		}
	}
}

func TestScanStopsAtMaxRows(t *testing.T) {
	for _, c := range []struct {
		format           Format
		open, sep, close string
	}{
		{NDJSON, "", "\n", "\n"},
		{JSONArray, "[", ",", "]"},
	} {
		n := tuple.MaxRows + 5
		data := []byte(c.open + strings.Repeat(`{"a":1}`+c.sep, n-1) + `{"a":1}` + c.close)
		d := fuzzDecoder(t, c.format, true)
		consumed := d.Scan(data, true)
		rows, _ := d.Found()
		require.Equal(t, tuple.MaxRows, rows)
		require.Equal(t, tuple.MaxRows*len(`{"a":1},`), consumed)
		require.Equal(t, len(data)-consumed, d.Scan(data[consumed:], false))
		rows, bad := d.Found()
		require.Equal(t, 5, rows)
		require.Empty(t, bad)
	}
}
