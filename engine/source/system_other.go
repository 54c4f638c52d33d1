//go:build !linux

package source

func queued(int) int64 { return 0 }

func sequential(int) {}

func willNeed(int, int64, int64) {}
