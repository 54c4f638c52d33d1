package op

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

func TestHashingAColumnIsHashingEachValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const longest = 70
	var c tuple.Column
	c.Reset(tuple.Text, longest+1)
	for n := range longest + 1 {
		value := make([]byte, n)
		for i := range value {
			value[i] = byte(r.Uint32())
		}
		c.SetStr(n, value)
	}
	hashes := make([]uint64, longest+1)
	hashSpans(&c, tuple.All(longest+1), hashes)
	for n, h := range hashes {
		value := c.Str(n)
		require.Equal(t, hashBytes(value), h, "%d bytes", n)
		same := append([]byte(nil), value...)
		require.True(t, sameBytes(value, same))
		for i := range same {
			same[i] ^= 1 << (i % 8)
			require.NotEqual(t, h, hashBytes(same), "byte %d of %d", i, n)
			require.False(t, sameBytes(value, same), "byte %d of %d", i, n)
			same[i] = value[i]
		}
	}
}

// Hashes of numbered texts of every length must look random to sketches, which see some 200,000 within 5 standard
// deviations.
func TestHashesOfSimilarTextsAreFarApart(t *testing.T) {
	for _, format := range []string{"%d", "u%06d", "user-%06d", "%08d@mail", "10.0.0.0/%07d.html", "user-%06d.eu-west-1.example", "%06d0000", "%06d000000000000000000"} {
		const n = 200_000
		var d sketch.Distinct
		seen := make(map[uint64]bool, n)
		for i := range n {
			h := hashBytes(fmt.Appendf(nil, format, i))
			d.AddHash(h)
			seen[h] = true
		}
		require.Len(t, seen, n, format)
		require.InEpsilon(t, n, d.Estimate(), 5*d.RelativeError(), format)
	}
}
