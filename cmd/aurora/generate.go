package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/experiments/workload"
)

func generateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "generate NAME",
		Short: "Write a made-up stream: " + strings.Join(workload.Names(), ", "),
		Long: `Write a made-up stream to standard output or a file. The same seed gives the same bytes
on every machine.`,
		Example: `  aurora generate weblog --count 1000000 -o weblog.ndjson
  aurora generate sensors --format csv --count 1000 --seed 7`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which workload? One of %s: aurora generate weblog", strings.Join(workload.Names(), ", "))
			}
			return usagef("no workload is called %q%s", args[0], offer(args[0], workload.Names()))
		},
	}
	for _, w := range workload.All() {
		c.AddCommand(workloadCommand(w))
	}
	return c
}

// workloadCommand makes a command whose flags are the workload's parameters.
func workloadCommand(w workload.Workload) *cobra.Command {
	cfg := w.Defaults()
	var path string
	var live bool
	c := &cobra.Command{
		Use:   w.Name,
		Short: w.Doc,
		Long:  fmt.Sprintf("%s.\n\nColumns: %s.\nWithout --count and --duration it goes on for ever.", strings.ToUpper(w.Doc[:1])+w.Doc[1:], w.Columns),
		Example: fmt.Sprintf(`  aurora generate %[1]s --count 1000000 -o %[1]s.ndjson

  aurora generate %[1]s --rate 500 --live | aurora query "SELECT window_start,
      count(*) AS n FROM tumble(stdin, ts, '1s') GROUP BY window_start" --lateness 1s`, w.Name),
		Args: noArgs,
	}
	set := c.Flags()
	set.SortFlags = false
	set.StringVarP(&path, "output", "o", "", "`file` to write; by default standard output (-o weblog.ndjson)")
	set.BoolVar(&live, "live", false, "keep to the rate in real time, with event times from now on (--live)")
	for _, p := range w.Params {
		v := &parameter{param: p, cfg: &cfg}
		set.Var(v, p.Name, fmt.Sprintf("%s (--%s %s)", p.Doc, p.Name, examples[p.Name]))
		if f := set.Lookup(p.Name); f.DefValue == "0s" {
			f.DefValue = "0" // which help leaves out
		}
	}
	complete(c, "format", "ndjson", "csv", "combined")
	complete(c, "bursts", "constant", "sine", "square", "pareto")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if live && !c.Flags().Changed("start") {
			cfg.Start = time.Now().UTC()
		}
		g, err := w.Open(cfg)
		if err != nil {
			return usageError{err}
		}
		return writeStream(c.OutOrStdout(), path, g, live)
	}
	return c
}

// parameter is a workload's parameter as a flag's value.
type parameter struct {
	param workload.Param
	cfg   *workload.Config
}

// String implements pflag.Value.
func (p *parameter) String() string {
	if p.cfg == nil {
		return ""
	}
	return p.param.Value(*p.cfg)
}

// Set implements pflag.Value.
func (p *parameter) Set(text string) error { return p.param.Set(p.cfg, text) }

// Type implements pflag.Value.
func (p *parameter) Type() string {
	text := p.String()
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return "number"
	}
	if _, err := time.ParseDuration(text); err == nil {
		return "duration"
	}
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return "time"
	}
	return "word"
}

// examples are values that show how parameters are written.
var examples = map[string]string{
	"format": "csv", "count": "1000000", "duration": "10m", "rate": "500", "start": "2026-01-01T00:00:00Z", "seed": "7", "skew": "0",
	"disorder": "2s", "displaced": "0.2", "bursts": "square", "period": "1m", "peak": "5", "duty": "0.1", "alpha": "1.2",
	"hosts": "1000", "users": "5000", "user-skew": "1.1", "errors": "0.2", "sensors": "50", "missing": "0.1",
}

// writeStream writes to the file at path, or to stdout when there is none.
func writeStream(stdout io.Writer, path string, g *workload.Generator, live bool) error {
	write := func(out io.Writer) error {
		if live {
			return pace(out, g)
		}
		if _, err := g.WriteTo(out); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		return nil
	}
	if path == "" {
		return write(stdout)
	}
	file, err := os.Create(path)
	if err != nil {
		return usagef("-o %s: %w", path, cause(err))
	}
	return errors.Join(write(file), file.Close())
}

// pace writes each record when it is due.
func pace(out io.Writer, g *workload.Generator) error {
	w := bufio.NewWriter(out)
	if _, err := w.WriteString(g.Header()); err != nil {
		return err
	}
	start := time.Now()
	var line []byte
	for {
		var ok bool
		if line, ok = g.Next(line[:0]); !ok {
			return w.Flush()
		}
		if wait := g.Due() - time.Since(start); wait > time.Millisecond {
			if err := w.Flush(); err != nil {
				return fmt.Errorf("writing: %w", err)
			}
			time.Sleep(wait)
		}
		if _, err := w.Write(line); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
}
