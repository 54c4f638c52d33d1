package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/experiments/workload"
)

func generateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "generate NAME",
		Short: "Write a made-up stream: " + strings.Join(workload.Names(), ", "),
		Long:  "Write a made-up stream to standard output or a file. The same seed gives the same bytes on every machine.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which workload? One of %s", strings.Join(workload.Names(), ", "))
			}
			return usagef("no workload is called %q%s (there are: %s)", args[0], didYouMean(args[0], workload.Names()), strings.Join(workload.Names(), ", "))
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
		Long:  fmt.Sprintf("%s.\nColumns: %s. Without --count and --duration it goes on for ever.", strings.ToUpper(w.Doc[:1])+w.Doc[1:], w.Columns),
		Example: fmt.Sprintf(`  aurora generate %[1]s --count 1000000 -o %[1]s.ndjson
  aurora generate %[1]s --rate 500 --live | aurora query "SELECT window_start, count(*) AS n FROM tumble(stdin, ts, '1s') GROUP BY window_start"`, w.Name),
		Args: noArgs,
	}
	c.Flags().SortFlags = false
	values := map[string]*string{}
	for _, p := range w.Params {
		values[p.Name] = c.Flags().String(p.Name, p.Value(cfg), p.Doc)
	}
	c.Flags().StringVarP(&path, "output", "o", "", "`file` to write; default: standard output (-o weblog.ndjson)")
	c.Flags().BoolVar(&live, "live", false, "keep to the rate in real time, with event times from now on")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if live && !c.Flags().Changed("start") {
			cfg.Start = time.Now().UTC()
		}
		for _, p := range w.Params {
			if !c.Flags().Changed(p.Name) {
				continue
			}
			if err := p.Set(&cfg, *values[p.Name]); err != nil {
				return usagef("--%s: %w", p.Name, err)
			}
		}
		g, err := w.Open(cfg)
		if err != nil {
			return usageError{err}
		}
		return writeStream(c.OutOrStdout(), path, g, live)
	}
	return c
}

func writeStream(stdout io.Writer, path string, g *workload.Generator, live bool) error {
	out := stdout
	if path != "" {
		file, err := os.Create(path)
		if err != nil {
			return usageError{err}
		}
		defer file.Close()
		out = file
	}
	if live {
		return pace(out, g)
	}
	if _, err := g.WriteTo(out); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
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
