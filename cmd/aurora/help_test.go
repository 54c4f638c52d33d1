package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// commands calls f for every command that is not cobra's own.
func commands(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" && sub.Name() != "help" {
			commands(sub, f)
		}
	}
}

func TestHelpHasAnExampleForEverythingAndFitsTheTerminal(t *testing.T) {
	commands(rootCommand(), func(c *cobra.Command) {
		require.NotEmpty(t, c.Short, c.CommandPath())
		require.NotEmpty(t, c.Example, c.CommandPath())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" {
				return
			}
			names := "--" + f.Name
			if f.Shorthand != "" {
				names += "|-" + f.Shorthand
			}
			require.Regexp(t, `\((`+names+`)\b.*\)$`, f.Usage, "%s --%s has no example", c.CommandPath(), f.Name)
		})
		for line := range strings.Lines(c.Long + "\n" + c.UsageString()) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), usualHelp+1, "%s: %s", c.CommandPath(), line)
		}
		if c.Runnable() && c.HasLocalFlags() {
			require.NotContains(t, c.UsageString(), " text ", "every flag says what its value is")
		}
	})
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		r := script(t, dir, "aurora completion "+shell)
		require.Zero(t, r.code)
		require.Contains(t, r.stdout, "aurora", shell)
	}
	for line, want := range map[string][]string{
		"query -o ":                 {"table", "ndjson", "markdown"},
		"query --output=":           {"csv"},
		"query --format ":           {"accesslog", "logfmt"},
		"query --time-unit ":        {"ms", "auto"},
		"query --on-bad ":           {"skip", "fail"},
		"query --color ":            {"never"},
		"query --lat":               {"--lateness", "--late-out"},
		"query --sample ":           {"10%"},
		"verify --output ":          {"csv"},
		"describe --format ":        {"csv"},
		"generate ":                 {"weblog", "sensors"},
		"generate weblog --format ": {"combined"},
		"generate weblog --bursts ": {"pareto"},
		"d":                         {"describe"},
	} {
		words := strings.Split(line, " ")
		for i, w := range words {
			words[i] = "'" + w + "'"
		}
		r := script(t, dir, "aurora __complete "+strings.Join(words, " "))
		require.Zero(t, r.code, line)
		for _, w := range want {
			require.Contains(t, r.stdout, w, line)
		}
	}
}
