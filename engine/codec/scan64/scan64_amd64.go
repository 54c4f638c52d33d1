//go:build amd64 && !purego

package scan64

import "golang.org/x/sys/cpu"

func vectorKernels() (kernels []Kernel) {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasBMI1 || !x.HasPOPCNT {
		return nil
	}
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VBMI2 {
		kernels = append(kernels, Kernel{"avx512", byAVX512})
	}
	return append(kernels, Kernel{"avx2", byAVX2})
}

// byAVX512 compresses the numbers of a block's bytes by the mask of its marks. It needs AVX512F, BW and VBMI2.
//
//go:noescape
func byAVX512(marks []uint32, digits []uint64, data []byte, base uint32) (blocks, found int, high bool)

// byAVX2 takes the marks out of a block's mask bit by bit. It needs AVX2, BMI1 and POPCNT.
//
//go:noescape
func byAVX2(marks []uint32, digits []uint64, data []byte, base uint32) (blocks, found int, high bool)
