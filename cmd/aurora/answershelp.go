package main

import "github.com/spf13/cobra"

const answersText = `Reading the answer

An answer is exact, unless --sample, --within, --memory, --weight or TABLESAMPLE
allow less, or a function approximates. What is known of a value stands beside
it. In a table:

  1,234 =                  the true value
  1,234 ±18                it lies between 1,216 and 1,252
  1,234 [1,216, 1,270]     it lies there; the ends are not about as far
  98.1 [98.1, …]           nothing is known of the end that is …
  1,234 ±18 ~              the interval cannot be relied on
  1,234 ~                  and there is none

An interval holds the true value with the --confidence, 95% if none is given,
of each value by itself. ~ marks what misses that promise: an extreme or first
value of a sample, an interval from too few rows, a row that was picked for
being large by ORDER BY and LIMIT, values outside of a declared range, the
beginning of a file.

As NDJSON or JSON, of an aggregate called n:

  n, n_lo, n_hi  the value and the ends of its interval, numbers if it is one;
                 equal where it is known, null for an end that is not

and of the row as a whole, in columns of tables, too, or in JSON alone (*):

  _kept          number, 0 to 1: the share of the window's rows, or of all rows
                 without a window, that the answer is from. Of rows, not of
                 keys, also with --sample-by: 0.1 of the users may have 0.2 of
                 the rows
  _exact (*)     boolean: every value of the row is the true one
  _unseen        number or null, of sampled queries with GROUP BY: a group that
                 is not listed has at most so many rows, with the --confidence
  _other         true, of queries with --memory: the row adds up the groups that
                 had no room of their own, and its keys are null. Not there in
                 other rows of JSON
  _unreliable (*)  array of texts: the columns that a table marks with ~. Not
                 there where there are none
  _late (*)      integer: rows that came too late, until this row was printed
  _final (*)     boolean: the window had ended. false: the run was interrupted,
                 and rows of the window may be missing. Rows without bounds have
                 it only when it is false

A table shows _kept and _unseen in the first row and where they change; an empty
cell is as the one above. CSV and TSV have all of these as columns, and blanks
between the names in _unreliable.

On a terminal that is too narrow for the table, every column gets a line of its
own, _kept and _unseen only where they change, and blank lines part the rows;
-o table into a pipe stays a table.

aurora verify measures how often intervals hold the true value on your input.`

const answersExample = `  aurora query 'SELECT host, count(*) AS n FROM logs GROUP BY host' logs.ndjson --sample 10%
  aurora query 'SELECT host, count(*) AS n FROM logs GROUP BY host' logs.ndjson --sample 10% \
      -o ndjson | jq 'select(._unreliable | not) | {host, n, low: .n_lo, high: .n_hi}'`

// answersHelp is a topic of the help, not a command.
func answersHelp() *cobra.Command {
	return &cobra.Command{Use: "answers", Short: "How to read intervals, marks and the columns that begin with _", Long: answersText, Example: answersExample}
}
