package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// Chunks in flight per stream beyond one per worker: enough to keep reader, workers and network busy, few
// enough that all of it stays in cache.
const spareTokens = 3

// finishedJobs is how many decoded chunks may wait for the network: more than are usually in flight, so
// that workers seldom wait to hand one over.
const finishedJobs = 64

// idlePoll is how often a silent network looks at the clock. The pause itself is real time: only runs
// with decode workers wait, and those follow the machine.
const idlePoll = 100 * time.Millisecond

// Run runs all queries to the end of their input, until ctx ends or until Drain; it returns nil when the answers are
// complete, or complete but for windows marked partial. When ctx ends it stops at once. The sinks are closed.
func (e *Engine) Run(ctx context.Context) error {
	defer e.close()
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	e.start(ctx, &group)
	for {
		busy, err := e.Step()
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case busy:
			continue
		case e.over():
			return e.conclude()
		}
		if err := e.wait(ctx); err != nil {
			return err
		}
	}
}

// start launches the readers and decode workers.
func (e *Engine) start(ctx context.Context, group *sync.WaitGroup) {
	now := e.clock.Now()
	for _, s := range e.opened() {
		if s.portion != nil {
			s.portion.deadline = e.born + e.opt.Within
		}
	}
	if e.opt.Workers < 0 {
		return
	}
	e.finished = make(chan *job, finishedJobs)
	for _, s := range e.opened() {
		if len(s.queries) == 0 {
			s.ended = true
			continue
		}
		s.lastAt = now
		var reading context.Context
		reading, s.cancel = context.WithCancel(ctx)
		stop := context.AfterFunc(e.drained, s.cancel)
		n := e.opt.Workers + spareTokens
		s.tokens = make(chan struct{}, n)
		for range n {
			s.tokens <- struct{}{}
		}
		s.work = make(chan *job, n)
		group.Go(func() {
			defer stop()
			s.readLoop(ctx, reading, e.finished)
		})
		for range e.opt.Workers {
			group.Go(func() { s.decodeLoop(ctx, e.finished) })
		}
	}
}

// over reports whether every query is closed.
func (e *Engine) over() bool {
	for _, q := range e.queries {
		if !q.closed {
			return false
		}
	}
	return true
}

// conclude says what a person should know at the end, and returns the error that ended a source early.
func (e *Engine) conclude() error {
	for _, q := range e.queries {
		l := q.Ledger()
		if err := l.Check(); err != nil {
			panic(err)
		}
		q.warn(&l)
		if p := q.stream.portion; p != nil {
			e.note("%s", p.account(q.stream.name))
		}
	}
	e.reporter.conclude()
	return e.err
}

// wait sleeps until a job is finished or time itself makes something due.
func (e *Engine) wait(ctx context.Context) error {
	if e.opt.Workers < 0 {
		return fmt.Errorf("engine: nothing to do, and no input that could change that")
	}
	timer := time.NewTimer(idlePoll)
	defer timer.Stop()
	select {
	case j := <-e.finished:
		return e.take(j, e.clock.Now())
	case <-timer.C:
		e.idle()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// idle moves the watermark of live streams that have been silent for long: time goes on though no record says so.
func (e *Engine) idle() {
	now := e.clock.Now()
	for _, q := range e.queries {
		s := q.stream
		if q.closed || q.ending || !q.plan.Windowed || q.box.toEnd || s.idle <= 0 || now-s.lastAt < s.idle {
			continue
		}
		w := q.box.at(q.box.newest)
		if q.plan.Inputs[0].ByArrival {
			w = e.clock.Unix(now)
		} else if w != math.MinInt64 {
			w += int64(now - s.lastAt)
		}
		if w > q.box.watermark {
			q.box.watermark = w
			if w >= q.box.next() {
				q.startAdvance(w)
			}
		}
	}
}

func (e *Engine) close() {
	for _, q := range e.queries {
		if !q.closed {
			q.closed = true
			e.err = errors.Join(e.err, q.sink.Close())
		}
	}
	for _, s := range e.opened() {
		e.err = errors.Join(e.err, s.close())
	}
}
