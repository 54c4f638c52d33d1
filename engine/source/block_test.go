package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func still() time.Duration { return 0 }

// blocksOf reads all blocks of files with the given contents.
func blocksOf(t require.TestingT, dir string, opt BlockOptions, contents ...string) []Chunk {
	opt.Now = still
	var paths []string
	for i, text := range contents {
		paths = append(paths, filepath.Join(dir, string(rune('a'+i))))
		require.NoError(t, os.WriteFile(paths[i], []byte(text), 0o600))
	}
	b, err := OpenBlocks(paths, opt)
	require.NoError(t, err)
	var all []Chunk
	for {
		c, err := b.Next(context.Background())
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		data := bytes.Clone(c.Data)
		kept := c
		c.Release()
		kept.Data = data
		all = append(all, kept)
	}
	require.Len(t, all, int(b.Count()))
	require.NoError(t, b.Close())
	return all
}

func TestEveryRecordIsInOneBlock(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\n")), 1, 300, -1)
		contents := []string{text.Draw(t, "first"), text.Draw(t, "second")}
		size := rapid.IntRange(1, 40).Draw(t, "size")
		all := blocksOf(t, dir, BlockOptions{Size: size, Seed: rapid.Uint64().Draw(t, "seed")}, contents...)
		slices.SortFunc(all, func(a, b Chunk) int { return int(a.Block - b.Block) })
		var got [2][]byte
		for _, c := range all {
			i := 0
			if filepath.Base(c.File) == "b" {
				i = 1
			}
			if len(c.Data) == 0 {
				continue
			}
			require.EqualValues(t, len(got[i]), c.Pos, "blocks join")
			require.Equal(t, c.Pos == 0, c.First)
			block := c.Block - 1
			if i == 1 {
				block -= blockCount(len(contents[0]), size)
			}
			count, length := blockCount(len(contents[i]), size), int64(len(contents[i]))
			require.LessOrEqual(t, block*length/count, c.Pos, "a record is in the block that it begins in")
			require.Less(t, c.Pos, (block+1)*length/count)
			got[i] = append(got[i], c.Data...)
		}
		require.Equal(t, contents[0], string(got[0]))
		require.Equal(t, contents[1], string(got[1]))
	})
}

// blockCount is the number of blocks of a file.
func blockCount(length, size int) int64 {
	if length == 0 {
		return 0
	}
	return int64(max(1, (length+size/2)/size))
}

func TestBlockOrderIsDrawn(t *testing.T) {
	text := string(bytes.Repeat([]byte("0123456\n"), 64))
	order := func(seed uint64) (numbers []int64) {
		for _, c := range blocksOf(t, t.TempDir(), BlockOptions{Size: 8, Seed: seed}, text) {
			numbers = append(numbers, c.Block)
		}
		return numbers
	}
	assert.Equal(t, order(1), order(1), "the seed decides")
	assert.NotEqual(t, order(1), order(2))
	assert.False(t, slices.IsSorted(order(1)))
}

func TestFirstBlocksAreASimpleRandomSample(t *testing.T) {
	const blocks, taken, runs = 16, 4, 1500
	text := string(bytes.Repeat([]byte("0123456\n"), blocks))
	dir := t.TempDir()
	var seen [blocks + 1]int
	for seed := range runs {
		for _, c := range blocksOf(t, dir, BlockOptions{Size: 8, Seed: uint64(seed)}, text)[:taken] {
			seen[c.Block]++
		}
	}
	for _, n := range seen[1:] {
		// Binomial(1500, 1/4): s.d. 16.8; 5.7 s.d. is a false alarm in 10^6 over 16 blocks.
		assert.InDelta(t, runs*taken/blocks, n, 96)
	}
}

func TestBlocksOfOddFiles(t *testing.T) {
	all := blocksOf(t, t.TempDir(), BlockOptions{Size: 4}, "\xef\xbb\xbfab\ncd\n", "", "x")
	require.Len(t, all, 3)
	slices.SortFunc(all, func(a, b Chunk) int { return int(a.Block - b.Block) })
	assert.Equal(t, "ab\n", string(all[0].Data), "the byte order mark is left out")
	assert.EqualValues(t, 3, all[0].Pos)
	assert.True(t, all[0].First)
	assert.Equal(t, "cd\n", string(all[1].Data))
	assert.Equal(t, "x", string(all[2].Data), "a last record needs no line end")

	long := bytes.Repeat([]byte("x"), 1<<20)
	all = blocksOf(t, t.TempDir(), BlockOptions{Size: 100, MaxLine: 1000}, "a\n"+string(long)+"\nb\n")
	slices.SortFunc(all, func(a, b Chunk) int { return int(a.Block - b.Block) })
	assert.Equal(t, "a\n", string(all[0].Data))
	assert.Equal(t, 1, all[0].Oversize)
	assert.EqualValues(t, 2, all[0].OversizePos)
	assert.Equal(t, "b\n", string(all[len(all)-1].Data))
}

func TestBlocksNeedSeeking(t *testing.T) {
	dir := t.TempDir()
	gz := filepath.Join(dir, "a.gz")
	require.NoError(t, os.WriteFile(gz, []byte("\x1f\x8b\x08rest"), 0o600))
	_, err := OpenBlocks([]string{gz}, BlockOptions{Now: still})
	assert.ErrorContains(t, err, "gzip")
	assert.True(t, errors.Is(err, ErrSeek))
	_, err = OpenBlocks([]string{"-"}, BlockOptions{Now: still})
	assert.ErrorContains(t, err, "regular files")
	if _, failed := os.Stat("/proc/cpuinfo"); failed == nil {
		_, err = OpenBlocks([]string{"/proc/cpuinfo"}, BlockOptions{Now: still})
		assert.ErrorContains(t, err, "does not say how large it is")
	}
	_, err = OpenBlocks([]string{filepath.Join(dir, "none")}, BlockOptions{Now: still})
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestABlockOfAFileThatWasCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("0123456\n"), 64), 0o600))
	b, err := OpenBlocks([]string{path}, BlockOptions{Now: still, Size: 64})
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	require.NoError(t, os.Truncate(path, 1))
	for err == nil {
		_, err = b.Next(context.Background())
	}
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, again := b.Next(context.Background())
	assert.Equal(t, err, again)
}
