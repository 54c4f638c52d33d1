package sketch

import (
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// loadable is what loading is tested through.
type loadable interface {
	marshaler
	UnmarshalBinary([]byte) error
}

// loader makes an empty sketch, feeds one, and uses one that was loaded from
// anywhere, which must not panic.
type loader struct {
	kind byte
	make func() loadable
	feed func(s loadable, n int)
	use  func(s loadable)
}

var loaders = map[string]loader{
	"distinct": {
		kindDistinct, func() loadable { return new(Distinct) },
		func(s loadable, n int) {
			for i := range n {
				s.(*Distinct).AddHash(uint64(i))
			}
		},
		func(s loadable) {
			d := s.(*Distinct)
			d.AddHash(1)
			d.Interval(0.95)
			_ = d.Merge(d)
		},
	},
	"quantile": {
		kindQuantile, func() loadable { return new(Quantile) },
		func(s loadable, n int) {
			for i := range n {
				s.(*Quantile).AddInt(int64(i - 10))
				s.(*Quantile).AddFloat(float64(i) * 1.5)
			}
		},
		func(s loadable) {
			d := s.(*Quantile)
			other := new(Quantile)
			other.Merge(d)
			other.Merge(d)
			d.AddInt(math.MinInt64)
			d.AddFloat(5e-324)
			for _, q := range quantiles {
				d.Interval(q)
				other.Interval(q)
			}
		},
	},
	"weighted": {
		kindWeighted, func() loadable { return new(WeightedQuantile) },
		func(s loadable, n int) {
			for i := range n {
				s.(*WeightedQuantile).AddInt(int64(i-10), float64(1+i%3))
				s.(*WeightedQuantile).AddFloat(float64(i)*1.5, 1/0.3)
			}
		},
		func(s loadable) {
			d := s.(*WeightedQuantile)
			other := new(WeightedQuantile)
			other.Merge(d)
			other.Merge(d)
			d.AddInt(math.MinInt64, 3)
			d.AddFloat(5e-324, 0.5)
			for _, q := range quantiles {
				d.Interval(q)
				other.Interval(q)
				other.EffectiveRows(q, 7)
			}
		},
	},
	"theta": {
		kindTheta, func() loadable { s, _ := NewTheta(0.05); return s },
		func(s loadable, n int) {
			for i := range n {
				s.(*Theta).AddHash(HashInt(uint64(i)))
			}
		},
		func(s loadable) {
			d := s.(*Theta)
			d.AddHash(1)
			d.Interval(0.95)
			d.Limit(0.5)
			_ = d.Merge(d)
			d.Interval(0.95)
		},
	},
	"kll": {
		kindKLL, func() loadable { s, _ := NewKLL(0.1, 1); return s },
		func(s loadable, n int) {
			for i := range n {
				s.(*KLL).AddIntWeighted(int64(i), 1+float64(n/600)*1.5)
			}
		},
		func(s loadable) {
			d := s.(*KLL)
			for i := range 100 {
				d.AddInt(int64(i))
			}
			d.AddIntWeighted(3, 7.3)
			d.AddFloat(0.5)
			other := &KLL{k: d.k, levels: make([][]uint64, 1)}
			other.measure()
			_ = other.Merge(d)
			for _, q := range quantiles {
				d.Interval(q)
				other.Interval(q)
			}
		},
	},
	"tdigest": {
		kindTDigest, func() loadable { s, _ := NewTDigest(20); return s },
		func(s loadable, n int) {
			for i := range n {
				s.(*TDigest).AddWeighted(float64(i), float64(1+n/500))
			}
		},
		func(s loadable) {
			d := s.(*TDigest)
			d.AddWeighted(math.MaxFloat64, 3.5)
			d.AddWeighted(-math.MaxFloat64, maxWeight)
			for _, q := range quantiles {
				if v, ok := d.Quantile(q); !ok || v != v {
					panic("no answer")
				}
				d.Interval(q)
			}
		},
	},
	"topk": {
		kindTopK, func() loadable { s, _ := NewTopK(1); return s },
		func(s loadable, n int) {
			for i := range n {
				s.(*TopK).Add(strconv.AppendInt(nil, int64(i), 10), float64(1+n/500))
			}
		},
		func(s loadable) {
			d := s.(*TopK)
			for i := range 100 {
				d.Add(strconv.AppendInt(nil, int64(i), 10), 1)
			}
			other := &TopK{k: d.k, capacity: d.capacity}
			_ = other.Merge(d)
			for _, it := range append(d.Top(nil), other.Top(nil)...) {
				it.Interval(0.95, 10)
			}
		},
	},
	"bloom": {
		kindBloom, func() loadable { s, _ := NewBloom(0, 0.1); return s },
		func(s loadable, n int) {
			for i := range n {
				s.(*Bloom).AddHash(uint64(i))
			}
		},
		func(s loadable) {
			s.(*Bloom).AddHash(77)
			s.(*Bloom).Has(78)
			s.(*Bloom).Interval(0.95)
		},
	},
	"countmin": {
		kindCountMin, func() loadable { s, _ := NewCountMin(0.2, 0.2); return s },
		func(s loadable, n int) {
			for i := range n {
				s.(*CountMin).AddHash(uint64(i), 1)
			}
		},
		func(s loadable) {
			s.(*CountMin).AddHash(3, math.MaxUint64)
			s.(*CountMin).Interval(4)
		},
	},
}

// reseal frames a payload as a sketch of the kind.
func reseal(kind byte, payload []byte) []byte {
	return closeSeal(append(openSeal(kind, len(payload)), payload...))
}

func payloadOf(sealed []byte) []byte {
	end := len(sealed) - sealAfter
	return sealed[sealBefore:end:end]
}

func TestLoadRefusesEveryDamage(t *testing.T) {
	for name, l := range loaders {
		s := l.make()
		l.feed(s, 40)
		good := marshalled(t, s)
		target := l.make()
		l.feed(target, 7)
		before := marshalled(t, target)
		for i := range good {
			for _, bit := range []byte{1, 0x80} {
				bad := append([]byte(nil), good...)
				bad[i] ^= bit
				require.ErrorIs(t, target.UnmarshalBinary(bad), ErrFormat, "%s: byte %d", name, i)
			}
		}
		for n := range good {
			require.ErrorIs(t, target.UnmarshalBinary(good[:n]), ErrFormat, "%s: %d bytes", name, n)
			if n >= sealBefore+sealAfter {
				cut := reseal(l.kind, payloadOf(good[:n]))
				require.ErrorIs(t, target.UnmarshalBinary(cut), ErrFormat, "%s: %d bytes, sealed", name, n)
			}
		}
		require.ErrorIs(t, target.UnmarshalBinary(reseal(l.kind, append(payloadOf(good), 0))), ErrFormat, name)
		require.Equal(t, before, marshalled(t, target), "%s: unchanged by what it refused", name)
		require.NoError(t, target.UnmarshalBinary(good), name)
		require.Equal(t, good, marshalled(t, target), name)
	}
}

// allocatedBy returns the bytes that f allocated.
func allocatedBy(f func() error) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// allowedToLoad is what loading so many bytes may allocate. A delta of one byte a bucket may become four, eight or sixteen
// in an array that grows by halves; a digest has buffers of 20 KiB at least, 164 KiB at compression 1000.
func allowedToLoad(size int) uint64 { return uint64(64*size + 1<<19) }

func fuzzLoad(f *testing.F, name string) {
	l := loaders[name]
	for _, n := range []int{0, 1, 40, 600, 2000} {
		s := l.make()
		l.feed(s, n)
		f.Add(payloadOf(marshalled(f, s)))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		data := reseal(l.kind, payload)
		s := l.make()
		allocated, err := allocatedBy(func() error { return s.UnmarshalBinary(data) })
		require.LessOrEqual(t, allocated, allowedToLoad(len(data)))
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			return
		}
		again := marshalled(t, s)
		require.NoError(t, l.make().UnmarshalBinary(again))
		if name != "tdigest" || payloadIsExact(s) {
			other := l.make()
			require.NoError(t, other.UnmarshalBinary(again))
			require.Equal(t, again, marshalled(t, other))
		}
		if name != "tdigest" || s.(*TDigest).Weight() > 0 {
			l.use(s)
		}
	})
}

// payloadIsExact excepts spilled digests: loading merges their centroids again.
func payloadIsExact(s loadable) bool { return !s.(*TDigest).spilled }

func FuzzLoadDistinct(f *testing.F) { fuzzLoad(f, "distinct") }
func FuzzLoadQuantile(f *testing.F) { fuzzLoad(f, "quantile") }
func FuzzLoadWeighted(f *testing.F) { fuzzLoad(f, "weighted") }
func FuzzLoadTheta(f *testing.F)    { fuzzLoad(f, "theta") }
func FuzzLoadKLL(f *testing.F)      { fuzzLoad(f, "kll") }
func FuzzLoadTDigest(f *testing.F)  { fuzzLoad(f, "tdigest") }
func FuzzLoadTopK(f *testing.F)     { fuzzLoad(f, "topk") }
func FuzzLoadBloom(f *testing.F)    { fuzzLoad(f, "bloom") }
func FuzzLoadCountMin(f *testing.F) { fuzzLoad(f, "countmin") }
