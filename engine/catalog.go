package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/query/nearest"
	"github.com/aurora-dsms/aurora/engine/source"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Stdin is the name of the stream that reads standard input.
const Stdin = "stdin"

// AddStream makes a stream known under name. Nothing is opened before a query reads it.
func (e *Engine) AddStream(name string, in Input) error {
	if name == "" {
		return fmt.Errorf("a stream needs a name")
	}
	if _, ok := e.known[name]; ok {
		return fmt.Errorf("there are two streams called %q: name one of them (-i name=path)", name)
	}
	e.known[name] = in.or(e.opt.Defaults)
	e.names = append(e.names, name)
	return nil
}

// StreamName returns the name under which a file is known when the user gave none: its stem without the
// endings of format and compression, with everything that cannot stand in a name replaced by "_", and one before a digit.
func StreamName(path string) string {
	if path == "-" {
		return Stdin
	}
	stem := filepath.Base(path)
	known := false
	for _, end := range []string{".gz", ".zst", ".ndjson", ".jsonl", ".json", ".csv", ".tsv", ".log", ".logfmt", ".txt"} {
		if len(stem) > len(end) && strings.EqualFold(stem[len(stem)-len(end):], end) {
			stem, known = stem[:len(stem)-len(end)], known || end[1] != 'g' && end[1] != 'z'
		}
	}
	if end := filepath.Ext(stem); !known && isEnding(end) && len(stem) > len(end) {
		stem = stem[:len(stem)-len(end)]
	}
	stem = strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 {
			return r
		}
		return '_'
	}, stem)
	if stem[0] >= '0' && stem[0] <= '9' {
		return "_" + stem
	}
	return stem
}

// isEnding reports whether what filepath.Ext returned looks like the name of a format, rather than a number or a date.
func isEnding(end string) bool {
	if len(end) < 2 || len(end) > 9 {
		return false
	}
	for i, c := range end[1:] {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// catalog is the binder's view of the engine's streams.
type catalog struct{ engine *Engine }

// Stream implements query.Catalog.
func (c catalog) Stream(name string, quoted bool) (*query.Stream, error) {
	s, err := c.engine.open(name, quoted)
	if err != nil {
		return nil, err
	}
	return s.describe(), nil
}

// open returns the stream called name, opening it when it is not open yet.
func (e *Engine) open(name string, quoted bool) (*stream, error) {
	if s, ok := e.streams[name]; ok {
		return s, nil
	}
	in, ok := e.known[name]
	switch {
	case ok:
	case quoted:
		in = Input{Paths: []string{name}}.or(e.opt.Defaults)
	case name == Stdin:
		in = Input{Paths: []string{"-"}}.or(e.opt.Defaults)
	default:
		return nil, e.unknown(name)
	}
	if !ok {
		e.known[name] = in
		e.names = append(e.names, name)
	}
	s, err := e.openStream(name, in)
	if err != nil {
		return nil, err
	}
	e.streams[name] = s
	return s, nil
}

func (e *Engine) unknown(name string) error {
	known := append(slices.Clone(e.names), Stdin)
	if near, ok := nearest.Name(name, known); ok {
		return fmt.Errorf("no stream is called %q; did you mean %q?", name, near)
	}
	there := "the only stream is stdin"
	if len(e.names) > 0 {
		there = "there are " + e.roll()
	}
	return fmt.Errorf("no stream is called %q: %s; name a file with -i %s=PATH, or write FROM 'PATH'", name, there, name)
}

// roll lists the first streams and what they read.
func (e *Engine) roll() string {
	const most = 5
	var all []string
	for i, name := range e.names {
		if i == most {
			all = append(all, fmt.Sprintf("%d more", len(e.names)-most))
			break
		}
		if paths := e.known[name].Paths; len(paths) > 0 {
			name += " (" + strings.Join(paths, ", ") + ")"
		}
		all = append(all, name)
	}
	return strings.Join(append(all, Stdin), ", ")
}

// openStream opens a source, reads its first records and infers their shape.
func (e *Engine) openStream(name string, in Input) (*stream, error) {
	opt := source.Options{Now: e.clock.Now, MaxLine: e.opt.MaxLine, Chunk: e.opt.ChunkSize, Stdin: e.opt.Stdin}
	s := &stream{name: name, input: in, waiting: map[int64]*job{}}
	if in.Reader != nil {
		pipe, err := s.pipe(in.Reader)
		if err != nil {
			return nil, err
		}
		opt.Stdin, in.Paths = pipe, []string{"-"}
	}
	var err error
	if s.source, err = source.Open(in.Paths, opt); err != nil {
		return nil, err
	}
	if err := s.look(e.drained, e.declared[name]); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if s.shape.More && !s.declared {
		e.note("%s: its records have more than %d fields: the first %d are known, and shown by SELECT *; CREATE STREAM declares others", name, codec.MaxFields, codec.MaxFields)
	}
	return s, nil
}

// describe returns what the binder is told about s.
func (s *stream) describe() *query.Stream {
	d := &query.Stream{Name: s.name, Closed: s.whole && !s.shape.More || s.declared, Declared: s.declared, Time: s.input.Time, Live: s.source.Live() && !s.whole}
	for _, f := range s.shape.Fields {
		t := f.Type
		if !s.declared && t.Numeric() {
			t = tuple.Number
		}
		d.Fields = append(d.Fields, query.Field{Name: f.Name, Path: f.Path, Type: t, Mixture: f.Mixture})
	}
	return d
}

// decideTime settles how q's input box treats time, from the user's words or else from the stream's first records.
func (e *Engine) decideTime(q *Query) error {
	s, in, b := q.stream, &q.plan.Inputs[0], &q.box
	if !q.plan.Windowed {
		b.toEnd = true
		return nil
	}
	live := s.source.Live() && !s.whole
	if in.ByArrival {
		s.idle = positive(s.input.Idle, liveIdle)
		b.lateness = int64(s.input.Lateness.For)
		b.toEnd = s.input.Lateness.End
		q.sayTime("", true)
		return nil
	}
	field := in.Schema.Fields[in.Time]
	if err := s.adoptUnit(field); err != nil {
		return err
	}
	times, err := s.sampleTimes(field, s.options.Unit)
	if err != nil {
		return err
	}
	b.units = s.autoUnit && s.options.Unit != codec.UnitText
	if s.source.Live() {
		live = nearNow(times, e.clock.Unix(e.clock.Now()))
	}
	late := s.input.Lateness
	switch {
	case late.Set:
		b.toEnd, b.lateness = late.End, int64(late.For)
	case live:
		b.lateness = int64(liveLateness)
	default:
		b.toEnd = true
	}
	if live {
		b.future = int64(positive(s.input.MaxFuture, liveMaxFuture))
		s.idle = positive(s.input.Idle, liveIdle)
	} else if s.input.MaxFuture > 0 {
		b.future = int64(s.input.MaxFuture)
	}
	q.sayTime(field.Name, live)
	return nil
}

// positive returns d, def when d is zero, and 0 when d is negative.
func positive(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return max(d, 0)
}

// nearNow reports whether the median of times is within liveWithin of now.
func nearNow(times []int64, now int64) bool {
	if len(times) == 0 {
		return true
	}
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	median := sorted[len(sorted)/2]
	return median > now-int64(liveWithin) && median < now+int64(liveWithin)
}
