package synopsis

import (
	"encoding"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatesOfOtherCellsComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d, _ := strataOf(rng, make([]float64, 400), []float64{0.5, 0.2})
	var spread Spread
	var spreadPart SpreadPart
	var quotient Quotient
	var quotientPart QuotientPart
	var blocks, pairs Blocks
	var keys Keys
	var ranks BlockRanks
	var shape Shape
	for i := range 40 {
		x, y := rng.NormFloat64(), rng.ExpFloat64()
		spread.Add(d, int32(i/20), x)
		spreadPart.Add(x)
		quotient.Add(d, int32(i/20), x, y)
		quotientPart.Add(x, y)
		blocks.AddWeighted(int64(i/3), x, 1+y)
		pairs.AddPair(int64(i/3), x, y, 2)
		keys.Add(uint8(i), x, 2)
		if ranks.Enter(int64(i / 3)); i%7 == 1 {
			ranks.Aim(x, 0.5)
		}
		ranks.Add(x, 2)
	}
	spread.Tell(&shape, d)
	for _, c := range []struct {
		state interface {
			AppendBinary([]byte) ([]byte, error)
		}
		fresh any
		size  int
	}{
		{&spread, new(Spread), SpreadStateSize},
		{&spreadPart, new(SpreadPart), SpreadPartStateSize},
		{&quotient, new(Quotient), QuotientStateSize},
		{&quotientPart, new(QuotientPart), QuotientPartStateSize},
		{&blocks, new(Blocks), BlocksStateSize},
		{&pairs, new(Blocks), BlocksStateSize},
		{&keys, new(Keys), KeysStateSize},
		{&ranks, new(BlockRanks), BlockRanksStateSize},
		{&shape, new(Shape), ShapeStateSize},
	} {
		data, err := c.state.AppendBinary(nil)
		require.NoError(t, err)
		require.Len(t, data, c.size, "%T", c.state)
		load := func(data []byte) error {
			if s, ok := c.fresh.(interface{ Load(*Design, []byte) error }); ok {
				return s.Load(d, data)
			}
			return c.fresh.(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
		}
		require.NoError(t, load(data))
		require.Equal(t, c.state, c.fresh)
		require.Error(t, load(data[1:]), "%T", c.state)
		require.Error(t, load(append(data, 0)), "%T", c.state)
	}
	var other Spread
	data, _ := spread.AppendBinary(nil)
	require.Error(t, other.Load(new(Design), data), "a stratum that the design does not have")
}
