package codec

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestScanBoundsItsBadRecords(t *testing.T) {
	const records = 3*MaxBad + 7
	for _, c := range []struct {
		format Format
		begin  string
		record string
		rows   int
	}{
		{NDJSON, "", "1\n", 0},
		{NDJSON, "", "{}\n1\n", records},
		{JSONArray, "[1", ",", 0},
		{JSONArray, "[1", ",2", 0},
		{CSV, "a,b\n", "1\n", 0},
		{CSV, "a,b\n", "1,\"x\"y\n", 0},
		{CSV, "a,b\n", "1\n1,2\n", records},
		{Logfmt, "", "x\n", 0},
		{AccessLog, "", "x\n", 0},
	} {
		name := fmt.Sprintf("%s %q", c.format, c.record)
		data := []byte(c.begin + strings.Repeat(c.record, records))
		dec, err := New(&tuple.Schema{}, Options{Format: c.format, Header: []string{"a", "b"}, Unit: UnitText})
		require.NoError(t, err)
		rows, bad, scans, end := 0, 0, 0, 0
		for pos := 0; pos < len(data); scans++ {
			n := dec.Scan(data[pos:], pos == 0)
			require.Positive(t, n, name)
			r, b := dec.Found()
			require.LessOrEqual(t, len(b), MaxBad, name)
			for _, one := range b {
				require.GreaterOrEqual(t, pos+one.Off, end, name)
				end = pos + one.Off + one.Len
			}
			pos, rows, bad = pos+n, rows+r, bad+len(b)
		}
		extra := 0
		if c.format == JSONArray {
			extra = 1
		}
		require.Equal(t, c.rows, rows, name)
		require.Equal(t, records+extra, bad, name)
		require.LessOrEqual(t, scans, 8, name)
	}
}

// TestBadRecordsTakeTimeInProportion takes hours when some step is quadratic.
func TestBadRecordsTakeTimeInProportion(t *testing.T) {
	const n = 1 << 20
	for _, c := range []struct {
		format Format
		data   string
	}{
		{NDJSON, strings.Repeat("1\n", n)},
		{NDJSON, strings.Repeat("{\n", n)},
		{JSONArray, "[" + strings.Repeat(",", n) + "]"},
		{JSONArray, "[" + strings.Repeat(" ", n) + strings.Repeat(",", n) + "]"},
		{JSONArray, "[" + strings.Repeat("]", n)},
		{JSONArray, "[" + strings.Repeat("[", n) + strings.Repeat(",", n)},
		{JSONArray, "[" + strings.Repeat("{},}", n) + "]"},
		{CSV, "a,b\n" + strings.Repeat("1\n", n)},
		{CSV, "a,b\n" + strings.Repeat("\"\"\"\n", n)},
		{CSV, "a,b\n" + strings.Repeat("x\"\n", n)},
		{Logfmt, strings.Repeat("x\n", n)},
		{AccessLog, strings.Repeat("[\n", n)},
	} {
		opt := Options{Format: c.format, Header: []string{"a", "b"}, Unit: UnitText}
		dec, err := New(&tuple.Schema{}, opt)
		require.NoError(t, err)
		cutter := NewCutter(opt)
		for rest, from := []byte(c.data), 0; from < len(rest); {
			to := min(max(2*from, 1<<16), len(rest))
			if n := cutter.Cut(rest[:to], from); n > 0 {
				rest, from = rest[n:], 0
			} else {
				from = to
			}
		}
		for data, first := []byte(c.data), true; len(data) > 0; first = false {
			data = data[dec.Scan(data, first):]
		}
		_, err = Infer([]byte(c.data[:1<<20]), Options{Format: c.format, Unit: UnitText}, false)
		require.NoError(t, err)
	}
}

// TestALongRecordDoesNotSlowTheNext takes long when each Scan fills a window as long as the record before it.
func TestALongRecordDoesNotSlowTheNext(t *testing.T) {
	long := []byte(`{"a":[` + strings.Repeat(`"",`, 1<<20) + "1]}\n")
	dec, err := NewJSON(&tuple.Schema{}, Options{Format: NDJSON, Unit: UnitText})
	require.NoError(t, err)
	data := bytes.Join([][]byte{[]byte("{\"a\":[]}\n"), long, bytes.Repeat([]byte("{\"a\":[]}\n"), 1<<18)}, nil)
	rows := 0
	for len(data) > 0 {
		data = data[dec.Scan(data, false):]
		n, _ := dec.Found()
		rows += n
	}
	require.Equal(t, 2+1<<18, rows)
	j := dec.(*jsonDecoder)
	require.LessOrEqual(t, len(j.marks.at), 2*firstMarks)
}
