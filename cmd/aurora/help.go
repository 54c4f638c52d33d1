package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// Widths of help texts. What is not wrapped here is written to fit narrowHelp.
const (
	narrowHelp = 80
	usualHelp  = 96
)

// groupKey is the annotation that says under which heading a flag stands.
const groupKey = "group"

// Headings of flags, in the order of help.
const (
	groupInput   = "Input"
	groupTime    = "Time"
	groupAnswers = "Answers"
	groupOutput  = "Output"
	groupRun     = "Running"
)

var groups = []string{groupInput, groupTime, groupAnswers, groupOutput, groupRun, ""}

// group puts flags under a heading.
func group(set *pflag.FlagSet, heading string, names ...string) {
	for _, name := range names {
		if err := set.SetAnnotation(name, groupKey, []string{heading}); err != nil {
			panic(err)
		}
	}
}

const usageTemplate = `Usage:{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND [flags]{{else}}
  {{.UseLine}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}
{{flagHelp .LocalFlags}}{{end}}{{if .HasAvailableSubCommands}}
See "{{.CommandPath}} COMMAND --help" for a command's flags.
{{end}}`

// dressHelp makes help readable: flags in groups, wrapped to the terminal.
func dressHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("flagHelp", flagHelp)
	root.SetUsageTemplate(usageTemplate)
}

func flagHelp(set *pflag.FlagSet) string {
	width := usualHelp
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		width = min(max(w, narrowHelp), 120)
	}
	var b strings.Builder
	for _, heading := range groups {
		part := pflag.NewFlagSet("", pflag.ContinueOnError)
		part.SortFlags = false
		set.VisitAll(func(f *pflag.Flag) {
			if strings.Join(f.Annotations[groupKey], "") == heading {
				part.AddFlag(f)
			}
		})
		if !part.HasAvailableFlags() {
			continue
		}
		switch {
		case heading != "":
		case b.Len() > 0:
			heading = "Other"
		default:
			heading = "Flags"
		}
		b.WriteString("\n" + heading + ":\n" + part.FlagUsagesWrapped(width))
	}
	return b.String()
}

// complete offers words for a flag's value.
func complete(c *cobra.Command, flag string, words ...string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}
