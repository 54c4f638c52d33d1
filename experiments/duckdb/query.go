package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// runQuery answers the reference query with DuckDB. Rows go to stdout; stderr
// gets one line of JSON with the CPU time of the query.
func runQuery(flags *flag.FlagSet, args []string) error {
	name := flags.String("query", "reference", "reference, nodistinct or counts")
	approx := flags.Bool("approx", false, "DuckDB's approximate aggregates")
	quiet := flags.Bool("quiet", false, "do not measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%w: query needs one file", errUsage)
	}
	q, err := findQuestion(*name)
	if err != nil {
		return err
	}
	before, err := selfCPU()
	if err != nil {
		return err
	}
	t, err := duckDB(q.duckSQL(flags.Arg(0), *approx))
	if err != nil {
		return err
	}
	after, err := selfCPU()
	if err != nil {
		return err
	}
	if err := t.writeNDJSON(os.Stdout); err != nil {
		return err
	}
	if *quiet {
		return nil
	}
	events, err := countRecords(flags.Arg(0))
	if err != nil {
		return err
	}
	cpu := after - before
	_, err = fmt.Fprintf(os.Stderr, `{"rows":%d,"events":%d,"cpu_ms":%d,"cpu_ns_per_event":%.1f}`+"\n",
		len(t.rows), events, cpu.Milliseconds(), float64(cpu)/float64(events))
	return err
}

// selfCPU returns the user and system time of this process so far.
func selfCPU() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("reading the resource usage: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// countRecords returns the lines of a file, without the header of a CSV file.
func countRecords(file string) (int, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines, buf := 0, make([]byte, 1<<20)
	for {
		n, err := f.Read(buf)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	if isCSV(file) {
		lines--
	}
	if lines < 1 {
		return 0, fmt.Errorf("%s has no records", file)
	}
	return lines, nil
}
