package scan64

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// obvious is Find, byte by byte.
func obvious(room, words int, data []byte, base uint32) (marks []uint32, digits []uint64, high bool) {
	for len(data) >= Block && room-len(marks) >= Block && len(digits) < words {
		var runs uint64
		for i, c := range data[:Block] {
			if c < 0x20 || c == '"' || c == '\\' {
				marks = append(marks, base+uint32(i))
			}
			if c >= '0' && c <= '9' {
				runs |= 1 << i
			}
			high = high || c >= 0x80
		}
		digits = append(digits, runs)
		data = data[Block:]
		base += Block
	}
	return marks, digits, high
}

// guard stands behind the room that kernels may write to.
var guard = [Block]uint32{0: 0xdeadbeef, 15: 0xdeadbeef, Block - 1: 0xdeadbeef}

// check compares all kernels with the obvious one, and that they stay inside of their room.
func check(t require.TestingT, room, words int, data []byte, base uint32) {
	wantMarks, wantDigits, wantHigh := obvious(room, words, data, base)
	for _, k := range Kernels() {
		marks, digits := make([]uint32, room+len(guard)), make([]uint64, words+1)
		copy(marks[room:], guard[:])
		blocks, found, high := k.Find(marks[:room], digits[:words], data, base)
		require.Equal(t, len(wantDigits), blocks, k.Name)
		require.Equal(t, wantHigh, high, k.Name)
		require.True(t, slices.Equal(wantMarks, marks[:found]), k.Name)
		require.True(t, slices.Equal(wantDigits, digits[:blocks]), k.Name)
		require.Equal(t, guard, [Block]uint32(marks[room:]), "%s writes beyond its room", k.Name)
		require.Zero(t, digits[words], "%s writes beyond its words", k.Name)
	}
}

func TestEveryByteAtEveryPlace(t *testing.T) {
	for c := range 256 {
		for at := range Block {
			data := make([]byte, Block)
			for i := range data {
				data[i] = 'x'
			}
			data[at] = byte(c)
			check(t, Block, 1, data, 7)
		}
	}
}

func TestDensities(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	memory := make([]byte, 1100)
	for density := range 65 {
		for i := range memory {
			memory[i] = "ax ~0{,:}\xc3\xa9!#[]"[rng.IntN(15)]
			if rng.IntN(64) < density {
				memory[i] = "\"\\\n\x00\x1f\r"[rng.IntN(6)]
			}
		}
		for align := range Block {
			check(t, 400+align, 20, memory[align:align+512+density], uint32(density)<<20)
		}
	}
}

func TestRoomAndLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.SampledFrom([]byte("\"\\\n\x7f\x80\xff !\"#ab[]/09:")), 0, 400).Draw(t, "data")
		room := rapid.IntRange(0, 500).Draw(t, "room")
		words := rapid.IntRange(0, 8).Draw(t, "words")
		check(t, room, words, data, rapid.Uint32Range(0, 1<<29).Draw(t, "base"))
	})
}

func BenchmarkFind(b *testing.B) {
	line := `{"ts":1772452800000,"host":"web-003.eu-west-1.example.net","user":"user-001890","method":"GET","path":"/orders/items/89190?page=11&sort=price-ascending","status":200,"bytes":1378,"latency":41.051}` + "\n"
	var data []byte
	for range 40 {
		data = append(data, line...)
	}
	marks, digits := make([]uint32, 2048), make([]uint64, 256)
	for _, k := range Kernels() {
		b.Run(k.Name, func(b *testing.B) {
			for b.Loop() {
				k.Find(marks, digits, data, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/40, "ns/record")
		})
	}
}

func ExampleKernels() {
	marks, digits := make([]uint32, 2*Block), make([]uint64, 2)
	data := fmt.Appendf(nil, "%-64s", `{"user":"ann","n":17}`)
	blocks, found, high := Kernels()[0].Find(marks, digits, data, 0)
	fmt.Printf("%d %d %b %t\n", blocks, marks[:found], digits[0], high)
	// Output: 1 [1 6 8 12 14 16] 11000000000000000000 false
}
