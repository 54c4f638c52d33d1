package synopsis

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Shares of strata, in any partition, give the cells that their rows give.
func TestSharesGiveTheCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		values := make([]float64, 900)
		for i := range values {
			values[i] = 3 + rng.NormFloat64()
		}
		d, kept := strataOf(rng, values, []float64{0.5, 0.25, 0.2})
		parts := rapid.IntRange(1, 5).Draw(t, "parts")
		var spread, spreadOf Spread
		var quotient, quotientOf Quotient
		var blocks, blocksOf Blocks
		var shape Shape
		for i := range kept {
			spreads, quotients, shares := make([]SpreadPart, parts), make([]QuotientPart, parts), make([]Part, parts)
			for _, x := range kept[i] {
				p, b := rng.IntN(parts), 4+rng.ExpFloat64()
				spread.Add(d, int32(i), x)
				quotient.Add(d, int32(i), x, b)
				blocks.AddWeighted(int64(i), x, 2)
				spreads[p].Add(x)
				quotients[p].Add(x, b)
				shares[p].Add(x)
			}
			for p := range parts - 1 {
				spreads[p+1].Merge(&spreads[p])
				quotients[p+1].Merge(&quotients[p])
			}
			spreadOf.AddPart(d, int32(i), &spreads[parts-1])
			quotientOf.AddPart(d, int32(i), &quotients[parts-1])
			for p := range shares {
				blocksOf.AddPart(int64(i), &shares[p], 2)
			}
		}
		spread.Tell(&shape, d)
		q := Question{Confidence: 0.95}
		near := func(want, got Estimate) {
			require.InEpsilon(t, want.Value, got.Value, 1e-9)
			require.InEpsilon(t, want.Low, got.Low, 0.02)
			require.InEpsilon(t, want.High, got.High, 0.02)
		}
		want, _ := spread.Var(d, nil, &shape, q, true)
		got, _ := spreadOf.Var(d, nil, &shape, q, true)
		near(want, got)
		want, _ = quotient.Ratio(d, 1, 2, nil, q)
		got, _ = quotientOf.Ratio(d, 1, 2, nil, q)
		near(want, got)
		want, _ = blocks.Sum(Clusters{9, 3}, nil, nil, q)
		got, _ = blocksOf.Sum(Clusters{9, 3}, nil, nil, q)
		near(want, got)
		require.Equal(t, spread.Rows(), spreadOf.Rows())
		require.Equal(t, quotient.Rows(), quotientOf.Rows())
		require.Equal(t, blocks.Rows(), blocksOf.Rows())
		require.InDelta(t, blocks.Seen(), blocksOf.Seen(), 1e-6)
	})
}

func BenchmarkSpreadAdd(b *testing.B) {
	d, _ := strataOf(rand.New(rand.NewPCG(1, 1)), make([]float64, 400), []float64{0.5})
	cells := make([]Spread, 1024)
	for i := range b.N {
		cells[i&1023].Add(d, 0, float64(i))
	}
}

func BenchmarkQuotientAdd(b *testing.B) {
	d, _ := strataOf(rand.New(rand.NewPCG(1, 1)), make([]float64, 400), []float64{0.5})
	cells := make([]Quotient, 1024)
	for i := range b.N {
		cells[i&1023].Add(d, 0, float64(i&1), 1)
	}
}

func BenchmarkQuotientRatio(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	d, kept := strataOf(rng, make([]float64, 400), []float64{0.5})
	var c Quotient
	for range kept[0] {
		c.Add(d, 0, rng.ExpFloat64(), 1+rng.ExpFloat64())
	}
	for range b.N {
		c.Ratio(d, 0, 0, nil, Question{Confidence: 0.95})
	}
}
