package synopsis

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatesComeBackAsTheyWere(t *testing.T) {
	var s Sum
	s.AddInt(-3)
	s.AddInt128(Int128{Hi: 5, Lo: 7})
	s.AddFloat(0.1)
	s.AddFloat(math.MaxFloat64)
	s.AddFloat(math.MaxFloat64)
	var m Moments
	m.AddFloat(1e9)
	m.AddInt(7)

	data, err := s.AppendBinary(nil)
	require.NoError(t, err)
	require.Len(t, data, SumSize)
	var s2 Sum
	require.NoError(t, s2.UnmarshalBinary(data))
	require.Equal(t, s, s2)
	require.Error(t, s2.UnmarshalBinary(data[1:]))

	data, err = m.AppendBinary(nil)
	require.NoError(t, err)
	require.Len(t, data, MomentsSize)
	var m2 Moments
	require.NoError(t, m2.UnmarshalBinary(data))
	require.Equal(t, m, m2)
	require.Error(t, m2.UnmarshalBinary(data[1:]))
	for claim, spoil := range map[string]func(b []byte){
		"a negative count":     func(b []byte) { b[7] = 0x80 },
		"an origin of no kind": func(b []byte) { b[32] = 2 },
	} {
		bad := bytes.Clone(data)
		spoil(bad)
		require.Error(t, m2.UnmarshalBinary(bad), claim)
	}
	require.Equal(t, m, m2, "an error leaves the state alone")
}

func TestAddInt128IsExact(t *testing.T) {
	var s Sum
	s.AddInt128(Int128{Hi: 1})
	s.AddInt(-1)
	require.Equal(t, "18446744073709551615", s.Int().String())
}
