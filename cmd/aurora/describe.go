package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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
		Long: `Show what the first records (1 MiB or 10,000) of a file or of standard input (-) show: the format, and each field's type, how often it was seen,
and its first value. Types are what the sample shows; without a declared schema a query reads each field the way it uses it.`,
		Example: `  aurora describe access.log
  zcat events.gz | aurora describe -
  aurora describe --sql flights.csv > flights.sql     # a CREATE STREAM to edit`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := settle(c); err != nil {
				return err
			}
			if len(args) == 0 && len(f.inputs) == 0 {
				return usagef("no input: aurora describe FILE..., or - for standard input")
			}
			e, err := f.engine(args)
			if err != nil {
				return err
			}
			for i, name := range e.StreamNames() {
				d, err := e.Describe(name, false)
				if err != nil {
					return usageError{err}
				}
				if i > 0 {
					fmt.Fprintln(c.OutOrStdout())
				}
				if err := describe(c.OutOrStdout(), d, asSQL); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	f.add(c.Flags())
	c.Flags().BoolVar(&asSQL, "sql", false, "print a CREATE STREAM statement instead of a table")
	addConfig(c.Flags())
	return c
}

func describe(w io.Writer, d *engine.Description, asSQL bool) error {
	if asSQL {
		return describeSQL(w, d)
	}
	all := "the first"
	if d.Whole {
		all = "all"
	}
	fmt.Fprintf(w, "stream %s: %s, %s %d records", d.Name, d.Shape.Format, all, d.Shape.Records)
	if d.Shape.Bad > 0 {
		fmt.Fprintf(w, ", %d bad", d.Shape.Bad)
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "column\ttype\tseen\tnull\tfirst value")
	for _, f := range d.Shape.Fields {
		typ := f.Type.String()
		if f.Type == tuple.Number {
			typ = "DOUBLE"
		}
		if f.Unit != "" && f.Unit != codec.UnitText {
			typ += " (time in " + string(f.Unit) + "?)"
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\n", f.Name, typ, f.Seen, f.Nulls, shorten(f.Sample))
	}
	return table.Flush()
}

// shorten makes a sample value fit a table and a terminal.
func shorten(text string) string {
	text = strings.Trim(fmt.Sprintf("%q", text), `"`)
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}

func describeSQL(w io.Writer, d *engine.Description) error {
	var columns []string
	for _, f := range d.Shape.Fields {
		if len(f.Path) > 1 {
			continue
		}
		typ := f.Type
		switch {
		case typ == tuple.Number:
			typ = tuple.Double
		case typ == tuple.Null:
			typ = tuple.Text
		case f.Unit != "" && f.Unit != codec.UnitText:
			typ = tuple.Timestamp
		}
		columns = append(columns, fmt.Sprintf("  %s %s", quoteName(f.Name), typ))
	}
	_, err := fmt.Fprintf(w, "CREATE STREAM %s (\n%s\n) WITH (format '%s');\n", quoteName(d.Name), strings.Join(columns, ",\n"), d.Shape.Format)
	return err
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
