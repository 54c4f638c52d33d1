//go:build unix

package codec

import (
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// TestNothingBeyondTheDataIsLoaded decodes data that ends where memory does, cut off everywhere in its last records.
func TestNothingBeyondTheDataIsLoaded(t *testing.T) {
	const size = 1 << 16
	memory, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(memory)) }()
	require.NoError(t, syscall.Mprotect(memory[size:], syscall.PROT_NONE))
	for _, records := range [][]byte{webEvents(100), longRecords(rand.New(rand.NewPCG(9, 10)), 60)} {
		d := webDecoder(t, len(webFields))
		var col tuple.Column
		for cut := range 400 {
			data := memory[size-len(records)+cut : size]
			copy(data, records)
			scanAll(d, data, func(rows int) {
				for i := range webFields {
					d.Column(i, tuple.All(rows), &col)
				}
			})
		}
	}
}
