package engine

import (
	"time"

	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/stats"
)

// Query is a continuous query attached to an engine. Its methods may be called once Run has returned, or from the
// goroutine that calls Step.
type Query struct {
	engine *Engine
	stream *stream
	plan   *plan.Query
	name   string
	sink   sink.Sink
	notes  []string

	box    inputBox
	ops    []op.Operator
	links  []link
	counts []stats.Counter
	raw    *rawDrop // what the first box drops when the stream serves this query alone, before decoding; nil: nothing
	ledger Ledger
	rows   int64 // rows handed to the sink
	dirty  bool  // rows were written since the last flush
	drains bool  // the stream was interrupted
	closed bool

	queue   []*view // batches waiting on the input arc
	orders  []int64 // their order of arrival
	current *view
	batch   tuple.Batch
	sample  [1]tuple.Stratum // of batch
	gauge   *gauge           // nil: the reading ends when the time does
	// meter measures the answer where an error was asked for that suffices; else nil.
	meter    *meter
	suffices float64
	answer   tuple.Batch // the batch that is with the sink
	ending   bool        // no more batches will come
	// Advance in progress: time to reach and the operator to call next.
	advancing bool
	goal      int64
	stage     int
}

// link hands what operator i emits to operator i+1, or to the sink.
type link struct {
	query *Query
	to    int
}

// Emit implements op.Emitter.
func (l *link) Emit(b *tuple.Batch) error {
	q := l.query
	n := int64(len(b.Sel))
	if l.to > 0 {
		q.counts[l.to-1].Out += n
	}
	if n == 0 && b.Sample == nil {
		return nil
	}
	if l.to < len(q.ops) {
		q.counts[l.to].In += n
		return q.ops[l.to].Process(0, b, &q.links[l.to])
	}
	if n == 0 {
		return nil
	}
	q.rows += n
	q.dirty = true
	q.answer = *b
	q.answer.Late = q.ledger.Late
	if q.meter != nil {
		if err := q.meter.Write(&q.answer); err != nil {
			return err
		}
	}
	return q.sink.Write(&q.answer)
}

func makeQuery(e *Engine, s *stream, p *plan.Query, out sink.Sink) (*Query, error) {
	q := &Query{engine: e, stream: s, plan: p, sink: out}
	for _, b := range p.Boxes {
		o, err := b.Spec.Make()
		if err != nil {
			return nil, err
		}
		q.ops = append(q.ops, o)
		if bound, ok := o.(op.Boundary); ok && q.box.boundary == nil {
			q.box.boundary = bound
		}
	}
	q.counts = make([]stats.Counter, len(q.ops))
	q.links = make([]link, len(q.ops))
	for i := range q.links {
		q.links[i] = link{q, i + 1}
	}
	q.ledger.Source = s.name
	q.box.ledger = &q.ledger
	q.box.windowed = p.Windowed
	q.box.reset()
	if err := out.Begin(p.Output); err != nil {
		return nil, err
	}
	return q, nil
}

// Schema returns the schema of the query's rows.
func (q *Query) Schema() *tuple.Schema { return q.plan.Output }

// Plan returns the query's network.
func (q *Query) Plan() *plan.Query { return q.plan }

// Notes returns what was decided about the query and its stream, a sentence each, for a person to read.
func (q *Query) Notes() []string { return q.notes }

// Rows returns the number of rows handed to the sink so far.
func (q *Query) Rows() int64 { return q.rows }

// Ledger returns the account of the query's records.
func (q *Query) Ledger() Ledger {
	l := q.ledger.clone()
	if q.current != nil { // the run ended in the middle of a batch
		l.Queued += q.current.piece.left(q.box.cursor)
	}
	for _, o := range q.ops {
		if s, ok := o.(op.Sheds); ok {
			l.Used -= s.Shed()
			l.Shed += s.Shed()
		}
		f, ok := o.(op.Faults)
		if !ok {
			continue
		}
		for reason, n := range f.Faults() {
			l.values(reason, n)
		}
	}
	return l
}

// push hands rows of the current view, which stand before the cursor, to the first box, or to the one behind it when that did
// its work before decoding: then batches without rows, too, because of the totals.
func (q *Query) push(rows []uint16) error {
	v := q.current
	q.batch = tuple.Batch{Block: &v.block, Sel: rows, Time: v.time, Weight: v.weight}
	entry := link{q, 0}
	if p := v.piece; p.thin != nil {
		entry.to = 1
		stratum, ok := p.sample(p.before(q.box.cursor))
		if !ok {
			return nil
		}
		q.sample[0] = stratum
		q.batch.Sample = q.sample[:]
	} else if p.job.drawn() {
		q.sample[0] = p.job.block
		q.batch.Sample = q.sample[:]
	} else if len(rows) == 0 {
		return nil
	}
	return entry.Emit(&q.batch)
}

// step does a train's worth of work on the current batch and reports whether the batch is finished.
func (q *Query) step() (done bool, err error) {
	if q.advancing {
		if err := q.advance(); err != nil || q.advancing {
			return false, err
		}
	}
	if q.current == nil {
		return true, nil
	}
	v, b := q.current, &q.box
	limit := b.limit(q.engine.unix)
	if b.cursor == 0 && b.plain(v, limit) {
		if !q.engine.tell(q.stream, v.piece, v.piece.rows) {
			return false, q.engine.fail
		}
		used := int64(len(v.sel))
		q.ledger.Used += used
		q.ledger.Filtered += v.piece.left(0) - used
		b.cursor = v.piece.rows
		if b.windowed {
			b.newest = max(b.newest, v.hi)
			b.watermark = b.at(b.newest)
		}
		return true, q.push(v.sel)
	}
	rows, more := b.walk(v, limit, q.odd)
	if q.engine.fail != nil || !more && !q.engine.tell(q.stream, v.piece, v.piece.rows) {
		return false, q.engine.fail
	}
	if err := q.push(rows); err != nil {
		return false, err
	}
	if more {
		q.startAdvance(b.watermark)
	}
	return !more, nil
}

// odd is told of records that the input box refused. It returns false when the run has to end.
func (q *Query) odd(row int, reason string) bool {
	return q.engine.refuse(q, q.current.piece, row, reason)
}

func (q *Query) startAdvance(t int64) {
	q.advancing, q.goal, q.stage = true, t, 0
}

// advance calls one operator once; time passes box after box. It clears q.advancing after the last.
func (q *Query) advance() error {
	if q.stage < len(q.ops) {
		done, err := q.ops[q.stage].Advance(0, q.goal, &q.links[q.stage])
		if err != nil {
			return err
		}
		if done {
			q.stage++
		}
	}
	q.advancing = q.stage < len(q.ops)
	return nil
}

// begin makes v the batch to work on.
func (q *Query) begin(v *view) {
	q.current = v
	q.box.cursor, q.box.selected, q.box.ghosts = 0, 0, 0
}

// finish gives the current batch back.
func (q *Query) finish() {
	q.current.piece.block.Release()
	q.current = nil
}

// stopped reports whether more input cannot change the answer.
func (q *Query) stopped() bool {
	for _, o := range q.ops {
		if s, ok := o.(op.Stopper); ok && s.Stopped() {
			return true
		}
	}
	return false
}

// waiting reports whether the query has work.
func (q *Query) waiting() bool {
	return !q.closed && (q.current != nil || q.advancing || len(q.queue) > 0 || q.ending)
}

// run does one train: a batch through the whole chain, or a slice of an advance.
func (q *Query) run(c clock.Clock) error {
	mark := c.Begin(clock.Network)
	var in int64
	if q.current == nil && !q.advancing {
		if len(q.queue) == 0 {
			return q.end()
		}
		v := q.queue[0]
		q.queue = append(q.queue[:0], q.queue[1:]...)
		q.orders = append(q.orders[:0], q.orders[1:]...)
		q.begin(v)
		in = v.piece.left(0)
		q.ledger.Queued -= in
	}
	done, err := q.step()
	if done && q.current != nil {
		blocks := q.current.piece.job.block.Kept
		q.finish()
		if q.gauge != nil && err == nil {
			err = q.enough(blocks)
		}
		if next := q.box.next(); err == nil && q.box.windowed && q.box.watermark >= next {
			q.startAdvance(q.box.watermark)
		}
	}
	busy := c.End(mark, time.Duration(in)*estimatePerRow)
	if len(q.counts) > 0 {
		q.counts[0].Trains++
		q.counts[0].Busy += busy
	}
	return err
}

// estimatePerRow is what a virtual clock is charged per record of a train whose cost nobody declared:
// about what a filter and a group-by take.
const estimatePerRow = 20 * time.Nanosecond

// end closes the query after its last batch: time reaches the end, in slices, then the sink is closed.
func (q *Query) end() error {
	goal := tuple.End
	if q.drains {
		goal = tuple.Drain
	}
	if q.goal != goal || q.stage == 0 && len(q.ops) > 0 {
		q.startAdvance(goal)
		return nil
	}
	q.closed = true
	return q.sink.Close()
}

// flush makes what was written so far visible.
func (q *Query) flush() error {
	q.dirty = false
	if f, ok := q.sink.(sink.Flusher); ok {
		return f.Flush()
	}
	return nil
}

// warn says what in the finished account a person should know.
func (q *Query) warn(l *Ledger) {
	if late := float64(l.Late); late > 0.01*float64(l.Offered) {
		q.engine.note("%s: %d of %d records (%.1f %%) came late and are not in the answers: give --lateness more than %s, or --lateness end",
			l.Source, l.Late, l.Offered, 100*late/float64(l.Offered), time.Duration(q.box.lateness))
	}
	q.warnWeights(l)
	q.warnError(l)
	for _, o := range q.ops {
		n, ok := o.(op.Noter)
		if !ok {
			continue
		}
		for _, text := range n.Notes() {
			q.engine.note("%s: %s", l.Source, text)
		}
	}
	for _, fault := range faultTexts {
		if n := l.BadValues[fault.reason]; n > 0 {
			q.engine.note("%s: of the values computed, %d %s", l.Source, n, fault.text)
		}
	}
}

// faultTexts says what the reasons of values that could not be computed mean. Values that do not fit their
// field's type are reported by field.
var faultTexts = []struct{ reason, text string }{
	{"cast", "could not be converted and are NULL (TRY_CAST does not count them)"},
	{"overflow", "are beyond what 64 bits or a time can hold, and are NULL"},
	{"domain", "are not defined, like the square root of a negative number, and are NULL"},
	{"range", "lie outside of the range that was declared of their column: they are in the answers, which are labelled from there on"},
	{"nan", "are not numbers (NaN) and are left out of aggregates"},
}
