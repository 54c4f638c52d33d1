package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/aurora-dsms/aurora/engine"
)

// grace is how long a run may take to end after it was told to stop at once: one that cannot write its results would
// never end.
const grace = 200 * time.Millisecond

// watch is a run under the user's eyes, from before the first record is read: signals, the time limit, progress.
type watch struct {
	engine  *engine.Engine
	note    func(string)
	began   time.Time
	stop    context.CancelFunc
	context context.Context
	first   atomic.Int32 // the first signal to stop
	expired atomic.Bool  // the time limit was reached
	running atomic.Bool
	signals chan os.Signal
	timer   *time.Timer
}

// startWatch listens for signals; a limit of 0 is none.
func startWatch(e *engine.Engine, limit time.Duration, note func(string)) *watch {
	w := &watch{engine: e, note: note, began: time.Now(), signals: make(chan os.Signal, 4)}
	w.context, w.stop = context.WithCancel(context.Background())
	signal.Notify(w.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1)
	go func() {
		for s := range w.signals {
			w.signal(s.(syscall.Signal))
		}
	}()
	if limit > 0 {
		w.timer = time.AfterFunc(limit, func() {
			w.expired.Store(true)
			e.Drain()
		})
	}
	return w
}

// close stops listening.
func (w *watch) close() {
	if w.timer != nil {
		w.timer.Stop()
	}
	signal.Stop(w.signals)
	close(w.signals)
	w.stop()
}

func (w *watch) signal(s syscall.Signal) {
	switch {
	case s == syscall.SIGUSR1:
		status.print(w.line())
	case w.first.CompareAndSwap(0, int32(s)):
		w.engine.Drain()
		w.note("aurora: stopping; once more to stop at once")
	default:
		w.stop()
		time.AfterFunc(grace, func() { os.Exit(exitSignal + int(w.first.Load())) })
	}
}

// line is a line of status.
func (w *watch) line() string {
	if !w.running.Load() {
		return "aurora: waiting for the first records"
	}
	p := w.engine.Progress()
	took := time.Since(w.began)
	text := fmt.Sprintf("aurora: %s, %s (%s/s), %s", took.Round(time.Second/10), recordsText(p.Records), countText(int64(float64(p.Records)/took.Seconds())), bytesText(p.Done))
	if p.Total > 0 {
		text += fmt.Sprintf(" of %s (%.0f %%)", bytesText(p.Total), 100*float64(p.Done)/float64(p.Total))
	}
	return text
}

// run runs the engine to its end.
func (w *watch) run(quiet bool) error {
	w.running.Store(true)
	stop := status.start(w.engine, quiet)
	err := w.engine.Run(w.context)
	stop()
	if err != nil && w.context.Err() == nil {
		return err
	}
	return w.outcome(err)
}

// outcome returns what ended the command: the signal that interrupted it, if one did, or err. A time limit that was reached
// before any record came is no error.
func (w *watch) outcome(err error) error {
	sig := w.first.Load()
	switch {
	case sig != 0:
		return signalled{syscall.Signal(sig)}
	case w.expired.Load() && errors.Is(err, context.Canceled):
		w.note("aurora: no record came in time")
		return nil
	}
	return err
}

// countText writes a count with separators between thousands.
func countText(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", countText(n/1000), n%1000)
}

func recordsText(n int64) string {
	if n == 1 {
		return "1 record"
	}
	return countText(n) + " records"
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
