package source_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/source"
)

func TestAFileThatIsCutOffEndsInAnError(t *testing.T) {
	text := numbered(500_000)
	path := file(t, "cut.ndjson", text)
	s := open(t, source.Options{}, path)
	s.SetCutter(lines{})
	first, err := s.Next(context.Background())
	require.NoError(t, err)
	got := string(first.Data)
	first.Release()
	require.NoError(t, os.Truncate(path, 1_000_003))
	rest, _, err := drain(t, s)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.ErrorContains(t, err, "cut.ndjson: was cut off while it was read: 1000003 of ")
	got += rest
	whole := text[:strings.LastIndexByte(text[:1_000_003], '\n')+1]
	require.Equal(t, len(whole), len(got))
	require.True(t, got == whole)
}

func TestAFileIsReadFromItsOffsetOn(t *testing.T) {
	path := file(t, "rest.ndjson", "{}\n{\"a\":1}\n")
	stdin, err := os.Open(path)
	require.NoError(t, err)
	defer stdin.Close()
	_, err = stdin.Seek(3, io.SeekStart)
	require.NoError(t, err)
	s := open(t, source.Options{Stdin: stdin}, "-")
	s.SetCutter(lines{})
	got, _, err := drain(t, s)
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "{\"a\":1}\n", got)
}

func TestPackedFilesMayBeFilledUpWithZeros(t *testing.T) {
	for _, content := range []string{
		gz("a\n") + strings.Repeat("\x00", 200_000),
		gz("a\n") + "\x00",
		gz("a\n"),
	} {
		for _, more := range []string{"", gz("b\n") + "\x00\x00"} {
			s := open(t, source.Options{}, file(t, "padded.gz", content+more))
			s.SetCutter(lines{})
			got, _, err := drain(t, s)
			require.ErrorIs(t, err, io.EOF)
			want := "a\n"
			if more != "" {
				want += "b\n"
			}
			require.Equal(t, want, got)
		}
	}
}
