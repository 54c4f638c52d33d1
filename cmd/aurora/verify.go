package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/experiments/coverage"
)

const verifyLong = `Answer a query exactly once and sampled many times, and say how often the true value lies
in the interval: whether the intervals can be trusted on this input.

HAVING, ORDER BY, LIMIT and OFFSET are left out, for they pick rows by their estimates.
Rows are matched by the columns that do not depend on aggregates. Run i has the seed
--seed + i - 1, so that aurora query --seed repeats it. It takes about as long as the exact
query and as --runs sampled ones, and reads the input so often; standard input is kept in a
file. Notes are those of the exact answer and of run 1.

coverage    share of the intervals that hold the true value, of cells that are not
            labelled as unreliable; a cell is an aggregate of a row of a run
labelled    share of the cells that are labelled, and the coverage of those
open        cells that are not labelled and lack a lower or an upper bound
width       half of an interval, relative to the true value: mean and median;
            width_oracle is the mean over that of normal intervals with the true standard
            deviation of each cell, as eight or more runs show it, and the median of that
error       mean relative error; bias is that with its sign, bias_deviation its
            standard error

Exit codes  0 every column covers the confidence, less a percentage point and what chance
            explains; 1 a column covers less, a sampled row is not in the exact answer, or a
            run failed: standard error says which; 2 usage or SQL error. In CI, 1 fails the
            build. With one --seed the result is the same every time, except with --within,
            and that chance alone leads to 1 is rare`

const verifyExample = `  aurora verify "SELECT origin, count(*) AS n, avg(delay) AS delay FROM flights
      GROUP BY origin" flights.csv --sample 10%

  aurora verify -f report.sql -i logs=access.log --sample 0.5,0.05 --runs 100 -o csv`

// verifyFlags are the flags of aurora verify.
type verifyFlags struct {
	inputFlags
	answerFlags
	file   string
	output string
	runs   int
	quiet  bool
}

// mostRuns bounds --runs: what is kept of each is small, but not nothing.
const mostRuns = 1_000_000

func verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:     "verify [flags] 'SQL' [FILE...]",
		Short:   "Measure whether the intervals of sampled answers hold the true values",
		Long:    verifyLong,
		Example: verifyExample,
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
	set.IntVar(&f.runs, "runs", 20, "`number` of sampled runs (--runs 100)")
	set.StringVarP(&f.file, "file", "f", "", "read the SQL from a `file`; all arguments are then inputs\n(-f report.sql)")
	set.VarP(checked(&f.output, "", oneOf(append(outputs, "jsonl", "md")...)), "output", "o", "`format` of the result: "+strings.Join(outputs, ", ")+"; by default table on a terminal, else ndjson (-o csv)")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "no notes, errors only (-q)")
	addConfig(set)
	group(set, groupOutput, "output")
	group(set, groupRun, "runs", "file", "quiet", "config", "workers")
	f.inputFlags.complete(c)
	f.answerFlags.complete(c)
	complete(c, "output", outputs...)
	_ = c.MarkFlagFilename("file", "sql")
	return c
}

// run is the whole of aurora verify.
func (f *verifyFlags) run(c *cobra.Command, args []string) error {
	if f.runs < 1 || f.runs > mostRuns {
		return usagef("--runs %d: write a number from 1 to %d", f.runs, mostRuns)
	}
	s, err := readStatement(c, f.file, args)
	if err != nil {
		return err
	}
	q, err := f.question(s)
	if err != nil {
		return err
	}
	stdin, err := f.keepStdin(s, q)
	if err != nil {
		return err
	}
	defer stdin.remove()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	r, err := coverage.Verify(ctx, q, f.runs)
	switch {
	case ctx.Err() != nil:
		return signalled{syscall.SIGINT}
	case err != nil:
		return f.blame(s, err)
	}
	if err := f.print(c.OutOrStdout(), r); err != nil {
		return err
	}
	if faults := r.Faults(); len(faults) > 0 {
		return errors.New(strings.Join(faults, "\n"))
	}
	return nil
}

// blame tells mistakes in the SQL from failures of a run.
func (f *verifyFlags) blame(s statement, err error) error {
	var mistake *syntax.Error
	if errors.As(err, &mistake) || errors.Is(err, coverage.ErrQuestion) {
		return s.blame(err)
	}
	return err
}

// question makes the question of the flags.
func (f *verifyFlags) question(s statement) (*coverage.Question, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	if err := f.apply(&opt); err != nil {
		return nil, err
	}
	if !f.quiet {
		opt.Note = func(text string) { status.print("aurora: " + text) }
	}
	n, err := f.named(s.files)
	if err != nil {
		return nil, err
	}
	q := &coverage.Question{SQL: s.sql, Options: opt}
	for _, name := range n.names {
		q.Streams = append(q.Streams, coverage.Stream{Name: name, Input: *n.streams[name]})
	}
	return q, nil
}

// keptInput is standard input, written to a file so that every run can read it; nil where no run does.
type keptInput struct{ dir string }

func (k *keptInput) remove() {
	if k != nil {
		os.RemoveAll(k.dir)
	}
}

// keepStdin keeps standard input where the question reads it.
func (f *verifyFlags) keepStdin(s statement, q *coverage.Question) (*keptInput, error) {
	named := slices.ContainsFunc(q.Streams, func(s coverage.Stream) bool { return s.Name == engine.Stdin })
	reads := slices.Contains(f.paths, "-")
	if !reads && (named || !strings.Contains(strings.ToLower(s.sql), engine.Stdin)) {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "aurora-verify-")
	if err != nil {
		return nil, err
	}
	k := &keptInput{dir}
	defer removeOnSignal(dir)()
	file, err := os.CreateTemp(dir, "stdin-*")
	if err == nil {
		_, err = io.Copy(file, os.Stdin)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		k.remove()
		return nil, fmt.Errorf("keeping standard input: %w", err)
	}
	for i := range q.Streams {
		for j, path := range q.Streams[i].Input.Paths {
			if path == "-" {
				q.Streams[i].Input.Paths[j] = file.Name()
			}
		}
	}
	if !reads {
		q.Streams = append(q.Streams, coverage.Stream{Name: engine.Stdin, Input: engine.Input{Paths: []string{file.Name()}}})
	}
	return k, nil
}
