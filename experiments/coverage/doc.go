// Package coverage measures whether intervals hold what they promise: it answers a query exactly once and sampled many
// times, and counts how often the true value lies in the interval.
//
// # Model
//
// A [Question] is a query, its streams, and what is asked of its answers ([engine.Options].Answers). Its [Twin] is the exact answer. Each
// [Twin.Replay] is a sampled answer with a seed of its own. HAVING, ORDER BY, LIMIT and OFFSET are left out of both, for they pick
// winners. A row of one answer belongs to the row of the other that has the same values in all columns that do not depend on
// aggregates; a [Cell] is one aggregate of such a pair. A [Tally] adds cells up to the figures of a [Column].
//
// [Verify] does all of it. The folder measure has the distributions and rate patterns by which the formulas of package synopsis are
// judged, and their results.
//
// # Invariants
//
// Run i, from 0, has the seed Answers.Seed + i, so that "aurora query --seed" repeats it. The result depends on nothing else.
//
// # Limits
//
// The rows of an answer must differ in their keys: every GROUP BY column has to be selected. Columns of times are compared as numbers, those of text and
// lists are not. Where the twin itself is approximate, because functions are, a cell is covered when its
// interval reaches into the twin's own. A group that a sampled run did not list has no
// cells; where the query has a count(*), groups above the bound that the answer gives for such groups (_unseen) have to be listed. Streams are read once per run, so they have to be files.
package coverage
