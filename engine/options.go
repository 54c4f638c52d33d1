package engine

import (
	"io"
	"os"
	"time"

	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/sched"
)

// Options configure an engine. The zero value is ready for use.
type Options struct {
	// Clock is the engine's clock; nil is the machine's.
	Clock clock.Clock
	// Policy picks what runs next; nil is sched.FIFO.
	Policy sched.Policy
	// Workers is the number of decode workers per stream; 0 is one per core. Negative decodes on the network
	// goroutine, inside Step, without any other goroutine: the way of simulations on clock.Virtual.
	Workers int
	// ChunkSize is the aim for a chunk's bytes; 0 is the source's default.
	ChunkSize int
	// MaxLine bounds a record's bytes; 0 is 16 MiB.
	MaxLine int
	// FailOnBad ends the run at the first bad record with an error that wraps ErrBadRecord.
	FailOnBad bool
	// BadOut receives one line of JSON per bad record, in the order of the input: file, offset, record number, reason and the raw bytes, these
	// in base64 too when they are not UTF-8. Failing to write ends the run. Nil: none.
	BadOut io.Writer
	// Answers are what is asked of every query's answers; the zero value asks for exact ones.
	Answers query.Settings
	// Within is how long a query may take, from New on, for looking at a stream's first records takes time, too. A positive one
	// implies Answers.Within; with that and without a time here the least is read that tells something.
	Within time.Duration
	// Limit ends each query after this many rows; 0 and less: no limit.
	Limit int64
	// LateOut receives the raw bytes of late records, a line each. Failing to write ends the run. Nil: none.
	LateOut io.Writer
	// Stdin is what the stream "stdin" reads; nil is the process's standard input.
	Stdin *os.File
	// Note receives messages for a person: decisions, the first bad record, warnings. Nil discards them.
	Note func(string)
	// Defaults apply to every stream where its own Input is silent.
	Defaults Input
}

// Lateness is how long a window waits for rows that are out of order. The zero value is decided from the stream:
// End for files and history, five seconds for live streams.
type Lateness struct {
	Set bool          // false: decided from the stream
	End bool          // windows close at the end of input: no row is late
	For time.Duration // how long a window stays open after its end; not with End
}

// Input says how a stream is read. The zero value of each field is decided from the stream's first records.
type Input struct {
	Paths []string // files or globs, read one after the other; "-" is standard input
	// Reader is read instead of Paths when it is not nil, as if through a pipe. Its Read may still be waiting when
	// the run ends early.
	Reader    io.Reader
	Format    codec.Format
	Delimiter byte       // of CSV
	NoHeader  bool       // the first line of a CSV file is a record
	Time      string     // event-time column for windows that do not name one
	Unit      codec.Unit // of numeric times
	Lateness  Lateness
	// MaxFuture bounds how far ahead of the wall clock a record's time may be; 0 is five minutes for live streams
	// and no bound for others, negative is none.
	MaxFuture time.Duration
	// Idle is how long a live stream may be silent before windows close without it; 0 is ten seconds, negative is never.
	Idle time.Duration
}

// MaxWorkers bounds Options.Workers: each has a chunk of its own in memory, and more than there are cores gain nothing.
const MaxWorkers = 1024

// Defaults of live streams.
const (
	liveLateness  = 5 * time.Second
	liveMaxFuture = 5 * time.Minute
	liveIdle      = 10 * time.Second
	// liveWithin is how near to the wall clock the median time of a pipe's first records must be for the pipe to
	// count as live.
	liveWithin = 5 * time.Minute
)

// or returns in with its zero fields taken from d.
func (in Input) or(d Input) Input {
	if in.Format == "" {
		in.Format = d.Format
	}
	if in.Delimiter == 0 {
		in.Delimiter = d.Delimiter
	}
	in.NoHeader = in.NoHeader || d.NoHeader
	if in.Time == "" {
		in.Time = d.Time
	}
	if in.Unit == "" {
		in.Unit = d.Unit
	}
	if !in.Lateness.Set {
		in.Lateness = d.Lateness
	}
	if in.MaxFuture == 0 {
		in.MaxFuture = d.MaxFuture
	}
	if in.Idle == 0 {
		in.Idle = d.Idle
	}
	return in
}
