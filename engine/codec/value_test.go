package codec

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// numberText draws texts that are numbers or nearly so.
var numberText = rapid.OneOf(
	rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?`),
	rapid.StringMatching(`[-+]?[0-9]{0,4}\.?[0-9]{0,4}([eE][+-]?[0-9]{0,2})?`),
	rapid.Custom(func(t *rapid.T) string { return strconv.FormatInt(rapid.Int64().Draw(t, "i"), 10) }),
	rapid.Custom(func(t *rapid.T) string {
		return strconv.FormatFloat(rapid.Float64().Draw(t, "f"), 'g', rapid.IntRange(-1, 19).Draw(t, "p"), 64)
	}),
)

func TestClassifyFollowsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := numberText.Draw(t, "s")
		var want json.Number
		err := json.Unmarshal([]byte(s), &want)
		require.Equal(t, err == nil && string(want) == s, classify([]byte(s)) != notNumber, "%q", s)
	})
}

func TestClassifyTextAgreesWithStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := numberText.Draw(t, "s")
		_, err := strconv.ParseFloat(s, 64)
		if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrRange {
			err = nil
		}
		require.Equal(t, err == nil, classifyText([]byte(s)) != notNumber, "%q", s)
	})
}

func TestNumbersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := numberText.Draw(t, "s")
		lit := classifyText([]byte(s))
		if lit == notNumber {
			return
		}
		if lit == intLiteral {
			want, err := strconv.ParseInt(s, 10, 64)
			got, ok := parseInt([]byte(s))
			require.Equal(t, err == nil, ok, "%q", s)
			if ok {
				require.Equal(t, want, got)
			}
		}
		want, err := strconv.ParseFloat(s, 64)
		got, ok := parseReal([]byte(s))
		require.Equal(t, err == nil, ok, "%q", s)
		if ok {
			require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%q", s)
		}
		exact, _ := new(big.Rat).SetString(s)
		for _, k := range []int{0, 3, 6, 9} {
			num := new(big.Rat).Mul(exact, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil)))
			whole := new(big.Int).Quo(num.Num(), num.Denom())
			got, precise, ok := scaled([]byte(s), k)
			require.Equal(t, whole.IsInt64(), ok, "%q k=%d", s, k)
			if ok {
				require.Equal(t, whole.Int64(), got, "%q k=%d", s, k)
				require.Equal(t, num.IsInt(), precise, "%q k=%d", s, k)
			}
		}
	})
}

func TestValueWriterText(t *testing.T) {
	for _, c := range []struct {
		typ  tuple.Type
		unit Unit
		in   string
		want any
	}{
		{tuple.Number, "", "007", int64(7)},
		{tuple.Number, "", "-0", int64(0)},
		{tuple.Number, "", "9223372036854775808", 9223372036854775808.0},
		{tuple.Number, "", "1e400", nil},
		{tuple.Number, "", "five", nil},
		{tuple.Bigint, "", "1.50e2", int64(150)},
		{tuple.Bigint, "", "1.5", nil},
		{tuple.Bigint, "", "9223372036854775808", nil},
		{tuple.Double, "", "+.5", 0.5},
		{tuple.Boolean, "", "TRUE", true},
		{tuple.Boolean, "", "yes", nil},
		{tuple.Timestamp, UnitSeconds, "1772452800.1234567891", int64(1772452800123456789)},
		{tuple.Timestamp, UnitMillis, "-58000", int64(-58000000000)},
		{tuple.Timestamp, UnitSeconds, "9300000000", nil},
		{tuple.Timestamp, UnitText, "1772452800", nil},
		{tuple.Timestamp, UnitText, "1970-01-01T00:00:01Z", int64(1000000000)},
		{tuple.Timestamp, UnitMillis, "soon", nil},
	} {
		var col tuple.Column
		w := newValueWriter(&col, c.typ, 1, c.unit)
		ok := w.text(0, []byte(c.in))
		require.Equal(t, c.want != nil, ok, "%s %q", c.typ, c.in)
		switch v := c.want.(type) {
		case int64:
			require.Equal(t, tuple.RepInt, col.Rep)
			require.Equal(t, v, col.I[0], "%s %q", c.typ, c.in)
		case float64:
			require.Equal(t, tuple.RepFloat, col.Rep)
			require.Equal(t, v, col.F[0], "%s %q", c.typ, c.in)
		case bool:
			require.Equal(t, v, col.B[0])
		}
	}
}

func TestNumberColumnKeepsBothKinds(t *testing.T) {
	var col tuple.Column
	w := newValueWriter(&col, tuple.Number, 4, "")
	for r, s := range []string{"1", "2.5", "9007199254740993", "-0.0"} {
		require.True(t, w.text(r, []byte(s)))
	}
	require.Equal(t, tuple.RepMixed, col.Rep)
	require.Equal(t, []uint8{tuple.TagInt, tuple.TagFloat, tuple.TagInt, tuple.TagFloat}, col.Tag)
	require.Equal(t, int64(9007199254740993), col.I[2])
	require.Equal(t, 2.5, col.F[1])
	require.True(t, math.Signbit(col.F[3]))
}
