package source

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
)

// Defaults of Options.
const (
	// DefaultMaxLine is far above any record that a person would call one.
	DefaultMaxLine = 16 << 20
	// DefaultChunk makes the cost of a read and of a hand-over small per record, and lets several chunks stay in a
	// core's cache.
	DefaultChunk = 128 << 10
	// DefaultPause is long for a writer that has more to say and short for a person who waits.
	DefaultPause = 100 * time.Millisecond
)

// Options are what reading needs to know.
type Options struct {
	// Now is the engine's clock, for Chunk.Arrived. It is required.
	Now func() time.Duration
	// Stdin is what "-" reads; nil: os.Stdin.
	Stdin *os.File
	// MaxLine is the length of the longest record that is read, its line end included (counted even where
	// the last record lacks it). 0: DefaultMaxLine.
	MaxLine int
	// Chunk is about how many bytes a chunk holds. 0: DefaultChunk.
	Chunk int
	// Pause is how long a live input must be silent for Sample to be content with what it has. 0: DefaultPause.
	Pause time.Duration
}

// Stream reads inputs one after the other. It is used by one goroutine, except that Progress may be called from others.
type Stream struct {
	opt    Options
	places []place // still to come
	files  []string
	live   bool
	total  int64
	done   atomic.Int64
	cutter codec.Cutter
	sample *Sample
	pool   pool
	put    func([]byte)

	in    *input
	buf   []byte // content from a record's start on
	room  int    // how far buf may be filled; its capacity is larger
	from  int    // bytes of buf that the cutter has seen without finding an end
	pos   int64  // position of buf[0] in the input
	first int64  // position at which the input's records begin
	at    time.Duration

	skipping bool  // buf begins inside a record that is too long
	over     Chunk // the oversize records not reported yet
	err      error // stays
}

// Open looks up the inputs: files, patterns (their matches in order of name), "-" or "stdin". It fails when one
// does not exist or may not be read, and reads nothing yet.
func Open(paths []string, opt Options) (*Stream, error) {
	if opt.Now == nil {
		panic("source: Options.Now is missing")
	}
	if opt.Stdin == nil {
		opt.Stdin = os.Stdin
	}
	setDefault(&opt.MaxLine, DefaultMaxLine)
	setDefault(&opt.Chunk, DefaultChunk)
	setDefault(&opt.Pause, DefaultPause)
	s := &Stream{opt: opt}
	std, known := false, true
	for _, path := range paths {
		found, err := find(path, opt.Stdin)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			if p.std && std {
				return nil, &fault{text: "standard input is named twice, but can be read only once"}
			}
			std = std || p.std
			s.live = s.live || p.live
			known = known && !p.live
			s.total += p.size
			if !p.live && !p.std {
				s.files = append(s.files, p.path)
			}
		}
		s.places = append(s.places, found...)
	}
	if !known {
		s.total = 0
	}
	target := min(opt.Chunk, opt.MaxLine)
	s.pool.size = target + spare(target)
	s.put = s.pool.put
	return s, nil
}

func setDefault[T int | time.Duration](v *T, to T) {
	if *v <= 0 {
		*v = to
	}
}

// SetCutter says how records are told apart. It is called once, before Next.
func (s *Stream) SetCutter(c codec.Cutter) { s.cutter = c }

// Files returns the paths of the regular files among the inputs, in order.
func (s *Stream) Files() []string { return s.files }

// Live reports whether some input is not a regular file.
func (s *Stream) Live() bool { return s.live }

// Progress returns the bytes read so far of the underlying files (compressed bytes when compressed) and their total
// size, 0 when unknown. Standard input redirected from a regular file has a known size.
func (s *Stream) Progress() (done, total int64) {
	done = s.done.Load()
	if s.total == 0 {
		return done, 0
	}
	return done, max(s.total, done)
}

// Backlog returns how many bytes wait to be read: those in the pipe, as far as the system tells, or those left of the
// files, and those read but not yet handed over. Compressed bytes count as they are.
func (s *Stream) Backlog() int64 {
	n := int64(len(s.buf))
	if s.in != nil {
		n += int64(len(s.in.replay))
		if s.in.live && s.in.tap.file != nil {
			return n + queued(s.in.tap.fd)
		}
	}
	if done, total := s.Progress(); total > 0 {
		n += total - done
	}
	return n
}

// Close frees what the stream holds. Next must not be called afterwards.
func (s *Stream) Close() error {
	s.err = os.ErrClosed
	s.places, s.buf = nil, nil
	if s.in == nil {
		return nil
	}
	in := s.in
	s.in = nil
	return in.close()
}

// begin makes s.in an input whose first bytes are known. Its error is io.EOF after the last.
func (s *Stream) begin(ctx context.Context) error {
	if s.in == nil {
		if len(s.places) == 0 {
			return io.EOF
		}
		s.in = &input{place: s.places[0], tap: &tap{count: &s.done}}
		s.places = s.places[1:]
		if err := s.in.open(s.opt.Stdin); err != nil {
			return err
		}
	}
	if s.in.started {
		return nil
	}
	if err := s.in.start(ctx); err != nil {
		return err
	}
	s.in.at = s.opt.Now()
	s.pos, s.first = s.in.mark, s.in.mark
	s.buf, s.from, s.room, s.skipping = s.buf[:0], 0, 0, false
	return nil
}

// end closes the input that has been read to its end.
func (s *Stream) end() error {
	in := s.in
	s.in = nil
	return in.close()
}

// Next returns the next chunk, or io.EOF after the last. It blocks until there is one and returns ctx's error when
// ctx ends first, even when a read is stuck on a pipe. After an error other than the context's it returns the same
// error again. A live compressed input cannot be read on once a context has ended.
func (s *Stream) Next(ctx context.Context) (Chunk, error) {
	if s.cutter == nil {
		panic("source: Next without a cutter")
	}
	for s.err == nil {
		if err := ctx.Err(); err != nil {
			return Chunk{}, err
		}
		if err := s.begin(ctx); err != nil {
			return Chunk{}, s.keep(ctx, err)
		}
		err := s.fill(ctx)
		if c, ok := s.cut(err == io.EOF, err != nil && s.in.err != nil); ok {
			return c, nil
		}
		if err == io.EOF {
			err = s.end()
		}
		if err != nil {
			return Chunk{}, s.keep(ctx, err)
		}
	}
	return Chunk{}, s.err
}

// keep makes err stay, unless it is the context's.
func (s *Stream) keep(ctx context.Context, err error) error {
	if end := ctx.Err(); end == nil || !errors.Is(err, end) {
		s.err = err
	}
	return err
}
