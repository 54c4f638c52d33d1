package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/sink"
)

// queryFlags are the flags of aurora query.
type queryFlags struct {
	inputFlags
	file     string
	output   string
	color    string
	onBad    string
	badOut   string
	lateOut  string
	limit    int64
	duration time.Duration
	stats    bool
	quiet    bool
}

const queryLong = `Run one query, to the end of its input or until interrupted, and print its rows as they are final.

A FILE is a stream named by its stem: access.log is access. Standard input is the stream stdin. FROM 'path' reads a file
without naming it first. Results go to standard output: a table on a terminal, NDJSON otherwise. Everything else goes to standard error.

Windows:    FROM tumble(s, ts, '1 minute'), FROM hop(s, ts, slide => '10s', size => '1m'), or GROUP BY tumble(ts, '1m')
Signals:    the first SIGINT or SIGTERM stops reading and prints the open windows, marked as not final; the second stops at once.
            SIGUSR1 prints a line of status.
Exit codes: 0 done; 1 run-time failure; 2 usage or SQL error, nothing was read; 3 bad records and --on-bad fail;
            130, 143 stopped by SIGINT, SIGTERM.
Every flag may be given in the environment: AURORA_TIME_UNIT=ms stands for --time-unit ms; or in a --config file.`

const queryExample = `  aurora query 'SELECT status, count(*) AS n, sum(bytes) AS b FROM access GROUP BY status ORDER BY n DESC' access.log
  aurora query "SELECT window_start, origin, avg(delay) FROM tumble(f, time, '1 hour') GROUP BY window_start, origin" -i f=flights.csv
  tail -f events.ndjson | aurora query "SELECT window_start, count(*) AS n FROM tumble(stdin, ts, '10s') GROUP BY window_start" | jq .n`

func queryCommand() *cobra.Command {
	var f queryFlags
	c := &cobra.Command{
		Use:     "query [flags] 'SQL' [FILE...]",
		Short:   "Run one query over files or standard input",
		Long:    queryLong,
		Example: queryExample,
		RunE: func(c *cobra.Command, args []string) error {
			if err := settle(c); err != nil {
				return err
			}
			return f.run(c, args)
		},
	}
	set := c.Flags()
	set.SortFlags = false
	f.inputFlags.add(set)
	set.StringVarP(&f.file, "file", "f", "", "read the SQL from a `file`; all arguments are then inputs (-f report.sql)")
	set.StringVarP(&f.output, "output", "o", "", "`format` of the rows: table, ndjson, json, csv, tsv, markdown, none; default: table on a terminal, else ndjson (-o csv)")
	set.StringVar(&f.color, "color", "auto", "`when` to colour tables: auto, always, never; NO_COLOR is respected (--color never)")
	set.StringVar(&f.onBad, "on-bad", "skip", "`what` to do about records that cannot be read: skip or fail (--on-bad fail)")
	set.StringVar(&f.badOut, "bad-out", "", "write bad records to a `file`: NDJSON with file, offset, record, reason and raw bytes (--bad-out bad.ndjson)")
	set.StringVar(&f.lateOut, "late-out", "", "write records that came too late to a `file`, as they were (--late-out late.ndjson)")
	set.Int64Var(&f.limit, "limit", -1, "stop after this `number` of rows (--limit 10)")
	set.DurationVar(&f.duration, "duration", 0, "stop reading after this `time` and print the open windows (--duration 30s)")
	set.BoolVar(&f.stats, "stats", false, "end with one line of JSON on standard error: what became of every record")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "no banner, notes or progress on standard error; errors only")
	addConfig(set)
	return c
}

// run is the whole of aurora query.
func (f *queryFlags) run(c *cobra.Command, args []string) error {
	sql, files, err := f.statement(args)
	if err != nil {
		return err
	}
	opt, closeFiles, err := f.options()
	if err != nil {
		return err
	}
	defer closeFiles()
	e := engine.New(opt)
	if err := f.addStreams(e, files); err != nil {
		return err
	}
	out, err := f.sink(c.OutOrStdout())
	if err != nil {
		return err
	}
	q, err := e.Query(sql, out)
	if err != nil {
		return beforeRun(err)
	}
	if q == nil {
		return nil
	}
	for _, n := range q.Notes() {
		opt.Note(n)
	}
	err = f.watch(e)
	if f.stats {
		printLedgers(os.Stderr, e)
	}
	return err
}

// statement returns the SQL and the input files.
func (f *queryFlags) statement(args []string) (string, []string, error) {
	if f.file != "" {
		text, err := os.ReadFile(f.file)
		if err != nil {
			return "", nil, usageError{err}
		}
		return string(text), args, nil
	}
	if len(args) == 0 {
		return "", nil, usagef("no SQL: aurora query 'SELECT ...' [FILE...], or -f FILE")
	}
	return args[0], args[1:], nil
}

// options turns the flags into the engine's options. The returned function closes what was opened.
func (f *queryFlags) options() (opt engine.Options, closeFiles func() error, err error) {
	closeFiles = func() error { return nil }
	if opt.Defaults, err = f.defaults(); err != nil {
		return opt, closeFiles, err
	}
	size, err := parseSize(f.maxLine)
	if err != nil {
		return opt, closeFiles, usagef("--max-line: %w", err)
	}
	if f.onBad != "skip" && f.onBad != "fail" {
		return opt, closeFiles, usagef("--on-bad %q: write skip or fail", f.onBad)
	}
	if f.workers < 0 {
		return opt, closeFiles, usagef("--workers %d: write a number of workers, 0 for one per core", f.workers)
	}
	opt.MaxLine, opt.FailOnBad, opt.Workers, opt.Limit = int(size), f.onBad == "fail", f.workers, f.limit
	opt.Note = f.note
	var open []*os.File
	for _, o := range []struct {
		path string
		to   *io.Writer
	}{{f.badOut, &opt.BadOut}, {f.lateOut, &opt.LateOut}} {
		if o.path == "" {
			continue
		}
		file, err := os.Create(o.path)
		if err != nil {
			return opt, closeFiles, usageError{err}
		}
		open = append(open, file)
		*o.to = file
	}
	return opt, func() error {
		for _, file := range open {
			file.Close()
		}
		return nil
	}, nil
}

// note prints a message for a person.
func (f *queryFlags) note(text string) {
	if !f.quiet {
		status.print("aurora: " + text)
	}
}

func (f *queryFlags) sink(w io.Writer) (sink.Sink, error) {
	file, isFile := w.(*os.File)
	terminal := isFile && term.IsTerminal(int(file.Fd()))
	format := f.output
	if format == "" {
		format = "ndjson"
		if terminal {
			format = "table"
		}
	}
	opt := sink.Options{Warn: f.note, Terminal: terminal}
	switch f.color {
	case "auto":
		opt.Color = terminal && os.Getenv("NO_COLOR") == ""
	case "always":
		opt.Color = true
	case "never":
	default:
		return nil, usagef("--color %q: write auto, always or never", f.color)
	}
	if terminal {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			opt.Width = width
		}
	}
	s, err := sink.New(sink.Format(format), w, opt)
	if err != nil {
		return nil, usagef("-o %s: %w", format, err)
	}
	return s, nil
}

// watch runs the engine under the user's eyes: signals, progress, time limit.
func (f *queryFlags) watch(e *engine.Engine) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var first atomic.Int32
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1)
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			switch sig := s.(syscall.Signal); {
			case sig == syscall.SIGUSR1:
				status.print(statusLine(e.Progress()))
			case first.CompareAndSwap(0, int32(sig)):
				f.note("stopping; again to stop at once")
				e.Drain()
			default:
				cancel()
			}
		}
	}()
	if f.duration > 0 {
		defer time.AfterFunc(f.duration, e.Drain).Stop()
	}
	stop := status.start(e, f.quiet)
	err := e.Run(ctx)
	stop()
	if sig := first.Load(); sig != 0 && (err == nil || ctx.Err() != nil) {
		return signalled{syscall.Signal(sig)}
	}
	return err
}

// beforeRun marks an error that was found before any record was processed.
func beforeRun(err error) error {
	return usageError{fmt.Errorf("%w", err)}
}

func printLedgers(w io.Writer, e *engine.Engine) {
	for _, l := range e.Ledgers() {
		text, err := json.Marshal(l)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(w, "%s\n", text)
	}
}

func statusLine(p engine.Progress) string {
	var b strings.Builder
	fmt.Fprintf(&b, "aurora: %d records, %s", p.Records, bytesText(p.Done))
	if p.Total > 0 {
		fmt.Fprintf(&b, " of %s (%.0f %%)", bytesText(p.Total), 100*float64(p.Done)/float64(p.Total))
	}
	return b.String()
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
