package codec

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// separatorsByBytes is findSeparators as its comment says it.
func separatorsByBytes(room int, data []byte, base uint32, delim byte, limit int) (out []uint32, blocks, lines int) {
	for ; (blocks+1)*blockSize <= len(data) && len(out)+blockSize <= room && lines < limit; blocks++ {
		block := data[blocks*blockSize:][:blockSize]
		if slices.Contains(block, '"') {
			break
		}
		for i, c := range block {
			if c == '\n' {
				lines++
			}
			if c == '\n' || c == delim {
				out = append(out, base+uint32(blocks*blockSize+i))
			}
		}
	}
	return out, blocks, lines
}

// separatorWays are the implementations of findSeparators that this machine can run.
var separatorWays = map[string]func([]uint32, []byte, uint32, byte, int) (int, int, int){"words": separatorsByWords}

func checkSeparators(t require.TestingT, data []byte, base uint32, delim byte, room, limit int) {
	want, blocks, lines := separatorsByBytes(room, data, base, delim, limit)
	for name, find := range separatorWays {
		out := make([]uint32, room+1)
		out[room] = 12345
		b, n, l := find(out[:room:room], slices.Clip(slices.Clone(data)), base, delim, limit)
		require.Equal(t, []int{blocks, len(want), lines}, []int{b, n, l}, "%s: %q", name, data)
		if n > 0 {
			require.Equal(t, want, out[:n], "%s: %q", name, data)
		}
		require.Equal(t, uint32(12345), out[room], "%s wrote beyond its room: %q", name, data)
	}
}

func TestSeparatorsAreFoundInEveryWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SampledFrom([]string{"a,\n", "abcdefg,", ",\n", "\x00\x01\x0a\x0b\x8a\xac,;\xff", "abcdefghijklmnopqrstuvwxyz0123456789,\n\""}).Draw(t, "bytes")
		data := rapid.SliceOfN(rapid.SampledFrom([]byte(bytes)), 0, 400).Draw(t, "data")
		delim := rapid.SampledFrom([]byte(",;\x00\x7f")).Draw(t, "delim")
		base := rapid.Uint32Max(1<<31).Draw(t, "base")
		checkSeparators(t, data, base, delim, rapid.IntRange(0, 500).Draw(t, "room"), rapid.IntRange(0, 60).Draw(t, "limit"))
	})
}

func FuzzSeparators(f *testing.F) {
	f.Add([]byte("1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n"), byte(','), uint16(100), uint16(3))
	f.Add([]byte("\"1\",2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n"), byte(';'), uint16(64), uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, delim byte, room, limit uint16) {
		if delim < 0x80 && delim != '\n' && delim != '"' {
			checkSeparators(t, data, 7, delim, int(room), int(limit))
		}
	})
}

func TestBlockMasksAreThoseOfTheBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.SampledFrom([]byte("a,\"\n\x0b-\xac\x00#;")), blockSize, blockSize).Draw(t, "block")
		delim := rapid.SampledFrom([]byte(",;")).Draw(t, "delim")
		var want [3]uint64
		for i, c := range data {
			for k, is := range []bool{c == delim || c == '\n', c == '\n', c == '"'} {
				if is {
					want[k] |= 1 << i
				}
			}
		}
		block := (*[blockSize]byte)(data)
		var got [3]uint64
		got[0], got[1], got[2] = blockMasks(block, delim)
		require.Equal(t, want, got, "best: %q", data)
		got[0], got[1], got[2] = blockMasksByWords(block, delim)
		require.Equal(t, want, got, "by words: %q", data)
	})
}
