package synopsis

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestSkipsAreGeometric(t *testing.T) {
	const draws = 400_000
	for i, keep := range []float64{0.999, 0.9, 0.5, 0.25, 0.1, 0.05, nearKeep, 0.0156, 0.01, 1.0 / 1024} {
		t.Run(fmt.Sprint(keep), func(t *testing.T) {
			s := NewSkips(keep, 7, uint64(i))
			// Bins of equal width such that each expects at least 25 draws, and a last one for the tail.
			width := int64(math.Ceil(1 / (16 * keep)))
			bins := int64(0)
			for math.Pow(1-keep, float64((bins+1)*width))*draws > 1000 {
				bins++
			}
			seen := make([]float64, bins+1)
			for range draws {
				seen[min(s.Next()/width, bins)]++
			}
			statistic := 0.0
			for b := range seen {
				p := math.Pow(1-keep, float64(int64(b)*width))
				if int64(b) < bins {
					p -= math.Pow(1-keep, float64(int64(b+1)*width))
				}
				d := seen[b] - draws*p
				statistic += d * d / (draws * p)
			}
			limit := distuv.ChiSquared{K: float64(max(bins, 1))}.Quantile(1 - 1e-6)
			require.Less(t, statistic, limit, "%d bins", bins+1)
		})
	}
}

// The far end of a table is where an escape that is off by one would show.
func TestSkipsBeyondTheTable(t *testing.T) {
	const draws = 2_000_000
	keep := nearKeep
	s := NewSkips(keep, 3, 3)
	var seen [8]float64
	for range draws {
		if n := s.Next(); n >= 251 && n < 259 {
			seen[n-251]++
		}
	}
	z := distuv.UnitNormal.Quantile(1 - 1e-6/16)
	for j, n := range seen {
		p := keep * math.Pow(1-keep, float64(251+j))
		require.InDelta(t, draws*p, n, z*math.Sqrt(draws*p)+2, "skip %d", 251+j)
	}
}

func TestSkipsTableAddsUp(t *testing.T) {
	for _, keep := range []float64{1 - 0x1p-53, 0.999, 0.9, 0.5, 0.3, 0.1, 0.05, nearKeep} {
		s := NewSkips(keep, 1, 1)
		var p [256]float64
		for i, entry := range s.table {
			below := float64(entry>>8) * 0x1p-64
			p[i] += below
			p[entry&0xff] += 0x1p-8 - below
		}
		for j := range farSkip {
			require.InDelta(t, keep*math.Pow(1-keep, float64(j)), p[j], 0x1p-49, "keep %g, skip %d", keep, j)
		}
		require.InDelta(t, math.Pow(1-keep, farSkip), p[farSkip], 0x1p-49)
	}
}

func TestSkipsOfAllAreZero(t *testing.T) {
	s := NewSkips(1, 5, 6)
	for range 10_000 {
		require.Zero(t, s.Next())
	}
}

func TestSkipsRepeatAndDiffer(t *testing.T) {
	draw := func(s *Skips) (out [32]int64) {
		for i := range out {
			out[i] = s.Next()
		}
		return out
	}
	a := NewSkips(0.1, 1, 2)
	first := draw(a)
	require.Equal(t, first, draw(NewSkips(0.1, 1, 2)))
	require.NotEqual(t, first, draw(NewSkips(0.1, 1, 3)), "another stream")
	require.NotEqual(t, first, draw(NewSkips(0.1, 2, 2)), "another seed")
	for _, keep := range []float64{0.5, 0.01, 1, 0.1} {
		a.Reset(keep, 1, 2)
		require.Equal(t, draw(NewSkips(keep, 1, 2)), draw(a), "Reset to %g", keep)
	}
	require.Equal(t, first, draw(NewSkips(0.1, 1, 2)))
	require.Zero(t, testing.AllocsPerRun(10, func() { a.Reset(0.3, 1, 2); a.Next(); a.Reset(0.1, 1, 2) }))
	require.GreaterOrEqual(t, NewSkips(1e-300, 1, 1).Next(), int64(1)<<60)
	for _, keep := range []float64{0, -1, 1.5, math.NaN()} {
		require.Panics(t, func() { NewSkips(keep, 1, 1) }, "keep %g", keep)
	}
}

// Time per offered record.
func BenchmarkSkips(b *testing.B) {
	for _, keep := range []float64{0.9, 0.5, 0.1, 0.01} {
		b.Run(fmt.Sprint(keep), func(b *testing.B) {
			s := NewSkips(keep, 1, 2)
			b.ReportAllocs()
			for offered := int64(0); offered < int64(b.N); offered += s.Next() + 1 {
			}
		})
	}
}

func BenchmarkSkipsReset(b *testing.B) {
	s := NewSkips(0.5, 1, 2)
	for i := range b.N {
		s.Reset([]float64{0.5, 0.1}[i&1], 1, uint64(i))
	}
}
