package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/source"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// stream is one input of the engine: a source, the shape of its records, and the queries that read it.
type stream struct {
	feed     *os.File // the reading end of the pipe that brings Input.Reader's bytes, or nil
	feedErr  atomic.Pointer[error]
	name     string
	input    Input
	source   *source.Stream
	shape    *codec.Shape
	whole    bool // the sample was the complete input
	sample   []byte
	options  codec.Options
	autoUnit bool // the unit of numeric times was told from the first records
	declared bool // the fields were declared by CREATE STREAM

	// Of the reader: the header of the file that is being read, and the layout made for it when it differs from the
	// first file's.
	header           []string
	moved, movedFrom *layout
	ahead            *arrival // was read and is not a job yet
	thinner          *thinner // nil until records are dropped at the raw arc
	portion          *portion // what is read; nil: all

	queries []*Query
	layout  atomic.Pointer[layout]
	pool    piecePool
	thins   thinnedPool

	// Jobs on their way. The reader takes a token per chunk, and gets it back when the chunk's memory is free.
	tokens  chan struct{}
	work    chan *job // capacity of all tokens
	number  int64
	done    int64          // number of the next job to admit
	waiting map[int64]*job // finished out of order
	ended   bool
	cancel  context.CancelFunc
	read    atomic.Int64  // records seen, for progress
	records int64         // records admitted: the next one's number
	lastAt  time.Duration // when the last job was admitted
	idle    time.Duration // how long the stream may be silent; 0: for ever
	inline  decoder
}

// pipe makes r readable like a file. What it returns ends where r ends.
func (s *stream) pipe(r io.Reader) (*os.File, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.feed = out
	go func() {
		// The copy also ends when close closes the reading end; then nobody asks for the error.
		if _, err := io.Copy(in, r); err != nil {
			s.feedErr.Store(&err)
		}
		_ = in.Close()
	}()
	return out, nil
}

// close frees what the stream holds.
func (s *stream) close() error {
	err := s.source.Close()
	if s.portion != nil {
		err = errors.Join(err, s.portion.close())
	}
	if s.feed != nil {
		err = errors.Join(err, s.feed.Close())
	}
	return err
}

// relayout makes the layout of the present queries the one in force.
func (s *stream) relayout() { s.layout.Store(makeLayout(s.options, s.queries)) }

func (s *stream) detach(q *Query) {
	s.queries = slices.DeleteFunc(s.queries, func(have *Query) bool { return have == q })
	s.relayout()
}

// next reads a chunk and makes it a job. It reports false after the last one.
func (s *stream) next(ctx context.Context) (*job, bool) {
	chunk, err := s.arrive(ctx)
	j := &job{stream: s, number: s.number, chunk: chunk}
	s.number++
	read := err
	if err == nil {
		j.layout, err = s.layoutOf(&chunk)
	}
	switch {
	case s.settle(j, arrival{chunk, read}):
		return j, true
	case err == nil && s.portion != nil:
		j.block = s.portion.stratum(&chunk)
	case err == nil && j.layout.drop != nil:
		s.thin(ctx, j)
	case err == nil:
	case err == io.EOF:
		j.end = true
		if failed := s.feedErr.Load(); failed != nil {
			j.err = fmt.Errorf("reading %s: %w", s.name, *failed)
		}
	case ctx.Err() != nil:
		j.end, j.drain = true, true
	default:
		j.end, j.err = true, fmt.Errorf("reading %s: %w", s.name, err)
	}
	return j, !j.end
}

// layoutOf returns the layout to decode c with: the one in force, with the columns where the header of c's file has them.
func (s *stream) layoutOf(c *source.Chunk) (*layout, error) {
	l := s.layout.Load()
	if l.options.NoHeader || l.options.Format != codec.CSV && l.options.Format != codec.TSV {
		return l, nil
	}
	if s.portion != nil && s.portion.blocks != nil {
		s.header = s.portion.headers[c.File]
	} else if c.First {
		// A header that cannot be read is the decoder's to report, as a bad record.
		s.header, _ = codec.HeaderOf(c.Data, l.options)
	}
	if s.header == nil || slices.Equal(s.header, l.options.Header) {
		return l, nil
	}
	for _, f := range l.schema.Fields {
		if slices.Contains(l.options.Header, f.Path[0]) && !slices.Contains(s.header, f.Path[0]) {
			return nil, fmt.Errorf("%s: its header has no column %q, which the files before it have", c.File, f.Path[0])
		}
	}
	if s.moved == nil || s.movedFrom != l || !slices.Equal(s.moved.options.Header, s.header) {
		moved := *l
		moved.options.Header = s.header
		s.moved, s.movedFrom = &moved, l
	}
	return s.moved, nil
}

// readLoop is the reader goroutine. It hands chunks to the decode workers until the source or reading ends; when ctx
// ends it stops where it stands.
func (s *stream) readLoop(ctx, reading context.Context, finished chan *job) {
	defer close(s.work)
	for {
		select {
		case <-s.tokens:
		case <-ctx.Done():
			return
		}
		j, more := s.next(reading)
		to := s.work
		if !more {
			to = finished
		}
		select {
		case to <- j:
		case <-ctx.Done():
			return
		}
		if !more {
			return
		}
	}
}

// decodeLoop is a decode worker.
func (s *stream) decodeLoop(ctx context.Context, finished chan<- *job) {
	var d decoder
	for j := range s.work {
		j.err = d.decode(j, &s.pool)
		select {
		case finished <- j:
		case <-ctx.Done():
			return
		}
	}
}

// unref gives one reference to j's memory back; the last frees the chunk and lets the reader read another.
func (j *job) unref() {
	if j.refs.Add(-1) > 0 {
		return
	}
	j.chunk.Release()
	if j.thin != nil {
		j.stream.thins.give(j.thin)
		j.thin = nil
	}
	if j.stream.tokens != nil {
		j.stream.tokens <- struct{}{}
	}
}

// sampleTimes returns the event times of the sample's records in field f, in order.
func (s *stream) sampleTimes(f tuple.Field, unit codec.Unit) ([]int64, error) {
	var times []int64
	err := s.eachSampled(f, unit, func(col *tuple.Column, r int) { times = append(times, col.I[r]) })
	return times, err
}

// eachSampled calls f with each value of a field in the sample's records that is not NULL, in order.
func (s *stream) eachSampled(field tuple.Field, unit codec.Unit, f func(col *tuple.Column, row int)) error {
	opt := s.options
	opt.Unit = unit
	d, err := codec.New(&tuple.Schema{Fields: []tuple.Field{field}}, opt)
	if err != nil {
		return err
	}
	var col tuple.Column
	data := s.sample
	if n := codec.NewCutter(opt).Cut(data, 0); n > 0 && !s.whole {
		data = data[:n]
	}
	// A copy with room behind it, for a decoder may write there, and the source will return the sample again.
	data = append(make([]byte, 0, len(data)*5/4+64), data...)
	for first := true; len(data) > 0; first = false {
		used := d.Scan(data, first)
		rows, _ := d.Found()
		d.Column(0, tuple.All(rows), &col)
		for r := range rows {
			if !col.IsNull(r) {
				f(&col, r)
			}
		}
		data = data[used:]
	}
	return nil
}
