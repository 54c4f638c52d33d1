package source_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/source"
)

// BenchmarkNext reports ns per record of 194 bytes, read from the page cache and cut.
func BenchmarkNext(b *testing.B) {
	const records = 200_000
	record := strings.Repeat("x", 193) + "\n"
	path := filepath.Join(b.TempDir(), "f")
	require.NoError(b, os.WriteFile(path, []byte(strings.Repeat(record, records)), 0o600))
	for _, size := range []int{64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("chunk=%dKiB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := source.Open([]string{path}, source.Options{Now: clock, Chunk: size})
				require.NoError(b, err)
				s.SetCutter(lines{})
				for {
					c, err := s.Next(context.Background())
					if err == io.EOF {
						break
					}
					require.NoError(b, err)
					c.Release()
				}
				require.NoError(b, s.Close())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
		})
	}
}

// BenchmarkPipe is BenchmarkNext with a pipe between, whose writer shares the machine.
func BenchmarkPipe(b *testing.B) {
	const records = 200_000
	text := strings.Repeat(strings.Repeat("x", 193)+"\n", records)
	for b.Loop() {
		r, w, err := os.Pipe()
		require.NoError(b, err)
		go func() {
			_, _ = io.WriteString(w, text)
			_ = w.Close()
		}()
		s, err := source.Open([]string{"-"}, source.Options{Now: clock, Stdin: r})
		require.NoError(b, err)
		s.SetCutter(lines{})
		for {
			c, err := s.Next(context.Background())
			if err == io.EOF {
				break
			}
			require.NoError(b, err)
			c.Release()
		}
		_ = r.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}
