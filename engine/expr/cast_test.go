package expr_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestCast(t *testing.T) {
	for _, c := range []struct {
		claim string
		v     expr.Value
		to    tuple.Type
		want  string
	}{
		{"text to bigint is exact", Text("9007199254740993"), tuple.Bigint, "9007199254740993"},
		{"the greatest bigint", Text("9223372036854775807"), tuple.Bigint, "9223372036854775807"},
		{"the least bigint", Text("-9223372036854775808"), tuple.Bigint, "-9223372036854775808"},
		{"one more is counted", Text("9223372036854775808"), tuple.Bigint, "NULL cast"},
		{"leading zeros", Text("+007"), tuple.Bigint, "7"},
		{"spaces around", Text(" 42\n"), tuple.Bigint, "42"},
		{"decimals round away from zero", Text("-2.5"), tuple.Bigint, "-3"},
		{"decimals stay exact", Text("9007199254740993.4"), tuple.Bigint, "9007199254740993"},
		{"an exponent", Text("1e3"), tuple.Bigint, "1000"},
		{"rubbish", Text("12x"), tuple.Bigint, "NULL cast"},
		{"a sign alone", Text("-"), tuple.Bigint, "NULL cast"},
		{"a point alone", Text("."), tuple.Bigint, "NULL cast"},
		{"empty", Text(""), tuple.Bigint, "NULL cast"},
		{"text to double", Text("-1.5e3"), tuple.Double, "-1500.0"},
		{"nan", Text("NaN"), tuple.Double, "nan"},
		{"infinity", Text("-Infinity"), tuple.Double, "-inf"},
		{"no hexadecimal", Text("0x10"), tuple.Double, "NULL cast"},
		{"no underscores", Text("1_000"), tuple.Double, "NULL cast"},
		{"too large a double", Text("1e999"), tuple.Double, "NULL cast"},
		{"text to number keeps integers", Text("9007199254740993"), tuple.Number, "9007199254740993"},
		{"text to number reads doubles", Text("1.0"), tuple.Number, "1.0"},
		{"text to boolean", Text("TRUE"), tuple.Boolean, "true"},
		{"0 is false", Text("0"), tuple.Boolean, "false"},
		{"maybe is not", Text("maybe"), tuple.Boolean, "NULL cast"},
		{"text to timestamp", Text("2024-01-01 02:00:00+02"), tuple.Timestamp, "TIMESTAMP '2024-01-01T00:00:00Z'"},
		{"text to interval", Text("1 hour 30 minutes"), tuple.Interval, "INTERVAL '1h30m'"},
		{"text to JSON", Text(`{"a":1}`), tuple.JSON, `'{"a":1}'`},
		{"bad JSON", Text(`{"a":`), tuple.JSON, "NULL cast"},
		{"doubles round halves to even", Float(2.5), tuple.Bigint, "2"},
		{"and up", Float(3.5), tuple.Bigint, "4"},
		{"doubles beyond the range", Float(1 << 63), tuple.Bigint, "NULL cast"},
		{"the last double in it", Float(math.Nextafter(1<<63, 0)), tuple.Bigint, "9223372036854774784"},
		{"NaN", Float(math.NaN()), tuple.Bigint, "NULL cast"},
		{"a number that is an integer", NumberInt(1<<53 + 1), tuple.Bigint, "9007199254740993"},
		{"a number that is not", NumberFloat(0.5), tuple.Bigint, "0"},
		{"bigint to number", Int(7), tuple.Number, "7"},
		{"double to number", Float(7), tuple.Number, "7.0"},
		{"boolean to bigint", Bool(true), tuple.Bigint, "1"},
		{"boolean to number", Bool(true), tuple.Number, "1"},
		{"number to boolean", Float(0.1), tuple.Boolean, "true"},
		{"bigint to text", Int(-7), tuple.Text, "'-7'"},
		{"double to text", Float(7), tuple.Text, "'7.0'"},
		{"timestamp to text", Time(0), tuple.Text, "'1970-01-01T00:00:00Z'"},
		{"interval to text", Interval(int64(time.Minute)), tuple.Text, "'1m'"},
		{"NULL", Null(tuple.Text), tuple.Bigint, "NULL"},
	} {
		cols := []tuple.Column{Column(c.v.Type, c.v)}
		ref := &expr.Node{Kind: expr.Col, Type: c.v.Type}
		for _, arg := range []*expr.Node{ref, Constant(c.v)} {
			assert.Equal(t, c.want, evaluate(t, &expr.Node{Kind: expr.Cast, Type: c.to, Args: []*expr.Node{arg}}, cols), c.claim)
			quiet := evaluate(t, &expr.Node{Kind: expr.TryCast, Type: c.to, Args: []*expr.Node{arg}}, cols)
			if c.want == "NULL cast" {
				assert.Equal(t, "NULL", quiet, "TRY_CAST does not count: %s", c.claim)
			} else {
				assert.Equal(t, c.want, quiet, c.claim)
			}
		}
	}
}

func TestCastsThatDoNotExist(t *testing.T) {
	for _, c := range []struct {
		from, to tuple.Type
		says     string
	}{
		{tuple.Bigint, tuple.Timestamp, "to_timestamp(seconds)"},
		{tuple.Timestamp, tuple.Bigint, "epoch_ms(ts)"},
		{tuple.Boolean, tuple.Timestamp, "BOOLEAN does not convert to TIMESTAMP"},
		{tuple.Interval, tuple.Double, "does not convert"},
	} {
		assert.ErrorContains(t, expr.CanCast(c.from, c.to), c.says)
		_, err := expr.Compile(&expr.Node{Kind: expr.Cast, Type: c.to, Args: []*expr.Node{{Kind: expr.Col, Type: c.from}}})
		assert.ErrorContains(t, err, c.says)
	}
}

func TestParseInterval(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"1 minute": time.Minute, "1h30m": 90 * time.Minute, "-1.5 days": -36 * time.Hour, "2 weeks 500ms": 14*24*time.Hour + 500*time.Millisecond,
		"01:30:00.5": 90*time.Minute + 500*time.Millisecond, "10s": 10 * time.Second, "  5 SECONDS ": 5 * time.Second, "3µs": 3 * time.Microsecond,
		"1 hour, 1 second": time.Hour + time.Second, "+1d": 24 * time.Hour,
	} {
		got, ok := expr.ParseInterval([]byte(in))
		assert.True(t, ok, in)
		assert.Equal(t, want, time.Duration(got), in)
	}
	for _, in := range []string{"", "5", "s", "1 month", "1 year", "1..5s", "1h 2", "99999999 weeks", "1:2", "01:60:00", "--1s"} {
		_, ok := expr.ParseInterval([]byte(in))
		assert.False(t, ok, in)
	}
}

func TestHugeIntegers(t *testing.T) {
	huge := expr.Value{Type: tuple.Number, Float: true, S: "9223372036854775810"} // 2^63 + 2
	cols := []tuple.Column{Column(tuple.Number, huge)}
	ref := &expr.Node{Kind: expr.Col, Type: tuple.Number}
	for _, c := range []struct {
		claim, want string
		n           *expr.Node
	}{
		{"print exactly", "9223372036854775810", ref},
		{"compare exactly with integers", "true", Call(">", ref, Constant(Int(math.MaxInt64)))},
		{"compare exactly with doubles", "false", Call("=", ref, Constant(Float(1<<63)))},
		{"compare exactly with greater doubles", "true", Call("<", ref, Constant(Float(1<<63+2048)))},
		{"equal themselves", "true", Call("=", ref, ref)},
		{"are doubles in arithmetic", "9.223372036854776e+18", Call("+", ref, Constant(Int(1)))},
		{"survive choices", "9223372036854775810", Call("greatest", ref, Constant(NumberInt(1)))},
		{"cast to text exactly", "'9223372036854775810'", &expr.Node{Kind: expr.Cast, Type: tuple.Text, Args: []*expr.Node{ref}}},
		{"do not cast to bigint", "NULL cast", &expr.Node{Kind: expr.Cast, Type: tuple.Bigint, Args: []*expr.Node{ref}}},
		{"say what they are", "'HUGEINT'", Call("typeof", ref)},
	} {
		assert.Equal(t, c.want, evaluate(t, c.n, cols), c.claim)
	}
}
