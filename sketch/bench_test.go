package sketch

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

const benchMask = 1<<14 - 1

// latencies are log-normal, as latencies are: 30 octaves at most.
func latencies() []float64 {
	r := random(1)
	values := make([]float64, benchMask+1)
	for i := range values {
		values[i] = 20 * math.Exp(r.NormFloat64())
	}
	return values
}

// warmed returns sketches past their exact range, ready for steady state.
func warmed() (d *Distinct, q *Quantile, k *KLL, t *TDigest) {
	d, q = new(Distinct), new(Quantile)
	k, _ = NewKLL(0, 1)
	t, _ = NewTDigest(0)
	for i := range 4 {
		for j, x := range latencies() {
			d.AddHash(HashInt(uint64(i<<20 + j)))
			q.AddFloat(x)
			k.AddFloat(x)
			t.Add(x)
		}
	}
	return d, q, k, t
}

func zipfKeys() [][]byte {
	r := random(1)
	keys := make([][]byte, benchMask+1)
	for i := range keys {
		keys[i] = strconv.AppendInt([]byte("/page/"), int64(1/(r.Float64()+1e-6)), 10)
	}
	return keys
}

func TestAddingAllocatesNothing(t *testing.T) {
	d, q, k, _ := warmed()
	top, err := NewTopK(10)
	require.NoError(t, err)
	keys := zipfKeys()
	for range 2 {
		for _, key := range keys {
			top.Add(key, 1)
		}
	}
	filter, err := NewBloom(1000, 0.01)
	require.NoError(t, err)
	counts, err := NewCountMin(0.01, 0.01)
	require.NoError(t, err)
	i := 0
	values := latencies()
	require.Zero(t, testing.AllocsPerRun(20_000, func() {
		i = (i + 1) & benchMask
		h := HashInt(uint64(i))
		d.AddHash(h)
		q.AddFloat(values[i])
		q.AddInt(int64(i))
		k.AddFloat(values[i])
		top.Add(keys[i], 1)
		filter.AddHash(h)
		counts.AddHash(h, 1)
	}))
}

func BenchmarkDistinctAdd(b *testing.B) {
	d, _, _, _ := warmed()
	b.ReportAllocs()
	for i := range b.N {
		d.AddHash(uint64(i))
	}
}

func BenchmarkDistinctAddExact(b *testing.B) {
	d := new(Distinct)
	b.ReportAllocs()
	for i := range b.N {
		d.AddHash(uint64(i & 255))
	}
}

func BenchmarkDistinctEstimate(b *testing.B) {
	d, _, _, _ := warmed()
	b.ReportAllocs()
	for i := range b.N {
		d.AddHash(uint64(i) + 1) // 0 would take the highest rank
		d.Estimate()
	}
}

func BenchmarkQuantileAddFloat(b *testing.B) {
	_, q, _, _ := warmed()
	values := latencies()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		q.AddFloat(values[i&benchMask])
	}
}

func BenchmarkQuantileAddNegative(b *testing.B) {
	_, q, _, _ := warmed()
	values := latencies()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		q.AddFloat(-values[i&benchMask])
	}
}

func BenchmarkQuantileAddInt(b *testing.B) {
	q := new(Quantile)
	for i := range 1000 {
		q.AddInt(int64(i))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		q.AddInt(int64(i & benchMask))
	}
}

func BenchmarkWeightedQuantileAdd(b *testing.B) {
	s := new(WeightedQuantile)
	values := latencies()
	for _, x := range values {
		s.AddFloat(x, 10)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		s.AddFloat(values[i&benchMask], 10)
	}
}

func BenchmarkThetaAdd(b *testing.B) {
	s, _ := NewTheta(0)
	b.ReportAllocs()
	for i := range b.N {
		s.AddHash(HashInt(uint64(i)))
	}
}

func BenchmarkKLLAddWeighted(b *testing.B) {
	s, _ := NewKLL(0, 1)
	values := latencies()
	b.ReportAllocs()
	for i := range b.N {
		s.AddFloatWeighted(values[i&benchMask], 1/0.3)
	}
}

func BenchmarkQuantileAsk(b *testing.B) {
	_, q, _, _ := warmed()
	b.ReportAllocs()
	for range b.N {
		q.Quantile(0.99)
	}
}

func BenchmarkKLLAdd(b *testing.B) {
	_, _, k, _ := warmed()
	values := latencies()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		k.AddFloat(values[i&benchMask])
	}
}

func BenchmarkTDigestAdd(b *testing.B) {
	_, _, _, t := warmed()
	values := latencies()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		t.Add(values[i&benchMask])
	}
}

func BenchmarkTopKAdd(b *testing.B) {
	t, _ := NewTopK(10)
	keys := zipfKeys()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		t.Add(keys[i&benchMask], 1)
	}
}

func BenchmarkBloomAddIfAbsent(b *testing.B) {
	f, _ := NewBloom(1_000_000, 0.01)
	b.ReportAllocs()
	for i := range b.N {
		f.AddIfAbsent(uint64(i))
	}
}

func BenchmarkCountMinAdd(b *testing.B) {
	c, _ := NewCountMin(0.001, 0.01)
	b.ReportAllocs()
	for i := range b.N {
		c.AddHash(uint64(i), 1)
	}
}

func BenchmarkHash(b *testing.B) {
	key := []byte("user-1234567890")
	for range b.N {
		Hash(key)
	}
}
