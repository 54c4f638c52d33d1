package codec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// summary prints the fields of a shape: name, type, unit, seen and NULLs.
func summary(s *Shape) (lines []string) {
	for _, f := range s.Fields {
		lines = append(lines, strings.TrimSpace(fmt.Sprint(f.Name, " ", f.Type, " ", f.Unit))+fmt.Sprintf(" %d/%d", f.Seen, f.Nulls))
	}
	return lines
}

func TestInferJSON(t *testing.T) {
	for _, c := range []struct {
		claim, sample string
		array         bool
		records, bad  int
		fields        []string
	}{
		{claim: "empty input has no fields"},
		{claim: "empty array", array: true, sample: " [ ] "},
		{
			claim: "kinds are merged over the records",
			sample: `{"ts":1704067200000,"n":1,"x":1,"s":"a","ok":true,"m":1,"z":null}` + "\n\n" +
				`{"ts":1704067201000,"n":2,"x":0.5,"s":"b","ok":false,"m":"many","late":"2024-01-01T00:00:00Z"}` + "\n",
			records: 2,
			fields: []string{
				"ts BIGINT ms 2/0", "n BIGINT 2/0", "x DOUBLE 2/0", "s TEXT 2/0", "ok BOOLEAN 2/0", "m TEXT 2/0",
				"z NULL 0/1", "late TIMESTAMP rfc3339 1/0",
			},
		},
		{
			claim:   "members follow their parent, also those of later records",
			sample:  `{"http":{"path":"/","code":200},"l":[1]}` + "\n" + `{"a":1,"http":{"tls":{"v":"1.3"}}}`,
			records: 2,
			fields:  []string{"http JSON 2/0", "http.path TEXT 1/0", "http.code BIGINT 1/0", "http.tls JSON 1/0", "http.tls.v TEXT 1/0", "l JSON 1/0", "a BIGINT 1/0"},
		},
		{
			claim:   "bad records are counted, except where the sample ends",
			sample:  `{"a":1}` + "\n" + `{"a":` + "\n" + `[1]` + "\n" + `{"a":2}` + "\n" + `{"a":`,
			records: 2, bad: 2,
			fields: []string{"a BIGINT 2/0"},
		},
		{
			claim: "elements of an array", array: true,
			sample:  `[{"a":"],["}, {"a":1} ,,5,{"a"`,
			records: 2, bad: 2,
			fields: []string{"a TEXT 2/0"},
		},
		{
			claim: "a comma before the end is bad", array: true,
			sample: `[{"a":1},]`, records: 1, bad: 1,
			fields: []string{"a BIGINT 1/0"},
		},
		{
			claim: "keys and samples are unescaped", sample: `{"\u0061b":"\u0063"}`, records: 1,
			fields: []string{"ab TEXT 1/0"},
		},
	} {
		s, err := InferJSON([]byte(c.sample), c.array)
		require.NoError(t, err, c.claim)
		require.Equal(t, c.fields, summary(s), c.claim)
		require.Equal(t, [2]int{c.records, c.bad}, [2]int{s.Records, s.Bad}, c.claim)
	}
}

func TestInferJSONKeepsPathsAndSamples(t *testing.T) {
	s, err := InferJSON([]byte(`{"a.b":{"c":"\u00e9"}}`), false)
	require.NoError(t, err)
	require.Equal(t, Field{Name: "a.b.c", Path: []string{"a.b", "c"}, Type: tuple.Text, Seen: 1, Sample: "é"}, s.Fields[1])
}

func TestInferJSONBoundsItsFields(t *testing.T) {
	var b strings.Builder
	for i := range 2 * MaxFields {
		fmt.Fprintf(&b, `{"k%d":1}`+"\n", i)
	}
	b.WriteString(strings.Repeat(`{"k0":`, 100) + "1" + strings.Repeat("}", 100))
	s, err := InferJSON([]byte(b.String()), false)
	require.NoError(t, err)
	require.Len(t, s.Fields, MaxFields)
	require.True(t, s.More)
	require.Equal(t, 2*MaxFields+1, s.Records)
}

func TestShapesSayWhenFieldsWereLeftOut(t *testing.T) {
	for _, n := range []int{MaxFields, MaxFields + 1} {
		var object, pairs strings.Builder
		for i := range n {
			fmt.Fprintf(&object, `,"k%d":1`, i)
			fmt.Fprintf(&pairs, " k%d=1", i)
		}
		for _, sample := range []string{"{" + object.String()[1:] + "}\n{\"k0\":2}\n", pairs.String() + "\nk0=2\n"} {
			s, err := Infer([]byte(sample), Options{}, true)
			require.NoError(t, err)
			require.Len(t, s.Fields, MaxFields, s.Format)
			require.Equal(t, n > MaxFields, s.More, s.Format)
			require.Equal(t, 2, s.Records)
		}
	}
}

func TestInferJSONArrayNeedsABracket(t *testing.T) {
	_, err := InferJSON([]byte(`{"a":1}`), true)
	require.ErrorContains(t, err, "array")
}
