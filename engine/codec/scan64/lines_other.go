//go:build !amd64 || purego

package scan64

func vectorLines() []LineKernel { return nil }
