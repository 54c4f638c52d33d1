package tuple_test

import (
	"math"
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{3, "3.0"},
		{-0.5, "-0.5"},
		{0.1, "0.1"},
		{0, "0.0"},
		{1e15, "1000000000000000.0"},
		{1e16, "1e+16"},
		{1e-4, "0.0001"},
		{1e-5, "1e-05"},
		{1.7e308, "1.7e+308"},
		{math.NaN(), "nan"},
		{math.Inf(1), "inf"},
		{math.Inf(-1), "-inf"},
	} {
		assert.Equal(t, c.want, string(tuple.AppendFloat(nil, c.v)))
	}
}

func TestAppendHuge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hi, lo := rapid.Int64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")
		if rapid.Bool().Draw(t, "small") {
			hi %= 3
		}
		want := new(big.Int).Lsh(big.NewInt(hi), 64)
		want.Add(want, new(big.Int).SetUint64(lo))
		require.Equal(t, want.String(), string(tuple.AppendHuge(nil, hi, lo)))
	})
	assert.Equal(t, "-170141183460469231731687303715884105728", string(tuple.AppendHuge(nil, math.MinInt64, 0)))
	assert.Equal(t, "9223372036854775810", string(tuple.AppendHuge(nil, 0, 1<<63+2)))
}

func TestAppendInterval(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"},
		{time.Hour, "1h"},
		{90 * time.Second, "1m30s"},
		{2500 * time.Millisecond, "2.5s"},
		{1500 * time.Microsecond, "1.5ms"},
		{7, "7ns"},
		{-time.Hour - time.Second, "-1h1s"},
		{3050, "3.05µs"},
	} {
		assert.Equal(t, c.want, string(tuple.AppendInterval(nil, int64(c.d))))
	}
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64().Draw(t, "ns")
		got, err := time.ParseDuration(string(tuple.AppendInterval(nil, ns)))
		require.NoError(t, err)
		require.Equal(t, ns, int64(got))
	})
}

func TestAppendValue(t *testing.T) {
	number := tuple.Column{}
	number.Reset(tuple.Number, 3)
	number.SetRep(tuple.RepMixed, 3)
	copy(number.Tag, []uint8{tuple.TagInt, tuple.TagFloat, tuple.TagHuge})
	copy(number.I, []int64{7, 0, 5})
	copy(number.F, []float64{0, 7, 0})
	copy(number.Hi, []int64{0, 0, 1})
	text := tuple.Column{}
	text.Reset(tuple.Text, 2)
	text.SetStr(0, []byte("héllo"))
	text.SetNull(1, 2)
	for _, c := range []struct {
		claim string
		col   *tuple.Column
		row   int
		want  string
	}{
		{"an integer in a number column", &number, 0, "7"},
		{"a double in a number column", &number, 1, "7.0"},
		{"a 128-bit integer", &number, 2, "18446744073709551621"},
		{"text as it is", &text, 0, "héllo"},
		{"NULL is nothing", &text, 1, ""},
		{"a timestamp", &tuple.Column{Type: tuple.Timestamp, I: []int64{0}}, 0, "1970-01-01T00:00:00Z"},
		{"an interval", &tuple.Column{Type: tuple.Interval, I: []int64{60e9}}, 0, "1m"},
		{"a bigint", &tuple.Column{Type: tuple.Bigint, I: []int64{math.MinInt64}}, 0, strconv.Itoa(math.MinInt64)},
		{"a boolean", &tuple.Column{Type: tuple.Boolean, B: []bool{true}}, 0, "true"},
		{"a double", &tuple.Column{Type: tuple.Double, Rep: tuple.RepFloat, F: []float64{2}}, 0, "2.0"},
	} {
		assert.Equal(t, c.want, string(tuple.AppendValue(nil, c.col, c.row, nil)), c.claim)
	}
}
