package workload

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// text returns the whole stream of a bounded configuration.
func text(t require.TestingT, w Workload, cfg Config) []byte {
	g, err := w.Open(cfg)
	require.NoError(t, err)
	var out bytes.Buffer
	n, err := g.WriteTo(&out)
	require.NoError(t, err)
	require.Equal(t, int64(out.Len()), n)
	return out.Bytes()
}

// anyConfig draws a valid configuration of at most count records.
func anyConfig(t *rapid.T, w Workload, count int64) Config {
	c := w.Defaults()
	c.Seed = rapid.Uint64().Draw(t, "seed")
	c.Count = rapid.Int64Range(1, count).Draw(t, "count")
	c.Format = rapid.SampledFrom(w.Formats).Draw(t, "format")
	c.Rate = rapid.Float64Range(1, 1e7).Draw(t, "rate")
	c.Start = time.Unix(rapid.Int64Range(-1e9, 4e9).Draw(t, "start"), 0)
	c.Skew = rapid.Float64Range(0, 3).Draw(t, "skew")
	c.Disorder = time.Duration(rapid.Int64Range(0, 1e10).Draw(t, "disorder"))
	c.Displaced = rapid.Float64Range(0, 1).Draw(t, "displaced")
	c.Shape.Kind = rapid.SampledFrom([]ShapeKind{Constant, Sine, Square, Pareto}).Draw(t, "shape")
	c.Shape.Period = time.Duration(rapid.Int64Range(int64(1e3+1e9/c.Rate), 1e10).Draw(t, "period"))
	c.Shape.Peak = rapid.Float64Range(1, 2).Draw(t, "peak")
	c.Shape.Duty = rapid.Float64Range(0.01, 0.5).Draw(t, "duty")
	c.Hosts, c.Users, c.Sensors = rapid.IntRange(1, 2000).Draw(t, "keys"), 10, 10
	return c
}

func TestWriteToIsTheHeaderAndEveryNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(All()).Draw(t, "workload")
		cfg := anyConfig(t, w, 500)
		g, err := w.Open(cfg)
		require.NoError(t, err)
		lines := []byte(g.Header())
		for more := true; more; {
			lines, more = g.Next(lines)
		}
		require.Equal(t, cfg.Count, g.Count())
		require.Equal(t, string(lines), string(text(t, w, cfg)))
	})
}

func TestDueNeverFallsAndDisorderStaysInItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(All()).Draw(t, "workload")
		cfg := anyConfig(t, w, 500)
		g, err := w.Open(cfg)
		require.NoError(t, err)
		var times []int64
		g.line = func(dst []byte, ns int64) []byte {
			times = append(times, ns)
			return dst
		}
		newest, due := int64(math.MinInt64), time.Duration(0)
		for _, more := g.Next(nil); more; _, more = g.Next(nil) {
			require.GreaterOrEqual(t, g.Due(), due)
			due = g.Due()
			at := times[len(times)-1]
			require.LessOrEqual(t, at, cfg.Start.UnixNano()+int64(due))
			newest = max(newest, at)
			require.GreaterOrEqual(t, at, newest-int64(cfg.Disorder))
		}
	})
}

func TestDurationEndsTheStream(t *testing.T) {
	cfg := WeblogDefaults()
	cfg.Rate, cfg.Duration = 1000, 3*time.Second
	g, err := Weblog(cfg)
	require.NoError(t, err)
	_, err = g.WriteTo(io.Discard)
	require.NoError(t, err)
	require.Equal(t, int64(3000), g.Count())
	_, more := g.Next(nil)
	require.False(t, more)
}

// full is a device with room for n bytes.
type full struct{ n int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.n)
	f.n -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestAStreamWithoutBoundEndsWithTheWritersError(t *testing.T) {
	g, err := Weblog(WeblogDefaults())
	require.NoError(t, err)
	n, err := g.WriteTo(&full{n: 1e6})
	require.ErrorIs(t, err, errFull)
	require.Equal(t, int64(1e6), n)
}

func TestNextDoesNotAllocate(t *testing.T) {
	for _, w := range All() {
		for _, format := range w.Formats {
			cfg := w.Defaults()
			cfg.Format = format
			g, err := w.Open(cfg)
			require.NoError(t, err)
			buf, _ := g.Next(make([]byte, 0, 1024))
			require.Zero(t, testing.AllocsPerRun(1000, func() { buf, _ = g.Next(buf[:0]) }), w.Name)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	for _, w := range All() {
		for _, format := range w.Formats {
			b.Run(w.Name+"/"+string(format), func(b *testing.B) {
				cfg := w.Defaults()
				cfg.Format = format
				g, err := w.Open(cfg)
				require.NoError(b, err)
				buf := make([]byte, 0, 1024)
				b.ReportAllocs()
				for b.Loop() {
					buf, _ = g.Next(buf[:0])
				}
			})
		}
	}
}
