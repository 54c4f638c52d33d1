package scan64

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// obviousLines is Lines, byte by byte.
func obviousLines(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool) {
	begins := true
	for ; (blocks+1)*Block <= len(data); blocks++ {
		n := 0
		for i, c := range data[blocks*Block:][:Block] {
			odd = odd || c == stop || begins && c <= 0x20
			if begins = c == '\n'; begins {
				feeds |= 1 << i
				n++
			}
		}
		if odd || found+n >= limit {
			return blocks, found, feeds, odd
		}
		found, feeds = found+n, 0
	}
	return blocks, found, feeds, odd
}

func checkLines(t require.TestingT, data []byte, limit int, stop byte) {
	blocks, found, feeds, odd := obviousLines(data, limit, stop)
	for _, k := range LineKernels() {
		b, n, f, o := k.Count(slices.Clip(slices.Clone(data)), limit, stop)
		require.Equal(t, []any{blocks, found, feeds, odd}, []any{b, n, f, o}, "%s: %q, %d, %q", k.Name, data, limit, stop)
	}
}

func TestEveryByteOfALineAtEveryPlace(t *testing.T) {
	for c := range 256 {
		for at := range 2 * Block {
			data := []byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-")
			data[at] = byte(c)
			checkLines(t, data, 1, '"')
			checkLines(t, data, 2, 0xff)
		}
	}
}

func TestLinesOfEveryLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	memory := make([]byte, 14*Block)
	for length := 1; length < 70; length++ {
		for i := range memory {
			memory[i] = 'x'
			if rng.IntN(length) == 0 && (i == 0 || memory[i-1] != '\n') {
				memory[i] = '\n'
			}
		}
		for from := range Block {
			for limit := 1; limit < 60; limit += 1 + limit/2 {
				checkLines(t, memory[from:], limit, 0)
			}
		}
	}
}

func TestLinesOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.SampledFrom([]string{"abcdefghijklmnopqrstuvwxyz!\n", "\n\r\t \"a\xff\x80\x00", "a\n", "ab\x21\x20\n\x8a"}).Draw(t, "bytes")
		data := rapid.SliceOfN(rapid.SampledFrom([]byte(alphabet)), 0, 900).Draw(t, "data")
		checkLines(t, data, rapid.IntRange(1, 100).Draw(t, "limit"), rapid.SampledFrom([]byte("\"\x00\xff")).Draw(t, "stop"))
	})
}

func BenchmarkLines(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var data []byte
	for range 400 {
		data = append(data, bytes.Repeat([]byte{'x'}, 150+rng.IntN(86))...)
		data = append(data, '\n')
	}
	for _, k := range LineKernels() {
		b.Run(k.Name, func(b *testing.B) {
			for b.Loop() {
				k.Count(data, 1<<30, 0xff)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/400, "ns/record")
		})
	}
}
