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
//	input -> filter WHERE -> aggregate -> filter HAVING -> project -> distinct -> order
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
// # Limits
//
// Joins, UNION ALL, sub-queries, session windows, EMIT EVERY, QoS, sampling and the functions that give bounds are
// refused as not yet supported, with their place.
package query
