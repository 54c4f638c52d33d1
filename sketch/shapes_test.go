package sketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// shapes are inputs of which any rank is known without sorting, as long as one likes, beside those of streams.
var shapes = []string{"constant", "sorted", "reversed", "zipf", "wide"}

func shaped(name string, n int) []float64 {
	i := slices.IndexFunc(streams, func(s stream) bool { return s.name == name })
	return streams[i].values(9, n)
}

// sizes are numbers of values; the greatest only in the long run.
func sizes() []int {
	list := []int{0, 1, 2, 10, 100, 1000, 10_000}
	if !testing.Short() {
		list = append(list, 50_000)
	}
	if long() {
		list = append(list, 1_000_000, 10_000_000)
	}
	return list
}

// mergeable is how a kind of sketch is made of values.
type mergeable[T any] struct {
	fresh func(part int) T
	add   func(s T, x float64)
	merge func(s, o T) error
}

// of deals values to parts and merges these in a random order by a random tree.
func (m mergeable[T]) of(t *testing.T, r *rand.Rand, values []float64, parts int) T {
	list := make([]T, parts)
	for i := range list {
		list[i] = m.fresh(i)
	}
	for _, x := range values {
		m.add(list[r.IntN(parts)], x)
	}
	for len(list) > 1 {
		i, j := r.IntN(len(list)), r.IntN(len(list)-1)
		if j >= i {
			j++
		}
		require.NoError(t, m.merge(list[i], list[j]))
		list = slices.Delete(list, j, j+1)
	}
	return list[0]
}

// each calls check with values of every shape and size, for every number of parts that is not beyond them.
func each(t *testing.T, check func(t *testing.T, r *rand.Rand, values []float64, parts int)) {
	for _, shape := range shapes {
		for _, n := range sizes() {
			values := shaped(shape, n)
			for _, parts := range []int{1, 2, 30, 1000} {
				if n < 10 && parts > 2 || n != 10_000 && parts == 1000 && !long() {
					continue
				}
				t.Run(shape+" "+strconv.Itoa(n)+" in "+strconv.Itoa(parts), func(t *testing.T) {
					check(t, random(uint64(n+parts)), values, parts)
				})
			}
		}
	}
}

func TestQuantileBoundsHoldOnEveryShape(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, values []float64, parts int) {
		s := mergeable[*Quantile]{
			func(int) *Quantile { return new(Quantile) },
			(*Quantile).AddFloat, func(s, o *Quantile) error { s.Merge(o); return nil },
		}.of(t, r, values, parts)
		w := mergeable[*WeightedQuantile]{
			func(int) *WeightedQuantile { return new(WeightedQuantile) },
			func(s *WeightedQuantile, x float64) { s.AddFloat(x, 4) },
			func(s, o *WeightedQuantile) error { s.Merge(o); return nil },
		}.of(t, r, values, parts)
		sorted := slices.Sorted(slices.Values(values))
		for _, q := range quantiles {
			e, f := s.Interval(q), w.Interval(q)
			if len(values) == 0 {
				require.Zero(t, e)
				require.Zero(t, f)
				continue
			}
			truth := nearestRank(sorted, q)
			require.True(t, e.Contains(truth) && e.Contains(e.Value) && e.Confidence == 1, "%v: %v not in %v", q, truth, e)
			require.True(t, f.Contains(truth) && f.Contains(f.Value), "%v: %v not in %v", q, truth, f)
			checkBound(t, truth, e.Value, "value")
		}
	})
}

// The ranks of one sketch are wrong together, so a sketch counts as one trial: it fails if any quantile is off.
func TestKLLBoundsHoldOnEveryShape(t *testing.T) {
	trials, misses := 0, 0
	each(t, func(t *testing.T, r *rand.Rand, values []float64, parts int) {
		s := mergeable[*KLL]{
			func(part int) *KLL { return kll(t, 0, uint64(part)) },
			(*KLL).AddFloat, (*KLL).Merge,
		}.of(t, r, values, parts)
		require.EqualValues(t, len(values), s.Count())
		if len(values) == 0 {
			require.Zero(t, s.Interval(0.5))
			return
		}
		sorted := slices.Sorted(slices.Values(values))
		trials++
		for _, q := range quantiles {
			e := s.Interval(q)
			require.True(t, e.Contains(e.Value))
			if !e.Contains(nearestRank(sorted, q)) {
				misses++
				break
			}
		}
	})
	require.LessOrEqual(t, misses, binomialLimit(trials, 1-kllConfidence))
}

// Of a digest no more is promised than order, the extremes and the weight.
func TestTDigestOnEveryShape(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, values []float64, parts int) {
		fresh := func(int) *TDigest { s, _ := NewTDigest(0); return s }
		s := mergeable[*TDigest]{
			fresh, (*TDigest).Add, (*TDigest).Merge,
		}.of(t, r, values, parts)
		require.EqualValues(t, len(values), s.Weight())
		if len(values) == 0 {
			require.Zero(t, s.Interval(0.5))
			return
		}
		least, greatest := slices.Min(values), slices.Max(values)
		for _, q := range quantiles {
			e := s.Interval(q)
			require.True(t, least <= e.Low && e.Contains(e.Value) && e.High <= greatest, "%v: %v", q, e)
			require.True(t, s.Exact() || e.Confidence == 0, "experience is no bound")
		}
		e, f := s.Interval(0), s.Interval(1)
		require.True(t, e.Low == least && f.High == greatest)
	})
}

func TestDistinctBoundsHoldOnEveryShape(t *testing.T) {
	trials, misses, missesTheta := 0, 0, 0
	each(t, func(t *testing.T, r *rand.Rand, values []float64, parts int) {
		hash := func(add func(h uint64), x float64) { add(HashFloat(x)) }
		d := mergeable[*Distinct]{
			func(int) *Distinct { return new(Distinct) },
			func(d *Distinct, x float64) { hash(d.AddHash, x) }, (*Distinct).Merge,
		}.of(t, r, values, parts)
		h := mergeable[*Theta]{
			func(int) *Theta { return theta(t, 0) },
			func(h *Theta, x float64) { hash(h.AddHash, x) }, (*Theta).Merge,
		}.of(t, r, values, parts)
		truth := float64(len(slices.Compact(slices.Sorted(slices.Values(values)))))
		e, f := d.Interval(0.999), h.Interval(0.999)
		require.Equal(t, truth <= exactDistinct, e.Exact)
		require.Equal(t, truth <= defaultTheta, f.Exact)
		trials++
		if !e.Contains(truth) {
			misses++
		}
		if !f.Contains(truth) {
			missesTheta++
		}
	})
	require.LessOrEqual(t, misses, binomialLimit(trials, 0.001))
	require.LessOrEqual(t, missesTheta, binomialLimit(trials, 0.001))
}

func TestCountsHoldOnEveryShape(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, values []float64, parts int) {
		if len(values) > 1_000_000 {
			t.Skip("the true counts would take gigabytes")
		}
		top := mergeable[*TopK]{
			func(int) *TopK { return topk(t, 3) },
			func(s *TopK, x float64) { s.Add(strconv.AppendFloat(nil, x, 'g', -1, 64), 1) }, (*TopK).Merge,
		}.of(t, r, values, parts)
		counts := mergeable[*CountMin]{
			func(int) *CountMin { c, _ := NewCountMin(0.05, 0.01); return c },
			func(c *CountMin, x float64) { c.AddHash(HashFloat(x), 1) }, (*CountMin).Merge,
		}.of(t, r, values, parts)
		truth, least := map[string]float64{}, math.Inf(1)
		for _, x := range values {
			truth[string(strconv.AppendFloat(nil, x, 'g', -1, 64))]++
			least = min(least, counts.Interval(HashFloat(x)).High)
		}
		require.GreaterOrEqual(t, least, 1.0, "each value came once at least")
		require.EqualValues(t, len(values), top.Total())
		for _, it := range top.Top(nil) {
			n := truth[string(it.Value)]
			require.True(t, it.Low <= n && n <= it.High, "%s: %v not in [%v, %v]", it.Value, n, it.Low, it.High)
			x, _ := strconv.ParseFloat(string(it.Value), 64)
			require.GreaterOrEqual(t, counts.Interval(HashFloat(x)).High, n)
		}
	})
}

func TestBloomHoldsOnEveryShape(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, values []float64, parts int) {
		b := mergeable[*Bloom]{
			func(int) *Bloom { return filter(t, 10_000, 0.01) },
			func(b *Bloom, x float64) { b.AddHash(HashFloat(x)) }, (*Bloom).Merge,
		}.of(t, r, values, parts)
		missed := 0
		for _, x := range values {
			if !b.Has(HashFloat(x)) {
				missed++
			}
		}
		require.Zero(t, missed, "never a false no")
		distinct := float64(len(slices.Compact(slices.Sorted(slices.Values(values)))))
		if distinct <= 30_000 {
			require.True(t, b.Interval(1-1e-6).Contains(distinct), "%v: %v", distinct, b.Interval(1-1e-6))
		}
	})
}

// Ten million values, of the sketches that take them in a second, and of the shapes of which the ranks are known.
func TestTenMillionValues(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const n = 10_000_000
	for name, at := range map[string]func(i int64) int64{
		"constant": func(int64) int64 { return 42 },
		"sorted":   func(i int64) int64 { return i },
		"reversed": func(i int64) int64 { return n - 1 - i },
	} {
		var quantile Quantile
		var distinct Distinct
		ranks, hashes := kll(t, 0, 3), theta(t, 0)
		for i := range int64(n) {
			v := at(i)
			quantile.AddInt(v)
			ranks.AddInt(v)
			distinct.AddHash(HashInt(uint64(v)))
			hashes.AddHash(HashInt(uint64(v)))
		}
		for _, q := range quantiles {
			truth := float64(Rank(q, n) - 1)
			if name == "constant" {
				truth = 42
			}
			require.True(t, quantile.Interval(q).Contains(truth), "%s %v", name, q)
			require.True(t, ranks.Interval(q).Contains(truth), "%s %v: %v", name, q, ranks.Interval(q))
		}
		truth := float64(n)
		if name == "constant" {
			truth = 1
		}
		confidence := math.Nextafter(1-1e-6, 0)
		require.True(t, distinct.Interval(confidence).Contains(truth), "%s: %v", name, distinct.Interval(confidence))
		require.True(t, hashes.Interval(confidence).Contains(truth), "%s: %v", name, hashes.Interval(confidence))
	}
}
