// Package expr holds scalar expressions: bound trees, the catalogue of functions, and the programs that
// evaluate them a batch at a time.
//
// # Model
//
// A binder asks [Resolve] for the type of each call and builds a tree of [Node]. [Compile] turns a tree into a
// [Program], which computes one column from the columns of a block ([Program.Eval]) or picks the rows for which a
// condition is true ([Program.Select]). A program looks only at selected rows, and the branches of CASE,
// COALESCE, AND and OR only at rows that reach them.
//
// # Semantics
//
// NULL in, NULL out, except where SQL says otherwise. Integers are exact to 64 bits: BIGINT, DOUBLE and NUMBER compare by
// value, never through a rounding. NaN equals NaN and is greater than every other number; -0 equals 0. Text compares
// bytewise. A NUMBER row is an integer or a double by itself, and what is computed from it depends on that
// row alone, never on how its batch happens to be represented: integer with integer gives an integer, anything with a double
// a double. 128-bit integers, which sums produce, compare and print exactly and enter arithmetic as doubles.
//
// A value that cannot be computed is NULL and counted by reason (see [Program.Faults]): never an error, never
// a wrapped integer. Division by zero is NULL and not counted.
//
// # Limits
//
// Times have no zone of their own. Units of date_trunc and date_part are those of UTC, or of the clock on a wall of
// the zone that a third argument names, except within 64 hours of the ends of the range of times. strftime writes UTC;
// strptime reads it unless the text has an offset (%z). Units, zones and formats are literals. Intervals are lengths
// of time in ns; months and years are not intervals. Programs keep scratch memory and serve one goroutine at a time.
package expr
