// Package query binds SQL: it turns a syntax tree and what is known of the stream into typed expressions and a plan.
//
// # Model
//
// [Parse] reads a text and finds every mistake that can be found without looking at data; [Script.Bind] asks a
// [Catalog] for the stream, finds the columns, decides their types and returns a [plan.Query]. Both run the same
// code: Parse binds each query to a stream of which nothing is known, where every name is a column and every column
// goes with everything, and throws the plan away.
//
// A select list is bound either over the rows of the stream or, if the query groups, over the groups: then what is inside
// an aggregate is bound over rows, an expression equal to a group key is that key, and any other column is a mistake.
//
//	input -> filter WHERE -> drop -> aggregate -> filter HAVING -> project -> distinct -> order
//
// # Names
//
// A column is found by its exact name, else by its name in another letter case if only one has it. http.path and
// http['path'] are fields inside a JSON column; a name in quotes is one element of the way, so that "a.b".c is not
// a.b.c, though either finds the other's field if that is the only one shown so. WHERE, GROUP BY, HAVING and the select list itself may use aliases
// where no column has the name (HAVING and ORDER BY prefer the alias). A name that the sample lacks is an error if
// the sample was the whole input or a similar name exists; else a warning, and the column is read when it comes. An
// input without any record has every column.
//
// # Types
//
// A column of a declared stream has its declared type. Any other is read the way the query uses it: a column whose
// sample was text, or a mixture, is a number (a time, a truth value) where one use needs that, and then in all uses
// that ask for nothing: select list, keys, count, min, max, order, comparison with another column. Only uses of
// text read it as text: functions of text, LIKE, ||, a comparison with text, CAST AS TEXT, which gives the record's
// own text also of a number ("00501"). To this end a query is bound again with the types that it needed. Text
// literals take the type of what they meet: ts >= '2024-01-01' compares times. A column of which the sample showed
// only NULLs, and that nothing asks to be something else, is text.
//
// # Windows
//
// FROM tumble(s, ts, '1m') and GROUP BY tumble(ts, '1m') are the same. A query with a window groups by it, whether
// or not GROUP BY names window_start; window_start and window_end may be used everywhere but in WHERE. ORDER BY,
// LIMIT and DISTINCT of such a query work within each window. Event time is the column that the window names, else
// the stream's own, else the only TIMESTAMP, else the only one called ts, time or timestamp (a number will do if
// there is no TIMESTAMP), else arrival, with a warning, if the stream is live; a file's windows must name it. A time
// column that no record so far has is an error.
//
// # Samples
//
// TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (42), or without a method, drops rows by chance; TABLESAMPLE UNIVERSE (10
// PERCENT) ON (user) keeps all rows of a user or none. [Settings] ask for the same from outside. One drop stands in
// front of the query; TABLESAMPLE beside [Settings.Sample] behind WHERE. A projection is thinned without a word. Distinct
// values are counted only under a universe of their column, as no estimator is good elsewhere; [Settings.Insist] gives a
// labelled lower bound. [Settings.Within] answers aggregates only: a projection of a part of a file would pass for all of it.
//
// # Bounds
//
// Where a setting, a sample or WITH QOS asks for bounds, every column over aggregates has its interval behind it, _lo and _hi, and
// the row ends in _kept, _exact, _unseen (with groups, of a sample or within a memory bound) and _other (with a memory bound); elsewhere only functions that
// approximate have _lo and _hi. The interval of an expression follows from those of its aggregates by interval arithmetic:
// sums, products, quotients, functions that grow, greatest, least, coalesce, CASE. A quotient of two counts or sums of a
// sample, with constant factors, has an interval of its own, and sum(CASE WHEN c THEN 1 ELSE 0 END) that of a count.
// What nothing bounds has NULL bounds and a label unless the row is exact; in exact rows bounds are the value. Bounds
// that are not known are NULL.
//
// lower_bound(x), upper_bound(x), absolute_error(x) and relative_error(x) stand in the select list, HAVING and ORDER BY, x being an
// alias or any expression over aggregates. The absolute error is the larger distance to a bound; the relative one is its
// share of the value, NULL at 0. They are statements about x and have no bounds themselves.
//
// The methods hoeffding and bernstein ([Settings.Method], WITH QOS (bound 'hoeffding', range latency 0..1000)) give intervals that hold by a theorem,
// to count, and to sum and avg of columns whose range is declared; all else is refused in a sample, with the remedy. An expression over k
// aggregates has the confidence of the query as each of them has a k-th part of the error; quotients get no interval of
// their own. A range by itself clamps the usual intervals.
//
// DISTINCT of a query without aggregates is bounded by [Settings.Memory], or by 64 MiB where only an error is named, which is then
// the probability with which a new row may be missing ([op.Distinct]).
//
// HAVING decides by estimates. So do ORDER BY and LIMIT: rows picked for being large are too large on average, and those
// that might not have been picked are labelled ([op.Pick]), or all of them where the order is by a statement about estimates;
// [Settings.Unsifted] gives all groups. The row of groups that had no room stands outside of all three: it comes last and is not counted.
//
// # Limits
//
// Joins, UNION ALL, sub-queries, session windows, EMIT EVERY, sampling of weighted records or of a universe, and QoS beyond
// error, confidence, bound and range are refused as not yet supported, with their place.
package query
