// Package workload generates streams of records for experiments, benchmarks and
// `aurora generate`: always the same bytes for the same configuration.
//
// The model: a schedule says when record k is due, in event time, by arithmetic
// alone; a disorder displaces some event times into the past; a workload fills
// the other columns from random streams and formats one line. Nothing here
// reads a clock or waits. A caller that wants a live stream paces the lines by
// [Generator.Due].
//
// Invariants:
//
//   - The same configuration gives the same bytes on every machine and release
//     of Go. Randomness is PCG only; exp, log and sine are this package's own,
//     because those of package math are assembly on some machines and may
//     differ in the last bit; every product is rounded before it is added, so
//     no compiler can fuse the two.
//   - Each column draws from a stream of its own, derived from the seed and
//     the column's name: changing the skew of the hosts changes no latency.
//   - The formats of one workload carry the same values in the same order.
//   - No event time is older than the newest before it by more than
//     [Config.Disorder].
//
// Limits: strings never need a quote or an escape in any format. Lognormal
// columns are linear between 3,072 exact quantiles and end at the quantiles
// 2^-22 and 1 - 2^-22. Rates are exact to a relative 2^-50 over a segment of a
// shape. A Generator is for one goroutine.
package workload
