package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func describeCommand() *cobra.Command {
	var f inputFlags
	var asSQL bool
	c := &cobra.Command{
		Use:   "describe [flags] FILE...",
		Short: "Show the fields that a stream's first records have",
		Long: `Show what the first records (1 MiB or 10,000) of a file, or of standard input (-),
have: the format, each field's type, how often it was seen and its first value, and
the column that windows would go by. Types are what the sample shows; unless they are
declared, a query reads each field the way it uses it.`,
		Example: `  aurora describe access.log
  zcat events.gz | aurora describe -
  aurora describe --sql flights.csv > flights.sql   # a CREATE STREAM to edit`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := settle(c); err != nil {
				return err
			}
			if len(args) == 0 && len(f.inputs) == 0 {
				return usagef("no input: write %s FILE..., or - for standard input", c.CommandPath())
			}
			e, err := f.engine(args, &answerFlags{})
			if err != nil {
				return err
			}
			return f.describeAll(c.OutOrStdout(), e, asSQL)
		},
	}
	c.Flags().SortFlags = false
	f.add(c.Flags())
	c.Flags().BoolVar(&asSQL, "sql", false, "print CREATE STREAM statements instead of tables (--sql)")
	addConfig(c.Flags())
	group(c.Flags(), groupOutput, "sql")
	group(c.Flags(), groupRun, "config")
	f.complete(c)
	return c
}

func (f *inputFlags) describeAll(w io.Writer, e *engine.Engine, asSQL bool) error {
	for i, name := range e.StreamNames() {
		d, err := e.Describe(name, false)
		if err != nil {
			return usageError{err}
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		text := describeTable(d)
		if asSQL {
			text = describeSQL(d, f)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// describeTable describes a stream to a person.
func describeTable(d *engine.Description) string {
	var b strings.Builder
	seen := recordsText(int64(d.Shape.Records))
	if d.Whole {
		seen += " in all"
	} else {
		seen = "the first " + seen
	}
	fmt.Fprintf(&b, "stream %s: %s, %s", d.Name, d.Shape.Format, seen)
	if d.Shape.Bad > 0 {
		fmt.Fprintf(&b, ", and %s bad", countText(int64(d.Shape.Bad)))
	}
	b.WriteByte('\n')
	if len(d.Shape.Fields) == 0 {
		return b.String()
	}
	table := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "column\ttype\tseen\tnull\tfirst value")
	for i := range d.Shape.Fields {
		f := &d.Shape.Fields[i]
		typ := typeOf(f)
		if f.Unit != "" && f.Unit != codec.UnitText && (f.Name == d.Time || soundsLikeTime(f.Name)) {
			typ += " (time in " + string(f.Unit) + ")"
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\n", shorten(f.Name), typ, f.Seen, f.Nulls, shorten(f.Sample))
	}
	_ = table.Flush()
	b.WriteString(timeText(d))
	for _, f := range d.Shape.Fields {
		if f.Mixture != "" {
			fmt.Fprintf(&b, "mixed: %s has %s; %s\n", shorten(f.Name), f.Mixture, readMixed(&f))
		}
	}
	return b.String()
}

// readMixed says how a query reads a field with values of several types.
func readMixed(f *codec.Field) string {
	switch {
	case f.Type == tuple.JSON:
		return "it is read as JSON"
	case strings.Contains(f.Mixture, "numbers"):
		return "a query that needs numbers reads it as numbers (others are NULL), any other as text"
	}
	return "it is read as text, or as what the query needs (others are NULL)"
}

// timeText says which column windows go by.
func timeText(d *engine.Description) string {
	if d.Time == "" && !d.Stream.Live {
		return "event time: no column is clearly a time, so windows must name one: tumble(" + d.Name + ", column, '1 minute')\n"
	}
	if d.Time == "" {
		return "event time: no column is clearly a time, so windows go by arrival unless they name one\n"
	}
	text := "event time: " + shorten(d.Time)
	for _, f := range d.Shape.Fields {
		if f.Name != d.Time {
			continue
		}
		switch {
		case !f.Type.Numeric():
		case d.Told:
			text += ", in " + string(d.Unit)
		case f.Unit == "":
			text += "; its numbers are times in no unit of our days: give --time-unit"
		default:
			text += ", in " + string(f.Unit)
		}
	}
	return text + "\n"
}

// typeOf names the type of a field as CREATE STREAM would, but for what cannot be declared.
func typeOf(f *codec.Field) string {
	if f.Type == tuple.Number {
		return tuple.Double.String()
	}
	return f.Type.String()
}

func soundsLikeTime(name string) bool {
	name = strings.ToLower(name)
	return name == "ts" || strings.Contains(name, "time") || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_ts")
}

// shorten makes a sample value fit a table and a terminal.
func shorten(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}
