package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/plan"
)

func explainCommand() *cobra.Command {
	var f inputFlags
	c := &cobra.Command{
		Use:   "explain [flags] 'SQL' [FILE...]",
		Short: "Print the plan of a query",
		Long: `Print the network of a query as a tree: the sink at the top, the stream at the bottom, one box a line, with the columns that are
decoded and the filter that is evaluated on the way. Only the first records of the input are looked at.`,
		Example: `  aurora explain "SELECT status, count(*) FROM access WHERE bytes > 1000 GROUP BY status" access.log`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := settle(c); err != nil {
				return err
			}
			if len(args) == 0 {
				return usagef("no SQL: aurora explain 'SELECT ...' [FILE...]")
			}
			e, err := f.engine(args[1:])
			if err != nil {
				return err
			}
			b, err := e.Plan(args[0])
			if err != nil {
				return usageError{err}
			}
			_, err = fmt.Fprint(c.OutOrStdout(), plan.Explain(b.Plan))
			return err
		},
	}
	c.Flags().SortFlags = false
	f.add(c.Flags())
	addConfig(c.Flags())
	return c
}

// engine returns an engine for commands that look at streams but do not run them.
func (f *inputFlags) engine(files []string) (*engine.Engine, error) {
	defaults, err := f.defaults()
	if err != nil {
		return nil, err
	}
	size, err := parseSize(f.maxLine)
	if err != nil {
		return nil, usagef("--max-line: %w", err)
	}
	e := engine.New(engine.Options{Defaults: defaults, MaxLine: int(size), Note: status.print})
	return e, f.addStreams(e, files)
}
