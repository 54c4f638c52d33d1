// Package sketch summarises a stream of values in bounded memory: how many
// distinct there are, which value stands at a quantile, which occur most, and
// which have been seen.
//
// # Model
//
// Every sketch is a concrete struct with the same life: made empty, fed one
// value at a time, merged with others of the same configuration, asked, and
// reset for the next window with its arrays kept. Answers are exact while the
// input is small, and carry what is known about their error afterwards.
//
//	Distinct          exact to 512 values, then HyperLogLog, relative s.d. 0.81 %
//	Theta             exact to 4,096 values, then the least hashes, 1.56 %; right under universe drops
//	Quantile          exact to 256 values, then value within 1/128 = 0.78 %
//	WeightedQuantile  the same with weights
//	KLL               exact to k values, then rank within 1.33 % (k = 200, 99 %)
//	TDigest           exact to 256 values, then empirical: sharp tails, no theorem
//	TopK              exact to its capacity, then weighted SpaceSaving with lo and hi
//	CountMin          counts never too low, eps*W too high with probability delta
//	Bloom             membership: never a false no, a false yes with probability p
//
// The common shape, by the methods' names: Add... takes a value or a hash, with a weight where weights mean something;
// Merge; Interval, which is the answer as a [synopsis.Estimate]; Bytes, the memory taken; MarshalBinary and
// UnmarshalBinary; Reset. There is no interface of it: values, weights and questions differ, and calls are direct.
//
// An Interval is about the rows added. Where these are a sample, its error adds to that of the sketch: the rank sketches'
// Bounds take the interval of ranks in which the sample leaves a quantile (synopsis.Ranks, with EffectiveRows of
// WeightedQuantile), Theta knows the threshold of its universe, and TopItem.Interval has the variance of its item's
// weight. Distinct under a random drop has no estimator.
//
// Values are hashed once, by [Hash], [HashInt] or [HashFloat], and the hash is
// handed to every sketch that wants one; each mixes it again in its own way.
//
// # Invariants
//
//   - The state of Distinct, Theta, Quantile, WeightedQuantile, CountMin and Bloom is a function of the
//     set or multiset of values: order, partition and merge order do not show, save in the rounding of weights. What
//     counts sets, Distinct, Theta and Bloom, does not change when something is merged again.
//   - KLL, TDigest and TopK depend on order; their stated bounds do not.
//   - Adding allocates nothing in steady state. Chance comes from seeds only.
//   - MarshalBinary frames its payload with kind, version and xxhash64.
//     UnmarshalBinary refuses anything else, allocates in proportion to its
//     input, and leaves the receiver unchanged on error.
//
// # Limits
//
// Nothing is safe for concurrent use, not even two readers: answers are cached
// and values sorted when asked for. NaN is ignored; NULL is the caller's.
// Distinct estimates may pass the row count, which the caller knows and clamps
// to. A sketch must not be copied once it has been fed.
package sketch
