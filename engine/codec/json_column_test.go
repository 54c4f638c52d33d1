package codec

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestJSONColumnOfSomeRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for _, line := range rapid.SliceOfN(jsonObject(2), 1, 10).Draw(t, "lines") {
			data = append(append(data, line...), '\n')
		}
		d := fuzzDecoder(t, NDJSON, true)
		d.Scan(data, true)
		rows, _ := d.Found()
		var sel []uint16
		for r := range rows {
			if rapid.Bool().Draw(t, "selected") {
				sel = append(sel, uint16(r))
			}
		}
		var some, one tuple.Column
		for i := range fuzzSchema.Fields {
			unfit := d.Column(i, sel, &some)
			for _, r := range sel {
				unfit -= d.Column(i, []uint16{r}, &one)
				require.Equal(t, show(&one, int(r)), show(&some, int(r)))
			}
			require.Zero(t, unfit)
		}
	})
}

func TestJSONTextColumnsLeaveTheDataAlone(t *testing.T) {
	plain, escaped := []byte(`{"msg":"plain"}`), []byte(`{"msg":"\u0065scaped"}`)
	before := append(bytes.Clone(plain), escaped...)
	d := fuzzDecoder(t, NDJSON, true)
	var col tuple.Column
	for range 2 {
		for want, data := range map[string][]byte{"plain": plain, "escaped": escaped} {
			d.Scan(data, true)
			d.Column(fuzzSchema.Index("msg"), tuple.All(1), &col)
			require.Equal(t, want, string(col.Str(0)))
		}
		col.Reset(tuple.Text, 1)
		col.SetStr(0, []byte("overwritten, if the column still had the data"))
	}
	require.Equal(t, string(before), string(plain)+string(escaped))
}

func TestNewJSONRefuses(t *testing.T) {
	_, err := NewJSON(fuzzSchema, Options{Format: CSV, Unit: UnitMillis})
	require.ErrorContains(t, err, `"csv"`)
	_, err = NewJSON(fuzzSchema, Options{Format: NDJSON, Unit: UnitAuto})
	require.ErrorContains(t, err, "undecided")
}
