package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/sched"
	"github.com/aurora-dsms/aurora/stats"
)

// ErrBadRecord is wrapped by the error of a run that ended at a bad record because Options.FailOnBad was set.
var ErrBadRecord = errors.New("bad record")

// Engine runs queries over streams. Make one with New, add streams and queries, call Run once. Its methods
// are for one goroutine, except Drain and Progress.
type Engine struct {
	opt      Options
	clock    clock.Clock
	policy   sched.Policy
	streams  map[string]*stream
	names    []string // of streams, in the order they were added
	known    map[string]Input
	declared map[string]*query.Declaration
	queries  []*Query
	places   uint8 // drop locations so far
	born     time.Duration

	unix     int64 // the wall clock at this step, ns since the epoch
	finished chan *job
	orders   int64 // batches enqueued so far
	views    []sched.Queue
	drain    context.CancelFunc
	drained  context.Context
	reporter reporter
	err      error // of a source that ended early, or of closing
	fail     error // ends the run
}

// New returns an engine without streams.
func New(opt Options) *Engine {
	e := &Engine{opt: opt, clock: opt.Clock, policy: opt.Policy, streams: map[string]*stream{}, known: map[string]Input{}, declared: map[string]*query.Declaration{}}
	if e.clock == nil {
		e.clock = clock.StartWall()
	}
	e.born = e.clock.Now()
	e.opt.Answers.Within = opt.Answers.Within || opt.Within > 0
	if e.policy == nil {
		e.policy = sched.FIFO{}
	}
	if e.opt.Workers == 0 {
		e.opt.Workers = runtime.GOMAXPROCS(0)
	}
	e.opt.Workers = min(e.opt.Workers, MaxWorkers)
	e.drained, e.drain = context.WithCancel(context.Background())
	e.reporter = reporter{note: e.note, badOut: opt.BadOut, lateOut: opt.LateOut}
	return e
}

func (e *Engine) note(format string, args ...any) {
	if e.opt.Note != nil {
		e.opt.Note(fmt.Sprintf(format, args...))
	}
}

// Drain stops reading: what was read is processed, open windows are emitted as partial, and Run returns. It may be called
// from any goroutine, more than once.
func (e *Engine) Drain() { e.drain() }

// Step does one turn of the network and reports whether there was something to do.
func (e *Engine) Step() (busy bool, err error) {
	now := e.clock.Now()
	if err := e.admit(now); err != nil {
		return false, err
	}
	e.measure(now)
	train, ok := e.policy.Next(e.view())
	if !ok {
		return false, nil
	}
	return true, e.run(train)
}

// measure takes the time that this step's decisions are made by.
func (e *Engine) measure(now time.Duration) { e.unix = e.clock.Unix(now) }

// admit takes in the jobs whose decoding is finished, in the order in which their chunks were read.
func (e *Engine) admit(now time.Duration) error {
	if e.opt.Workers < 0 {
		return e.admitInline(now)
	}
	for {
		select {
		case j := <-e.finished:
			if err := e.take(j, now); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// admitInline reads and decodes chunks of each stream whose queries have run dry, until one has work or the stream ends.
func (e *Engine) admitInline(now time.Duration) error {
	for _, s := range e.opened() {
		for !s.ended && len(s.queries) > 0 && !slices.ContainsFunc(s.queries, (*Query).waiting) {
			j, more := s.next(e.drained)
			if more {
				j.err = s.inline.decode(j, &s.pool)
			}
			if err := e.take(j, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// take admits j and the jobs behind it that had to wait for it.
func (e *Engine) take(j *job, now time.Duration) error {
	s := j.stream
	s.lastAt = now
	s.waiting[j.number] = j
	for {
		j, ok := s.waiting[s.done]
		if !ok {
			return nil
		}
		delete(s.waiting, s.done)
		s.done++
		if err := e.accept(j); err != nil {
			return err
		}
	}
}

// accept hands the pieces of a job to the queries of its layout.
func (e *Engine) accept(j *job) error {
	s := j.stream
	if j.end {
		s.ended = true
		for _, q := range s.queries {
			q.ending, q.drains = true, j.drain || j.err != nil
		}
		e.err = errors.Join(e.err, j.err)
		return nil
	}
	if j.err != nil {
		return j.err
	}
	j.refs.Store(int32(len(j.pieces)) + 1)
	defer j.unref()
	if err := e.oversize(j); err != nil {
		return err
	}
	if j.thin != nil {
		e.thinned(j)
	}
	for _, p := range j.pieces {
		if p.thin == nil {
			p.block.Seq, p.block.Pos = s.records, p.pos
			s.records += int64(p.rows + len(p.bad))
		}
		p.block.Own(p.release)
		e.enqueue(p)
		p.block.Release()
	}
	s.read.Store(s.records)
	return nil
}

// thinned takes account of the records that were dropped of a job before decoding, and numbers its pieces.
func (e *Engine) thinned(j *job) {
	s, th := j.stream, j.thin
	th.first = s.records
	s.records += th.offered + int64(th.bad)
	for _, p := range j.pieces {
		if p.rows+len(p.bad) > 0 {
			p.block.Seq, p.block.Pos = p.numberOf(0), p.positionOf(0, 0)
		}
	}
	q := j.layout.reads[0].query
	if q.closed || q.ending {
		return
	}
	q.ledger.Offered += th.dropped()
	q.ledger.Shed += th.dropped()
	q.counts[0].In += th.offered
}

// enqueue puts a piece's views on their queries' input arcs.
func (e *Engine) enqueue(p *piece) {
	s := p.job.stream
	for i, r := range p.job.layout.reads {
		q, v := r.query, &p.views[i]
		if q.closed || q.ending {
			continue
		}
		rows := p.left(0)
		q.ledger.Offered += rows
		for i := range p.bad {
			if !p.ghostly(i) {
				q.ledger.Offered++
				q.ledger.bad(p.bad[i].Reason)
			}
		}
		for k, c := range r.cols {
			e.reporter.unfit(s, &r.input.Schema.Fields[k], p.unfit[c])
			q.ledger.values("type", p.unfit[c])
		}
		q.ledger.Queued += rows
		v.block.Seq, v.block.Pos, v.block.Arrived = p.block.Seq, p.block.Pos, p.job.chunk.Arrived
		p.block.Retain()
		q.queue = append(q.queue, v)
		q.orders = append(q.orders, e.orders)
		e.orders++
	}
}

// oversize counts the records of j's chunk that were longer than the limit.
func (e *Engine) oversize(j *job) error {
	if j.chunk.Oversize == 0 {
		return nil
	}
	s := j.stream
	s.records += int64(j.chunk.Oversize)
	for _, r := range j.layout.reads {
		r.query.ledger.Offered += int64(j.chunk.Oversize)
		for range j.chunk.Oversize {
			r.query.ledger.bad("oversize")
		}
	}
	err := e.reporter.oversize(s, &j.chunk)
	if err == nil && e.opt.FailOnBad {
		err = fmt.Errorf("%s: record at byte %d is longer than the limit: %w", j.chunk.File, j.chunk.OversizePos, ErrBadRecord)
	}
	return err
}

// view describes the queues for the policy.
func (e *Engine) view() sched.View {
	e.views = e.views[:0]
	for i, q := range e.queries {
		if !q.waiting() {
			continue
		}
		oldest := int64(-1) // work that is under way goes first
		if q.current == nil && !q.advancing {
			oldest = e.orders
			if len(q.orders) > 0 {
				oldest = q.orders[0]
			}
		}
		e.views = append(e.views, sched.Queue{Arc: i, Batches: max(1, len(q.queue)), Oldest: oldest})
	}
	return sched.View{Queues: e.views}
}

// run lets the train's query work through its batches.
func (e *Engine) run(t sched.Train) error {
	q := e.queries[t.Arc]
	closing := q.advancing
	for range t.Batches {
		if !q.waiting() {
			break
		}
		if err := q.run(e.clock); err != nil {
			return err
		}
		if e.fail != nil {
			return e.fail
		}
		if !q.closed && !q.ending && q.stopped() {
			e.stop(q)
		}
	}
	// Rows of windows that closed are shown at once, others when there is nothing else to do.
	if q.dirty && (closing || len(q.queue) == 0) {
		return q.flush()
	}
	return nil
}

// stop ends a query that needs no more input. Records that wait for it were never its own.
func (e *Engine) stop(q *Query) {
	if q.current != nil {
		e.forget(q, q.current, q.current.piece.left(q.box.cursor))
		q.current = nil
	}
	for _, v := range q.queue {
		rows := v.piece.left(0)
		q.ledger.Queued -= rows
		e.forget(q, v, rows)
	}
	q.queue, q.orders, q.ending = nil, nil, true
	s := q.stream
	s.detach(q)
	if len(s.queries) == 0 && s.cancel != nil {
		s.cancel()
	}
}

func (e *Engine) forget(q *Query, v *view, rows int64) {
	q.ledger.Offered -= rows
	v.piece.block.Release()
}

// Stats returns what the boxes of all queries did so far.
func (e *Engine) Stats() stats.Snapshot {
	s := stats.Snapshot{At: e.clock.Now()}
	for _, q := range e.queries {
		for i, b := range q.plan.Boxes {
			s.Boxes = append(s.Boxes, stats.Box{Name: b.Spec.String(), Counter: q.counts[i]})
		}
		s.Arcs = append(s.Arcs, stats.Arc{Name: q.stream.name, Queued: int64(len(q.queue)), Passed: q.ledger.Offered})
	}
	return s
}

// Ledgers returns the accounts of all queries, in the order the queries were made.
func (e *Engine) Ledgers() []Ledger {
	all := make([]Ledger, len(e.queries))
	for i, q := range e.queries {
		all[i] = q.Ledger()
	}
	return all
}

// Progress is how far a run has come.
type Progress struct {
	Records     int64
	Done, Total int64 // bytes of the underlying files; Total 0 when unknown
}

// Progress returns how far the reading has come, over all streams. It may be called from any goroutine while Run runs.
func (e *Engine) Progress() Progress {
	var p Progress
	for _, s := range e.opened() {
		done, total := s.progress()
		p.Records += s.read.Load()
		p.Done += done
		p.Total += total
	}
	return p
}

// StreamNames returns the names of the streams that were added, in that order.
func (e *Engine) StreamNames() []string { return slices.Clone(e.names) }

// opened returns the streams that were opened for some query, in the order in which they were added.
func (e *Engine) opened() []*stream {
	var all []*stream
	for _, name := range e.names {
		if s := e.streams[name]; s != nil {
			all = append(all, s)
		}
	}
	return all
}
