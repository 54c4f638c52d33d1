// Command aurora answers windowed SQL over streams: files, pipes and what comes through them.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// version is set by the linker; without it the build information tells.
var version string

// Exit codes, see the help of "aurora query". A signal's is 128 and its number.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitBad    = 3
	exitSignal = 128
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
	root := rootCommand()
	root.SetArgs(commentedSQL(os.Args[1:]))
	os.Exit(exitCode(root.Execute()))
}

// commentedSQL keeps SQL that begins with a comment from being taken for a flag.
func commentedSQL(args []string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		if strings.HasPrefix(a, "-- ") || strings.HasPrefix(a, "--\n") {
			args[i] = " " + a
		}
	}
	return args
}

// exitCode says what went wrong, unless that is obvious, and returns the program's exit code.
func exitCode(err error) int {
	var usage usageError
	var sig signalled
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitDone
	case errors.As(err, &sig):
		return exitSignal + int(sig.sig)
	}
	fmt.Fprintf(os.Stderr, "aurora: %s\n", printable(errorText(err)))
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, engine.ErrBadRecord):
		return exitBad
	}
	return exitFailed
}

// printable shows characters that could control a terminal as escapes: messages quote data, names and files.
func printable(text string) string {
	safe := func(r rune) bool {
		return r == '\n' || r == '\t' || unicode.IsGraphic(r) && !unicode.Is(unicode.Bidi_Control, r)
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return !safe(r) }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if safe(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// errorText is an error for a person: a mistake in SQL comes with its line and a caret.
func errorText(err error) string {
	var mistake *syntax.Error
	if errors.As(err, &mistake) {
		return mistake.Render()
	}
	return strings.ReplaceAll(err.Error(), "\n", "\naurora: ")
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "aurora",
		Short: "Windowed SQL over streams, exact until you ask for a deadline",
		Long: `aurora answers windowed SQL over streams: files and pipes, compressed or not,
in NDJSON, JSON, CSV, TSV, logfmt and the log formats of web servers.
"aurora help sql" lists the SQL and its functions, "aurora help answers" says how to
read intervals and the columns that begin with _.`,
		Example: `  aurora query 'SELECT status, count(*) AS n FROM access GROUP BY status' access.log

  tail -f events.ndjson | aurora query "SELECT window_start, count(*) AS n
      FROM tumble(stdin, ts, '1 minute') GROUP BY window_start"

  aurora describe flights.csv`,
		Version:       versionText(),
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return unknownCommand(c, args)
		},
	}
	dressHelp(root)
	root.SetVersionTemplate("aurora {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(queryCommand(), explainCommand(), describeCommand(), verifyCommand(), generateCommand(), benchCommand(), versionCommand(), sqlHelp(), answersHelp())
	return root
}

// unknownCommand explains a first argument that is no command.
func unknownCommand(root *cobra.Command, args []string) error {
	if isSQL(args[0]) {
		return usagef("SQL is the argument of a command: aurora query %s", strings.Join(append([]string{quoteArg(args[0])}, args[1:]...), " "))
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return usagef("no command is called %q%s (see aurora --help)", args[0], didYouMean(args[0], names))
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArgs, Example: "  aurora version",
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), "aurora", versionText())
			return err
		},
	}
}

// versionText is the version that the linker was given; else that of the module when it was built by go install, or the commit.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return develVersion
	}
	if v := info.Main.Version; v != "" && v != "("+develVersion+")" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return develVersion + " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return develVersion
}

// develVersion is the version of a build about which nothing is known.
const develVersion = "devel"

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, got %q", c.CommandPath(), args)
	}
	return nil
}
