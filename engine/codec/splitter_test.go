package codec

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/codec/scan64"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// splitOptions are the formats that can be split.
var splitOptions = []Options{
	{Format: NDJSON, Unit: UnitSeconds},
	{Format: Logfmt, Unit: UnitSeconds},
	{Format: AccessLog, Unit: UnitSeconds},
	{Format: CSV, Unit: UnitSeconds, Header: []string{"a", "b"}},
	{Format: CSV, Unit: UnitSeconds, Header: []string{"a"}, NoHeader: true},
	{Format: CSV, Unit: UnitSeconds, Header: []string{"a", "b"}, Delimiter: ';'},
	{Format: TSV, Unit: UnitSeconds, Header: []string{"a", "b"}},
}

// decoded counts the records of data with the decoder of the format; a header that could not be read is none.
func decoded(t require.TestingT, opt Options, data []byte, first bool) (records int) {
	d, err := New(&tuple.Schema{Fields: []tuple.Field{{Name: "a", Path: []string{"a"}, Type: tuple.Text}}}, opt)
	require.NoError(t, err)
	for len(data) > 0 {
		used := d.Scan(data, first)
		rows, bad := d.Found()
		if records += rows + len(bad); first && len(bad) > 0 && bad[0].Reason == "header" && bad[0].Detail != "" {
			records--
		}
		data, first = data[used:], false
	}
	return records
}

// checkSplit compares a splitter with the decoder: the number of records, and every record by itself.
func checkSplit(t require.TestingT, opt Options, data []byte, first bool, step int) {
	for _, k := range scan64.LineKernels() {
		s := NewSplitter(opt)
		s.count = k.Count
		p := 0
		if first {
			p, _ = s.Lead(data)
		}
		start, records := p, 0
		for p < len(data) {
			next, found := s.Skip(data, p, step)
			records += found
			require.True(t, next > p && found <= step && (found == step || next == len(data)), "%s: %q at %d: %d, %d", k.Name, data, p, next, found)
			p = next
		}
		require.Equal(t, decoded(t, opt, data, first), records, "%s: %+v %q by %d", k.Name, opt, data, step)
		for p = s.Begin(data, start); p < len(data); p = s.Begin(data, p) {
			next, found := s.Skip(data, p, 1)
			require.Equal(t, 1, found)
			require.Equal(t, 1, decoded(t, opt, data[p:next], false), "%s: %+v %q: record %q", k.Name, opt, data, data[p:next])
			p = next
			records--
		}
		require.Zero(t, records, "%s: %q", k.Name, data)
	}
}

func TestSplitterAgreesWithTheDecoder(t *testing.T) {
	alphabets := []string{"a,\n", "{}\"a:1 \n\r", "a=\"\n \t", "a,\"\n\r", "\n\r\t \x0b\x00,;\"", "a\xff\xef\xbb\xbf\n", "abcdefghijklmnop,\n"}
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.SampledFrom([]byte(rapid.SampledFrom(alphabets).Draw(t, "bytes"))), 0, 300).Draw(t, "data")
		step := rapid.IntRange(1, 20).Draw(t, "step")
		for _, opt := range splitOptions {
			for _, first := range []bool{false, true} {
				checkSplit(t, opt, data, first, step)
			}
		}
	})
}

func FuzzSplitter(f *testing.F) {
	for _, seed := range []string{"a,b\n1,\"x\ny\"\n\n2,3\r\n\r\n", "{\"a\":1}\n \r\r\n{\"a\":2}", "a=1\n\x01\n\xff\n", "\xef\xbb\xbf\n\xef\xbb\xbfa\n", "x\"y\n\"z\n", "\r\r\n\ra\n\r"} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		for _, opt := range splitOptions {
			checkSplit(t, opt, data, false, int(step)+1)
			checkSplit(t, opt, data, true, int(step)+1)
		}
	})
}

func TestLeadOfFiles(t *testing.T) {
	for _, c := range []struct {
		claim  string
		opt    Options
		data   string
		lead   string
		header bool
	}{
		{"a header", splitOptions[3], "\n\r\na,b\n1,2\n", "\n\r\na,b\n", true},
		{"a header with a line end in it", splitOptions[3], "\"a\nx\",b\r\n1,2\n", "\"a\nx\",b\r\n", true},
		{"a mark", splitOptions[3], "\xef\xbb\xbfa,b\n1,2", "\xef\xbb\xbfa,b\n", true},
		{"nothing but empty lines", splitOptions[3], "\n\n", "\n\n", false},
		{"no header", splitOptions[4], "1\n2\n", "", false},
		{"lines have none", splitOptions[0], "{}\n", "", false},
		{"a mark before lines", splitOptions[1], "\xef\xbb\xbfa=1\n", "\xef\xbb\xbf", false},
	} {
		n, header := NewSplitter(c.opt).Lead([]byte(c.data))
		require.Equal(t, c.lead, c.data[:n], c.claim)
		require.Equal(t, c.header, header, c.claim)
	}
	require.Nil(t, NewSplitter(Options{Format: JSONArray}))
}
