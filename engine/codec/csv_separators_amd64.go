//go:build amd64 && !purego

package codec

import "golang.org/x/sys/cpu"

func init() {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI1 || !cpu.X86.HasPOPCNT {
		return
	}
	findSeparators, blockMasks = separatorsAVX2, blockMasksAVX2
	if cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2 {
		findSeparators = separatorsAVX512
	}
}

// separatorsAVX2 is findSeparators with vectors of 32 bytes. It needs AVX2, BMI1 and POPCNT.
//
//go:noescape
func separatorsAVX2(out []uint32, data []byte, base uint32, delim byte, limit int) (blocks, found, lines int)

// separatorsAVX512 is findSeparators with vectors of 64 bytes. It needs AVX512F, AVX512BW, AVX512VBMI2 and POPCNT.
//
//go:noescape
func separatorsAVX512(out []uint32, data []byte, base uint32, delim byte, limit int) (blocks, found, lines int)

// blockMasksAVX2 is blockMasks with vectors of 32 bytes. It needs AVX2.
//
//go:noescape
func blockMasksAVX2(block *[blockSize]byte, delim byte) (seps, feeds, quotes uint64)
