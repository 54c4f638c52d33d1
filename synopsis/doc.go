// Package synopsis holds answers, the exact accumulators behind them, and what estimates answers from a part of the rows.
//
// # Model
//
// An answer is an [Estimate]: a value with an interval and the confidence that
// the interval claims. An accumulator is a small value without pointers, made
// to stand in a slice that is indexed by group ([]Sum, []Cell): a million of
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
// # Thinned streams
//
// A drop counts what it is offered and what it keeps. In one of its epochs, a [Stratum], the m kept rows are then a simple
// random sample without replacement of the M offered ones, and a kept row stands for w = M/m. A [Design] is the strata of a
// window. A cell is one (window, group, aggregate); in each stratum a row adds its value to it or, outside the cell, 0. The cell follows
//
//	N = sum w k,   S = sum w X,   Var S = sum M^2 (1/m - 1/M)/(m-1) (Q - X^2/m)
//
// from the number k of its kept rows, their sum X and their sum of squares Q in each stratum, and the third and fourth moments for the shape of
// the interval. Where fewer than 32 kept rows were to be expected of a stratum w is 1/keep, in the Poisson form, so that strata that kept
// nothing do not bias; so it is for rows with given weights.
//
//   - [Count] has the split gamma interval: per stratum the rows of the cell or those outside it are counted, whichever are fewer, and
//     what was missed of either has about a gamma distribution. It covers at every size and is never labelled. Where a method with a
//     theorem is asked for, it has Chernoff's bound.
//   - [Cell] has Hall's transform with the cumulants of a finite population, Student's quantiles at the degrees of freedom of
//     the variance, and a guard: one more row like the one that adds most, on either side. Sums of values in {0, c} are counts times c. Where
//     a [Method] with a theorem is asked for, and a range declared, it has that bound.
//   - [Tally] decides which sums and means have too few rows for how skewed their column is, and are to be labelled.
//   - [Part] is a stratum's share of a cell, for windows made of panes; rows of strata that lost nothing belong to
//     exact accumulators, whose result is [Known].
//
// Beside them stand [Spread] for variances and [Quotient] for ratios of counts and sums, which follow the residuals (x-R)^2 - S and a - R b in the
// same way and are labelled by a [Shape]; [Blocks] and [Keys] for rows that were chosen together, as blocks of a file or by the hash of a
// key, where blocks and groups of keys take the place of rows; and [Ranks] and [BlockRanks] for quantiles. [Skips] draws
// which records a drop keeps. [Reservoir], [StratifiedReservoir] and [VarOpt] are samples of a fixed size, and [ExponentialHistogram] counts
// in a sliding window.
//
// Two things differ from the usual. The skewness that a sum over a part of its strata is judged by moves between that of the values and that of
// their deviations with the share of the rows that the cell has. And a window whose strata had very different rates needs no pooled
// variance: the largest weight of the window is in the interval of every count, and in the number of effective rows of every cell.
//
// # Invariants
//
// Integers never pass through a float64 on their way to a sum. A variance is
// never negative. Merging the parts of a partition gives the exact integer sum
// of the whole; float results agree to rounding, so that equal bytes are
// obtained only from equal partitions merged in equal order.
//
// Bounds keep to the facts: Low <= Value <= High, a count is no less than the rows seen and no more than those and the dropped ones. An answer
// is Exact if and only if it is known.
//
// # Limits
//
// Accumulators do not know NULL and do not count rows for a mean: the caller
// keeps the count, and leaves NaN out. Nothing here is safe for concurrent use.
//
// Intervals claim their confidence for one answer, not for all answers of a window at once, and not for the largest of many. Those of
// [Transform] rest on measurement: at 95 % the unlabelled cells of thirteen distributions cover 94 to 97 % on the average over sizes, of columns without a
// variance (Pareto 1.5) 91 %, single sizes 2 points less. No interval sees an outlier that was dropped; the tally assumes that the cells of a
// column share their shape. If drops chose by value none of this would hold.
// Cells with deviations beyond 1e76, whose fourth power no float64 holds, have no bounds and are labelled.
package synopsis
