package oracle_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// drawer draws SQL for a table.
type drawer struct {
	t     *rapid.T
	table *table
}

func (d *drawer) pick(options ...string) string { return rapid.SampledFrom(options).Draw(d.t, "pick") }

func (d *drawer) chance(of int) bool { return rapid.IntRange(0, of-1).Draw(d.t, "chance") == 0 }

// number draws an expression that is a number. Columns that look like text to the engine are made numbers by arithmetic.
func (d *drawer) number(depth int) string {
	if depth == 0 {
		n, f := "n", "f"
		if d.table.mixed {
			n, f = "(n + 0)", "(f * 1)"
		}
		return d.pick(n, f, n, f, "1", "0", "-2", "2.5", "9007199254740993", "1e3", "9223372036854775807")
	}
	depth--
	switch rapid.IntRange(0, 13).Draw(d.t, "number") {
	case 0, 1, 2:
		return d.number(0)
	case 3, 4:
		return "(" + d.number(depth) + " " + d.pick("+", "-", "*", "/", "//", "%") + " " + d.number(depth) + ")"
	case 5:
		return "(- " + d.number(depth) + ")"
	case 6:
		return d.pick("abs", "floor", "ceil", "round", "trunc", "sign") + "(" + d.number(depth) + ")"
	case 7:
		return "round(" + d.number(depth) + ", " + d.pick("0", "1", "2") + ")"
	case 8:
		return "CASE WHEN " + d.condition(depth) + " THEN " + d.number(depth) + " ELSE " + d.number(depth) + " END"
	case 9:
		return d.pick("coalesce", "greatest", "least", "nullif") + "(" + d.number(depth) + ", " + d.number(depth) + ")"
	case 10:
		if d.table.nested() {
			return d.pick("(o.x + 0)", "length(o['y'])")
		}
		return "length(" + d.text(depth) + ")"
	case 11:
		return d.pick("CAST", "TRY_CAST") + "(" + d.text(depth) + " AS " + d.pick("BIGINT", "DOUBLE") + ")"
	case 12:
		return "CAST(" + d.number(depth) + " AS " + d.pick("BIGINT", "DOUBLE") + ")"
	}
	return "extract(" + d.pick("hour", "minute", "second", "day", "dow", "week", "month", "year", "doy") + " FROM " + d.time(depth) + ")"
}

// text draws an expression that is text.
func (d *drawer) text(depth int) string {
	if depth == 0 {
		return d.pick("k", "s", "k", "s", "'a'", "''", "'x y'", "'é'")
	}
	depth--
	switch rapid.IntRange(0, 9).Draw(d.t, "text") {
	case 0, 1, 2:
		return d.text(0)
	case 3:
		return d.pick("upper", "lower", "trim") + "(" + d.text(depth) + ")"
	case 4:
		return "substr(" + d.text(depth) + ", " + d.pick("1", "2", "-2", "0", "9") + d.pick("", ", 1", ", 3", ", 0") + ")"
	case 5:
		return "(" + d.text(depth) + " || " + d.text(depth) + ")"
	case 6:
		return "concat(" + d.text(depth) + ", " + d.number(depth) + ")"
	case 7:
		return "coalesce(" + d.text(depth) + ", " + d.text(depth) + ")"
	case 8:
		return "CASE WHEN " + d.condition(depth) + " THEN " + d.text(depth) + " END"
	}
	return "replace(" + d.text(depth) + ", 'a', " + d.text(0) + ")"
}

// time draws an expression that is a time.
func (d *drawer) time(depth int) string {
	if depth == 0 {
		return d.pick("TIMESTAMP '2024-01-01 00:00:30'", "date_trunc('minute', ts)", "date_trunc('hour', ts)")
	}
	switch rapid.IntRange(0, 3).Draw(d.t, "time") {
	case 0:
		return d.time(0)
	case 1:
		return "(" + d.time(0) + " + INTERVAL '90 seconds')"
	}
	return "date_trunc('" + d.pick("second", "minute", "hour", "day", "week", "month", "year") + "', ts)"
}

// condition draws an expression that is true, false or NULL.
func (d *drawer) condition(depth int) string {
	compare := func() string { return d.pick("=", "<>", "<", "<=", ">", ">=") }
	if depth == 0 {
		switch rapid.IntRange(0, 2).Draw(d.t, "simple") {
		case 0:
			return d.pick("b", "NOT b", "b IS NULL")
		case 1:
			return "k " + compare() + " 'b'"
		}
		return d.pick("n", "f") + " " + compare() + " " + d.pick("1", "0.5", "0")
	}
	depth--
	switch rapid.IntRange(0, 11).Draw(d.t, "condition") {
	case 0, 1:
		return d.condition(0)
	case 2:
		return d.number(depth) + " " + compare() + " " + d.number(depth)
	case 3:
		return d.text(depth) + " " + compare() + " " + d.text(depth)
	case 4:
		return "(" + d.condition(depth) + " " + d.pick("AND", "OR") + " " + d.condition(depth) + ")"
	case 5:
		return "NOT (" + d.condition(depth) + ")"
	case 6:
		return "(" + d.pick(d.number(depth), d.text(depth)) + ") IS " + d.pick("", "NOT ") + "NULL"
	case 7:
		return d.number(depth) + d.pick("", " NOT") + " IN (1, 2, " + d.number(0) + d.pick("", ", NULL") + ")"
	case 8:
		return d.text(depth) + d.pick("", " NOT") + d.pick(" LIKE ", " ILIKE ") + d.pick("'a%'", "'%e%'", "'_'", "'%'", "'%50!% o__!_' ESCAPE '!'", "'%L_n%'")
	case 9:
		return d.number(depth) + d.pick("", " NOT") + " BETWEEN " + d.number(depth) + " AND " + d.number(depth)
	case 10:
		return d.number(depth) + " IS" + d.pick("", " NOT") + " DISTINCT FROM " + d.number(depth)
	}
	return d.time(depth) + " " + compare() + " " + d.time(depth)
}

// aggregate draws a call of an aggregate.
func (d *drawer) aggregate() string {
	call := d.call()
	if d.chance(4) {
		call += " FILTER (WHERE " + d.condition(1) + ")"
	}
	return call
}

func (d *drawer) call() string {
	any := func() string { return d.pick(d.number(1), d.text(1), "n", "k", "b", d.time(1)) }
	switch rapid.IntRange(0, 13).Draw(d.t, "aggregate") {
	case 0:
		return "count(*)"
	case 1:
		return "count(" + any() + ")"
	case 2:
		return "count(DISTINCT " + any() + ")"
	case 3:
		return "sum(" + d.pick("", "", "DISTINCT ") + d.number(1) + ")"
	case 4:
		return "avg(" + d.pick("", "", "DISTINCT ") + d.number(1) + ")"
	case 5, 6:
		return d.pick("min", "max") + "(" + any() + ")"
	case 7:
		return d.pick("var_pop", "var_samp", "stddev_pop", "stddev_samp") + "(" + d.pick("f", "n % 100", "round(f, 1)") + ")"
	case 8, 9:
		return d.pick("any_value", "first", "last") + "(" + any() + ")"
	case 10:
		return "approx_count_distinct(" + any() + ")"
	case 11:
		return "approx_quantile(" + d.pick(d.number(1), "n", "f") + ", " + d.pick("0.5", "0", "1", "0.95", "0.07", "[0.1, 0.5]", "0.5, 0.02") + ")"
	case 12:
		return d.pick("median", "p50", "p90", "p95", "p99") + "(" + d.number(1) + ")"
	}
	return "approx_top_k(" + any() + ", " + d.pick("1", "3") + ")"
}

// declaration draws a CREATE STREAM statement if the table is to be declared.
func (d *drawer) declaration() string {
	if !d.table.declared {
		return ""
	}
	return "CREATE STREAM t (ts TIMESTAMP, n " + d.pick("BIGINT", "DOUBLE") + ", f DOUBLE, k TEXT, s TEXT, b BOOLEAN);\n"
}

// query draws a SELECT.
func (d *drawer) query() string {
	if d.chance(4) {
		return d.projection()
	}
	return d.grouped()
}

// where draws a WHERE clause, or nothing.
func (d *drawer) where() string {
	if d.chance(2) {
		return ""
	}
	return " WHERE " + d.condition(2)
}

// tail draws ORDER BY, LIMIT and OFFSET over columns named in names.
func (d *drawer) tail(names []string) string {
	s := ""
	if d.chance(2) {
		var keys []string
		for range rapid.IntRange(1, 2).Draw(d.t, "keys") {
			keys = append(keys, d.pick(names...)+d.pick("", " DESC", " ASC")+d.pick("", " NULLS FIRST", " NULLS LAST"))
		}
		s += " ORDER BY " + strings.Join(keys, ", ")
	}
	if d.chance(3) {
		s += " LIMIT " + d.pick("0", "1", "3", "10")
		s += d.pick("", "", " OFFSET 1")
	}
	return s
}

func (d *drawer) projection() string {
	if d.chance(6) {
		return "SELECT " + d.pick("", "DISTINCT ") + "* FROM t" + d.where() + d.tail(columns)
	}
	var items, names []string
	for i := range rapid.IntRange(1, 4).Draw(d.t, "items") {
		names = append(names, fmt.Sprintf("c%d", i))
		items = append(items, d.pick(d.number(2), d.text(2), d.condition(2), d.time(1), "n", "k")+" AS "+names[i])
	}
	return "SELECT " + d.pick("", "", "DISTINCT ") + strings.Join(items, ", ") + " FROM t" + d.where() + d.tail(names)
}

// grouped draws a query with aggregates, most often with a window.
func (d *drawer) grouped() string {
	from, by := "t", []string{}
	items := []string{"count(*) AS c"}
	names := []string{"c"}
	if !d.chance(4) {
		call := d.window()
		if d.chance(2) {
			from = call("t, ts, ")
		} else {
			by = append(by, call("ts, "))
		}
		if !d.chance(3) {
			items = append(items, "window_start", "window_end")
		}
		if from != "t" {
			by = append(by, "window_start")
		}
	}
	for i := range rapid.IntRange(0, 2).Draw(d.t, "groups") {
		name := fmt.Sprintf("g%d", i)
		key := d.pick("k", "n", "f", "b", "n % 3", "upper(k)", "coalesce(k, '?')", d.number(1), d.text(1), "date_trunc('minute', ts)")
		items, names, by = append(items, key+" AS "+name), append(names, name), append(by, name)
		if strings.ContainsAny(key, "nfks") && d.chance(2) {
			by[len(by)-1] = key
		}
	}
	for i := range rapid.IntRange(1, 4).Draw(d.t, "aggregates") {
		call := d.aggregate()
		name := fmt.Sprintf("%s%d", nameFor(call), i)
		items = append(items, call+" AS "+name)
		if name[0] == 'a' {
			names = append(names, name) // others may be equal here and a little different there, so nothing is sorted by them
		}
	}
	sql := "SELECT " + d.pick("", "", "", "DISTINCT ") + strings.Join(items, ", ") + " FROM " + from + d.where()
	if len(by) > 0 {
		sql += " GROUP BY " + strings.Join(by, ", ")
	}
	if d.chance(4) {
		sql += " HAVING " + d.pick("count(*) > 1", "sum(n) >= 1", "c < 3", "max(f) IS NOT NULL", "avg(n) + 1 > 0.5")
	}
	return sql + d.tail(names)
}

// nameFor returns the beginning of a column's name that says how its values compare with the oracle's.
func nameFor(call string) string {
	switch {
	case strings.HasPrefix(call, "approx_quantile"), strings.HasPrefix(call, "median"), call[0] == 'p':
		return quantileColumn
	case strings.HasPrefix(call, "approx_top_k"):
		return topColumn
	case strings.HasPrefix(call, "sum"), strings.HasPrefix(call, "avg"), strings.HasPrefix(call, "var"), strings.HasPrefix(call, "std"):
		return computedColumn
	}
	return "a"
}

// window draws a window function, to be given its first arguments.
func (d *drawer) window() func(first string) string {
	zone := d.pick("", "", ", timezone => 'Europe/Berlin'", ", timezone => 'Asia/Kathmandu'", ", timezone => 'America/St_Johns'")
	origin := d.pick("", "", ", origin => INTERVAL '3 seconds'", ", origin => TIMESTAMP '2024-01-01 06:00:00'")
	if zone != "" {
		origin = d.pick("", "", ", origin => INTERVAL '6 hours'")
	}
	if d.chance(2) {
		size := d.pick("10 seconds", "1 minute", "7 minutes", "1 hour", "6 hours", "7 hours", "1 day", "2 days")
		return func(first string) string { return "tumble(" + first + "INTERVAL '" + size + "'" + origin + zone + ")" }
	}
	hop := d.pick("'5 seconds', '10 seconds'", "'4 seconds', '10 seconds'", "'1 minute', '10 minutes'", "'1 hour', '6 hours'", "'1 hour', '1 hour'", "'6 hours', '1 day'", "'1 day', '3 days'")
	return func(first string) string { return "hop(" + first + hop + origin + zone + ")" }
}
