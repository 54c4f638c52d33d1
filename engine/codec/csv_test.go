package codec

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// textSchema has a Text field for each name.
func textSchema(names ...string) *tuple.Schema {
	s := &tuple.Schema{}
	for _, n := range names {
		s.Fields = append(s.Fields, tuple.Field{Name: n, Path: []string{n}, Type: tuple.Text})
	}
	return s
}

// chunked decodes data cut into chunks that are read step bytes at a time, and prints a line for each row and each bad
// record. first is the number of bytes that stand at data's beginning in every file.
func chunked(t require.TestingT, dec Decoder, cut Cutter, fields int, data []byte, step int) []string {
	var lines []string
	var buf []byte
	from, base, first := 0, 0, true
	decode := func(chunk []byte) {
		chunk = bytes.Clone(chunk)
		for p := 0; p < len(chunk); {
			n := dec.Scan(chunk[p:], first)
			require.True(t, n > 0, "no progress")
			first = false
			lines = append(lines, found(dec, fields, chunk[p:p+n], base+p)...)
			p += n
		}
		base += len(chunk)
	}
	for len(data) > 0 {
		n := min(step, len(data))
		buf, data = append(buf, data[:n]...), data[n:]
		k := cut.Cut(buf, from)
		if from = len(buf); k > 0 {
			decode(buf[:k])
			buf, from = buf[k:], 0
		}
	}
	if len(buf) > 0 {
		decode(buf)
	}
	return lines
}

// found prints what the last Scan found in data, which stands at position base.
func found(dec Decoder, fields int, data []byte, base int) []string {
	rows, bad := dec.Found()
	cells := make([][]string, rows)
	for i := range fields {
		var c tuple.Column
		unfit := dec.Column(i, tuple.All(rows), &c)
		for r := range rows {
			cell := "NULL"
			if !c.IsNull(r) {
				cell = cellText(&c, r)
			}
			cells[r] = append(cells[r], cell)
		}
		if unfit > 0 {
			cells[rows-1] = append(cells[rows-1], fmt.Sprintf("(%d unfit)", unfit))
		}
	}
	var lines []string
	for r := 0; r <= rows; r++ {
		for _, b := range bad {
			if b.Row == r {
				lines = append(lines, fmt.Sprintf("bad %s at %d: %q", b.Reason, base+b.Off, data[b.Off:b.Off+b.Len]))
			}
		}
		if r < rows {
			lines = append(lines, strings.Join(cells[r], " "))
		}
	}
	return lines
}

func cellText(c *tuple.Column, r int) string {
	switch {
	case c.Type.Bytes():
		return fmt.Sprintf("%q", c.Str(r))
	case c.Type == tuple.Boolean:
		return fmt.Sprint(c.B[r])
	case c.Type == tuple.Timestamp:
		return string(tuple.AppendTime(nil, c.I[r], nil))
	case c.Rep == tuple.RepFloat, c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagFloat:
		return fmt.Sprintf("%v.", c.F[r])
	}
	return fmt.Sprint(c.I[r])
}

// csvOracle prints what encoding/csv makes of data, whose header has n columns, with the fields that are wanted.
func csvOracle(data []byte, n int, delim byte, wanted []int) (lines []string) {
	rd := csv.NewReader(bytes.NewReader(data))
	rd.Comma, rd.FieldsPerRecord, rd.ReuseRecord = rune(delim), -1, true
	for {
		rec, err := rd.Read()
		if err == io.EOF {
			return lines
		}
		switch {
		case err != nil:
			lines = append(lines, "bad quote")
		case len(rec) != n:
			lines = append(lines, "bad columns")
		default:
			var cells []string
			for _, i := range wanted {
				cells = append(cells, fmt.Sprintf("%q", rec[i]))
			}
			lines = append(lines, strings.Join(cells, " "))
		}
	}
}

// csvComparable turns lines into what the oracle prints: encoding/csv does not tell "" from an empty field.
func csvComparable(lines []string) (out []string) {
	for _, l := range lines {
		if strings.HasPrefix(l, "bad ") {
			l = strings.SplitN(l, " at ", 2)[0]
		}
		fields := strings.Split(l, " ")
		for i, f := range fields {
			if f == "NULL" {
				fields[i] = `""`
			}
		}
		out = append(out, strings.ReplaceAll(strings.Join(fields, " "), `\r\n`, `\n`))
	}
	return out
}

func checkCSV(t require.TestingT, body []byte, delim byte) {
	header := "a" + string(delim) + "b" + string(delim) + "c\n"
	data := append([]byte(header), body...)
	opt := Options{Format: CSV, Header: []string{"a", "b", "c"}, Delimiter: delim}
	for _, wanted := range [][]int{{0, 1, 2}, {1}, {}} {
		var names []string
		for _, i := range wanted {
			names = append(names, opt.Header[i])
		}
		dec, err := NewCSV(textSchema(names...), opt)
		require.NoError(t, err)
		var whole []string
		for step := 1; step <= min(64, len(data)); step++ {
			lines := chunked(t, dec, NewCSVCutter(delim), len(wanted), data, step)
			if step == 1 {
				whole = lines
				require.Equal(t, csvOracle(body, 3, delim, wanted), csvComparable(lines), "%q", body)
			}
			if !slices.Equal(whole, lines) {
				require.Equal(t, whole, lines, "%q in steps of %d", body, step)
			}
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"1,2,3\n", "1,\"a,\r\nb\",3\r\n", "\"a\"\"b\",,\"\"\n", "a\"b,2,3\nx,y,z\n", "\"a\"b,2,3\nx,y,z", "\"open,1\n2,3",
		"1,2\n1,2,3,4\n\n\r\n,,", "a,b,c\r", "\"a\"\r,b,c\n", "\"a\"\r\"b\nc\",2,3\n", "\"a\"\r\"\n\"x\ny\",2,3\n", "\r\n\r", "\"a\",\"b\",\"c\"\r\n\"\",\"\"\"\",\"\"\"\"\"\"\r\n", "a,b,\"c\"\r",
	} {
		f.Add([]byte(s), byte(','))
	}
	f.Fuzz(func(t *testing.T, body []byte, delim byte) {
		if delim == '"' || delim == '\n' || delim == '\r' || delim >= 0x80 || delim == 0 || delim == 'a' || delim == 'b' || delim == 'c' ||
			delim == ' ' || delim == 'N' || len(body) > 400 || bytes.IndexByte(body, '\\') >= 0 {
			return
		}
		checkCSV(t, body, delim)
	})
}

func TestCSVReadsAsEncodingCSVDoes(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", "bc", ",", ",", "\n", "\n", "\"", "\"\"", "\"x,y\"", "\",\"", "\r\n", "\r", "long enough for eight bytes", "\xff", "\"\n", "\n\"", ",\"",
	})
	rapid.Check(t, func(t *rapid.T) {
		checkCSV(t, []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "body"), "")), ',')
	})
}

// skipped cuts data into records with Skip, a few bytes at a time.
func skipped(c *csvCutter, data []byte, step int) (lengths []int) {
	for begin, n := true, 0; len(data) > 0; {
		piece := data[:min(step, len(data))]
		k := c.Skip(piece, begin)
		if begin = k >= 0; begin {
			lengths, n = append(lengths, n+k), 0
		} else {
			k = len(piece)
			n += k
		}
		data = data[k:]
	}
	return lengths
}

func TestCSVCutterSkipsWhatItCuts(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", ",", "\n", "\"", "\"\"", "\",\"", "\r\n", "\r", "\n\""})
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "data"), "") + "\n")
		var want []int
		for rest := data; closes(rest) > 0; rest = rest[closes(rest):] {
			want = append(want, closes(rest))
		}
		for step := 1; step <= len(data); step++ {
			require.Equal(t, want, skipped(&csvCutter{delim: ','}, data, step), "%q in steps of %d", data, step)
		}
	})
}

// closes returns the length of the first record that ends in data, 0 if none does.
func closes(data []byte) int {
	for n := range data {
		before := "x\n" // because empty lines alone are not cut off
		if data[n] == '\n' && NewCSVCutter(',').Cut(append([]byte(before), data[:n+1]...), 0) == len(before)+n+1 {
			return n + 1
		}
	}
	return 0
}

func TestCSVCutterLooksAtBytesOnce(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", ",", "\"", "\"\"", ",\"", "\r", "\"\n"})
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "data"), ""))
		c := &csvCutter{delim: ','}
		for n := range data {
			if c.Cut(data[:n], max(n-1, 0)) > 0 {
				return
			}
			require.Equal(t, n, c.pos, "%q", data[:n])
		}
	})
}

func TestCSVReadsManyRecordsAsEncodingCSVDoes(t *testing.T) {
	pieces := []string{
		"1,2,3\n", "a,b,long enough to be more than a block of bytes together with the others\n", "\"x\",\"y\r\n,z\",\"\"\"\"\r\n",
		"\n", "\r\n", "1,2\n", "1,2,3,4\r\n", "a\"b,2,3\n", "\"a\"b,2,3\n", ",,\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfNDistinct(rapid.SampledFrom(pieces), 1, 4, rapid.ID[string]).Draw(t, "kinds")
		odd := rapid.IntRange(2, 300).Draw(t, "odd")
		var body []byte
		for i := range rapid.IntRange(900, 4000).Draw(t, "records") {
			k := 0
			if i%odd == odd-1 {
				k = i / odd % len(kinds)
			}
			body = append(body, kinds[k]...)
		}
		body = append(body, rapid.SampledFrom([]string{"", "1,2,3", "1,\"2\",\"3\"\r", "\"open\n", "\r"}).Draw(t, "end")...)
		opt := Options{Format: CSV, Header: []string{"a", "b", "c"}, NoHeader: true}
		dec, err := NewCSV(textSchema("a", "c"), opt)
		require.NoError(t, err)
		step := rapid.IntRange(64, 100_000).Draw(t, "step")
		lines := csvComparable(chunked(t, dec, NewCSVCutter(','), 2, body, step))
		want := csvOracle(body, 3, ',', []int{0, 2})
		for i := range min(len(want), len(lines)) {
			if want[i] != lines[i] {
				require.Equal(t, want[i], lines[i], "record %d in steps of %d", i, step)
			}
		}
		require.Len(t, lines, len(want), "steps of %d", step)
	})
}
