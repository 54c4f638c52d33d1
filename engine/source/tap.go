package source

import (
	"context"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// tap is the raw end of an input. It is an io.Reader that counts bytes and, on live inputs, waits
// for them in a way that ctx can interrupt: with poll(2) on the file and on a pipe of its own, so that
// the flags of a descriptor shared with other processes stay as they are and no goroutine is left behind in a read.
type tap struct {
	file  *os.File
	fd    int
	live  bool
	count *atomic.Int64 // bytes read of all inputs of the stream

	ctx        context.Context // of the call in progress
	wake, kick *os.File        // ends of the pipe that interrupts a wait, made when first needed
}

func (t *tap) Read(p []byte) (int, error) {
	if t.live {
		if err := t.wait(); err != nil {
			return 0, err
		}
	}
	n, err := t.file.Read(p)
	t.count.Add(int64(n))
	return n, err
}

// ready reports whether a read would not wait, after giving it the given number of milliseconds.
func (t *tap) ready(millis int) bool {
	if !t.live {
		return true
	}
	set := [1]unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(set[:], millis)
		if err != unix.EINTR {
			return n > 0 || err != nil
		}
	}
}

// wait returns when a read would not wait, or with the context's error.
func (t *tap) wait() error {
	if t.ready(0) {
		return nil
	}
	if t.ctx.Done() == nil {
		t.ready(-1)
		return nil
	}
	if err := t.open(); err != nil {
		return err
	}
	kick := t.kick
	stop := context.AfterFunc(t.ctx, func() { _, _ = kick.Write([]byte{0}) })
	defer stop()
	set := [2]unix.PollFd{
		{Fd: int32(t.fd), Events: unix.POLLIN},
		{Fd: int32(t.wake.Fd()), Events: unix.POLLIN},
	}
	for {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		if _, err := unix.Poll(set[:], -1); err != nil && err != unix.EINTR {
			return os.NewSyscallError("poll", err)
		}
		if set[0].Revents != 0 {
			return nil
		}
		// A kick may belong to an earlier wait, whose context ended late: the loop looks again.
		if set[1].Revents != 0 {
			var used [16]byte
			if _, err := t.wake.Read(used[:]); err != nil {
				return err
			}
		}
	}
}

func (t *tap) open() (err error) {
	if t.wake == nil {
		t.wake, t.kick, err = os.Pipe()
	}
	return err
}

func (t *tap) close() {
	if t.wake != nil {
		_ = t.wake.Close()
		_ = t.kick.Close()
		t.wake, t.kick = nil, nil
	}
}
