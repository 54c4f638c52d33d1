package sketch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMergingIntegersWithFloatsKeepsBoth(t *testing.T) {
	of := func(feed func(*KLL)) *KLL {
		s, err := NewKLL(0, 1)
		require.NoError(t, err)
		feed(s)
		return s
	}
	empty, ints := of(func(*KLL) {}), of(func(s *KLL) { s.AddInt(7) })
	floats := of(func(s *KLL) { s.AddFloat(0.5) })

	require.NoError(t, empty.Merge(floats))
	v, _ := empty.Quantile(0.5)
	require.Equal(t, Number{Value: 0.5}, v, "floats merged into an empty sketch")

	require.NoError(t, floats.Merge(ints))
	v, _ = floats.Quantile(1)
	require.Equal(t, Number{Value: 7}, v, "integers merged into floats")
	v, _ = ints.Quantile(1)
	require.Equal(t, Number{Int: 7, IsInt: true}, v, "what is merged is only read")
}
