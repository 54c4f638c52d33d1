package engine

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/source"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// layout is what a stream decodes while its set of queries stays the same: the union of the columns that they
// read. It is frozen once made; attaching or detaching a query makes another, in force from the next chunk on.
type layout struct {
	schema  *tuple.Schema
	options codec.Options
	reads   []read
	drop    *rawDrop // thins the records before they are decoded, or nil
}

// read is one query's part of a layout.
type read struct {
	query *Query
	input *plan.Input
	cols  []int // column i of the query is column cols[i] of the layout
	time  int   // layout column of the event time, or -1
}

// makeLayout returns the layout of queries, with the columns of all of them.
func makeLayout(options codec.Options, queries []*Query) *layout {
	l := &layout{schema: &tuple.Schema{}, options: options}
	for _, q := range queries {
		in := &q.plan.Inputs[0]
		r := read{query: q, input: in, time: -1}
		for i, f := range in.Schema.Fields {
			c := l.column(f)
			r.cols = append(r.cols, c)
			if i == in.Time {
				r.time = c
			}
		}
		l.reads = append(l.reads, r)
	}
	if len(queries) == 1 {
		l.drop = queries[0].raw
	}
	return l
}

// column returns the number of the layout's column for f, adding it when no query had asked for it yet.
func (l *layout) column(f tuple.Field) int {
	for i, have := range l.schema.Fields {
		if have.Type == f.Type && slices.Equal(have.Path, f.Path) {
			return i
		}
	}
	l.schema.Fields = append(l.schema.Fields, f)
	return len(l.schema.Fields) - 1
}

// view is one query's part of a piece.
type view struct {
	block tuple.Block
	sel   []uint16 // rows that passed the filter evaluated while decoding
	time  []int64  // event time of every row, or nil
	null  []bool   // rows without event time, or nil
	lo    int64    // smallest and largest event time of the rows that have one; lo > hi when none has
	hi    int64
	own   []int64 // memory for time when it is the arrival
	piece *piece
	// weight is what each row of sel stands for, or nil; 0 where that cannot be. light says that some cannot.
	weight, weights []float64
	light           bool
}

// piece is up to MaxRows decoded records of a chunk, shared by the queries.
type piece struct {
	job   *job
	data  []byte // the records, for messages
	pos   int64
	first bool // data begins its file
	rows  int
	block tuple.Block // all columns of the layout; holds the references
	unfit []int64     // per column: values that did not fit its type
	bad   []codec.Bad
	told  int // how many of bad were reported
	seek  seeker
	views []view

	// Of a thinned job's pieces: the job's account, the part that the piece is from, where its first record is in the
	// job's data, by number and by bytes, and whether it ends the part.
	thin   *thinned
	part   *part
	record int
	start  int
	last   bool
	ghosts []uint16 // rows that were dropped and are here for their times alone
	live   []uint16 // the other rows
}

// job is a chunk on its way through decoding.
type job struct {
	stream *stream
	layout *layout
	number int64 // order among the stream's jobs
	chunk  source.Chunk
	end    bool // no more chunks: the input is finished, or was interrupted
	drain  bool
	err    error         // why the source ended early
	thin   *thinned      // what was dropped of the chunk before decoding; nil: nothing
	block  tuple.Stratum // of a chunk that is a block drawn by chance; its Kind is then Cluster
	pieces []*piece
	refs   atomic.Int32 // pieces not yet released, plus one while the job is being admitted
}

// condition is one conjunct of a query's filter.
type condition struct {
	program *expr.Program
	columns []int // of the query
}

// decoder decodes chunks for one worker. It keeps programs and a codec for the layout it saw last.
type decoder struct {
	layout *layout
	codec  codec.Decoder
	where  [][]condition // per read
	whole  []bool        // per layout column: decoded for all rows of the current piece
	done   []bool        // per layout column: decoded for the rows that are needed
	union  []bool
	swap   []uint16
}

// use prepares the decoder for a layout, unless it is the one it saw last.
func (d *decoder) use(l *layout) error {
	if d.layout == l {
		return nil
	}
	c, err := codec.New(l.schema, l.options)
	if err != nil {
		return err
	}
	where := make([][]condition, len(l.reads))
	for i, r := range l.reads {
		for _, n := range plan.Conjuncts(r.input.Where) {
			p, err := expr.Compile(n)
			if err != nil {
				return err
			}
			where[i] = append(where[i], condition{p, expr.Columns(n)})
		}
	}
	*d = decoder{
		layout: l, codec: c, where: where, swap: make([]uint16, tuple.MaxRows),
		whole: make([]bool, len(l.schema.Fields)), done: make([]bool, len(l.schema.Fields)), union: make([]bool, tuple.MaxRows),
	}
	return nil
}

// decode fills j.pieces from its chunk.
func (d *decoder) decode(j *job, pool *piecePool) error {
	if err := d.use(j.layout); err != nil {
		return err
	}
	if j.thin != nil {
		return d.decodeThinned(j, pool)
	}
	data, pos, first := j.chunk.Data, j.chunk.Pos, j.chunk.First
	for len(data) > 0 {
		p := d.scan(pool.take(j), data, first)
		p.pos = pos
		d.fill(p, tuple.All(p.rows))
		used := len(p.data)
		if p.rows > 0 || len(p.bad) > 0 {
			j.pieces = append(j.pieces, p)
		} else {
			pool.give(p)
		}
		data, pos, first = data[used:], pos+int64(used), false
	}
	if j.drawn() && len(j.pieces) == 0 {
		j.pieces = append(j.pieces, d.blank(pool.take(j)))
	}
	return nil
}

// scan makes p the first records of data.
func (d *decoder) scan(p *piece, data []byte, first bool) *piece {
	used := d.codec.Scan(data, first)
	if used <= 0 {
		panic("engine: a decoder consumed nothing")
	}
	rows, bad := d.codec.Found()
	p.data, p.first, p.rows, p.bad = data[:used], first, rows, append(p.bad[:0], bad...)
	return p
}

// fill decodes the columns of p. The rows of live are those that queries may see.
func (d *decoder) fill(p *piece, live []uint16) {
	clear(d.whole)
	clear(d.done)
	clear(p.unfit)
	all := tuple.All(p.rows)
	for i := range d.layout.reads {
		d.time(p, i, all)
	}
	for i := range d.layout.reads {
		d.filter(p, i, live)
	}
	need := d.needed(p, all)
	for c := range p.block.Cols {
		if !d.done[c] && !d.whole[c] {
			d.column(p, c, need)
		}
	}
	for i, r := range d.layout.reads {
		v := &p.views[i]
		for k, c := range r.cols {
			v.block.Cols[k] = p.block.Cols[c]
		}
		v.block.N = p.rows
		v.weigh(r.input)
	}
}

// column decodes column c of the piece for the rows of sel.
func (d *decoder) column(p *piece, c int, sel []uint16) {
	p.unfit[c] += int64(d.codec.Column(c, sel, &p.block.Cols[c]))
	d.done[c] = true
	d.whole[c] = len(sel) == p.rows
}

// time decodes the event time of every row, whether it passes the filter or not: lateness is decided from all of them.
func (d *decoder) time(p *piece, i int, all []uint16) {
	r, v := &d.layout.reads[i], &p.views[i]
	v.time, v.null = nil, nil
	switch {
	case r.time >= 0:
		if !d.whole[r.time] {
			d.column(p, r.time, all)
		}
		col := &p.block.Cols[r.time]
		v.time, v.null = col.I[:p.rows], col.Null
	case r.input.ByArrival:
		v.own = tuple.Resize(v.own, p.rows)
		at := r.query.engine.clock.Unix(p.job.chunk.Arrived)
		for k := range v.own {
			v.own[k] = at
		}
		v.time = v.own
	}
	v.lo, v.hi = extent(v.time, v.null)
}

// extent returns the smallest and the largest of the times that are not null, or the largest and the smallest of all times when there
// are none.
func extent(times []int64, null []bool) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	if null == nil {
		for _, t := range times {
			lo, hi = min(lo, t), max(hi, t)
		}
		return lo, hi
	}
	for i, t := range times {
		if !null[i] {
			lo, hi = min(lo, t), max(hi, t)
		}
	}
	return lo, hi
}

// filter evaluates query i's filter, conjunct by conjunct. When the stream has one query a column is decoded only
// for the rows that earlier conjuncts left; of others all rows are live.
func (d *decoder) filter(p *piece, i int, all []uint16) {
	r, v := &d.layout.reads[i], &p.views[i]
	sel := all
	alone := len(d.layout.reads) == 1
	for k, cond := range d.where[i] {
		for _, c := range cond.columns {
			lc := r.cols[c]
			switch {
			case d.whole[lc] || alone && d.done[lc]:
			case alone:
				d.column(p, lc, sel)
			default:
				d.column(p, lc, all)
			}
			v.block.Cols[c] = p.block.Cols[lc]
		}
		out := v.sel[:0]
		if k%2 == 1 {
			out = d.swap[:0]
		}
		sel = cond.program.Select(v.block.Cols, p.rows, sel, out)
	}
	if len(d.where[i]) == 0 {
		v.sel = append(v.sel[:0], all...)
		return
	}
	v.sel = append(v.sel[:0], sel...)
}

// needed returns the rows that some query still has.
func (d *decoder) needed(p *piece, all []uint16) []uint16 {
	if len(p.views) == 1 {
		return p.views[0].sel
	}
	for i := range p.views {
		if len(p.views[i].sel) == p.rows {
			return all
		}
	}
	mask := d.union[:p.rows]
	clear(mask)
	for i := range p.views {
		for _, r := range p.views[i].sel {
			mask[r] = true
		}
	}
	need := d.swap[:0]
	for r, in := range mask {
		if in {
			need = append(need, uint16(r))
		}
	}
	return need
}

// piecePool keeps pieces for reuse, the last one given first: its memory is warm.
type piecePool struct {
	mu     sync.Mutex
	pieces []*piece
}

func (pp *piecePool) take(j *job) *piece {
	pp.mu.Lock()
	var p *piece
	if n := len(pp.pieces); n > 0 {
		p, pp.pieces = pp.pieces[n-1], pp.pieces[:n-1]
	}
	pp.mu.Unlock()
	if p == nil {
		p = &piece{}
	}
	p.job, p.told, p.seek = j, 0, seeker{}
	p.thin, p.part, p.last, p.ghosts = nil, nil, false, p.ghosts[:0]
	p.block.Cols = tuple.Resize(p.block.Cols, len(j.layout.schema.Fields))
	p.unfit = tuple.Resize(p.unfit, len(p.block.Cols))
	if len(p.views) < len(j.layout.reads) {
		p.views = append(p.views, make([]view, len(j.layout.reads)-len(p.views))...)
	}
	p.views = p.views[:len(j.layout.reads)]
	for i := range p.views {
		v := &p.views[i]
		v.piece = p
		v.block.Schema = j.layout.reads[i].input.Schema
		v.block.Cols = tuple.Resize(v.block.Cols, len(v.block.Schema.Fields))
		v.sel = tuple.Resize(v.sel, tuple.MaxRows)
	}
	return p
}

// release gives a piece back when its block is free.
func (p *piece) release(*tuple.Block) {
	j := p.job
	j.stream.pool.give(p)
	j.unref()
}

func (pp *piecePool) give(p *piece) {
	p.job, p.data, p.thin = nil, nil, nil
	pp.mu.Lock()
	pp.pieces = append(pp.pieces, p)
	pp.mu.Unlock()
}
