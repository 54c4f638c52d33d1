package synopsis

import "testing"

func BenchmarkSumAddInt(b *testing.B) {
	sums := make([]Sum, 1024)
	b.ReportAllocs()
	for i := range b.N {
		sums[i&1023].AddInt(int64(i))
	}
}

func BenchmarkSumAddFloat(b *testing.B) {
	sums := make([]Sum, 1024)
	b.ReportAllocs()
	for i := range b.N {
		sums[i&1023].AddFloat(float64(i) * 0.1)
	}
}

func BenchmarkMomentsAddInt(b *testing.B) {
	moments := make([]Moments, 1024)
	b.ReportAllocs()
	for i := range b.N {
		moments[i&1023].AddInt(int64(i))
	}
}

func BenchmarkMomentsAddFloat(b *testing.B) {
	moments := make([]Moments, 1024)
	b.ReportAllocs()
	for i := range b.N {
		moments[i&1023].AddFloat(float64(i) * 0.1)
	}
}
