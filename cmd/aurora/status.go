package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/aurora-dsms/aurora/engine"
)

// status is the program's one way to write to the terminal while a query runs: messages and rows go above the
// progress bar.
var status statusBoard

type statusBoard struct {
	mu   sync.Mutex
	bar  *mpb.Progress
	draw chan any   // asks the bar to be drawn
	gone <-chan any // closed when nobody draws any more
}

// print writes a line to standard error.
func (s *statusBoard) print(text string) { fmt.Fprintln(boardWriter{s, os.Stderr}, printable(text)) }

// terminal returns the way to write rows to a terminal.
func (s *statusBoard) terminal(file *os.File) io.Writer {
	if !sameTerminal(file, os.Stderr) {
		return file
	}
	return boardWriter{s, file}
}

func sameTerminal(a, b *os.File) bool {
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}

// boardWriter writes whole lines to file, above the progress bar while there is one.
type boardWriter struct {
	board *statusBoard
	file  *os.File
}

func (w boardWriter) Write(p []byte) (int, error) {
	s := w.board
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		if n, err := s.bar.Write(p); err == nil {
			s.refresh()
			return n, nil
		}
	}
	return w.file.Write(p)
}

// refresh draws the bar anew. The terminal may have echoed a key behind it, so that the cursor has to go back to the line's beginning.
func (s *statusBoard) refresh() {
	_, _ = os.Stderr.WriteString("\r")
	select {
	case s.draw <- nil:
	case <-s.gone:
	}
}

// barDelay keeps short runs free of a bar.
const barDelay = 500 * time.Millisecond

// barEvery is how often the bar is drawn.
const barEvery = 200 * time.Millisecond

// start shows progress until the returned function is called. There is none where standard output is a pipe: what reads it
// is likely to write to the same terminal.
func (s *statusBoard) start(e *engine.Engine, quiet bool) (stop func()) {
	if quiet || !term.IsTerminal(int(os.Stderr.Fd())) || isPipe(os.Stdout) {
		return func() {}
	}
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		select {
		case <-time.After(barDelay):
			s.show(e, done)
		case <-done:
		}
	})
	return func() {
		close(done)
		wait.Wait()
	}
}

func isPipe(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// show draws the bar until done is closed, then removes it.
func (s *statusBoard) show(e *engine.Engine, done <-chan struct{}) {
	draw, gone := make(chan any), make(chan any)
	progress := mpb.New(mpb.WithOutput(os.Stderr), mpb.WithManualRefresh(draw), mpb.WithShutdownNotifier(gone))
	bar := addBar(progress, e)
	s.mu.Lock()
	s.bar, s.draw, s.gone = progress, draw, gone
	s.mu.Unlock()
	tick := time.NewTicker(barEvery)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-tick.C:
			p := e.Progress()
			bar.SetCurrent(min(p.Done, max(p.Total-1, 0)))
			s.mu.Lock()
			s.refresh()
			s.mu.Unlock()
		case <-done:
			running = false
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bar = nil
	bar.Abort(true)
	s.refresh()
	progress.Wait()
}

// addBar adds a bar that says how much was read and, where the end is known, when it will be reached.
func addBar(progress *mpb.Progress, e *engine.Engine) *mpb.Bar {
	began := time.Now()
	text := func(decor.Statistics) string {
		p := e.Progress()
		seconds := time.Since(began).Seconds() + barDelay.Seconds()
		line := fmt.Sprintf("%s  %s  %s/s", recordsText(p.Records), bytesText(p.Done), bytesText(int64(float64(p.Done)/seconds)))
		if p.Total > 0 && p.Done > 0 {
			left := float64(p.Total-p.Done) / float64(p.Done) * seconds
			line += fmt.Sprintf("  %d %%  %s left", 100*p.Done/p.Total, time.Duration(left*float64(time.Second)).Round(time.Second))
		}
		return line
	}
	total := e.Progress().Total
	if total == 0 {
		return progress.New(0, mpb.NopStyle(), mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.Any(text)))
	}
	return progress.New(total, mpb.BarStyle(), mpb.BarRemoveOnComplete(), mpb.BarWidth(24), mpb.AppendDecorators(decor.Any(text)))
}
