package sink_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// TestTable shows tables as text. A case is "table [width=N] [flush=ROWS] [terminal] [color] [grouped]"; its input
// is a line of name:type and then a line of Go-quoted cells per row, "-" for NULL. Blanks at line ends print as
// "$", ESC as "^".
func TestTable(t *testing.T) {
	datadriven.RunTest(t, "testdata/table", func(t *testing.T, d *datadriven.TestData) string {
		lines := strings.Split(d.Input, "\n")
		types := map[string]tuple.Type{"text": tuple.Text, "int": tuple.Bigint, "double": tuple.Double, "time": tuple.Timestamp}
		s := &tuple.Schema{}
		for _, f := range strings.Fields(lines[0]) {
			name, kind, _ := strings.Cut(f, ":")
			s.Fields = append(s.Fields, field(name, types[kind]))
		}
		opt := sink.Options{Terminal: d.HasArg("terminal"), Color: d.HasArg("color")}
		if d.HasArg("grouped") {
			opt.Grouped = []bool{false, true, true}
		}
		flush := 0
		d.MaybeScanArgs(t, "width", &opt.Width)
		d.MaybeScanArgs(t, "flush", &flush)
		var out bytes.Buffer
		k, err := sink.New(sink.Table, &out, opt)
		require.NoError(t, err)
		require.NoError(t, k.Begin(s))
		for i, line := range lines[1:] {
			require.NoError(t, k.Write(batch(t, s, parse(t, s, line))))
			if i+1 == flush {
				require.NoError(t, k.(sink.Flusher).Flush())
			}
		}
		require.NoError(t, k.Close())
		text := strings.ReplaceAll(out.String(), "\x1b", "^")
		return strings.ReplaceAll(text, " \n", "$\n")
	})
}

func parse(t *testing.T, s *tuple.Schema, line string) row {
	var cells row
	for i, word := range strings.Fields(line) {
		if word == "-" {
			cells = append(cells, nil)
			continue
		}
		switch s.Fields[i].Type {
		case tuple.Bigint:
			var v int
			_, err := fmt.Sscan(word, &v)
			require.NoError(t, err)
			cells = append(cells, v)
		case tuple.Double:
			v := math.NaN()
			_, err := fmt.Sscan(word, &v)
			require.NoError(t, err)
			cells = append(cells, v)
		case tuple.Timestamp:
			cells = append(cells, at(word))
		default:
			var v string
			_, err := fmt.Sscanf(`"`+word+`"`, "%q", &v)
			require.NoError(t, err)
			cells = append(cells, v)
		}
	}
	return cells
}

func TestATableNeverSendsControlCharacters(t *testing.T) {
	s := schema(field("k\x1b[2J", tuple.Text))
	for _, format := range []sink.Format{sink.Table, sink.Markdown} {
		got, _ := print(t, format, sink.Options{Width: 80}, s, batch(t, s, row{"\x1b]0;x\x07\r\u009b31m\u202e\u2066\u2028\x7f\xff"}))
		for _, r := range got {
			require.False(t, r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2066' || r == '\u2028', "%q", r)
		}
	}
}

func TestALongCellFillsNoOtherRow(t *testing.T) {
	s := schema(field("k", tuple.Text), field("n", tuple.Bigint))
	var rows []row
	for range 50 {
		rows = append(rows, row{"x", 1})
	}
	rows = append(rows, row{strings.Repeat("y", 100_000), 1})
	got, _ := print(t, sink.Table, sink.Options{}, s, batch(t, s, rows...))
	require.Less(t, len(got), 100_000+60*110)
	got, _ = print(t, sink.Table, sink.Options{Width: 80}, s, batch(t, s, rows...))
	for _, line := range strings.Split(got, "\n") {
		require.LessOrEqual(t, len([]rune(line)), 80)
	}
}
