// Command measure asks how often the intervals of sampled answers hold the true value, on distributions, rates, queries and real data of
// many kinds, with the engine as users run it. It prints tables in Markdown and writes a CSV file.
//
// # Model
//
// A scenario is a query over populations of CSV records, sampled in one way. Each population is answered exactly once and sampled many
// times with seeds of their own (package coverage). Cells are put into classes by the rows that are kept of them on average, so
// that a table is not ruled by cells of one size; a cell with fewer than four kept rows is in a class of its own and not in the tables.
//
// # Invariants
//
// The seed decides everything: tables are the same on every run, however many scenarios run at a time.
//
// # Limits
//
// Cells of a run share its sample, and cells of a population its values: standard errors that take them for independent are a little too
// small. The true standard deviation of a cell, the oracle, is that of its runs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run() error {
	data := flag.String("data", "experiments/data", "folder of the real input")
	csv := flag.String("csv", "", "file to write the figures of every size class to")
	only := flag.String("only", "", "measure only scenarios whose name, values and keep contain this text")
	seed := flag.Uint64("seed", 20261130, "what chance begins with")
	short := flag.Bool("quick", false, "fewer cells")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	all, err := distributions(*data)
	if err != nil {
		return err
	}
	e := full
	if *short {
		e = quick
	}
	var list []*scenario
	for _, s := range plan(*data, all, e) {
		if strings.Contains(s.name+" "+s.values.name+" "+s.keep, *only) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("no scenario contains %q", *only)
	}
	results, err := measure(ctx, list, *seed)
	if err != nil {
		return err
	}
	report(os.Stdout, results)
	if *csv != "" {
		file, err := os.Create(*csv)
		if err != nil {
			return err
		}
		writeCSV(file, results)
		if err := file.Close(); err != nil {
			return err
		}
	}
	return judge(results)
}

// judge prints what does not show, and returns an error when chance does not explain it.
func judge(results []*result) error {
	wrong := 0
	for _, m := range check(results) {
		note := ""
		if m.chance {
			note = " (within chance)"
		} else {
			wrong++
		}
		fmt.Fprintf(os.Stderr, "%s%s\n", m.text, note)
	}
	if wrong > 0 {
		return fmt.Errorf("%d figures are not what they have to be", wrong)
	}
	return nil
}

// measure runs the scenarios, one per core at a time, and returns their results in order.
func measure(ctx context.Context, list []*scenario, seed uint64) ([]*result, error) {
	dir, err := os.MkdirTemp("", "aurora-coverage-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results, failures := make([]*result, len(list)), make([]error, len(list))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				if results[i], failures[i] = list[i].run(ctx, dir, seed); failures[i] != nil {
					cancel(failures[i])
				}
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return results, errors.Join(failures...)
}
