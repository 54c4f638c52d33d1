package sketch

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of each value every row is kept with one of two probabilities; the interval of each item covers its true number of rows.
func TestTopKIntervalsCoverSampledCounts(t *testing.T) {
	const runs, confidence = 300, 0.95
	misses, items := 0, 0
	for run := range uint64(runs) {
		r := random(run)
		s := topk(t, 5)
		for value := range 200 {
			name := strconv.AppendInt(nil, int64(value), 10)
			for row := range 4000 / (value + 1) {
				if keep := []float64{0.5, 0.05}[row%2]; r.Float64() < keep {
					s.Add(name, 1/keep)
				}
			}
		}
		for _, it := range s.Top(nil) {
			value, _ := strconv.Atoi(string(it.Value))
			e := it.Interval(confidence, 20)
			require.True(t, e.Low <= it.Low+1e-9 && e.High >= it.High, "%v", e)
			items++
			if !e.Contains(float64(4000 / (value + 1))) {
				misses++
			}
		}
	}
	require.LessOrEqual(t, misses, binomialLimit(items, 1-confidence))
}

func TestTopKIntervalWithoutSampling(t *testing.T) {
	s := topk(t, 1)
	for range 3 {
		s.Add([]byte("a"), 1)
	}
	e := s.Top(nil)[0].Interval(0.95, 1)
	require.True(t, e.Exact && e.Low == 3 && e.High == 3)
	e = s.Top(nil)[0].Interval(0.95, 10)
	require.False(t, e.Exact, "rows of weight 10 may have been missed")
	require.Equal(t, 3.0, e.Low)
	require.Greater(t, e.High, 10.0)
}

// The gamma quantile has the distribution's mean, and for whole shapes that of sums of exponential gaps.
func TestGammaQuantile(t *testing.T) {
	require.InEpsilon(t, -math.Log(0.25), gammaQuantile(0.75, 1, 1), 1e-9, "shape 1 is exponential")
	require.Equal(t, 3.0, gammaQuantile(0.9, 3, 0), "no variance, no spread")
	require.InEpsilon(t, 1e6+1.959964*1e3, gammaQuantile(0.975, 1e6, 1e6), 1e-5, "large shapes are normal")
}

func TestCountMinInterval(t *testing.T) {
	c, err := NewCountMin(0.01, 0.05)
	require.NoError(t, err)
	require.True(t, c.Interval(1).Exact, "nothing was added")
	r := random(5)
	truth := make([]float64, 2000)
	for range 50_000 {
		v := r.IntN(len(truth))
		truth[v]++
		c.AddHash(uint64(v), 1)
	}
	misses := 0
	for v, n := range truth {
		e := c.Interval(uint64(v))
		require.GreaterOrEqual(t, e.High, n)
		require.GreaterOrEqual(t, e.Confidence, 0.95)
		if !e.Contains(n) {
			misses++
		}
	}
	require.LessOrEqual(t, misses, binomialLimit(len(truth), 0.05))
}

// The stated rate of false positives is what is met, when under-, well and overfilled; the number of values is covered.
func TestBloomStatesItsRate(t *testing.T) {
	const probes = 50_000
	for _, n := range []uint64{0, 300, 1000, 3000} {
		b := filter(t, 1000, 0.01)
		for i := range n {
			b.AddHash(HashInt(i))
		}
		wrong := 0
		for i := range uint64(probes) {
			if b.Has(HashInt(1<<40 + i)) {
				wrong++
			}
		}
		p := b.FalsePositives()
		require.InDelta(t, p*probes, wrong, 0.1*p*probes+sigmas*math.Sqrt(p*probes)+1, "%d values", n)
		e := b.Interval(1 - 1e-6)
		require.True(t, e.Contains(float64(n)), "%d values: %v", n, e)
	}
}

// Sets of hashes count, not how often and where they came.
func TestMergingAgainChangesNothing(t *testing.T) {
	d, f := distinctOf(hashOf, 3000), filter(t, 1000, 0.01)
	f.AddHash(5)
	distinct, bits := marshalled(t, d), marshalled(t, f)
	require.NoError(t, d.Merge(distinctOf(hashOf, 2000)))
	require.NoError(t, d.Merge(d))
	require.NoError(t, f.Merge(f))
	require.Equal(t, distinct, marshalled(t, d))
	require.Equal(t, bits, marshalled(t, f))
}

// hashOf is the hash of i.
func hashOf(i int) uint64 { return HashInt(uint64(i)) }

// Bytes is what was allocated, to a factor of two, however large the sketch.
func TestBytesAreOfTheRightSize(t *testing.T) {
	for _, n := range []int{1000, 100_000} {
		var q Quantile
		var w WeightedQuantile
		k, _ := NewKLL(0, 1)
		top := topk(t, 10)
		th := theta(t, 0)
		d := new(Distinct)
		for i := range n {
			q.AddInt(int64(i))
			w.AddInt(int64(i), 2)
			k.AddInt(int64(i))
			top.Add(strconv.AppendInt(nil, int64(i), 10), 1)
			th.AddHash(hashOf(i))
			d.AddHash(hashOf(i))
		}
		octaves := int(math.Log2(float64(n))) + 1
		for name, c := range map[string]struct{ got, least, most int }{
			"quantile": {q.Bytes(), 256 * octaves, 256*2*octaves + 4096},
			"weighted": {w.Bytes(), 1024 * octaves, 1024*2*octaves + 16384},
			"kll":      {k.Bytes(), 8 * 200, 8 * 6000},
			"topk":     {top.Bytes(), 80 * 72, 80*200 + 16384},
			"theta":    {th.Bytes(), 8 * min(n, defaultTheta), 8*8*defaultTheta + 1024},
			"distinct": {d.Bytes(), 1 << 14, 1<<14 + 1024},
		} {
			require.GreaterOrEqual(t, c.got, c.least, "%s of %d", name, n)
			require.LessOrEqual(t, c.got, c.most, "%s of %d", name, n)
		}
	}
	digest, _ := NewTDigest(0)
	filter := filter(t, 1000, 0.01)
	counts, _ := NewCountMin(0.01, 0.01)
	require.Positive(t, digest.Bytes()*filter.Bytes()*counts.Bytes())
}
