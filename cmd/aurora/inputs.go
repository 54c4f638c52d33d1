package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/query/nearest"
)

// inputFlags are the flags that say what is read and how.
type inputFlags struct {
	inputs    []string
	format    string
	delimiter string
	noHeader  bool
	time      string
	unit      string
	lateness  string
	maxFuture string
	idle      time.Duration
	maxLine   string
	workers   int

	paths []string // of all streams, once they were added
}

func (f *inputFlags) add(set *pflag.FlagSet) {
	set.StringArrayVarP(&f.inputs, "input", "i", nil, "a stream: `name=path`, path a file, pattern, or - for standard input; options follow after ';'; may be repeated, also for one name\n(-i 'logs=/var/log/*.gz;format=ndjson;lateness=5s')")
	set.Var(checked(&f.format, "", parsed(parseFormat)), "format", "`format` of the input: "+strings.Join(formats, ", ")+"; by default told from name and content (--format csv)")
	set.Var(checked(&f.delimiter, "", parsed(parseDelimiter)), "delimiter", "the `character` between CSV fields, tab for a tabulator; by default told from the content (--delimiter ';')")
	set.BoolVar(&f.noHeader, "no-header", false, "CSV files have no header line: columns are column0, column1, ... (--no-header)")
	set.Var(checked(&f.maxLine, "16MiB", parsed(parseSize)), "max-line", "records longer than this `size` are bad (--max-line 64KiB)")
	set.StringVar(&f.time, "time", "", "event-time `column` of windows that name none; by default the only timestamp (--time ts)")
	set.Var(checked(&f.unit, "auto", parsed(parseUnit)), "time-unit", "`unit` of numeric times: s, ms, us, ns, rfc3339 (text only), or auto: from the first records (--time-unit ms)")
	set.Var(checked(&f.lateness, "", parsed(parseLateness)), "lateness", "`time` that windows wait for rows out of order, or end: until the input ends; by default end for files and history, 5s for live streams (--lateness 30s)")
	set.Var(checked(&f.maxFuture, "", parsed(parseSpan)), "max-future", "records that are this `time` ahead of the wall clock are bad; by default 5m for live streams, off for others (--max-future 1h)")
	set.DurationVar(&f.idle, "idle", 10*time.Second, "`time` of silence after which a live stream's windows close without it; 0: never (--idle 30s)")
	set.IntVar(&f.workers, "workers", 0, "`number` of decode workers; 0: one per core (--workers 1)")
	group(set, groupInput, "input", "format", "delimiter", "no-header", "max-line")
	group(set, groupTime, "time", "time-unit", "lateness", "max-future", "idle")
	group(set, groupRun, "workers")
}

// complete offers words for the values of the flags that take one of a few.
func (f *inputFlags) complete(c *cobra.Command) {
	complete(c, "format", formats...)
	complete(c, "time-unit", units...)
	complete(c, "lateness", "end")
	_ = c.MarkFlagFilename("config", "yaml", "yml")
}

// options turns the flags into the engine's options.
func (f *inputFlags) options() (engine.Options, error) {
	defaults, err := f.defaults()
	if err != nil {
		return engine.Options{}, err
	}
	size, err := parseSize(f.maxLine)
	if err != nil {
		return engine.Options{}, usagef("--max-line: %w", err)
	}
	if f.workers < 0 || f.workers > engine.MaxWorkers {
		return engine.Options{}, usagef("--workers %d: write a number from 1 to %d, or 0 for one per core", f.workers, engine.MaxWorkers)
	}
	return engine.Options{Defaults: defaults, MaxLine: int(size), Workers: f.workers}, nil
}

// defaults returns what the flags say about every stream.
func (f *inputFlags) defaults() (engine.Input, error) {
	in := engine.Input{NoHeader: f.noHeader, Time: f.time, Idle: f.idle}
	switch {
	case f.idle < 0:
		return in, usagef("--idle %s: write a time, 0 for never", f.idle)
	case f.idle == 0:
		in.Idle = -1
	}
	for _, kv := range [][2]string{{"format", f.format}, {"delimiter", f.delimiter}, {"time-unit", f.unit}, {"lateness", f.lateness}, {"max-future", f.maxFuture}} {
		if kv[1] == "" {
			continue
		}
		if err := setInput(&in, kv[0], kv[1]); err != nil {
			return in, usagef("--%s: %w", kv[0], err)
		}
	}
	return in, nil
}

// Words that flags take.
var (
	formats = []string{"ndjson", "json", "csv", "tsv", "logfmt", "accesslog"}
	units   = []string{"s", "ms", "us", "ns", "rfc3339", "auto"}
)

var inputOptions = []string{"format", "delimiter", "header", "time", "time-unit", "lateness", "max-future", "idle"}

// setInput sets one option of a stream.
func setInput(in *engine.Input, key, value string) error {
	var err error
	switch key {
	case "format":
		in.Format, err = parseFormat(value)
	case "delimiter":
		in.Delimiter, err = parseDelimiter(value)
	case "header":
		var header bool
		if header, err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("%q is neither true nor false", value)
		}
		in.NoHeader = !header
	case "time":
		in.Time = value
	case "time-unit", "unit":
		in.Unit, err = parseUnit(value)
	case "lateness":
		in.Lateness, err = parseLateness(value)
	case "max-future":
		in.MaxFuture, err = parseSpan(value)
	case "idle":
		in.Idle, err = parseSpan(value)
	default:
		return fmt.Errorf("no option is called that%s", offer(key, inputOptions))
	}
	return err
}

func parseFormat(text string) (codec.Format, error) {
	for _, f := range formats {
		if strings.EqualFold(f, text) {
			return codec.Format(f), nil
		}
	}
	switch strings.ToLower(text) {
	case "jsonl":
		return codec.NDJSON, nil
	case "apache", "nginx", "combined", "common", "log":
		return codec.AccessLog, nil
	}
	return "", fmt.Errorf("no format is called %q%s", text, offer(text, formats))
}

func parseDelimiter(text string) (byte, error) {
	if text == `\t` || text == "tab" {
		return '\t', nil
	}
	if len(text) != 1 || text == "\"" || text == "\n" || text == "\r" {
		return 0, fmt.Errorf("%q is not one character that can stand between fields", text)
	}
	return text[0], nil
}

func parseUnit(text string) (codec.Unit, error) {
	for _, u := range units {
		if strings.EqualFold(u, text) {
			return codec.Unit(u), nil
		}
	}
	return "", fmt.Errorf("no unit is called %q%s", text, offer(text, units))
}

// parseSpan reads a time of which 0 means none.
func parseSpan(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a duration like 30s", text)
	case d < 0:
		return 0, fmt.Errorf("%s is negative", text)
	case d == 0:
		return -1, nil
	}
	return d, nil
}

func parseLateness(text string) (engine.Lateness, error) {
	if strings.EqualFold(text, "end") {
		return engine.Lateness{Set: true, End: true}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return engine.Lateness{}, fmt.Errorf("%q is neither a duration like 5s nor 'end'", text)
	}
	if d < 0 {
		return engine.Lateness{}, fmt.Errorf("%s is negative", text)
	}
	return engine.Lateness{Set: true, For: d}, nil
}

func didYouMean(word string, candidates []string) string {
	if near, ok := nearest.Name(word, candidates); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// offer names the candidate that a mistyped word was meant to be, or all of them.
func offer(word string, candidates []string) string {
	if text := didYouMean(word, candidates); text != "" {
		return text
	}
	return ": one of " + strings.Join(candidates, ", ")
}

// parseSize reads a size with a unit: 64KiB, 1MB, 4096.
func parseSize(text string) (int64, error) {
	units := []struct {
		name string
		size float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"B", 1}, {"", 1}}
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || !(n > 0) || n*u.size > 1<<50 {
			break
		}
		return int64(n * u.size), nil
	}
	return 0, fmt.Errorf("%q is not a size: write 64KiB, 16MiB or a number of bytes", text)
}
