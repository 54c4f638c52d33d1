// Package clock is the seam between real and simulated runs, and the only reader of the
// machine's clock.
//
// # Model
//
// Time on a [Clock] is a duration since the clock was made. [Wall] follows the machine;
// [Virtual] moves only when work is charged to it or somebody waits, so that minutes of
// overload replay in milliseconds, the same each time.
//
// Work is measured between Begin and End. Wall returns what the machine took; Virtual charges the estimate
// it is given to the lane and returns that.
//
// # Limits
//
// Virtual moves with the network's lane and with waits; readers and decode workers that are behind it are
// not waited for. Neither clock goes back.
package clock

import (
	"context"
	"sync"
	"time"
)

// Lane names who works: lanes run side by side, and each is charged for itself.
type Lane uint8

// The lanes. Decode worker i is Decode + Lane(i).
const (
	Reader Lane = iota
	Network
	Decode
)

// Mark remembers where a piece of work began.
type Mark struct {
	at   time.Duration
	lane Lane
}

// Clock tells time and measures work. It is safe for concurrent use.
//
// Its five methods are one interface because they must agree: what End charges is what Now and WaitUntil
// then show. There are two implementations, and nothing forwards to them.
type Clock interface {
	// Now returns the time since the clock was made.
	Now() time.Duration
	// WaitUntil returns when Now has reached t, or with ctx's error when that ends first.
	WaitUntil(ctx context.Context, t time.Duration) error
	// Begin marks the beginning of a piece of work in a lane.
	Begin(lane Lane) Mark
	// End returns what the work since m cost: measured, or the estimate.
	End(m Mark, estimate time.Duration) time.Duration
	// Unix returns the moment t of this clock in ns since the Unix epoch.
	Unix(t time.Duration) int64
}

// Wall is the machine's clock.
type Wall struct{ start time.Time }

// StartWall returns a clock that starts now.
func StartWall() *Wall { return &Wall{start: time.Now()} }

// Now implements Clock.
func (w *Wall) Now() time.Duration { return time.Since(w.start) }

// WaitUntil implements Clock.
func (w *Wall) WaitUntil(ctx context.Context, t time.Duration) error {
	timer := time.NewTimer(t - w.Now())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Begin implements Clock.
func (w *Wall) Begin(lane Lane) Mark { return Mark{w.Now(), lane} }

// End implements Clock.
func (w *Wall) End(m Mark, _ time.Duration) time.Duration { return w.Now() - m.at }

// Unix implements Clock.
func (w *Wall) Unix(t time.Duration) int64 { return w.start.UnixNano() + int64(t) }

// Virtual is a clock that moves only when told. Its zero value starts at the Unix epoch.
type Virtual struct {
	// Epoch is the moment at which the clock starts, in ns since the Unix epoch. It is set before use.
	Epoch int64

	mu    sync.Mutex
	now   time.Duration
	lanes [256]time.Duration // until when each lane is busy
}

// Now implements Clock.
func (v *Virtual) Now() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now
}

// WaitUntil implements Clock: it moves the clock to t at once.
func (v *Virtual) WaitUntil(ctx context.Context, t time.Duration) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now = max(v.now, t)
	return ctx.Err()
}

// Begin implements Clock.
func (v *Virtual) Begin(lane Lane) Mark {
	v.mu.Lock()
	defer v.mu.Unlock()
	return Mark{max(v.now, v.lanes[lane]), lane}
}

// End implements Clock: the lane is busy for the estimate, and when it is the network's, whose
// progress is what everybody sees, the clock moves with it.
func (v *Virtual) End(m Mark, estimate time.Duration) time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lanes[m.lane] = m.at + estimate
	if m.lane == Network {
		v.now = max(v.now, v.lanes[m.lane])
	}
	return estimate
}

// Unix implements Clock.
func (v *Virtual) Unix(t time.Duration) int64 { return v.Epoch + int64(t) }
