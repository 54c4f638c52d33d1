package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/aurora-dsms/aurora/engine"
)

// status is the program's one way to write to standard error while a query runs: messages go above the
// progress bar, which is there on a terminal only.
var status statusBoard

type statusBoard struct {
	mu  sync.Mutex
	bar *mpb.Progress
}

func (s *statusBoard) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		if _, err := s.bar.Write([]byte(text + "\n")); err == nil {
			return
		}
	}
	fmt.Fprintln(os.Stderr, text)
}

// barDelay keeps short runs free of a bar.
const barDelay = 500 * time.Millisecond

// barEvery is how often the bar is drawn.
const barEvery = 200 * time.Millisecond

// start shows progress until the returned function is called.
func (s *statusBoard) start(e *engine.Engine, quiet bool) (stop func()) {
	if quiet || !term.IsTerminal(int(os.Stderr.Fd())) {
		return func() {}
	}
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		select {
		case <-time.After(barDelay):
			s.draw(e, done)
		case <-done:
		}
	})
	return func() {
		close(done)
		wait.Wait()
	}
}

func (s *statusBoard) draw(e *engine.Engine, done <-chan struct{}) {
	progress := mpb.New(mpb.WithOutput(os.Stderr), mpb.WithWidth(40), mpb.WithRefreshRate(barEvery))
	p := e.Progress()
	records := func(decor.Statistics) string { return fmt.Sprintf("%d records ", e.Progress().Records) }
	bar := progress.AddBar(max(p.Total, 0), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(records), decor.CountersKibiByte("% .1f / % .1f")),
		mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1024(0), "% .1f"), decor.Name(" eta "), decor.AverageETA(decor.ET_STYLE_GO)))
	s.mu.Lock()
	s.bar = progress
	s.mu.Unlock()
	tick := time.NewTicker(barEvery)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-tick.C:
			bar.SetCurrent(min(e.Progress().Done, max(p.Total-1, 0)))
		case <-done:
			running = false
		}
	}
	s.mu.Lock()
	s.bar = nil
	s.mu.Unlock()
	bar.Abort(true)
	progress.Wait()
}
