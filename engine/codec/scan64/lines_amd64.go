//go:build amd64 && !purego

package scan64

import "golang.org/x/sys/cpu"

func vectorLines() (kernels []LineKernel) {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasPOPCNT {
		return nil
	}
	if x.HasAVX512F && x.HasAVX512BW {
		kernels = append(kernels, LineKernel{"avx512", linesByAVX512})
	}
	return append(kernels, LineKernel{"avx2", linesByAVX2})
}

// linesByAVX512 needs AVX512F, BW and POPCNT.
//
//go:noescape
func linesByAVX512(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool)

// linesByAVX2 needs AVX2 and POPCNT.
//
//go:noescape
func linesByAVX2(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool)
