package sketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// sigmas is how many standard deviations a normal statistic passes with
// probability 1e-6: the tolerance of the statistical tests.
const sigmas = 4.9

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5eed)) }

// stream is a shape of input: the i-th of n values.
type stream struct {
	name string
	at   func(r *rand.Rand, i, n int) float64
}

var streams = []stream{
	{"constant", func(*rand.Rand, int, int) float64 { return 42.5 }},
	{"sorted", func(_ *rand.Rand, i, _ int) float64 { return float64(i) }},
	{"reversed", func(_ *rand.Rand, i, n int) float64 { return float64(n - i) }},
	{"zigzag", func(_ *rand.Rand, i, _ int) float64 { return float64(i) * float64(1-i%2*2) }},
	{"uniform", func(r *rand.Rand, _, _ int) float64 { return r.Float64() }},
	{"normal", func(r *rand.Rand, _, _ int) float64 { return r.NormFloat64() }},
	{"zipf", func(r *rand.Rand, _, _ int) float64 { return math.Floor(1 / (r.Float64() + 1e-9)) }},
	{"ties", func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(5)) }},
	{"wide", func(r *rand.Rand, _, _ int) float64 {
		return math.Pow(10, 600*r.Float64()-300) * float64(1-2*r.IntN(2))
	}},
	{"subnormal", func(r *rand.Rand, _, _ int) float64 {
		return math.Float64frombits(r.Uint64()>>(12+r.IntN(52))) * float64(1-2*r.IntN(2))
	}},
	{"any bits", func(r *rand.Rand, _, _ int) float64 {
		if x := math.Float64frombits(r.Uint64()); x == x {
			return x
		}
		return math.Inf(1)
	}},
}

func (s stream) values(seed uint64, n int) []float64 {
	r := random(seed)
	values := make([]float64, n)
	for i := range values {
		values[i] = s.at(r, i, n) + 0
	}
	return values
}

// drawStream draws a shape, and sizes around the borders of the exact ranges.
func drawStream(t *rapid.T) (stream, []float64) {
	s := rapid.SampledFrom(streams).Draw(t, "stream")
	n := rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(250, 260), rapid.IntRange(1, 3000)).Draw(t, "n")
	return s, s.values(rapid.Uint64().Draw(t, "seed"), n)
}

// nearestRank is the oracle of quantiles on sorted values.
func nearestRank(sorted []float64, q float64) float64 {
	return sorted[Rank(q, int64(len(sorted)))-1]
}

var quantiles = []float64{0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1}

// rankRange returns the ranks that v has among the sorted values: from the number
// of smaller ones, to the number of not greater ones.
func rankRange(sorted []float64, v float64) (from, to int) {
	from, _ = slices.BinarySearch(sorted, v)
	to, _ = slices.BinarySearchFunc(sorted, v, func(x, v float64) int {
		if x <= v {
			return -1
		}
		return 1
	})
	return from, to
}

// binomialLimit returns the least count that n trials of probability p exceed with
// probability below 1e-6.
func binomialLimit(n int, p float64) int {
	term, cumulative := math.Pow(1-p, float64(n)), 0.0
	for k := 0; ; k++ {
		cumulative += term
		if 1-cumulative < 1e-6 {
			return k
		}
		term *= float64(n-k) / float64(k+1) * p / (1 - p)
	}
}

type marshaler interface{ MarshalBinary() ([]byte, error) }

func marshalled(t require.TestingT, s marshaler) []byte {
	b, err := s.MarshalBinary()
	require.NoError(t, err)
	return b
}

func TestRank(t *testing.T) {
	for _, c := range []struct {
		claim string
		q     float64
		n     int64
		want  int64
	}{
		{"one value is every quantile", 0.9, 1, 1},
		{"the nearest rank is rounded up", 0.7, 6, 5},
		{"and so is this", 0.9, 6, 6},
		{"the lower middle", 0.5, 4, 2},
		{"0.07 of 100 is 7, as written", 0.07, 100, 7},
		{"0.29 of 100 is 29, as written", 0.29, 100, 29},
		{"0.1 of 30 is 3, as written", 0.1, 30, 3},
		{"a little more is the next", 0.0700001, 100, 8},
		{"zero is the first", 0, 10, 1},
		{"one is the last", 1, 10, 10},
		{"beyond one is the last", 7, 10, 10},
		{"not a number is the first", math.NaN(), 10, 1},
		{"large counts", 1, math.MaxInt64, math.MaxInt64},
	} {
		require.Equal(t, c.want, Rank(c.q, c.n), c.claim)
	}
}

func TestRankOfHundredthsIsWholeNumbers(t *testing.T) {
	for hundredth := int64(1); hundredth <= 100; hundredth++ {
		for _, n := range []int64{100, 1000, 12300, 1_000_000_000} {
			require.Equal(t, hundredth*n/100, Rank(float64(hundredth)/100, n))
		}
	}
}

func TestNumberCompareIsExact(t *testing.T) {
	for _, c := range []struct {
		claim string
		i     int64
		x     float64
		want  int
	}{
		{"equal", 1, 1, 0},
		{"2^53+1 is above 2^53", 1<<53 + 1, 1 << 53, 1},
		{"the greatest integer is below 2^63", math.MaxInt64, 0x1p63, -1},
		{"the least integer is -2^63", math.MinInt64, -0x1p63, 0},
		{"halves", 2, 2.5, -1},
		{"negative halves", -2, -2.5, 1},
		{"infinity", math.MaxInt64, math.Inf(1), -1},
		{"minus infinity", math.MinInt64, math.Inf(-1), 1},
	} {
		require.Equal(t, c.want, intNumber(c.i).Compare(floatNumber(c.x)), c.claim)
		require.Equal(t, -c.want, floatNumber(c.x).Compare(intNumber(c.i)), c.claim)
	}
}

func TestHashes(t *testing.T) {
	require.Equal(t, HashInt(3), HashFloat(3))
	require.Equal(t, HashFloat(0), HashFloat(math.Copysign(0, -1)))
	require.Equal(t, HashFloat(math.NaN()), HashFloat(math.Float64frombits(0xfff8000000000001)))
	require.NotEqual(t, HashFloat(0.5), HashInt(math.Float64bits(0.5)))
	require.Equal(t, uint64(0xef46db3751d8e999), Hash(nil), "XXH64 of nothing, by its specification")
}

// Flipping one input bit flips each output bit with probability 1/2: over n
// inputs the share has the standard deviation 1/(2 sqrt n).
func TestMixersAvalanche(t *testing.T) {
	const n = 4096
	for name, mix := range map[string]func(uint64) uint64{"HashInt": HashInt, "remix": remix} {
		for in := range 64 {
			var flips [64]int
			for i := range uint64(n) {
				d := mix(i) ^ mix(i^1<<in)
				for out := range flips {
					flips[out] += int(d >> out & 1)
				}
			}
			for out, f := range flips {
				// 64*64*2 cells are looked at: six sigma.
				require.InDelta(t, n/2, f, 6*math.Sqrt(n)/2, "%s: bit %d to %d", name, in, out)
			}
		}
	}
}
