package source_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/source"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lines cuts after line feeds.
type lines struct{}

func (lines) Cut(data []byte, from int) int {
	if i := bytes.LastIndexByte(data[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return 0
}

// quoted cuts after line feeds outside double quotes.
type quoted struct{ inside bool }

func (q *quoted) Cut(data []byte, _ int) int {
	end, inside := 0, false
	for i, c := range data {
		switch {
		case c == '"':
			inside = !inside
		case c == '\n' && !inside:
			end = i + 1
		}
	}
	return end
}

func (q *quoted) Skip(data []byte, begin bool) int {
	if begin {
		q.inside = false
	}
	for i, c := range data {
		switch {
		case c == '"':
			q.inside = !q.inside
		case c == '\n' && !q.inside:
			return i + 1
		}
	}
	return -1
}

func clock() time.Duration { return time.Hour }

func open(t require.TestingT, opt source.Options, paths ...string) *source.Stream {
	opt.Now = clock
	s, err := source.Open(paths, opt)
	require.NoError(t, err)
	return s
}

// drain reads to the end and returns what came, checking each chunk's position and room.
func drain(t require.TestingT, s *source.Stream) (data string, chunks []source.Chunk, err error) {
	pos := int64(-1)
	for {
		c, err := s.Next(context.Background())
		if err != nil {
			require.NoError(t, s.Close())
			return data, chunks, err
		}
		if len(c.Data) > 0 {
			require.GreaterOrEqual(t, cap(c.Data)-len(c.Data), max(len(c.Data)/8, 4096))
			if c.Oversize == 0 && !c.First && pos >= 0 {
				require.Equal(t, pos, c.Pos)
			}
			pos = c.Pos + int64(len(c.Data))
		}
		data += string(c.Data)
		kept := c
		kept.Data = bytes.Clone(c.Data)
		chunks = append(chunks, kept)
		for i := range c.Data[:cap(c.Data)] {
			c.Data[:cap(c.Data)][i] = '!'
		}
		c.Release()
	}
}

func file(t testing.TB, name, content string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func gz(members ...string) string {
	var b bytes.Buffer
	for _, m := range members {
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, m)
		_ = w.Close()
	}
	return b.String()
}

func zst(members ...string) string {
	w, _ := zstd.NewWriter(nil)
	var b []byte
	for _, m := range members {
		b = w.EncodeAll([]byte(m), b)
	}
	return string(b)
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"v\":%d}\n", i)
	}
	return b.String()
}

func TestContentIsTheSameHoweverItIsPacked(t *testing.T) {
	text := numbered(40_000)
	half := len(text) / 2
	for name, content := range map[string]string{
		"plain":                    text,
		"plain.ndjson":             text,
		"one.gz":                   gz(text),
		"members.gz":               gz(text[:half], "", text[half:]),
		"gzip without its suffix":  gz(text),
		"one.zst":                  zst(text),
		"frames.ndjson.zst":        zst(text[:half], text[half:]),
		"marked":                   "\xef\xbb\xbf" + text,
		"marked and compressed.gz": gz("\xef\xbb\xbf" + text),
	} {
		for _, sampled := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " sampled ", sampled), func(t *testing.T) {
				s := open(t, source.Options{}, file(t, name, content))
				start := int64(0)
				if strings.HasPrefix(name, "marked") {
					start = 3
				}
				if sampled {
					sample, err := s.Sample(context.Background())
					require.NoError(t, err)
					require.Equal(t, numbered(10_000), string(sample.Data))
					require.False(t, sample.Complete)
				}
				s.SetCutter(lines{})
				got, chunks, err := drain(t, s)
				require.ErrorIs(t, err, io.EOF)
				require.Equal(t, text, got)
				require.True(t, chunks[0].First)
				require.Equal(t, start, chunks[0].Pos)
				require.False(t, chunks[1].First)
				require.False(t, s.Live())
				done, total := s.Progress()
				require.Equal(t, total, done)
				require.Equal(t, int64(len(content)), total)
			})
		}
	}
}

func TestChunksAreTheInputForEveryBufferSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.StringMatching(`[ab"]{0,30}\r?\n`)).Draw(t, "lines"), "") +
			rapid.StringMatching(`[ab]{0,5}`).Draw(t, "last")
		limit := rapid.IntRange(1, 70).Draw(t, "limit")
		pack := rapid.SampledFrom([]func(...string) string{gz, zst, func(s ...string) string { return s[0] }}).Draw(t, "pack")
		require.NoError(t, os.WriteFile(path, []byte(pack(text)), 0o600))
		s := open(t, source.Options{Chunk: rapid.IntRange(1, 64).Draw(t, "chunk"), MaxLine: limit}, path)
		if rapid.Bool().Draw(t, "sample") {
			sample, err := s.Sample(context.Background())
			require.NoError(t, err)
			require.True(t, sample.Complete)
			require.Equal(t, text, string(sample.Data))
		}
		s.SetCutter(lines{})
		var want strings.Builder
		tooLong := 0
		for _, l := range strings.SplitAfter(text, "\n") {
			if n := len(strings.TrimSuffix(l, "\n")) + 1; n > limit && l != "" {
				tooLong++
			} else {
				want.WriteString(l)
			}
		}
		got, chunks, err := drain(t, s)
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, want.String(), got)
		for i, c := range chunks {
			tooLong -= c.Oversize
			if c.Oversize > 0 {
				at := text[c.OversizePos:]
				require.True(t, c.OversizePos == 0 || text[c.OversizePos-1] == '\n')
				require.True(t, strings.HasPrefix(at, string(c.OversizeHead)) && len(c.OversizeHead) > 0)
			}
			if len(c.Data) > 0 {
				require.Equal(t, text[c.Pos:][:len(c.Data)], string(c.Data))
				require.Equal(t, c.Pos == 0, c.First)
				require.True(t, i == len(chunks)-1 || c.Data[len(c.Data)-1] == '\n')
			}
		}
		require.Zero(t, tooLong, "each record that is too long is counted once")
	})
}

func TestARecordTooLongIsFollowedThroughItsQuotes(t *testing.T) {
	long := "1,\"" + strings.Repeat("line\n", 100_000) + "\"\n"
	path := file(t, "t.csv", "a,b\n"+long+long+"2,x\n"+long)
	s := open(t, source.Options{Chunk: 1 << 10, MaxLine: 1 << 16}, path)
	s.SetCutter(&quoted{})
	got, chunks, err := drain(t, s)
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "a,b\n2,x\n", got)
	require.Len(t, chunks, 3)
	require.Equal(t, []int{0, 2, 1}, []int{chunks[0].Oversize, chunks[1].Oversize, chunks[2].Oversize})
	require.EqualValues(t, 4, chunks[1].OversizePos)
	require.EqualValues(t, 4+2*len(long), chunks[1].Pos)
	require.Equal(t, long[:80], string(chunks[1].OversizeHead))
	require.Empty(t, chunks[2].Data)
}

func TestALongRecordIsReadWhole(t *testing.T) {
	text := "{\"s\":\"a\"}\n{\"s\":\"" + strings.Repeat("x", 1<<20) + "\"}\n{\"s\":\"b\"}\n"
	s := open(t, source.Options{}, file(t, "f", text))
	s.SetCutter(lines{})
	got, _, err := drain(t, s)
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, text, got)
}

func TestManyBlankLinesAreNoLongRecord(t *testing.T) {
	for _, blank := range []string{"\n", "\r\n"} {
		for n := range 40 {
			for _, records := range []string{"", "a,b\n1,2\n"} {
				s := open(t, source.Options{MaxLine: 16}, file(t, "blank.csv", strings.Repeat(blank, n)+records))
				s.SetCutter(codec.NewCSVCutter(','))
				got, chunks, err := drain(t, s)
				require.ErrorIs(t, err, io.EOF)
				require.Equal(t, records, strings.TrimLeft(got, "\r\n"))
				for i, c := range chunks {
					require.Zero(t, c.Oversize)
					require.Equal(t, i == 0, c.First)
				}
				if records != "" {
					require.Contains(t, string(chunks[0].Data), "a,b")
				}
			}
		}
	}
}

func TestSampleReachesAtLeastOneLine(t *testing.T) {
	first := strings.Repeat("x", 3<<20) + "\n"
	s := open(t, source.Options{}, file(t, "f", first+"y\n"))
	sample, err := s.Sample(context.Background())
	require.NoError(t, err)
	require.Equal(t, len(first), len(sample.Data))
	require.False(t, sample.Complete)
	require.NoError(t, s.Close())

	s = open(t, source.Options{}, file(t, "f", strings.Repeat("0123456\n", 1<<20/8)[1:]))
	sample, err = s.Sample(context.Background())
	require.NoError(t, err)
	require.Equal(t, 80_000-1, len(sample.Data))
	require.NoError(t, s.Close())
}

func TestFilesFollowEachOther(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"b.csv": "k\n2\n", "a.csv": "\xef\xbb\xbfk\n1", "c.csv": "", "[d].csv": "k\n3\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "e.csv"), 0o700))
	s := open(t, source.Options{}, filepath.Join(dir, "c.csv"), filepath.Join(dir, "?.csv"), filepath.Join(dir, "[d].csv"))
	sample, err := s.Sample(context.Background())
	require.NoError(t, err)
	require.Equal(t, source.Sample{Data: []byte("k\n1"), File: filepath.Join(dir, "a.csv")}, sample)
	s.SetCutter(lines{})
	require.EqualValues(t, 3+4+4, s.Backlog())
	got, chunks, err := drain(t, s)
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "k\n1k\n2\nk\n3\n", got)
	require.Len(t, chunks, 3)
	for i, name := range []string{"a.csv", "b.csv", "[d].csv"} {
		require.True(t, chunks[i].First)
		require.Equal(t, filepath.Join(dir, name), chunks[i].File)
	}
}

func TestEmptyInputIsComplete(t *testing.T) {
	for _, content := range []string{"", "\xef\xbb\xbf"} {
		s := open(t, source.Options{}, file(t, "f", content))
		sample, err := s.Sample(context.Background())
		require.NoError(t, err)
		require.True(t, sample.Complete)
		require.Empty(t, sample.Data)
		s.SetCutter(lines{})
		_, chunks, err := drain(t, s)
		require.ErrorIs(t, err, io.EOF)
		require.Empty(t, chunks)
	}
}

func TestDamagedFilesGiveTheirWholeRecordsFirst(t *testing.T) {
	text := numbered(100_000)
	packed := gz(text)
	flipped := []byte(packed)
	flipped[len(flipped)-5] ^= 1
	for name, tc := range map[string]struct {
		content string
		message string
		is      error
	}{
		"cut.gz":   {packed[:len(packed)/2], "cut.gz: the gzip data ends too early, after", io.ErrUnexpectedEOF},
		"cut.zst":  {zst(text)[:10_000], "cut.zst: the zstd data ends too early, after", io.ErrUnexpectedEOF},
		"crc.gz":   {string(flipped), fmt.Sprintf("crc.gz: the gzip data is damaged after %d bytes", len(text)), gzip.ErrChecksum},
		"empty.gz": {"", "empty.gz: the gzip data ends too early, after 0 bytes", io.ErrUnexpectedEOF},
		"crumb.gz": {packed + "\x00\x00trailing", fmt.Sprintf("crumb.gz: there is garbage after the compressed data (gzip), after %d bytes", len(text)), nil},
		"chip.gz":  {packed + "x", fmt.Sprintf("chip.gz: there is garbage after the compressed data (gzip), after %d bytes", len(text)), nil},
		"chunk.gz": {packed + "\x1f\x8b", fmt.Sprintf("chunk.gz: the gzip data ends too early, after %d bytes", len(text)), io.ErrUnexpectedEOF},
		"chip.zst": {zst(text) + "trailing", fmt.Sprintf("chip.zst: there is garbage after the compressed data (zstd), after %d bytes", len(text)), nil},
		"short.gz": {packed[:5], "short.gz: the gzip data ends too early, after 0 bytes", io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, source.Options{}, file(t, name, tc.content))
			s.SetCutter(lines{})
			got, _, err := drain(t, s)
			require.ErrorContains(t, err, tc.message)
			if tc.is != nil {
				require.ErrorIs(t, err, tc.is)
			}
			require.True(t, strings.HasPrefix(text, got))
			require.True(t, got == "" || strings.HasSuffix(got, "\n"))
			if tc.message[0] == 'c' {
				require.Greater(t, len(got), 10_000)
			}
		})
	}
}

func TestErrorsNameTheFileAndARemedy(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"access.ndjson": "{}\n", "old.ndjson.gz": gz("{}\n"), "fake.gz": "{}\n", "a.xz": "\xfd7zXZ\x00...", "twice.gz": gz(gz("{}\n")),
		"wide.csv": "\xff\xfea\x00\n\x00", "wide.csv.gz": gz("\xff\xfea\x00"),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	t.Chdir(dir)
	for path, want := range map[string]string{
		"acess.ndjson":    "acess.ndjson: no such file; did you mean access.ndjson?",
		"old.ndjson":      "old.ndjson: no such file; did you mean old.ndjson.gz?",
		"qqqqqqqqqqq":     "qqqqqqqqqqq: no such file",
		"nowhere/x":       "nowhere/x: no such file: there is no folder nowhere",
		"*.tsv":           "*.tsv: no file matches this pattern",
		"[a":              "[a: not a pattern: a '[' is not closed",
		dir:               dir + ": is a folder; name its files, as in '" + dir + "/*.xz'",
		"http://x/y":      "http://x/y: URLs cannot be read; fetch it and read standard input, as in: curl -sN http://x/y | aurora query '... FROM stdin'",
		"fake.gz":         "fake.gz: is not gzip, in spite of its name; rename it",
		"a.xz":            "a.xz: xz is not read; convert it first, as in: xz -dc a.xz | aurora query '... FROM stdin'",
		"twice.gz":        "twice.gz (unpacked): is gzip once more; unpack it first",
		"wide.csv":        "wide.csv: UTF-16 is not read; convert it first, as in: iconv -f UTF-16 -t UTF-8 wide.csv | aurora query '... FROM stdin'",
		"wide.csv.gz":     "wide.csv.gz (unpacked): UTF-16 is not read; convert it first, as in: iconv -f UTF-16 -t UTF-8 wide.csv.gz (unpacked) | aurora query '... FROM stdin'",
		"access.ndjson/x": "access.ndjson/x: not a directory",
	} {
		s, err := source.Open([]string{path}, source.Options{Now: clock})
		if err == nil {
			_, err = s.Sample(context.Background())
			require.NoError(t, s.Close())
		}
		require.EqualError(t, err, want)
	}
	_, err := source.Open([]string{"-", "stdin"}, source.Options{Now: clock, Stdin: os.Stdin})
	require.ErrorContains(t, err, "standard input is named twice")
	_, err = source.Open([]string{"none"}, source.Options{Now: clock})
	require.True(t, errors.Is(err, os.ErrNotExist))
}
