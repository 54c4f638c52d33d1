//go:build amd64 && !purego

package codec

import "golang.org/x/sys/cpu"

func init() {
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT {
		separatorWays["AVX2"] = separatorsAVX2
	}
	if cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasPOPCNT {
		separatorWays["AVX-512"] = separatorsAVX512
	}
}
