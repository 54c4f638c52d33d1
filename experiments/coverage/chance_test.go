package coverage

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAtMostIsTheBinomialTail(t *testing.T) {
	for _, c := range []struct {
		k, n int64
		p    float64
	}{{0, 1, 0.5}, {3, 20, 0.94}, {17, 20, 0.94}, {18, 20, 0.94}, {900, 1000, 0.94}, {0, 50, 0.99}} {
		want := 0.0
		for i := range c.k + 1 {
			ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(c.n, i)).Float64()
			want += ways * math.Pow(c.p, float64(i)) * math.Pow(1-c.p, float64(c.n-i))
		}
		assert.InEpsilon(t, want, atMost(c.k, c.n, c.p), 1e-9, "%d of %d at %v", c.k, c.n, c.p)
	}
	assert.EqualValues(t, 1, atMost(19, 20, 0.94), "nothing is missing from the mean on")
	assert.Less(t, atMost(1_850_000, 2_000_000, 0.94), 1e-300)
}

func TestShortLeavesRoomForChanceAlone(t *testing.T) {
	n := int64(10_000)
	deviation := math.Sqrt(float64(n) * 0.94 * 0.06)
	assert.False(t, Share{n, 9400 - int64(4*deviation)}.Short(0.94))
	assert.True(t, Share{n, 9400 - int64(5.5*deviation)}.Short(0.94))
	assert.False(t, Share{}.Short(0.94), "no cells cannot be too few")
	assert.False(t, Share{3, 0}.Short(0.94), "chance explains three")
	assert.True(t, Share{6, 0}.Short(0.94))
}
