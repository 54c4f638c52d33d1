package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// requireUniform fails where how often each of the numbers was drawn is no chance, once in a million runs. The draws of one
// sample repel each other, which makes the statistic smaller by (1-k/n).
func requireUniform(t *testing.T, seen []float64, samples, size int) {
	t.Helper()
	n := float64(len(seen))
	expected := float64(samples*size) / n
	statistic := 0.0
	for _, x := range seen {
		statistic += (x - expected) * (x - expected) / expected
	}
	statistic /= 1 - float64(size)/n
	require.Less(t, statistic, distuv.ChiSquared{K: n - 1}.Quantile(1-1e-6))
	require.Greater(t, statistic, distuv.ChiSquared{K: n - 1}.Quantile(1e-6))
}

func TestReservoirIsUniform(t *testing.T) {
	const n, size, samples = 200, 12, 6000
	for name, draw := range map[string]func(seed uint64) *Reservoir[int]{
		"one stream": func(seed uint64) *Reservoir[int] { return reservoirOf(seed, size, 0, n) },
		"shrunk on the way": func(seed uint64) *Reservoir[int] {
			r := reservoirOf(seed, 3*size, 0, n/2)
			r.Shrink(size)
			for i := n / 2; i < n; i++ {
				r.Add(i)
			}
			return r
		},
		"merged": func(seed uint64) *Reservoir[int] {
			r := reservoirOf(seed, size, 0, n/4)
			r.Merge(reservoirOf(seed+1e6, size+3, n/4, n/2))
			for i := n / 2; i < n; i++ {
				r.Add(i)
			}
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			seen := make([]float64, n)
			for seed := range uint64(samples) {
				r := draw(seed)
				require.Len(t, r.Items(), size)
				require.EqualValues(t, n, r.Offered())
				for _, i := range r.Items() {
					seen[i]++
				}
			}
			requireUniform(t, seen, samples, size)
		})
	}
}

func reservoirOf(seed uint64, size, from, to int) *Reservoir[int] {
	r, err := NewReservoir[int](size, seed, 9)
	if err != nil {
		panic(err)
	}
	for i := from; i < to; i++ {
		r.Add(i)
	}
	return r
}

func TestReservoirHoldsDistinctItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		a := reservoirOf(seed, rapid.IntRange(1, 20).Draw(t, "size"), 0, rapid.IntRange(0, 60).Draw(t, "n"))
		n := int(a.Offered())
		b := reservoirOf(seed, rapid.IntRange(1, 20).Draw(t, "other size"), n, n+rapid.IntRange(0, 60).Draw(t, "other n"))
		whole := int(a.Offered()) == len(a.Items()) && int(b.Offered()) == len(b.Items()) && len(a.Items())+len(b.Items()) <= a.capacity
		all := int(a.Offered() + b.Offered())
		a.Merge(b)
		for i := range 30 {
			a.Add(all + i)
		}
		require.EqualValues(t, all+30, a.Offered())
		seen := map[int]bool{}
		for _, x := range a.Items() {
			require.True(t, x >= 0 && x < all+30 && !seen[x])
			seen[x] = true
		}
		require.LessOrEqual(t, len(a.Items()), a.capacity)
		require.True(t, !whole || len(a.Items()) == min(a.capacity, all+30))
	})
	_, err := NewReservoir[int](0, 1, 1)
	require.Error(t, err)
}

func TestStratifiedReservoirKeepsRareStrata(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var sum claims
	for seed := range uint64(500) {
		s, err := NewStratifiedReservoir[int, float64](120, seed)
		require.NoError(t, err)
		truth := 0.0
		for i := range 3000 {
			key := int(math.Log2(float64(i + 1))) // 12 strata, the last one of half of the items
			x := float64(key) + rng.ExpFloat64()
			truth += x
			require.True(t, s.Add(key, x))
		}
		require.Equal(t, 12, s.Strata())
		var d Design
		var c Cell
		s.Each(func(key int, r *Reservoir[float64]) {
			require.Len(t, r.Items(), min(10, int(r.Offered())), "stratum %d", key)
			n, k := r.Offered(), int64(len(r.Items()))
			i := d.Enter(&Stratum{ID: uint32(key), Keep: float64(k) / float64(n), Offered: n, Kept: k})
			d.Rows(i, k)
			for _, x := range r.Items() {
				c.Add(&d, i, x)
			}
		})
		d.Seal()
		e, _ := c.Sum(&d, Known{}, Question{Confidence: 0.95, Domain: true})
		sum.take(e, true, truth)
	}
	sum.check(t, 0.94, "sum")
}

func TestStratifiedReservoirWithoutRoom(t *testing.T) {
	s, err := NewStratifiedReservoir[string, int](2, 1)
	require.NoError(t, err)
	require.True(t, s.Add("a", 1) && s.Add("b", 2) && s.Add("a", 3))
	require.False(t, s.Add("c", 4))
	require.Equal(t, 2, s.Strata())
	_, err = NewStratifiedReservoir[string, int](0, 1)
	require.Error(t, err)
}

func BenchmarkReservoirAdd(b *testing.B) {
	r, _ := NewReservoir[int](1000, 1, 1)
	for i := range b.N {
		r.Add(i)
	}
}
