package sink_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// bounded is the schema of an answer with bounds: a key, a count, a mean, and what is known of the row.
func bounded(more ...tuple.Field) *tuple.Schema {
	return &tuple.Schema{Bounded: true, Fields: append([]tuple.Field{
		field("host", tuple.Text),
		field("n", tuple.Bigint),
		{Name: "n_lo", Type: tuple.Number, Role: tuple.Low, Of: 1},
		{Name: "n_hi", Type: tuple.Number, Role: tuple.High, Of: 1},
		{Name: "n_unreliable", Type: tuple.Boolean, Role: tuple.Unreliable, Of: 1},
		field("mean", tuple.Double),
		{Name: "mean_lo", Type: tuple.Number, Role: tuple.Low, Of: 5},
		{Name: "mean_hi", Type: tuple.Number, Role: tuple.High, Of: 5},
		{Name: "mean_unreliable", Type: tuple.Boolean, Role: tuple.Unreliable, Of: 5},
		{Name: "_kept", Type: tuple.Double, Role: tuple.Kept},
		{Name: "_exact", Type: tuple.Boolean, Role: tuple.Exact},
	}, more...)}
}

var other = tuple.Field{Name: "_other", Type: tuple.Boolean, Role: tuple.Other}

// answers returns rows of every kind.
func answers(t *testing.T, s *tuple.Schema) *tuple.Batch {
	b := batch(t, s,
		row{"a", 1234, 1216, 1252, false, 33.3891274975817, 32.640626218248364, 34.204917897172194, false, 0.31, false, false},
		row{"b", 1234567, 1216000, 1270000, true, 0.5, nil, 0.75, true, 0.31, false, false},
		row{"c", 7, 7, 7, false, nil, nil, nil, false, 0.31, false, false},
		row{nil, 12, 12, 12, false, 2.5, 2.5, 2.5, false, 1.0, true, true},
	)
	b.Late = 3
	return b
}

func TestNDJSONOfEstimates(t *testing.T) {
	s := bounded(other)
	b := answers(t, s)
	got, warnings := print(t, sink.NDJSON, sink.Options{}, s, b)
	want := []string{
		`{"host":"a","n":1234,"n_lo":1216,"n_hi":1252,"mean":33.3891274975817,"mean_lo":32.640626218248364,"mean_hi":34.204917897172194,"_kept":0.31,"_exact":false,"_late":3,"_final":true}`,
		`{"host":"b","n":1234567,"n_lo":1216000,"n_hi":1270000,"mean":0.5,"mean_lo":null,"mean_hi":0.75,"_kept":0.31,"_exact":false,"_unreliable":["n","mean"],"_late":3,"_final":true}`,
		`{"host":"c","n":7,"n_lo":7,"n_hi":7,"mean":null,"mean_lo":null,"mean_hi":null,"_kept":0.31,"_exact":false,"_late":3,"_final":true}`,
		`{"host":null,"n":12,"n_lo":12,"n_hi":12,"mean":2.5,"mean_lo":2.5,"mean_hi":2.5,"_kept":1.0,"_exact":true,"_other":true,"_late":3,"_final":true}`,
	}
	assert.Equal(t, want, strings.Split(strings.TrimSpace(got), "\n"))
	assert.Empty(t, warnings)
	b.Partial = true
	got, _ = print(t, sink.NDJSON, sink.Options{}, s, b)
	assert.Equal(t, 4, strings.Count(got, `"_final":false}`), "rows of windows that had not ended say so")
}

func TestNDJSONHasNoTwoKeysOfOneName(t *testing.T) {
	s := bounded(field("_late", tuple.Bigint), field("_unreliable", tuple.Text))
	got, _ := print(t, sink.NDJSON, sink.Options{}, s, batch(t, s, row{"a", 1, 0, 2, true, 1.0, 0, 2, true, 0.5, false, 9, "x"}))
	assert.Equal(t, `{"host":"a","n":1,"n_lo":0,"n_hi":2,"mean":1.0,"mean_lo":0,"mean_hi":2,"_kept":0.5,"_exact":false,"_late":9,"_unreliable":"x","_final":true}`+"\n", got)
}

func TestInfiniteBoundsAreNullWithoutAWarning(t *testing.T) {
	s := bounded()
	got, warnings := print(t, sink.NDJSON, sink.Options{}, s, batch(t, s, row{"a", 1, 0, math.Inf(1), false, 1.0, math.Inf(-1), 2, false, 0.5, false}))
	assert.Contains(t, got, `"n_hi":null,"mean":1.0,"mean_lo":null,`)
	assert.Empty(t, warnings)
}

func TestCSVOfEstimates(t *testing.T) {
	s := bounded(other)
	got, warnings := print(t, sink.CSV, sink.Options{}, s, answers(t, s))
	assert.Equal(t, `host,n,n_lo,n_hi,mean,mean_lo,mean_hi,_kept,_exact,_other,_unreliable,_late,_final
a,1234,1216,1252,33.3891274975817,32.640626218248364,34.204917897172194,0.31,false,false,,3,true
b,1234567,1216000,1270000,0.5,,0.75,0.31,false,false,n mean,3,true
c,7,7,7,,,,0.31,false,false,,3,true
,12,12,12,2.5,2.5,2.5,1.0,true,true,,3,true
`, got)
	assert.Empty(t, warnings)
}

func TestTableOfEstimates(t *testing.T) {
	s := bounded(other)
	got, _ := print(t, sink.Table, sink.Options{}, s, answers(t, s))
	assert.Equal(t, `host          n                            mean              _kept  _other
----  ----------------------------------  -----------------  -----  ------
a         1,234 ±18                       33.39 ±0.82         31 %
b     1,234,567 [1,216,000, 1,270,000] ~    0.5 […, 0.75] ~
c             7 =                          NULL
NULL         12 =                           2.5 =            100 %  other
`, got)
}

func TestEstimatesOnANarrowTerminalStandALinePerColumn(t *testing.T) {
	s := bounded(other)
	got, _ := print(t, sink.Table, sink.Options{Width: 70, Terminal: true}, s, answers(t, s))
	assert.Equal(t, `host    a
n       1,234 ±18
mean    33.39 ±0.82
_kept   31 %

host    b
n       1,234,567 [1,216,000, 1,270,000] ~
mean    0.5 […, 0.75] ~

host    c
n       7 =
mean    NULL

host    NULL
n       12 =
mean    2.5 =
_kept   100 %
_other  other

(4 rows)
`, got)
	got, _ = print(t, sink.Table, sink.Options{Width: 80, Terminal: true}, s, answers(t, s))
	assert.Contains(t, got, "host          n ", "one that fits stays a table")
	got, _ = print(t, sink.Table, sink.Options{Width: 70}, s, answers(t, s))
	assert.Contains(t, got, "host          n ", "as does one that nobody watches")
}

func TestMarkdownOfEstimates(t *testing.T) {
	s := bounded()
	b := batch(t, s,
		row{"a|b", 1234, 1216, 1252, false, 33.3891274975817, 32.640626218248364, 34.204917897172194, false, 0.31, false},
		row{"c", 7, 7, 7, false, nil, nil, nil, true, 0.31, false})
	got, _ := print(t, sink.Markdown, sink.Options{}, s, b)
	assert.Equal(t, `| host | n | mean | _kept |
|---|--:|--:|--:|
| a\|b | 1,234 ±18 | 33.39 ±0.82 | 31 % |
| c | 7 = | NULL ~ |  |
`, got)
}

func TestCellsOfEstimates(t *testing.T) {
	for _, c := range []struct {
		claim            string
		kind             tuple.Type
		value, low, high any
		unreliable       bool
		want             string
	}{
		{"about symmetric", tuple.Double, 10.0, 8.96, 11.0, false, "10.0 ±1.1"},
		{"lopsided, rounded outwards", tuple.Double, 10.0, 9.4321, 12.3456, false, "10.0 [9.4, 12.4]"},
		{"two digits of what is not known", tuple.Double, 0.0012345, 0.0012311, 0.0012378, false, "0.0012345 ±0.0000034"},
		{"no more than the point", tuple.Double, 12345.678, 12000.5, 12690.9, false, "12,346 ±346"},
		{"whole numbers are whole", tuple.Number, 1000000, 999000, 1001000, false, "1,000,000 ±1,000"},
		{"known", tuple.Double, 0.1, 0.1, 0.1, false, "0.1 ="},
		{"known, of two types", tuple.Bigint, 3, 3.0, 3.0, false, "3 ="},
		{"large numbers keep what they have", tuple.Double, 1e20, 0.9e20, 1.1e20, false, "100,000,000,000,000,000,000 ±10,000,000,000,000,000,000"},
		{"open above", tuple.Bigint, 12, 7, nil, false, "12 [7, …]"},
		{"of no bounds", tuple.Bigint, 12, nil, nil, true, "12 ~"},
		{"unreliable", tuple.Bigint, 12, 10, 14, true, "12 ±2 ~"},
		{"a value outside its bounds", tuple.Bigint, 12, 13, 14, false, "12 [13, 14]"},
		{"negative", tuple.Double, -10.0, -11.0, -9.0, false, "-10.0 ±1.0"},
	} {
		s := schema(field("x", c.kind), tuple.Field{Name: "x_lo", Type: tuple.Number, Role: tuple.Low},
			tuple.Field{Name: "x_hi", Type: tuple.Number, Role: tuple.High}, tuple.Field{Name: "x_unreliable", Type: tuple.Boolean, Role: tuple.Unreliable})
		got, _ := print(t, sink.Table, sink.Options{}, s, batch(t, s, row{c.value, c.low, c.high, c.unreliable}))
		lines := strings.Split(got, "\n")
		require.Len(t, lines, 4)
		assert.Equal(t, c.want, strings.TrimSpace(lines[2]), c.claim)
	}
}

func TestTimesAndTextsHaveBounds(t *testing.T) {
	for kind, c := range map[tuple.Type]struct {
		cells row
		want  string
	}{
		tuple.Timestamp: {row{at("2024-01-01T00:00:00Z"), nil, at("2024-01-01T00:00:00Z")}, "2024-01-01T00:00:00Z […, 2024-01-01T00:00:00Z]"},
		tuple.Text:      {row{"a", "a", "a"}, "a ="},
		tuple.Boolean:   {row{true, false, true}, "true [false, true]"},
	} {
		s := schema(field("x", kind), tuple.Field{Name: "x_lo", Type: kind, Role: tuple.Low}, tuple.Field{Name: "x_hi", Type: kind, Role: tuple.High})
		got, _ := print(t, sink.Table, sink.Options{}, s, batch(t, s, c.cells))
		assert.Equal(t, c.want, strings.Split(got, "\n")[2])
	}
}
