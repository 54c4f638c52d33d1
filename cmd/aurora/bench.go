package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/experiments/bench"
)

func benchCommand() *cobra.Command {
	opt := bench.Options{}
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure events per core-second on this machine",
		Long: `Write a stream of web events (194 bytes each) to a temporary file and measure the
processor time that queries need per event, as the median of several runs, next to what
reading the file and counting its lines needs.`,
		Example: `  aurora bench
  aurora bench --events 500000 --runs 3 --workers 1`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if opt.Events < 1 || opt.Runs < 1 || opt.Workers < 0 || opt.Workers > engine.MaxWorkers {
				return usagef("--events and --runs must be at least 1, --workers between 0 and %d", engine.MaxWorkers)
			}
			return runBench(c, opt)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().Int64Var(&opt.Events, "events", 1_000_000, "`number` of events in the file (--events 2600000: 500 MB)")
	c.Flags().IntVar(&opt.Runs, "runs", 5, "`number` of runs of each case; the median counts (--runs 3)")
	c.Flags().IntVar(&opt.Workers, "workers", 0, "`number` of decode workers; 0: one per core (--workers 1)")
	return c
}

// removeOnSignal ends the program when it is told to, leaving no folder behind, until the returned function is called.
func removeOnSignal(dir string) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		if sig, ok := (<-signals).(syscall.Signal); ok {
			os.RemoveAll(dir)
			os.Exit(exitSignal + int(sig))
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}

func runBench(c *cobra.Command, opt bench.Options) error {
	dir, err := os.MkdirTemp("", "aurora-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	defer removeOnSignal(dir)()
	opt.Dir = dir
	results, err := bench.Run(opt, bench.Cases())
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%d events, median of %d runs, %s, %d cores\n", opt.Events, opt.Runs, runtime.Version(), runtime.NumCPU())
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "CPU ns/event\tx wc -l\tM events/core-second\twall M events/s\t  case")
	base := map[string]float64{}
	for _, r := range results {
		if r.Queries == nil {
			base[r.File] = r.PerEvent(opt.Events)
		}
		per := r.PerEvent(opt.Events)
		fmt.Fprintf(table, "%.0f\t%.2f\t%.2f\t%.2f\t  %s\n", per, per/base[r.File], 1000/per, float64(opt.Events)/r.Wall.Seconds()/1e6, r.Name)
	}
	return table.Flush()
}
