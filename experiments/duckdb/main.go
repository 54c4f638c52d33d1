// Command duckdb is the outside judge of this project: DuckDB, one thread, on
// the files that aurora reads.
//
//	duckdb query FILE        the reference query, rows on stdout, CPU on stderr
//	duckdb compare ...       CPU time per event: wc -l, aurora, DuckDB
//	duckdb check ...         aurora's exact answers against DuckDB's
//
// It is a module of its own, because DuckDB needs cgo, and imports nothing of
// aurora: the two meet as processes that read the same file.
//
// The model of compare: every contender is a child process on a file in the
// page cache; its cost is the user and system time of that process, start-up
// included, divided by the records of the file. Runs are interleaved, so that
// a slow minute of the machine meets all contenders; the figure is the median.
//
// Limits: Unix only. Absolute figures move from run to run: quote the ratios.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

const usage = `usage: duckdb COMMAND [flags]

  query [--query NAME] [--approx] FILE    the reference query on an NDJSON or CSV file
  compare --file F.ndjson [--csv F.csv] [--aurora BIN] [--runs 7]
  check --aurora BIN [--file F.ndjson] [--csv F.csv] [--flights F.csv.gz]
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "duckdb:", err)
		if errors.Is(err, errUsage) {
			fmt.Fprint(os.Stderr, usage)
			os.Exit(2)
		}
		os.Exit(1)
	}
}

var errUsage = errors.New("wrong usage")

func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	switch args[0] {
	case "query":
		return runQuery(flags, args[1:])
	case "compare":
		return runCompare(flags, args[1:])
	case "check":
		return runCheck(flags, args[1:])
	}
	return fmt.Errorf("%w: no command %q", errUsage, args[0])
}
