package workload

import (
	"io"
	"math"
	"time"
)

// Generator writes one stream, record by record. It is not safe for concurrent
// use and cannot be rewound; the same configuration gives the same stream.
type Generator struct {
	header   string
	line     func(dst []byte, ns int64) []byte
	schedule *schedule
	disorder disorder
	start    int64 // ns since the epoch
	limit    int64 // ns since the start
	left     int64 // records
	due      int64 // ns since the start
	count    int64
}

// newGenerator returns the stream of a valid configuration whose records are
// written by line, which appends one record with the event time ns.
func newGenerator(cfg Config, header string, line func(dst []byte, ns int64) []byte) *Generator {
	left := cfg.Count
	if left == 0 {
		left = math.MaxInt64
	}
	return &Generator{
		header:   header,
		line:     line,
		schedule: newSchedule(cfg.Rate, phases{shape: cfg.Shape, rnd: cfg.stream("shape")}),
		disorder: newDisorder(cfg.Disorder, cfg.Displaced, cfg.stream("disorder")),
		start:    cfg.Start.UnixNano(),
		limit:    cfg.limit(),
		left:     left,
	}
}

// Header returns what precedes the first record, with its newline, or nothing.
func (g *Generator) Header() string { return g.header }

// Next appends the next record with its newline to dst and reports whether
// there was one. After false it keeps returning false.
func (g *Generator) Next(dst []byte) ([]byte, bool) {
	if g.left == 0 {
		return dst, false
	}
	due := g.schedule.next()
	if due >= g.limit {
		g.left = 0
		return dst, false
	}
	g.left--
	g.count++
	g.due = due
	return g.line(dst, g.disorder.displace(g.start+due)), true
}

// Due returns when the record of the last Next is due, in time since the start
// of the stream. It never falls, whatever the disorder of the event times.
func (g *Generator) Due() time.Duration { return time.Duration(g.due) }

// Count returns the records made so far.
func (g *Generator) Count() int64 { return g.count }

// writeSize is the least that WriteTo hands to a writer at once: large enough
// that the call costs nothing per record, small enough to stay in the cache.
const writeSize = 64 << 10

// WriteTo writes the header and all records that are left, in chunks of whole
// lines, and returns the bytes written. A stream without bound ends with the
// writer's first error.
func (g *Generator) WriteTo(w io.Writer) (int64, error) {
	var written int64
	buf := append(make([]byte, 0, writeSize+4096), g.header...)
	for more := true; more; {
		for more && len(buf) < writeSize {
			buf, more = g.Next(buf)
		}
		if len(buf) == 0 {
			break
		}
		n, err := w.Write(buf)
		written += int64(n)
		if err != nil {
			return written, err
		}
		buf = buf[:0]
	}
	return written, nil
}
