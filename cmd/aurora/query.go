package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/sink"
)

// queryFlags are the flags of aurora query.
type queryFlags struct {
	inputFlags
	answerFlags
	file     string
	output   string
	color    string
	onBad    string
	badOut   outFile
	lateOut  outFile
	limit    int64
	duration time.Duration
	stats    bool
	quiet    bool
}

const queryLong = `Run one query, to the end of its input or until interrupted, and print its rows as
they are final.

A FILE is a stream that is named by its stem: access.log is the stream access.
Standard input is the stream stdin. FROM 'path' reads a file that has no name yet, or
all files that match a pattern. Rows go to standard output, as a table on a terminal, or
a line per column where that is too narrow for it, and as NDJSON otherwise; everything
else goes to standard error.

Windows     FROM tumble(s, ts, '1 minute'), FROM hop(s, ts, slide => '10s', size => '1m'),
            or GROUP BY tumble(ts, '1m')
Answers     exact, unless --sample, --within, --memory, --weight or TABLESAMPLE allow less:
            then every aggregate has its interval, n_lo and n_hi beside n, in tables as in
            1,234 ±18; = is behind what is exact, ~ behind what cannot be relied on. What
            the marks and _kept, _exact, _unseen, _other, _unreliable, _late and _final
            mean: aurora help answers
Signals     The first SIGINT or SIGTERM stops reading and prints the open windows, marked
            as not final; the second stops at once. SIGUSR1 prints a line of status.
Exit codes  0 done; 1 run-time failure; 2 usage or SQL error, nothing was read; 3 bad
            records and --on-bad fail; 130, 143 stopped by SIGINT, SIGTERM
Settings    AURORA_TIME_UNIT=ms in the environment stands for --time-unit ms, and so for
            every flag. A --config file holds flags, too. The command line goes before
            the environment, and that before the file.`

const queryExample = `  aurora query 'SELECT status, count(*) AS n FROM access GROUP BY status
      ORDER BY n DESC' access.log

  aurora query "SELECT window_start, origin, avg(delay) AS delay
      FROM tumble(f, time, '1 hour') GROUP BY window_start, origin" -i f=flights.csv

  aurora query 'SELECT status, count(*) AS n FROM access GROUP BY status
      ORDER BY n DESC' access.log --sample 10%

  tail -f events.ndjson | aurora query "SELECT window_start, count(*) AS n
      FROM tumble(stdin, ts, '10s') GROUP BY window_start" | jq .n`

// outputs are the formats of rows.
var outputs = []string{"table", "ndjson", "json", "csv", "tsv", "markdown", "none"}

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
	f.answerFlags.add(set)
	set.StringVarP(&f.file, "file", "f", "", "read the SQL from a `file`; all arguments are then inputs\n(-f report.sql)")
	set.VarP(checked(&f.output, "", oneOf(append(outputs, "jsonl", "md")...)), "output", "o", "`format` of the rows: "+strings.Join(outputs, ", ")+"; by default table on a terminal, else ndjson (-o csv)")
	set.Var(checked(&f.color, "auto", oneOf("auto", "always", "never")), "color", "`when` to colour tables: auto, always, never; auto heeds NO_COLOR (--color never)")
	set.Int64Var(&f.limit, "limit", 0, "stop after this `number` of rows; 0: no limit (--limit 10)")
	set.Var(checked(&f.onBad, "skip", oneOf("skip", "fail")), "on-bad", "`what` to do about records that cannot be read: skip or fail (--on-bad fail)")
	set.StringVar(&f.badOut.path, "bad-out", "", "write bad records to a `file`: NDJSON with file, offset, record, reason and raw bytes (--bad-out bad.ndjson)")
	set.StringVar(&f.lateOut.path, "late-out", "", "write records that came too late to a `file`, as they were (--late-out late.ndjson)")
	set.BoolVar(&f.stats, "stats", false, "end with a line of JSON on standard error: what became of every record (--stats)")
	set.DurationVar(&f.duration, "duration", 0, "stop reading after this `time` and print the open windows; 0: no limit (--duration 30s)")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "no banner, notes or progress, errors only (-q)")
	addConfig(set)
	group(set, groupOutput, "output", "color", "limit", "on-bad", "bad-out", "late-out", "stats")
	group(set, groupRun, "file", "duration", "quiet", "config", "workers")
	f.inputFlags.complete(c)
	f.answerFlags.complete(c)
	complete(c, "output", outputs...)
	complete(c, "color", "auto", "always", "never")
	complete(c, "on-bad", "skip", "fail")
	_ = c.MarkFlagFilename("file", "sql")
	return c
}

// run is the whole of aurora query.
func (f *queryFlags) run(c *cobra.Command, args []string) error {
	s, err := readStatement(c, f.file, args)
	if err != nil {
		return err
	}
	opt, err := f.options()
	if err != nil {
		return err
	}
	out, err := f.sink(c.OutOrStdout())
	if err != nil {
		return err
	}
	e := engine.New(opt)
	if err := f.addStreams(e, s.files); err != nil {
		return err
	}
	if slices.Contains(f.paths, "-") || strings.Contains(strings.ToLower(s.sql), engine.Stdin) {
		f.noteTyping()
	}
	w := startWatch(e, f.duration, f.note)
	defer w.close()
	b, err := e.Plan(s.sql)
	switch {
	case err != nil:
		return w.outcome(s.blame(err))
	case b.Explain:
		for _, text := range b.Warnings {
			f.note("aurora: " + text)
		}
		_, err := fmt.Fprint(c.OutOrStdout(), plan.Explain(b.Plan))
		return err
	}
	f.noteUnused(e, b)
	q, err := e.Attach(b, out)
	if err != nil {
		return w.outcome(s.blame(err))
	}
	for _, n := range q.Notes() {
		f.note("aurora: " + n)
	}
	if err := f.openOutputs(); err != nil {
		return err
	}
	err = w.run(f.quiet)
	if closing := f.closeOutputs(); err == nil {
		err = closing
	}
	if f.stats {
		printLedgers(os.Stderr, e)
	}
	return err
}

// options turns the flags into the engine's options.
func (f *queryFlags) options() (engine.Options, error) {
	opt, err := f.inputFlags.options()
	switch {
	case err != nil:
		return opt, err
	case f.limit < 0:
		return opt, usagef("--limit %d: write a number of rows, 0 for no limit", f.limit)
	case f.duration < 0:
		return opt, usagef("--duration %s: write a time, 0 for no limit", f.duration)
	}
	opt.FailOnBad, opt.Limit = f.onBad == "fail", f.limit
	opt.Note = func(text string) { f.note("aurora: " + text) }
	if f.badOut.path != "" {
		opt.BadOut = &f.badOut
	}
	if f.lateOut.path != "" {
		opt.LateOut = &f.lateOut
	}
	err = f.apply(&opt)
	return opt, err
}

// note prints a line for a person.
func (f *queryFlags) note(text string) {
	if !f.quiet {
		status.print(text)
	}
}

// noteTyping tells a person who has to type the input so.
func (f *queryFlags) noteTyping() {
	if term.IsTerminal(int(os.Stdin.Fd())) {
		f.note("aurora: reading the terminal; Ctrl-D ends the input")
	}
}

// noteUnused names the inputs that the query does not read.
func (f *queryFlags) noteUnused(e *engine.Engine, b *query.Bound) {
	used := map[string]bool{}
	for _, in := range b.Plan.Inputs {
		used[in.Stream] = true
	}
	for _, name := range e.StreamNames() {
		if !used[name] {
			f.note("aurora: the query does not read the stream " + name)
		}
	}
}

func (f *queryFlags) sink(w io.Writer) (sink.Sink, error) {
	width, terminal := terminalOf(w)
	opt := sink.Options{Warn: func(text string) { f.note("aurora: " + text) }, Terminal: terminal, Width: width}
	opt.Color = f.color == "always" || f.color == "auto" && terminal && os.Getenv("NO_COLOR") == ""
	if file, ok := w.(*os.File); ok && terminal {
		w = status.terminal(file)
	}
	return sink.New(outputFormat(f.output, terminal), w, opt)
}

// terminalOf reports whether w is a terminal, and how wide, 0 if that is not known.
func terminalOf(w io.Writer) (width int, terminal bool) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0, true
	}
	return width, true
}

// outputFormat returns the format that -o names, or else the one that suits where the rows go.
func outputFormat(name string, terminal bool) sink.Format {
	switch {
	case name == "jsonl":
		return sink.NDJSON
	case name == "md":
		return sink.Markdown
	case name == "" && terminal:
		return sink.Table
	case name == "":
		return sink.NDJSON
	}
	return sink.Format(name)
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
