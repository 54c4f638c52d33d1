package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// followed returns what is known of blocks with the given number of rows, of which value gives those of a block.
func followed(q float64, blocks, rows int, w float64, value func(r *rand.Rand, b int) float64) BlockRanks {
	r := rand.New(rand.NewPCG(7, 8))
	var b BlockRanks
	for i := range blocks {
		for range rows {
			if b.Enter(int64(i)) {
				b.Aim(math.Log(1/(1-q)), q)
			}
			b.Add(value(r, i), w)
		}
	}
	return b
}

func TestBlockRanksKnowTheDesignEffect(t *testing.T) {
	independent := func(r *rand.Rand, _ int) float64 { return r.ExpFloat64() }
	alike := func(_ *rand.Rand, b int) float64 { return math.Log(17 / (0.5 + float64(b*7%17))) }
	half := Clusters{400, 200}
	for _, c := range []struct {
		about     string
		q         float64
		blocks    int
		w         float64
		value     func(r *rand.Rand, b int) float64
		of        Clusters
		low, high float64
		reliable  bool
	}{
		{"rows that are independent are worth themselves", 0.5, 200, 1, independent, half, 6000, 8000, true},
		{"rows that are alike in a block are worth the block", 0.5, 200, 1, alike, half, 400, 430, true},
		{"all blocks", 0.5, 200, 1, independent, Clusters{200, 200}, math.Inf(1), math.Inf(1), true},
		{"thinned rows have no finite population", 0.5, 200, 2, independent, half, 3000, 4000, true},
		{"few blocks", 0.5, 29, 1, independent, Clusters{58, 29}, 58, 58, true},
		{"a tail that may be blocks that were not read", 0.999, 200, 1, independent, half, 400, 8000, false},
		{"a pilot beyond all values", 0.5, 200, 1, func(*rand.Rand, int) float64 { return 0.1 }, half, 400, 400, true},
		{"nothing", 0.5, 0, 1, independent, half, 0, 0, false},
	} {
		rows, reliable := followed(c.q, c.blocks, 20, c.w, c.value).Rows(c.q, c.of, 0.95)
		require.True(t, c.low <= rows && rows <= c.high, "%s: %v", c.about, rows)
		require.Equal(t, c.reliable, reliable, c.about)
	}
	var b BlockRanks
	for i, n := range []int64{1, 1, 8} {
		b.Enter(int64(i))
		b.AddUnseen(n, float64(n))
	}
	rows, _ := b.Rows(0.5, Clusters{6, 3}, 0.95)
	require.InEpsilon(t, 2*100.0/66, rows, 1e-9, "blocks of unequal size")
}
