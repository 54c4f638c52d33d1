package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine/query"
)

const sqlText = `The SQL of aurora

  SELECT [DISTINCT] expression [AS name], ...
  FROM   stream | 'path' | stdin
         | tumble(stream, time, '1 minute')
         | hop(stream, time, slide => '10s', size => '1m')
  WHERE  condition
  GROUP  BY window_start, key, ...         -- also: GROUP BY tumble(time, '1m'), key
  HAVING condition on aggregates
  ORDER  BY ... LIMIT n OFFSET n           -- within each window; over everything without one

Windows are half-open, [start, end), and aligned to the Unix epoch, or to
origin => '...', or to the clocks of timezone => 'Europe/Berlin', where days
have 23 and 25 hours when clocks change. window_start and window_end are their
columns. The time may be left out when the stream has one timestamp. Durations:
'90s', '1m30s', '1 hour', '7 days'. A query without a window has one answer, at
the end of input.

Types: BIGINT, DOUBLE, TEXT, BOOLEAN, TIMESTAMP, INTERVAL; CAST(x AS t), x::t,
TRY_CAST. A field of an undeclared stream is read the way the query uses it.
Nested JSON: a.b or a['b']. "Quoted names" stand for any field; 'text' is in
single quotes. / divides as DOUBLE, // as integers; both are NULL at zero. A
value that cannot be computed is NULL and counted (--stats).

  CREATE STREAM logs (ts TIMESTAMP, host TEXT, latency DOUBLE)
  WITH (path 'logs/*.csv', format 'csv', time 'ts', lateness '5s');

declares a stream; it stands before the SELECT, with a semicolon between.

  FROM logs TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (42)
  FROM logs TABLESAMPLE UNIVERSE (10 PERCENT) ON (user)
  FROM tumble(logs, ts, '1 minute') TABLESAMPLE BERNOULLI (10 PERCENT)

keep rows by chance, each by itself or all of a user together, as --sample and
--sample-by do; with --sample, a part of what that keeps. Aggregates then come
with intervals, and lower_bound(n), upper_bound(n), absolute_error(n) and
relative_error(n), of the name n of an aggregate, stand in SELECT, HAVING and
ORDER BY.

  WITH QOS (error 5%, confidence 95%)
  WITH QOS (bound 'hoeffding', range latency 0..1000)

ends a query. error is the half-width of intervals that suffices, confidence the
probability that an interval holds the true value. bound names the method of the
intervals of samples: 'transform' covers by experience and is narrow; 'hoeffding'
and 'bernstein' hold by a theorem for values in the declared range, of count, sum
and avg, and are wide ('bernstein' less so where values vary little; counts have
Chernoff's bound). An expression over k aggregates takes a k-th part of the error
for each. A range by itself narrows intervals to what is possible. A value
outside takes part, is counted and breaks the promise: answers from then on are
labelled.

SELECT DISTINCT keeps the rows that came. With --memory, or WITH QOS (error 1%),
which means 64 MiB, it is exact while they fit; then a new row is missing with
that probability at most, 1% if none is given, and one that did not come for long
may come again.`

const sqlExample = `  aurora query "SELECT window_start, host, p99(latency) AS p99
      FROM tumble(logs, ts, '1 minute') WHERE status < 500
      GROUP BY window_start, host ORDER BY p99 DESC LIMIT 3" logs.ndjson
  aurora query 'SELECT count_if(status >= 500) / count(*) AS errors FROM stdin'`

const aggregateText = `  count(*)  count([DISTINCT] x)  count_if(condition)
  sum([DISTINCT] x)  avg([DISTINCT] x)  min(x)  max(x)
  var_pop(x)  var_samp(x)  stddev_pop(x)  stddev_samp(x)
  bool_and(condition)  bool_or(condition)  any_value(x)  first(x)  last(x)
  median(x)  p50(x)  p90(x)  p95(x)  p99(x)
  approx_quantile(x, q[, rank_error])      tdigest_quantile(x, q)
  approx_count_distinct(x[, error])        approx_top_k(x, k)

Any of them takes FILTER (WHERE condition), and parameters by name, as in
approx_quantile(x, q => 0.9). Sums of integers are exact to 128 bits;
count(DISTINCT x) is exact. Quantiles are exact up to 256 values, then within 1 %
of the value, or with a rank_error within that of the rank; tdigest_quantile has
no bound. approx_count_distinct is exact up to 512 values, then has the relative
standard error, 0.8 % if not given. approx_top_k is a list of
{value, count, lo, hi}.`

// sqlHelp is a topic of the help, not a command.
func sqlHelp() *cobra.Command {
	scalars, aggregates := query.Functions()
	var b strings.Builder
	b.WriteString(sqlText)
	b.WriteString("\n\nAggregates\n\n" + aggregateText + "\n\nNames of aggregates, with those that mean the same\n\n")
	b.WriteString(columns(aggregates))
	b.WriteString("\nFunctions\n\n")
	b.WriteString(columns(scalars))
	b.WriteString("\nand CASE, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, IS [NOT] DISTINCT FROM,\nEXTRACT(unit FROM t).")
	return &cobra.Command{Use: "sql", Short: "The SQL that queries are written in, and its functions", Long: b.String(), Example: sqlExample}
}

// columns fills lines of a terminal with words.
func columns(words []string) string {
	const width = 78
	var b strings.Builder
	at := 0
	for _, w := range words {
		switch {
		case at == 0 || at+1+len(w) > width:
			if at > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("  " + w)
			at = 2 + len(w)
		default:
			b.WriteString(" " + w)
			at += 1 + len(w)
		}
	}
	return b.String() + "\n"
}
