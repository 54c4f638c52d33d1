package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// look reads the stream's first records, which will be replayed, and settles what they show: format, fields, unit of time.
func (s *stream) look(ctx context.Context, declaration *query.Declaration) error {
	sample, err := s.source.Sample(ctx)
	if err != nil {
		return err
	}
	s.sample, s.whole = sample.Data, sample.Complete
	format, delimiter := s.input.Format, s.input.Delimiter
	if format == "" {
		var sniffed byte
		if format, sniffed, err = codec.Sniff(sample.Data, sample.File); err != nil {
			return fmt.Errorf("%s: %w", sample.File, err)
		}
		if delimiter == 0 {
			delimiter = sniffed
		}
	}
	s.options = codec.Options{Format: format, Delimiter: delimiter, NoHeader: s.input.NoHeader, Unit: s.input.Unit}
	guess := s.options
	guess.Unit = codec.UnitText // inference says what the units look like, whatever the user said
	if s.shape, err = codec.Infer(sample.Data, guess, s.whole); err != nil {
		return fmt.Errorf("%s: %w", sample.File, err)
	}
	s.options.NoHeader = s.options.NoHeader || s.shape.NoHeader
	if declaration != nil {
		s.declare(declaration)
	}
	s.options.Header = s.shape.Header
	if s.shape.Delimiter != 0 {
		s.options.Delimiter = s.shape.Delimiter
	}
	s.settleUnit()
	s.source.SetCutter(codec.NewCutter(s.options))
	return nil
}

// declare replaces the inferred fields by the declared ones.
func (s *stream) declare(d *query.Declaration) {
	fields := make([]codec.Field, len(d.Fields))
	for i, f := range d.Fields {
		fields[i] = codec.Field{Name: f.Name, Path: f.Path, Type: f.Type}
		for _, seen := range s.shape.Fields {
			if slices.Equal(seen.Path, f.Path) {
				fields[i].Unit = seen.Unit
			}
		}
	}
	s.shape.Fields, s.declared = fields, true
	if s.options.NoHeader {
		s.shape.Header = nil
		for _, f := range fields {
			s.shape.Header = append(s.shape.Header, f.Name)
		}
	}
}

// settleUnit decides the one unit of numeric times for the whole run, from the field that the user named as time,
// or the first that looks like a time, names that say so first. The query's own choice of a time column may still
// change it (adoptUnit).
func (s *stream) settleUnit() {
	if s.options.Unit != "" && s.options.Unit != codec.UnitAuto {
		return
	}
	s.autoUnit, s.options.Unit = true, codec.UnitText
	best := -1
	for i, f := range s.shape.Fields {
		switch {
		case !numericUnit(f.Unit):
		case f.Name == s.input.Time:
			s.options.Unit = f.Unit
			return
		case best < 0 || !soundsLikeTime(s.shape.Fields[best].Name) && soundsLikeTime(f.Name):
			best = i
		}
	}
	if best >= 0 {
		s.options.Unit = s.shape.Fields[best].Unit
	}
}

// adoptUnit settles the unit by the field that the first query takes event time from.
func (s *stream) adoptUnit(time tuple.Field) error {
	if !s.autoUnit || len(s.queries) > 0 {
		return nil
	}
	for _, f := range s.shape.Fields {
		if !slices.Equal(f.Path, time.Path) {
			continue
		}
		switch {
		case numericUnit(f.Unit):
			s.options.Unit = f.Unit
		case f.Type.Numeric():
			return fmt.Errorf("the unit of the times in %s cannot be told from its first value, %s: give --time-unit s, ms, us or ns", f.Name, f.Sample)
		}
	}
	return nil
}

func numericUnit(u codec.Unit) bool { return u != "" && u != codec.UnitText }

func soundsLikeTime(name string) bool {
	name = strings.ToLower(name)
	return name == "ts" || strings.Contains(name, "time") || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_ts")
}

// Description is what aurora knows about a stream before it runs.
type Description struct {
	Name   string
	Paths  []string // as they were given
	Shape  codec.Shape
	Unit   codec.Unit // of numeric times
	Told   bool       // the user gave Unit; else it is from the first records
	Time   string     // event-time column of windows that name none; empty: they go by arrival if the stream is live, else they must name one
	Whole  bool       // the sample was the whole input
	Stream query.Stream
}

// Describe opens the stream called name, or the file when quoted, and says what its first records show.
func (e *Engine) Describe(name string, quoted bool) (*Description, error) {
	s, err := e.open(name, quoted)
	if err != nil {
		return nil, err
	}
	d := &Description{Name: name, Paths: s.input.Paths, Shape: *s.shape, Unit: s.options.Unit, Told: !s.autoUnit, Whole: s.whole, Stream: *s.describe()}
	d.Time, err = d.timeColumn()
	return d, err
}

// single is a catalog of one stream, whatever it is called.
type single struct{ stream *query.Stream }

// Stream implements query.Catalog.
func (c single) Stream(string, bool) (*query.Stream, error) { return c.stream, nil }

// timeColumn asks the binder which column a window goes by that names none.
func (d *Description) timeColumn() (string, error) {
	script, err := query.Parse("SELECT count(*) FROM tumble(stdin, size => INTERVAL '1 minute')")
	if err != nil {
		panic(err)
	}
	b, err := script.Bind(0, single{&d.Stream})
	var mistake *syntax.Error
	if errors.As(err, &mistake) && d.Stream.Time == "" {
		return "", nil // none is clearly the time
	}
	if errors.As(err, &mistake) {
		return "", fmt.Errorf("event time: %s; %s", mistake.Msg, mistake.Hint)
	}
	if err != nil || b.Plan.Inputs[0].Time < 0 {
		return "", err
	}
	return b.Plan.Inputs[0].Schema.Fields[b.Plan.Inputs[0].Time].Name, nil
}

// create makes a declared stream known.
func (e *Engine) create(c *query.Declaration) error {
	in := Input{Paths: c.Paths, Format: codec.Format(c.Format), Time: c.Time, Unit: codec.Unit(c.Unit), Delimiter: c.Delimiter, NoHeader: c.NoHeader, Idle: c.Idle, MaxFuture: c.MaxFuture}
	in.Lateness = Lateness{Set: c.Lateness.Set, End: c.Lateness.End, For: c.Lateness.For}
	if known, ok := e.known[c.Name]; ok && len(in.Paths) == 0 {
		in.Paths = known.Paths
		in = in.or(known)
		delete(e.known, c.Name)
		e.names = slices.DeleteFunc(e.names, func(n string) bool { return n == c.Name })
	}
	if len(in.Paths) == 0 {
		return fmt.Errorf("stream %q has no path: add WITH (path 'FILE') or -i %s=FILE", c.Name, c.Name)
	}
	if err := e.AddStream(c.Name, in); err != nil {
		return err
	}
	if len(c.Fields) > 0 {
		e.declared[c.Name] = c
	}
	return nil
}
