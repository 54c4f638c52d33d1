// Package bench measures how many events a core answers in a second on this machine.
//
// # Model
//
// A stream of web events (workload.Weblog, about 194 bytes each) is written to a file in NDJSON and in CSV. Each
// [Case] is run over it several times, the cases in turn so that what else the machine does falls on all of them
// alike, and the median of the processor time (user and system, all threads) is reported, per event and as a ratio
// to the first case, which only counts line feeds: what "wc -l" does.
//
// # Limits
//
// Figures of different runs differ by tens of per cent on a shared machine; ratios within a run are what counts.
package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/experiments/workload"
)

// Case is one thing to measure: queries over the stream logs that share its decoding, or counting lines when there are none.
type Case struct {
	Name    string
	File    string // "ndjson" or "csv"
	Queries []string
	Keep    float64 // share of the records that a drop before decoding keeps; 0: all, without one
}

// shed is the reference query without its DISTINCT, which bars random drops.
const shed = `SELECT window_start, host, count(*) AS n, avg(latency) AS mean, approx_quantile(latency, 0.99) AS p99
FROM tumble(logs, ts, INTERVAL '1 minute') WHERE status >= 500 GROUP BY window_start, host`

const reference = `SELECT window_start, host, count(*) AS n, avg(latency) AS mean,
	approx_quantile(latency, 0.99) AS p99, approx_count_distinct(user) AS users
FROM tumble(logs, ts, INTERVAL '1 minute') WHERE status >= 500 GROUP BY window_start, host`

const byHost = "SELECT host, count(*) AS n, avg(latency) AS mean FROM logs GROUP BY host"

// Cases are what "aurora bench" measures: the reference query of the project, its parts, and how the cost grows with
// groups and with queries.
func Cases() []Case {
	grouped := func(groups int) []string {
		return []string{fmt.Sprintf("SELECT bytes %% %d AS k, count(*) AS n, avg(latency) AS mean FROM logs GROUP BY k", groups)}
	}
	return []Case{
		{Name: "count line feeds, as wc -l does", File: "ndjson"},
		{Name: "count(*): every record checked", File: "ndjson", Queries: []string{"SELECT count(*) AS n FROM logs"}},
		{Name: "filter, project", File: "ndjson", Queries: []string{"SELECT ts, host, latency * 1000 AS us FROM logs WHERE status >= 500 AND latency > 1"}},
		{Name: "reference query", File: "ndjson", Queries: []string{reference}},
		{Name: "without DISTINCT", File: "ndjson", Queries: []string{shed}},
		{Name: "without DISTINCT, keep 0.5", File: "ndjson", Queries: []string{shed}, Keep: 0.5},
		{Name: "without DISTINCT, keep 0.1", File: "ndjson", Queries: []string{shed}, Keep: 0.1},
		{Name: "without DISTINCT, keep 0.01", File: "ndjson", Queries: []string{shed}, Keep: 0.01},
		{Name: "count, avg in 1 group", File: "ndjson", Queries: grouped(1)},
		{Name: "count, avg in 1,000 groups", File: "ndjson", Queries: grouped(1000)},
		{Name: "count, avg by user", File: "ndjson", Queries: []string{"SELECT user, count(*) AS n, avg(latency) AS mean FROM logs GROUP BY user"}},
		{Name: "one query by host", File: "ndjson", Queries: []string{byHost}},
		{Name: "four queries by host", File: "ndjson", Queries: []string{byHost, byHost, byHost, byHost}},
		{Name: "count line feeds, CSV", File: "csv"},
		{Name: "reference query, CSV", File: "csv", Queries: []string{reference}},
		{Name: "without DISTINCT, keep 0.1, CSV", File: "csv", Queries: []string{shed}, Keep: 0.1},
	}
}

// Options say how much to measure.
type Options struct {
	Events  int64  // records in each file, at least 1
	Runs    int    // of each case, at least 1
	Workers int    // decode workers; 0 is one per core
	Dir     string // where the files are written; they are removed afterwards
}

// Result is the median of a case's runs.
type Result struct {
	Case
	CPU   time.Duration // processor time of a run, over all threads
	Wall  time.Duration // from the query's start to its end
	Rows  int64         // of the answer; lines where lines are counted
	Bytes int64         // of the file
}

// PerEvent returns the processor time per event in ns.
func (r Result) PerEvent(events int64) float64 { return float64(r.CPU.Nanoseconds()) / float64(events) }

// Run writes the files, measures all cases and returns a result per case.
func Run(opt Options, cases []Case) ([]Result, error) {
	if opt.Events < 1 || opt.Runs < 1 {
		return nil, fmt.Errorf("nothing to measure: %d events, %d runs", opt.Events, opt.Runs)
	}
	files := map[string]string{}
	for _, format := range []workload.Format{workload.NDJSON, workload.CSV} {
		path := filepath.Join(opt.Dir, "weblog."+string(format))
		if err := write(path, format, opt.Events); err != nil {
			return nil, err
		}
		defer os.Remove(path)
		files[string(format)] = path
	}
	wall := clock.StartWall()
	results := make([]Result, len(cases))
	cpus, walls := make([][]time.Duration, len(cases)), make([][]time.Duration, len(cases))
	for range opt.Runs {
		for i, c := range cases {
			cpu, at := processorTime(), wall.Now()
			rows, size, err := measure(c, files[c.File], opt.Workers)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			cpus[i] = append(cpus[i], processorTime()-cpu)
			walls[i] = append(walls[i], wall.Now()-at)
			results[i] = Result{Case: c, Rows: rows, Bytes: size}
		}
	}
	for i := range results {
		results[i].CPU, results[i].Wall = median(cpus[i]), median(walls[i])
	}
	return results, nil
}

// write makes the file of a format.
func write(path string, format workload.Format, events int64) (err error) {
	cfg := workload.WeblogDefaults()
	cfg.Format, cfg.Count = format, events
	g, err := workload.Weblog(cfg)
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = g.WriteTo(file)
	return err
}

// measure runs a case once.
func measure(c Case, path string, workers int) (rows, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	if c.Queries == nil {
		rows, err = countLines(path)
		return rows, info.Size(), err
	}
	opt := engine.Options{Workers: workers}
	if c.Keep > 0 {
		opt.Answers.Sample = []float64{c.Keep}
	}
	e := engine.New(opt)
	if err := e.AddStream("logs", engine.Input{Paths: []string{path}}); err != nil {
		return 0, 0, err
	}
	for _, sql := range c.Queries {
		out, err := sink.New(sink.None, io.Discard, sink.Options{})
		if err != nil {
			return 0, 0, err
		}
		q, err := e.Query(sql, out)
		if err != nil {
			return 0, 0, err
		}
		defer func() { rows += q.Rows() }()
	}
	err = e.Run(context.Background())
	return rows, info.Size(), err
}

// countLines reads like wc: a large buffer over and over, counting line feeds.
func countLines(path string) (lines int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	buf := make([]byte, 256<<10)
	for {
		n, err := file.Read(buf)
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		switch {
		case err == io.EOF:
			return lines, nil
		case err != nil:
			return lines, err
		}
	}
}

// processorTime returns what this process has used so far, user and system, over all threads.
func processorTime() time.Duration {
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err != nil {
		panic(err) // the system knows this process and the arguments are constant
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
