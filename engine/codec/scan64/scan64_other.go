//go:build !amd64 || purego

package scan64

func vectorKernels() []Kernel { return nil }
