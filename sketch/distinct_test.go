package sketch

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func distinctOf(hash func(i int) uint64, n int) *Distinct {
	d := new(Distinct)
	for i := range n {
		d.AddHash(hash(i))
	}
	return d
}

func TestDistinctIsExactTo512(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, 9, 10, 511, 512} {
		d := distinctOf(func(i int) uint64 { return uint64(i) }, n)
		for i := range n {
			d.AddHash(uint64(i))
		}
		require.True(t, d.Exact())
		require.EqualValues(t, n, d.Estimate())
		e := d.Interval(0.95)
		require.True(t, e.Exact && e.Low == float64(n) && e.High == float64(n))
	}
	d := distinctOf(func(i int) uint64 { return uint64(i) }, 513)
	require.False(t, d.Exact())
	require.GreaterOrEqual(t, d.Estimate(), int64(513))
}

// Whatever injective hash comes in, the error is that of a good one.
func TestDistinctMixesWeakHashes(t *testing.T) {
	for name, hash := range map[string]func(int) uint64{
		"counter":    func(i int) uint64 { return uint64(i) },
		"high bits":  func(i int) uint64 { return uint64(i) << 40 },
		"multiples":  func(i int) uint64 { return uint64(i) * 4096 },
		"mixed":      func(i int) uint64 { return HashInt(uint64(i)) },
		"texts":      func(i int) uint64 { return Hash(fmt.Appendf(nil, "id-%d", i*7919)) },
		"fractions":  func(i int) uint64 { return HashFloat(float64(i) / 7) },
		"thinned by": func(i int) uint64 { return HashInt(uint64(i)) >> 4 },
	} {
		for _, n := range []int{603, 3000, 100_000} {
			d := distinctOf(hash, n)
			require.InEpsilon(t, n, d.Estimate(), sigmas*d.RelativeError(), "%s, %d", name, n)
		}
	}
}

func TestDistinctCaseOf603(t *testing.T) {
	d := distinctOf(func(i int) uint64 { return Hash(fmt.Appendf(nil, "id-%d", i*7919)) }, 603)
	clamped := min(d.Estimate(), 603)
	require.GreaterOrEqual(t, clamped, int64(585))
}

// Over R independent sets the squared relative error averages to at most sigma^2,
// with a relative standard deviation of sqrt(2/R); the bias is within
// sigma/sqrt(R); and the interval misses no more often than it says.
func TestDistinctKeepsItsPromisedError(t *testing.T) {
	const runs = 150
	for _, relError := range []float64{0, 0.02, 0.05} {
		for _, n := range []int{600, 2000, 10_000, 40_000} {
			squares, bias, misses, sigma := 0.0, 0.0, 0, 0.0
			for run := range runs {
				d, err := NewDistinct(relError)
				require.NoError(t, err)
				for i := range n {
					d.AddHash(uint64(run*n + i))
				}
				sigma = d.RelativeError()
				e := float64(d.Estimate())/float64(n) - 1
				squares += e * e
				bias += e
				if !d.Interval(0.95).Contains(float64(n)) {
					misses++
				}
			}
			require.LessOrEqual(t, squares/runs, sigma*sigma*(1+sigmas*math.Sqrt(2.0/runs)))
			require.LessOrEqual(t, math.Abs(bias/runs), sigmas*sigma/math.Sqrt(runs))
			require.LessOrEqual(t, misses, binomialLimit(runs, 0.05))
		}
	}
}

func TestDistinctPrecision(t *testing.T) {
	for _, relError := range []float64{0.00204, 0.005, 0.01, 0.1, 0.26} {
		d, err := NewDistinct(relError)
		require.NoError(t, err)
		require.LessOrEqual(t, d.RelativeError(), relError)
	}
	for _, relError := range []float64{-1, 1e-9, 0.002, 0.27, 1, math.NaN(), math.Inf(1)} {
		_, err := NewDistinct(relError)
		require.Error(t, err, "%v", relError)
	}
	var zero Distinct
	require.LessOrEqual(t, zero.RelativeError(), 0.01)
	coarse, _ := NewDistinct(0.1)
	require.ErrorIs(t, zero.Merge(coarse), ErrMismatch)
}

func TestDistinctMergeEqualsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(505, 520), rapid.IntRange(0, 3000)).Draw(t, "n")
		parts := make([]Distinct, rapid.IntRange(1, 4).Draw(t, "parts"))
		r := random(rapid.Uint64().Draw(t, "seed"))
		var whole, merged Distinct
		for range n {
			h := uint64(r.IntN(2*n)) * 0x9e3779b97f4a7c15 // zero among them
			whole.AddHash(h)
			for parts[r.IntN(len(parts))].AddHash(h); r.IntN(3) == 0; {
				parts[r.IntN(len(parts))].AddHash(h)
			}
		}
		for _, i := range r.Perm(len(parts)) {
			require.NoError(t, merged.Merge(&parts[i]))
		}
		require.Equal(t, whole.Estimate(), merged.Estimate())
		require.Equal(t, marshalled(t, &whole), marshalled(t, &merged))
		var loaded Distinct
		require.NoError(t, loaded.UnmarshalBinary(marshalled(t, &whole)))
		require.Equal(t, whole.Estimate(), loaded.Estimate())
		require.Equal(t, marshalled(t, &whole), marshalled(t, &loaded))
	})
}

// Arrays go from counter to counter and must not carry anything along.
func TestDistinctReset(t *testing.T) {
	var used [3]Distinct
	r := random(4)
	for range 200 {
		n := []int{0, 1, 5, 40, 300, 512, 513, 3000}[r.IntN(8)]
		seed := r.Uint64() & 0xffff
		d, fresh := &used[r.IntN(len(used))], new(Distinct)
		d.Reset()
		require.True(t, d.Exact())
		require.Zero(t, d.Estimate())
		for i := range uint64(n) {
			d.AddHash(seed + i)
			d.AddHash(seed + i/2)
			fresh.AddHash(seed + i)
		}
		require.Equal(t, fresh.Estimate(), d.Estimate())
		require.Equal(t, marshalled(t, fresh), marshalled(t, d))
	}
}

func TestDistinctWindowsAllocateNothing(t *testing.T) {
	var d Distinct
	window := func() {
		for i := range uint64(2000) {
			d.AddHash(i)
		}
		d.Estimate()
		d.Reset()
	}
	window()
	require.Less(t, testing.AllocsPerRun(100, window), 1.0)
}

// The library's own estimate is another unbiased function of the registers.
func TestErtlAgreesWithTheLibrary(t *testing.T) {
	for _, n := range []int{1000, 20_000, 1_000_000} {
		d := distinctOf(func(i int) uint64 { return uint64(i) }, n)
		require.InEpsilon(t, float64(d.registers.Estimate()), float64(d.Estimate()), 0.01)
	}
}
