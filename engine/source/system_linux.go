package source

import "golang.org/x/sys/unix"

// queued returns the number of bytes that wait in a pipe, terminal or socket, 0 when the system does not say.
func queued(fd int) int64 {
	n, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return int64(n)
}

// sequential tells the system that a file is read from front to back: it reads further ahead.
func sequential(fd int) { _ = unix.Fadvise(fd, 0, 0, unix.FADV_SEQUENTIAL) }

// willNeed tells the system that a part of a file will be read soon.
func willNeed(fd int, at, n int64) { _ = unix.Fadvise(fd, at, n, unix.FADV_WILLNEED) }
