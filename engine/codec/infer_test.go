package codec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestEvidenceOfCells(t *testing.T) {
	for _, c := range []struct {
		claim string
		cells []string
		typ   tuple.Type
		unit  Unit
	}{
		{"nothing seen", nil, tuple.Null, ""},
		{"integers", []string{"1", "-2"}, tuple.Bigint, ""},
		{"integers beyond 2^53 are still integers", []string{"9007199254740993"}, tuple.Bigint, ""},
		{"fractions", []string{"1", "0.5"}, tuple.Double, ""},
		{"integers beyond 64 bits", []string{"1", "18446744073709551616"}, tuple.Double, ""},
		{"a double would lose digits", []string{"9007199254740993", "0.5"}, tuple.Number, ""},
		{"truth values", []string{"true", "FALSE"}, tuple.Boolean, ""},
		{"times", []string{"2024-01-01", "2024-01-01T00:00:00Z"}, tuple.Timestamp, UnitText},
		{"times and other text", []string{"2024-01-01", "soon"}, tuple.Text, ""},
		{"numbers and text", []string{"1", "many"}, tuple.Text, ""},
		{"truth values and numbers", []string{"1", "true"}, tuple.Text, ""},
		{"seconds", []string{"1772452800"}, tuple.Bigint, UnitSeconds},
		{"seconds with a fraction", []string{"1772452800.25", "1772452801"}, tuple.Double, UnitSeconds},
		{"milliseconds", []string{"1704067200000"}, tuple.Bigint, UnitMillis},
		{"microseconds", []string{"1704067200000000"}, tuple.Bigint, UnitMicros},
		{"nanoseconds", []string{"1772452800000000000"}, tuple.Bigint, UnitNanos},
		{"before 1970", []string{"-58000", "-1"}, tuple.Bigint, ""},
		{"two units", []string{"1772452800", "1772452800000"}, tuple.Bigint, ""},
		{"one zero among ten", []string{
			"0", "1772452801", "1772452802", "1772452803", "1772452804",
			"1772452805", "1772452806", "1772452807", "1772452808", "1772452809",
		}, tuple.Bigint, UnitSeconds},
	} {
		var e evidence
		for _, s := range c.cells {
			e.cell([]byte(s))
		}
		f := e.field([]string{"x"}, "x")
		require.Equal(t, c.typ, f.Type, c.claim)
		require.Equal(t, c.unit, f.Unit, c.claim)
		require.Equal(t, len(c.cells), f.Seen, c.claim)
	}
	require.Equal(t, "", (kindInt | kindReal).mixture(), "numbers are of one type")
	require.Equal(t, "numbers and text", (kindInt | kindText).mixture())
	require.Equal(t, "numbers, times and objects or lists", (kindReal | kindTime | kindNested).mixture())
	require.Equal(t, tuple.JSON, (kindNested | kindInt).columnType(), "nested and mixed")
}
