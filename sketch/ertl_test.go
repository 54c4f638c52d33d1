package sketch

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSumsOfRanks compares the two ways to sum registers, at every precision and from
// nearly empty to full.
func TestSumsOfRanks(t *testing.T) {
	r := random(3)
	for p := minPrecision; p <= maxPrecision; p++ {
		for _, each := range []float64{0, 0.05, 1, 30} {
			registers := make([]byte, 1<<p)
			for range int(each * float64(len(registers))) {
				rank := byte(min(bits.LeadingZeros64(r.Uint64()), lowRank-2) + 1)
				at := r.IntN(len(registers))
				registers[at] = max(registers[at], rank)
			}
			zeros, sum, ok := lowRanks(registers)
			require.True(t, ok)
			allZeros, allSum := allRanks(registers, 64-p)
			require.Equal(t, allZeros, zeros, "precision %d, %v a register", p, each)
			require.Equal(t, allSum, sum, "precision %d, %v a register", p, each)

			registers[r.IntN(len(registers))] = lowRank
			_, _, ok = lowRanks(registers)
			require.False(t, ok)
		}
	}
}
