package source_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/aurora-dsms/aurora/engine/source"
)

func pipe(t *testing.T, opt source.Options) (*source.Stream, *os.File) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	opt.Stdin = r
	s := open(t, opt, "-")
	require.True(t, s.Live())
	s.SetCutter(lines{})
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		_ = r.Close()
		_ = w.Close()
	})
	return s, w
}

func write(t *testing.T, w io.Writer, text string) {
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
}

func next(t *testing.T, s *source.Stream) string {
	c, err := s.Next(context.Background())
	require.NoError(t, err)
	require.Equal(t, "stdin", c.File)
	defer c.Release()
	return string(c.Data)
}

func TestALiveInputGivesWhatIsThere(t *testing.T) {
	s, w := pipe(t, source.Options{})
	write(t, w, "a\nb\nhal")
	require.Equal(t, "a\nb\n", next(t, s))
	require.EqualValues(t, 3, s.Backlog())
	write(t, w, "f\n")
	require.EqualValues(t, 5, s.Backlog())
	require.Equal(t, "half\n", next(t, s))
	write(t, w, "last")
	require.NoError(t, w.Close())
	require.Equal(t, "last", next(t, s))
	_, err := s.Next(context.Background())
	require.ErrorIs(t, err, io.EOF)
	done, total := s.Progress()
	require.EqualValues(t, []int64{13, 0}, []int64{done, total})
}

func TestSampleOfALiveInputDoesNotWaitForMore(t *testing.T) {
	s, w := pipe(t, source.Options{Pause: 20 * time.Millisecond})
	write(t, w, "a\nb\nhal")
	sample, err := s.Sample(context.Background())
	require.NoError(t, err)
	require.Equal(t, source.Sample{Data: []byte("a\nb\n"), File: "stdin", Live: true}, sample)
	again, err := s.Sample(context.Background())
	require.NoError(t, err)
	require.Equal(t, sample, again)
	write(t, w, "f\n")
	require.Equal(t, "a\nb\nhalf\n", next(t, s))
}

func TestSampleOfAPipeThatEndsIsComplete(t *testing.T) {
	s, w := pipe(t, source.Options{})
	write(t, w, "a\nb")
	require.NoError(t, w.Close())
	sample, err := s.Sample(context.Background())
	require.NoError(t, err)
	require.True(t, sample.Complete)
	require.Equal(t, "a\nb", string(sample.Data))
	require.Equal(t, "a\nb", next(t, s))
}

func TestAContextEndsAWaitAndNothingIsLost(t *testing.T) {
	s, w := pipe(t, source.Options{})
	write(t, w, "\xef\xbb")
	for _, more := range []string{"\xbfhal", "f"} {
		ctx, cancel := context.WithCancel(context.Background())
		stop := time.AfterFunc(10*time.Millisecond, cancel)
		_, err := s.Sample(ctx)
		require.ErrorIs(t, err, context.Canceled)
		stop.Stop()
		_, err = s.Next(ctx)
		require.ErrorIs(t, err, context.Canceled)
		ctx, cancel = context.WithTimeout(context.Background(), 10*time.Millisecond)
		_, err = s.Next(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
		write(t, w, more)
	}
	write(t, w, "\n")
	c, err := s.Next(context.Background())
	require.NoError(t, err)
	require.Equal(t, "half\n", string(c.Data))
	require.EqualValues(t, 3, c.Pos)
	require.True(t, c.First)
}

func TestALiveGzipGivesWhatItsWriterFlushed(t *testing.T) {
	s, w := pipe(t, source.Options{Pause: 20 * time.Millisecond})
	z := gzip.NewWriter(w)
	write(t, z, "a\n")
	require.NoError(t, z.Flush())
	sample, err := s.Sample(context.Background())
	require.NoError(t, err)
	require.Equal(t, "a\n", string(sample.Data))
	write(t, z, "b\n")
	require.NoError(t, z.Flush())
	require.Equal(t, "a\nb\n", next(t, s))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err = s.Next(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestAFIFOWaitsForItsWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, unix.Mkfifo(path, 0o600))
	s := open(t, source.Options{}, path)
	require.True(t, s.Live())
	s.SetCutter(lines{})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := s.Next(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded, "no writer yet is not the end")

	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	write(t, w, "a\nb")
	c, err := s.Next(context.Background())
	require.NoError(t, err)
	require.Equal(t, "a\n", string(c.Data))
	require.NoError(t, w.Close())
	got, _, err := drain(t, s)
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "b", got)
}

func TestAFastPipeFillsChunks(t *testing.T) {
	s, w := pipe(t, source.Options{})
	text := numbered(200_000)
	go func() {
		defer w.Close()
		_, _ = io.WriteString(w, text)
	}()
	got, chunks, err := drain(t, s)
	require.ErrorIs(t, err, io.EOF)
	require.True(t, text == got)
	require.Less(t, len(chunks), len(text)/4096)
}

func TestARecordTooLongIsReportedBeforeTheNextComes(t *testing.T) {
	s, w := pipe(t, source.Options{MaxLine: 16})
	write(t, w, "a\n"+strings.Repeat("x", 100)+"\n")
	require.Equal(t, "a\n", next(t, s))
	c, err := s.Next(context.Background())
	require.NoError(t, err)
	require.Empty(t, c.Data)
	require.Equal(t, 1, c.Oversize)
	require.EqualValues(t, 2, c.OversizePos)
	write(t, w, "b\n")
	require.Equal(t, "b\n", next(t, s))
}

func TestMemoryOfALongRecordIsBounded(t *testing.T) {
	const limit = 1 << 20
	s, w := pipe(t, source.Options{MaxLine: limit})
	text := strings.Repeat("x", 32<<20) + "\nb\n"
	go func() {
		defer w.Close()
		_, _ = io.WriteString(w, text)
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, chunks, err := drain(t, s)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, io.EOF)
	over := 0
	for _, c := range chunks {
		over += c.Oversize
	}
	require.Equal(t, 1, over)
	require.Equal(t, "b\n", string(chunks[len(chunks)-1].Data))
	// Buffers of a chunk, twice that, and so on to the limit.
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(3*limit))
}
