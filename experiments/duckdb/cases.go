package main

import (
	"fmt"
	"path/filepath"
)

// checkCase is one query in two dialects. The first columns are the key of a
// row; approx names columns that are estimates, with their relative error.
type checkCase struct {
	name   string
	source string // aurora's -i
	aurora string
	duck   string
	keys   int
	approx map[string]float64
}

// weblogCases returns the cases on a weblog, none without a file.
func weblogCases(file string) []checkCase {
	if file == "" {
		return nil
	}
	const (
		exact   = "count(*) AS n, avg(latency) AS mean, sum(latency) AS total, min(latency) AS least, max(latency) AS most, sum(bytes) AS bytes"
		start   = "make_timestamp_ms(ts // 60000 * 60000) AS window_start"
		minutes = "tumble(logs, ts, INTERVAL '1 minute')"
	)
	scan := weblogScan(file)
	q := questions()[0]
	cases := []checkCase{
		{
			name:   "errors per minute and host",
			aurora: "SELECT window_start, host, " + exact + ", count(DISTINCT user) AS users FROM " + minutes + " WHERE status >= 500 GROUP BY window_start, host",
			duck:   "SELECT " + start + ", host, " + exact + `, count(DISTINCT "user") AS users FROM ` + scan + " WHERE status >= 500 GROUP BY ALL",
			keys:   2,
		},
		{
			name:   "reference query, estimates in their bounds",
			aurora: q.auroraSQL(),
			duck:   q.duckSQL(file, false),
			keys:   2,
			approx: map[string]float64{"p99": 0.01, "users": 0.1},
		},
		{
			name:   "everything per minute, method and status",
			aurora: "SELECT window_start, method, status, " + exact + ", count(DISTINCT path) AS paths FROM " + minutes + " GROUP BY window_start, method, status",
			duck:   "SELECT " + start + ", method, status, " + exact + ", count(DISTINCT path) AS paths FROM " + scan + " GROUP BY ALL",
			keys:   3,
		},
		{
			name:   "hopping windows",
			aurora: "SELECT window_start, host, " + exact + " FROM hop(logs, ts, INTERVAL '10 seconds', INTERVAL '30 seconds') WHERE status >= 500 GROUP BY window_start, host",
			duck: "SELECT make_timestamp_ms((ts // 10000 - k) * 10000) AS window_start, host, " + exact + " FROM " + scan +
				", range(3) AS r(k) WHERE status >= 500 GROUP BY ALL",
			keys: 2,
		},
		{
			name:   "having",
			aurora: "SELECT window_start, host, count(*) AS n FROM " + minutes + " GROUP BY window_start, host HAVING count(*) > 5000",
			duck:   "SELECT " + start + ", host, count(*) AS n FROM " + scan + " GROUP BY ALL HAVING count(*) > 5000",
			keys:   2,
		},
		{
			name:   "no window",
			aurora: "SELECT " + exact + ", count(DISTINCT user) AS users FROM logs",
			duck:   "SELECT " + exact + `, count(DISTINCT "user") AS users FROM ` + scan,
		},
		{
			name:   "deviations",
			aurora: "SELECT window_start, host, var_samp(latency) AS v, stddev_pop(bytes) AS d FROM " + minutes + " GROUP BY window_start, host",
			duck:   "SELECT " + start + ", host, var_samp(latency) AS v, stddev_pop(bytes) AS d FROM " + scan + " GROUP BY ALL",
			keys:   2,
		},
	}
	return named(cases, "logs="+file)
}

// flightsCases returns the cases on the flights, none without a file.
func flightsCases(file string) []checkCase {
	if file == "" {
		return nil
	}
	const exact = "count(*) AS n, avg(delay) AS mean, sum(distance) AS miles, min(delay) AS least, max(delay) AS most, count(DISTINCT destination) AS destinations"
	scan := flightsScan(file)
	bucket := func(size string) string { return fmt.Sprintf("time_bucket(INTERVAL '%s', time) AS window_start", size) }
	cases := []checkCase{
		{
			name:   "per hour and origin",
			aurora: "SELECT window_start, origin, " + exact + " FROM tumble(flights, time, INTERVAL '1 hour') GROUP BY window_start, origin",
			duck:   "SELECT " + bucket("1 hour") + ", origin, " + exact + " FROM " + scan + " GROUP BY ALL",
			keys:   2,
		},
		{
			name:   "three hours every hour",
			aurora: "SELECT window_start, origin, " + exact + " FROM hop(flights, time, INTERVAL '1 hour', INTERVAL '3 hours') GROUP BY window_start, origin",
			duck: "SELECT time_bucket(INTERVAL '1 hour', time) - k * INTERVAL '1 hour' AS window_start, origin, " + exact +
				" FROM " + scan + ", range(3) AS r(k) GROUP BY ALL",
			keys: 2,
		},
		{
			name:   "late flights per day and route",
			aurora: "SELECT window_start, origin, destination, count(*) AS n, avg(delay) AS mean FROM tumble(flights, time, INTERVAL '1 day') WHERE delay > 15 AND origin IN ('ATL', 'ORD', 'DFW') GROUP BY window_start, origin, destination",
			duck:   "SELECT " + bucket("1 day") + ", origin, destination, count(*) AS n, avg(delay) AS mean FROM " + scan + " WHERE delay > 15 AND origin IN ('ATL', 'ORD', 'DFW') GROUP BY ALL",
			keys:   3,
		},
		{
			name:   "conditional aggregates per day",
			aurora: "SELECT window_start, count(*) FILTER (WHERE delay > 15) AS late, sum(CASE WHEN delay < 0 THEN 1 ELSE 0 END) AS early, max(distance * 2) AS twice FROM tumble(flights, time, INTERVAL '1 day') GROUP BY window_start",
			duck:   "SELECT " + bucket("1 day") + ", count(*) FILTER (WHERE delay > 15) AS late, sum(CASE WHEN delay < 0 THEN 1 ELSE 0 END) AS early, max(distance * 2) AS twice FROM " + scan + " GROUP BY ALL",
			keys:   1,
		},
		{
			name:   "all origins, no window",
			aurora: "SELECT origin, " + exact + " FROM flights GROUP BY origin",
			duck:   "SELECT origin, " + exact + " FROM " + scan + " GROUP BY ALL",
			keys:   1,
		},
	}
	return named(cases, "flights="+file)
}

// named sets the source of cases and puts its file into their names.
func named(cases []checkCase, source string) []checkCase {
	for i := range cases {
		cases[i].source = source
		cases[i].name = filepath.Base(source) + ": " + cases[i].name
	}
	return cases
}
