package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"text/tabwriter"
)

// contender is a process that reads a file.
type contender struct {
	name   string
	format string
	env    []string
	args   []string
	ns     []float64 // CPU time per event, by run
	peak   int64     // largest resident set, KiB
}

// runCompare prints the CPU time per event of every contender.
func runCompare(flags *flag.FlagSet, args []string) error {
	name := flags.String("query", "reference", "reference, nodistinct or counts")
	aurora := flags.String("aurora", "", "aurora's binary; without it only wc and DuckDB run")
	file := flags.String("file", "", "the NDJSON file")
	csv := flags.String("csv", "", "its CSV twin")
	runs := flags.Int("runs", 7, "interleaved runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	q, err := findQuestion(*name)
	if err != nil {
		return err
	}
	if *file == "" || *runs < 1 {
		return fmt.Errorf("%w: compare needs --file and a run", errUsage)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	all := contenders(q, binaries{self, *aurora}, *file, *csv)
	events, err := countRecords(*file)
	if err != nil {
		return err
	}
	if *csv != "" {
		twin, err := countRecords(*csv)
		if err != nil {
			return err
		}
		if twin != events {
			return fmt.Errorf("%s has %d records, its twin %d", *file, events, twin)
		}
	}
	for run := range *runs {
		for _, c := range all {
			if err := c.measure(events); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "run %d of %d\n", run+1, *runs)
	}
	fmt.Printf("%s query, %d events, median of %d runs\n\n", q.name, events, *runs)
	return report(os.Stdout, all)
}

type binaries struct{ self, aurora string }

// contenders returns who is compared; the first one is the unit, and the exact
// DuckDB of a format is the rival of that format.
func contenders(q question, bin binaries, file, csv string) []*contender {
	all := []*contender{{name: "wc -l", format: "ndjson", args: []string{"wc", "-l", file}}}
	for _, in := range []struct{ format, file string }{{"ndjson", file}, {"csv", csv}} {
		if in.file == "" {
			continue
		}
		if bin.aurora != "" {
			query := []string{bin.aurora, "query", "-o", "ndjson", "-i", "logs=" + in.file}
			one := []string{"GOMAXPROCS=1"}
			all = append(all,
				&contender{name: "aurora, 1 thread", format: in.format, env: one, args: append(slices.Clone(query), q.auroraSQL())},
				&contender{name: "aurora, 1 thread, lateness 5s", format: in.format, env: one, args: append(slices.Clone(query), "--lateness", "5s", q.auroraSQL())},
				&contender{name: "aurora", format: in.format, args: append(slices.Clone(query), q.auroraSQL())})
		}
		query := []string{bin.self, "query", "--quiet", "--query", q.name}
		all = append(all, &contender{name: duckExact, format: in.format, args: append(slices.Clone(query), in.file)})
		if q.approx != q.exact {
			all = append(all, &contender{name: "DuckDB, approximate", format: in.format, args: append(slices.Clone(query), "--approx", in.file)})
		}
	}
	return all
}

const duckExact = "DuckDB, exact"

// measure runs the process once.
func (c *contender) measure(events int) error {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Env = append(os.Environ(), c.env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", c.name, err, stderr.Bytes())
	}
	state := cmd.ProcessState
	c.ns = append(c.ns, float64(state.UserTime()+state.SystemTime())/float64(events))
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		c.peak = max(c.peak, u.Maxrss)
	}
	return nil
}

// report writes a Markdown table. The last ratio is DuckDB exact on the same
// format over the contender: how many times cheaper the contender is.
func report(w io.Writer, all []*contender) error {
	rivals := map[string]float64{}
	for _, c := range all {
		if c.name == duckExact {
			rivals[c.format] = median(c.ns)
		}
	}
	unit := median(all[0].ns)
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| contender\t| input\t| CPU ns/event\t| range\t| x wc -l\t| DuckDB exact / it\t| peak MiB\t|")
	fmt.Fprintln(t, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, c := range all {
		m := median(c.ns)
		fmt.Fprintf(t, "| %s\t| %s\t| %.0f\t| %.0f-%.0f\t| %.2f\t| %.2f\t| %d\t|\n",
			c.name, c.format, m, slices.Min(c.ns), slices.Max(c.ns), m/unit, rivals[c.format]/m, c.peak>>10)
	}
	return t.Flush()
}

// median returns the middle of the values, the lower of two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}
