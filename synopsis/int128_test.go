package synopsis

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// word draws integers of every length, and the edges, rather than only long ones.
func word() *rapid.Generator[uint64] {
	return rapid.Custom(func(t *rapid.T) uint64 {
		edge := rapid.SampledFrom([]uint64{0, 1, 1 << 53, 1<<53 + 1, 1<<63 - 1, 1 << 63, math.MaxUint64}).Draw(t, "edge")
		v := rapid.Uint64().Draw(t, "v") >> rapid.IntRange(0, 63).Draw(t, "shift")
		if rapid.Bool().Draw(t, "at edge") {
			return edge
		}
		return v
	})
}

func int128s() *rapid.Generator[Int128] {
	return rapid.Custom(func(t *rapid.T) Int128 {
		return Int128{Hi: int64(word().Draw(t, "hi")), Lo: word().Draw(t, "lo")}
	})
}

func toBig(a Int128) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(a.Hi), 64)
	return v.Add(v, new(big.Int).SetUint64(a.Lo))
}

func wrap128(v *big.Int) *big.Int {
	mod := new(big.Int).Lsh(big.NewInt(1), 128)
	v = new(big.Int).Mod(v, mod)
	if v.Bit(127) == 1 {
		v.Sub(v, mod)
	}
	return v
}

func TestInt128AgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := int128s().Draw(t, "a"), int128s().Draw(t, "b")
		ba, bb := toBig(a), toBig(b)
		require.Equal(t, ba.String(), a.String())
		require.Equal(t, ba.Cmp(bb), a.Cmp(b))
		require.Equal(t, ba.Sign(), a.Sign())
		require.Equal(t, wrap128(new(big.Int).Add(ba, bb)).String(), a.Add(b).String())
		require.Equal(t, wrap128(new(big.Int).Sub(ba, bb)).String(), a.Sub(b).String())
		require.Equal(t, wrap128(new(big.Int).Neg(ba)).String(), a.Neg().String())
		want, _ := new(big.Float).SetInt(ba).Float64()
		require.Equal(t, want, a.Float64())
		v, ok := a.Int64()
		require.Equal(t, ba.IsInt64(), ok)
		if ok {
			require.Equal(t, ba.Int64(), v)
		}
	})
}

func TestInt128RatioIsCorrectlyRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := int128s().Draw(t, "a")
		n := word().Filter(func(v uint64) bool { return v > 0 }).Draw(t, "n")
		want, _ := new(big.Rat).SetFrac(toBig(a), new(big.Int).SetUint64(n)).Float64()
		require.Equal(t, want, a.ratio(n))
	})
}

func TestInt128Decimal(t *testing.T) {
	for _, c := range []struct {
		claim string
		v     Int128
		want  string
	}{
		{"zero", Int128{}, "0"},
		{"minus one", Int128FromInt64(-1), "-1"},
		{"the least", Int128{Hi: math.MinInt64}, "-170141183460469231731687303715884105728"},
		{"the greatest", Int128{Hi: math.MaxInt64, Lo: math.MaxUint64}, "170141183460469231731687303715884105727"},
		{"inner zeros are kept", Int128{Hi: 542101086242752217, Lo: 68739955140067328}, "10000000000000000000000000000000000000"},
	} {
		require.Equal(t, c.want, c.v.String(), c.claim)
	}
}
