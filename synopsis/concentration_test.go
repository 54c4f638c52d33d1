package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// boundedValues are populations in [0, 1].
var boundedValues = []struct {
	name string
	draw func(*rand.Rand) float64
}{
	{"uniform", (*rand.Rand).Float64},
	{"rare ones", func(r *rand.Rand) float64 { return float64(min(r.IntN(50), 1)) }},
	{"constant", func(*rand.Rand) float64 { return 0.25 }},
	{"skewed", func(r *rand.Rand) float64 { return math.Pow(r.Float64(), 20) }},
	{"ends", func(r *rand.Rand) float64 { return float64(r.IntN(2)) }},
}

func TestConcentrationHolds(t *testing.T) {
	const cells = 4000
	for i, values := range boundedValues {
		for _, n := range []int{1, 2, 10, 60} {
			rng := rand.New(rand.NewPCG(2, uint64(100*i+n)))
			population := make([]float64, 100)
			hoeffding, bernstein := 0, 0
			for range cells {
				b := boundedSample(rng, population, n, values.draw)
				truth := b.truth
				for known := range 2 {
					b.Population = int64(known * len(population))
					if !b.Hoeffding(0.95).Contains(truth) {
						hoeffding++
					}
					if !b.Bernstein(0.95).Contains(truth) {
						bernstein++
					}
				}
			}
			about := fmt.Sprint(values.name, n)
			covers(t, 0.95, 2*cells-hoeffding, 2*cells, about)
			covers(t, 0.95, 2*cells-bernstein, 2*cells, about)
		}
	}
}

type boundedTrial struct {
	Bounded
	truth float64
}

// boundedSample fills the population and draws n of it.
func boundedSample(rng *rand.Rand, population []float64, n int, draw func(*rand.Rand) float64) boundedTrial {
	b := boundedTrial{Bounded: Bounded{Rows: int64(n), High: 1}}
	for i := range population {
		population[i] = draw(rng)
		b.truth += population[i]
	}
	b.truth /= float64(len(population))
	rng.Shuffle(len(population), func(i, j int) { population[i], population[j] = population[j], population[i] })
	var m Moments
	for _, x := range population[:n] {
		m.AddFloat(x)
	}
	b.Mean, b.Variance = m.Mean(), m.VarPop()
	return b
}

func TestConcentrationFollowsItsFormulas(t *testing.T) {
	b := Bounded{Rows: 200, Mean: 5, Variance: 4, Low: 0, High: 10}
	e := b.Hoeffding(0.9)
	require.InDelta(t, 10*math.Sqrt(math.Log(20)/400), e.High-5, 1e-12)
	require.InDelta(t, 5-(e.High-5), e.Low, 1e-12)
	require.Equal(t, 0.9, e.Confidence)
	e = b.Bernstein(0.9)
	require.InDelta(t, math.Sqrt(8*math.Log(30)/200)+30*math.Log(30)/200, e.High-5, 1e-12)

	b.Population = 250
	require.InDelta(t, 10*math.Sqrt((1-199.0/250)*math.Log(20)/400), b.Hoeffding(0.9).High-5, 1e-12)
	require.Equal(t, e, b.Bernstein(0.9), "few rows: the simpler bound is narrower")
	b = Bounded{Rows: 200_000, Population: 250_000, Mean: 5, Variance: 4, Low: 0, High: 10}
	require.InDelta(t, math.Sqrt(8*(0.2*(1+1/2e5))*math.Log(100)/2e5)+10*(7.0/3+3/math.Sqrt2)*math.Log(100)/2e5,
		b.Bernstein(0.9).High-5, 1e-12, "the population is nearly used up")
	b.Population = b.Rows
	require.Equal(t, Exactly(5), b.Hoeffding(0.9), "all was seen")
	require.Equal(t, Exactly(5), b.Bernstein(0.9))

	b = Bounded{Rows: 2, Population: 4, Mean: 1, Low: 0, High: 10}
	e = b.Bernstein(0.95)
	require.Equal(t, []float64{0.5, 5.5}, []float64{e.Low, e.High}, "two of four were seen: clamped to what the others can be")
	require.Equal(t, []float64{2, 22}, []float64{e.Total(4).Low, e.Total(4).High})
	e = Bounded{Low: -1, High: 3}.Hoeffding(0.95)
	require.True(t, math.IsNaN(e.Value) && e.Low == -1 && e.High == 3, "no rows: the range")
}
