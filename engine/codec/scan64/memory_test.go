//go:build unix

package scan64

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingBeyondTheDataIsRead puts data before and behind memory that must not be touched.
func TestNothingBeyondTheDataIsRead(t *testing.T) {
	page := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(memory)) }()
	require.NoError(t, syscall.Mprotect(memory[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(memory[2*page:], syscall.PROT_NONE))
	inside := memory[page : 2*page]
	for i := range inside {
		inside[i] = byte(i)
	}
	for size := range 4 * Block {
		check(t, 1000, 9, inside[page-size:], 0)
		check(t, 1000, 9, inside[:size], 0)
	}
}
