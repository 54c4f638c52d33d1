package workload

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Param is one parameter of a workload as text: for flags and help.
type Param struct {
	Name string
	Doc  string // one line
	text func(*Config) string
	set  func(*Config, string) error
}

// Value returns the parameter's value in cfg, in the form that Set reads.
func (p Param) Value(cfg Config) string { return p.text(&cfg) }

// Set changes cfg by the value, or returns an error that names the value and
// what it should be. Whether the values fit together, [Config.Validate] tells.
func (p Param) Set(cfg *Config, value string) error {
	if err := p.set(cfg, value); err != nil {
		return fmt.Errorf("%q is not %w", value, err)
	}
	return nil
}

// kind tells how values of a type are written and read.
type kind[T any] struct {
	what  string
	text  func(T) string
	parse func(string) (T, error)
}

func (k kind[T]) param(name, doc string, field func(*Config) *T) Param {
	return Param{
		Name: name,
		Doc:  doc,
		text: func(c *Config) string { return k.text(*field(c)) },
		set: func(c *Config, value string) error {
			v, err := k.parse(value)
			if err != nil {
				return errors.New(k.what)
			}
			*field(c) = v
			return nil
		},
	}
}

func words[T ~string](what string) kind[T] {
	return kind[T]{
		what, func(v T) string { return string(v) },
		func(s string) (T, error) { return T(s), nil },
	}
}

var (
	numbers = kind[float64]{
		"a number", func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) },
		func(s string) (float64, error) { return strconv.ParseFloat(s, 64) },
	}
	sizes = kind[int]{"a whole number", strconv.Itoa, strconv.Atoi}
	longs = kind[int64]{
		"a whole number", func(v int64) string { return strconv.FormatInt(v, 10) },
		func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) },
	}
	seeds = kind[uint64]{
		"a whole number from 0 to 2^64-1", func(v uint64) string { return strconv.FormatUint(v, 10) },
		func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) },
	}
	durations = kind[time.Duration]{"a duration such as 1m30s", time.Duration.String, time.ParseDuration}
	instants  = kind[time.Time]{
		"a time such as 2026-03-02T12:00:00Z", func(v time.Time) string { return v.Format(time.RFC3339Nano) },
		func(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) },
	}
	formats = words[Format]("a format")
	shapes  = words[ShapeKind]("a shape")
)

// streamParams are the parameters of every workload.
func streamParams() []Param {
	return []Param{
		formats.param("format", "how records are written: ndjson, csv or, for weblog, combined", func(c *Config) *Format { return &c.Format }),
		longs.param("count", "records to write, 0 for no bound", func(c *Config) *int64 { return &c.Count }),
		durations.param("duration", "event time to cover, 0 for no bound", func(c *Config) *time.Duration { return &c.Duration }),
		numbers.param("rate", "records per second of event time, in the long run", func(c *Config) *float64 { return &c.Rate }),
		instants.param("start", "event time of the first record", func(c *Config) *time.Time { return &c.Start }),
		seeds.param("seed", "the same seed gives the same bytes", func(c *Config) *uint64 { return &c.Seed }),
		numbers.param("skew", "zipf exponent over the hosts or sensors, 0 for uniform", func(c *Config) *float64 { return &c.Skew }),
		durations.param("disorder", "how far back an event time may lie", func(c *Config) *time.Duration { return &c.Disorder }),
		numbers.param("displaced", "share of records moved back within disorder", func(c *Config) *float64 { return &c.Displaced }),
		shapes.param("bursts", "shape of the rate: constant, sine, square or pareto (on and off)", func(c *Config) *ShapeKind { return &c.Shape.Kind }),
		durations.param("period", "length of one burst and the lull after it", func(c *Config) *time.Duration { return &c.Shape.Period }),
		numbers.param("peak", "highest rate / mean rate", func(c *Config) *float64 { return &c.Shape.Peak }),
		numbers.param("duty", "share of time at the peak, for square and pareto", func(c *Config) *float64 { return &c.Shape.Duty }),
		numbers.param("alpha", "exponent of the times on and off, for pareto", func(c *Config) *float64 { return &c.Shape.Alpha }),
	}
}

func weblogParams() []Param {
	return []Param{
		sizes.param("hosts", "distinct hosts", func(c *Config) *int { return &c.Hosts }),
		sizes.param("users", "distinct users", func(c *Config) *int { return &c.Users }),
		numbers.param("user-skew", "zipf exponent over the users", func(c *Config) *float64 { return &c.UserSkew }),
		numbers.param("errors", "share of records with status >= 500", func(c *Config) *float64 { return &c.Errors }),
	}
}

func sensorsParams() []Param {
	return []Param{
		sizes.param("sensors", "distinct sensors", func(c *Config) *int { return &c.Sensors }),
		numbers.param("missing", "share of values left out", func(c *Config) *float64 { return &c.Missing }),
	}
}
