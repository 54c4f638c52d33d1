package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// question is one of the queries compared: the aggregates over the weblog for
// status >= 500, per minute and host, in three dialects.
type question struct {
	name   string
	aurora string
	exact  string
	approx string
}

// questions returns the queries by name, the reference query first.
func questions() []question {
	const counts = "count(*) AS n, avg(latency) AS mean"
	return []question{
		{
			"reference",
			counts + ", approx_quantile(latency, 0.99) AS p99, approx_count_distinct(user) AS users",
			counts + `, quantile_disc(latency, 0.99) AS p99, count(DISTINCT "user") AS users`,
			counts + `, approx_quantile(latency, 0.99) AS p99, approx_count_distinct("user") AS users`,
		},
		{
			"nodistinct",
			counts + ", approx_quantile(latency, 0.99) AS p99",
			counts + ", quantile_disc(latency, 0.99) AS p99",
			counts + ", approx_quantile(latency, 0.99) AS p99",
		},
		{"counts", counts, counts, counts},
	}
}

func findQuestion(name string) (question, error) {
	var names []string
	for _, q := range questions() {
		if q.name == name {
			return q, nil
		}
		names = append(names, q.name)
	}
	return question{}, fmt.Errorf("%w: no query %q: %s", errUsage, name, strings.Join(names, ", "))
}

// auroraSQL is the query as aurora reads it from the source logs.
func (q question) auroraSQL() string {
	return "SELECT window_start, host, " + q.aurora +
		" FROM tumble(logs, ts, INTERVAL '1 minute') WHERE status >= 500 GROUP BY window_start, host"
}

// duckSQL is the query as DuckDB reads it from a file.
func (q question) duckSQL(file string, approx bool) string {
	aggregates := q.exact
	if approx {
		aggregates = q.approx
	}
	return "SELECT make_timestamp_ms(ts // 60000 * 60000) AS window_start, host, " + aggregates +
		" FROM " + weblogScan(file) + " WHERE status >= 500 GROUP BY ALL"
}

// weblogScan reads a weblog with its types declared, which is faster than
// having DuckDB find them out.
func weblogScan(file string) string {
	const columns = `{ts: 'BIGINT', host: 'VARCHAR', "user": 'VARCHAR', method: 'VARCHAR', ` +
		`path: 'VARCHAR', status: 'BIGINT', bytes: 'BIGINT', latency: 'DOUBLE'}`
	if isCSV(file) {
		return csvScan(file, columns)
	}
	return fmt.Sprintf("read_json(%s, format = 'newline_delimited', columns = %s)", quote(file), columns)
}

func flightsScan(file string) string {
	return csvScan(file, "{time: 'TIMESTAMP', delay: 'BIGINT', distance: 'BIGINT', origin: 'VARCHAR', destination: 'VARCHAR'}")
}

func csvScan(file, columns string) string {
	return fmt.Sprintf("read_csv(%s, header = true, delim = ',', quote = '\"', columns = %s)", quote(file), columns)
}

func isCSV(file string) bool {
	return filepath.Ext(strings.TrimSuffix(file, ".gz")) == ".csv"
}

// quote returns text as an SQL string.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
