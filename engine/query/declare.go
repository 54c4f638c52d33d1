package query

import (
	"slices"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Declaration is a CREATE STREAM statement. What it does not say is zero.
type Declaration struct {
	Name string
	// Fields are the declared columns; empty where the schema is to be inferred. A dotted name is the way to a nested
	// field, unless it is in quotes.
	Fields []Field
	// Paths are files and URLs in order.
	Paths []string
	// Format is the name of a format, or "".
	Format string
	// Unit is that of numeric times: s, ms, us, ns, rfc3339 or auto.
	Unit string
	// Time is the event-time column.
	Time string
	// Delimiter is that of CSV.
	Delimiter byte
	// NoHeader says that the first line of a CSV file is a record.
	NoHeader bool
	Lateness Lateness
	// MaxFuture is how far ahead of the wall clock a record's time may be.
	MaxFuture time.Duration
	// Idle is how long the stream may be silent before windows close without it.
	Idle time.Duration
}

// Lateness is how long windows wait for late rows.
type Lateness struct {
	// Set says that the statement gives it.
	Set bool
	// End says that windows close at the end of input.
	End bool
	// For is how long a window stays open after its end.
	For time.Duration
}

// declarer reads the options of one CREATE STREAM.
type declarer struct {
	src *syntax.Source
	d   *Declaration
	err *syntax.Error
}

func (d *declarer) fail(at syntax.Span, hint, format string, args ...any) {
	if d.err == nil {
		d.err = d.src.Errorf(at, hint, format, args...)
	}
}

// declaration reads a CREATE STREAM statement.
func (s *Script) declaration(c *syntax.CreateStream) (*Declaration, error) {
	d := &declarer{src: s.source, d: &Declaration{Name: c.Name.Name}}
	for _, other := range s.Streams {
		if other.Name == c.Name.Name {
			d.fail(c.Name.Span, "", "stream %s is created twice", c.Name)
		}
	}
	for _, col := range c.Columns {
		path := namesOf(col.Name.Parts)
		if slices.ContainsFunc(d.d.Fields, func(f Field) bool { return slices.EqualFunc(f.Path, path, strings.EqualFold) }) {
			d.fail(col.Name.Span, "", "column %s is declared twice", col.Name)
		}
		d.d.Fields = append(d.d.Fields, Field{Name: strings.Join(path, "."), Path: path, Type: col.Type.Of})
	}
	given := map[string]bool{}
	for _, o := range c.Options {
		key := strings.ToLower(o.Key.Name)
		if given[key] && key != "path" && key != "url" {
			d.fail(o.Span, "", "option %s is given twice", o.Key)
		}
		given[key] = true
		d.option(key, o)
	}
	if d.err != nil {
		return nil, d.err
	}
	return d.d, nil
}

var (
	optionNames = []string{"path", "url", "format", "time", "time_unit", "lateness", "max_future", "idle", "delimiter", "header"}
	unitNames   = []string{"s", "ms", "us", "ns", "rfc3339", "auto"}
	formatNames = []string{"ndjson", "json", "csv", "tsv", "logfmt", "accesslog"}
)

func (d *declarer) option(key string, o syntax.Option) {
	switch key {
	case "path", "url":
		d.d.Paths = append(d.d.Paths, d.text(o))
	case "format":
		d.d.Format = d.oneOf(o, formatNames)
	case "time", "timecol":
		d.timeColumn(o)
	case "time_unit", "unit":
		d.d.Unit = d.oneOf(o, unitNames)
	case "lateness":
		d.d.Lateness.Set = true
		if s, ok := o.Value.(*syntax.String); ok && strings.EqualFold(s.Value, "end") {
			d.d.Lateness.End = true
			return
		}
		d.d.Lateness.For = d.duration(o)
	case "max_future":
		d.d.MaxFuture = d.duration(o)
	case "idle":
		d.d.Idle = d.duration(o)
	case "delimiter":
		s := d.text(o)
		if s == `\t` {
			s = "\t"
		}
		if len(s) != 1 {
			d.fail(o.Value.Where(), "write delimiter ';'", "a delimiter is one character")
			return
		}
		d.d.Delimiter = s[0]
	case "header":
		d.d.NoHeader = !d.truth(o)
	default:
		hint := meant(key, optionNames, "options are "+strings.Join(optionNames, ", "))
		d.fail(o.Key.Span, hint, "unknown option %s", o.Key)
	}
}

func (d *declarer) timeColumn(o syntax.Option) {
	d.d.Time = d.text(o)
	if d.err != nil || len(d.d.Fields) == 0 {
		return
	}
	var names []string
	for _, f := range d.d.Fields {
		names = append(names, f.Name)
		if f.Name != d.d.Time {
			continue
		}
		if f.Type != tuple.Timestamp {
			d.fail(o.Value.Where(), "declare it TIMESTAMP, also where the records have numbers", "the time column %s is %s", f.Name, f.Type)
		}
		return
	}
	d.fail(o.Value.Where(), meant(d.d.Time, names, ""), "the time column %s is not declared", syntax.Ident{Name: d.d.Time})
}

func (d *declarer) text(o syntax.Option) string {
	s, ok := o.Value.(*syntax.String)
	if !ok || s.Value == "" {
		d.fail(o.Value.Where(), "", "option %s takes text", o.Key)
		return ""
	}
	return s.Value
}

func (d *declarer) oneOf(o syntax.Option, names []string) string {
	s := strings.ToLower(d.text(o))
	if d.err == nil && !slices.Contains(names, s) {
		d.fail(o.Value.Where(), meant(s, names, "it is one of "+strings.Join(names, ", ")), "unknown %s %s", o.Key, o.Value)
	}
	return s
}

func (d *declarer) duration(o syntax.Option) time.Duration {
	length, err := syntax.ParseDuration(d.text(o))
	switch {
	case d.err != nil:
	case err != nil:
		d.fail(o.Value.Where(), "", "%s", err)
	case length.Nanos() < 0:
		d.fail(o.Value.Where(), "", "%s cannot be negative", o.Key)
	}
	return time.Duration(length.Nanos())
}

func (d *declarer) truth(o syntax.Option) bool {
	switch v := o.Value.(type) {
	case *syntax.Bool:
		return v.Value
	case *syntax.String:
		switch strings.ToLower(v.Value) {
		case "true", "yes", "on", "present":
			return true
		case "false", "no", "off", "absent":
			return false
		}
	}
	d.fail(o.Value.Where(), "write header true or header false", "option %s is true or false", o.Key)
	return false
}
