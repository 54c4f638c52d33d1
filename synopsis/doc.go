// Package synopsis holds answers and the exact accumulators behind them.
//
// # Model
//
// An answer is an [Estimate]: a value with an interval and the confidence that
// the interval claims. An accumulator is a small value without pointers, made
// to stand in a slice that is indexed by group ([]Sum, []Moments): a million of
// them are one allocation that the garbage collector need not look into. The
// zero value of every accumulator is empty and ready to use; copying one copies
// its state.
//
//   - [Sum] adds 64-bit integers exactly, in 128 bits, and floats with a
//     compensation term, and gives sums and means.
//   - [Moments] follows mean and variance by Welford's recurrence, merged by
//     Chan's formula, on deviations from the first value.
//   - [Int128] is what an integer sum is.
//
// # Invariants
//
// Integers never pass through a float64 on their way to a sum. A variance is
// never negative. Merging the parts of a partition gives the exact integer sum
// of the whole; float results agree to rounding, so that equal bytes are
// obtained only from equal partitions merged in equal order.
//
// # Limits
//
// Accumulators do not know NULL and do not count rows for a mean: the caller
// keeps the count, and leaves NaN out. Nothing here is safe for concurrent use.
package synopsis
