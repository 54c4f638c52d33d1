package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/plan"
)

func explainCommand() *cobra.Command {
	var f inputFlags
	var a answerFlags
	var file string
	c := &cobra.Command{
		Use:   "explain [flags] 'SQL' [FILE...]",
		Short: "Print the plan of a query",
		Long: `Print the network of a query as a tree: the sink at the top, the stream at the bottom,
one box a line, with the columns that are decoded and the filter that is evaluated on
the way. Only the first records of the input are looked at.`,
		Example: `  aurora explain "SELECT status, count(*) AS n FROM access WHERE bytes > 1000
      GROUP BY status" access.log`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := settle(c); err != nil {
				return err
			}
			s, err := readStatement(c, file, args)
			if err != nil {
				return err
			}
			e, err := f.engine(s.files, &a)
			if err != nil {
				return err
			}
			b, err := e.Plan(s.sql)
			if err != nil {
				return s.blame(err)
			}
			for _, text := range b.Warnings {
				status.print("aurora: " + text)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), plan.Explain(b.Plan))
			return err
		},
	}
	c.Flags().SortFlags = false
	f.add(c.Flags())
	a.add(c.Flags())
	c.Flags().StringVarP(&file, "file", "f", "", "read the SQL from a `file`; all arguments are then inputs\n(-f report.sql)")
	addConfig(c.Flags())
	group(c.Flags(), groupRun, "file", "config", "workers")
	f.complete(c)
	a.complete(c)
	_ = c.MarkFlagFilename("file", "sql")
	return c
}

// engine returns an engine for commands that look at streams but do not run them, with what a asks of answers.
func (f *inputFlags) engine(files []string, a *answerFlags) (*engine.Engine, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	if err := a.apply(&opt); err != nil {
		return nil, err
	}
	opt.Note = func(text string) { status.print("aurora: " + text) }
	e := engine.New(opt)
	return e, f.addStreams(e, files)
}
