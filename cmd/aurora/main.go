// Command aurora answers windowed SQL over streams: files, pipes and what comes through them.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
)

// version is set by the linker.
var version = "devel"

// Exit codes, see the help of "aurora query".
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitBad    = 3
)

// usageError is a mistake in the command line or in the SQL: nothing was read.
type usageError struct{ err error }

func (u usageError) Error() string { return u.err.Error() }
func (u usageError) Unwrap() error { return u.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// signalled is the end of a run that a signal asked for.
type signalled struct{ sig syscall.Signal }

func (s signalled) Error() string { return "stopped by " + s.sig.String() }

func main() {
	// Without this the runtime dies of the signal when standard output is closed; a write's EPIPE says the same.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(exitCode(rootCommand().Execute()))
}

// exitCode says what went wrong, unless that is obvious, and returns the program's exit code.
func exitCode(err error) int {
	var usage usageError
	var sig signalled
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitDone
	case errors.As(err, &sig):
		return 128 + int(sig.sig)
	}
	fmt.Fprintf(os.Stderr, "aurora: %v\n", err)
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, engine.ErrBadRecord):
		return exitBad
	}
	return exitFailed
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "aurora",
		Short: "Windowed SQL over streams, exact until you ask for a deadline",
		Long: `aurora answers windowed SQL over streams: files, pipes, compressed or not,
in NDJSON, JSON, CSV, TSV, logfmt and web server log formats.`,
		Example: `  aurora query 'SELECT status, count(*) AS n FROM access GROUP BY status' access.log
  tail -f events.ndjson | aurora query "SELECT window_start, count(*) AS n FROM tumble(stdin, ts, '1m') GROUP BY window_start"
  aurora describe flights.csv`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return flagError(c, err) })
	root.AddCommand(queryCommand(), explainCommand(), describeCommand(), generateCommand(), benchCommand(), versionCommand())
	return root
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), "aurora", version)
			return err
		},
	}
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, got %q", c.CommandPath(), args)
	}
	return nil
}
