package query

// Settings are what the user asks of an answer besides the text of the query. The zero value asks for exact answers.
type Settings struct {
	// Bounds asks for the interval of every aggregate, also where nothing can be off.
	Bounds bool
	// Confidence of the intervals, in (0, 1); 0: what the query says, or DefaultConfidence.
	Confidence float64
	// Error is the relative half-width of intervals that suffices; 0: what the query says, or none.
	Error float64
	// Method is the way to the intervals of sums and means, one of Methods; empty: what the query says, or the transform.
	Method string
	// Ranges are those that values of columns are promised to lie in, beside what the query says.
	Ranges []Range
	// Sample are probabilities with which records are kept; several take turns, one an epoch. Empty: all are kept.
	Sample []float64
	// SampleBy is the column by whose values records are kept or dropped together, all of a value or none (a
	// universe drop); empty: each record by itself.
	SampleBy string
	// Seed is the run's seed.
	Seed uint64
	// Weight is the column that says how many records each one stands for, or "1/" and the column that says with which probability
	// each was kept; empty: none.
	Weight string
	// Memory bounds the bytes of state; 0: no bound.
	Memory int64
	// Within says that the answer is wanted before the input is read, from blocks of it chosen by chance.
	Within bool
	// Prefix allows, with Within, to answer from the beginning of an input in which one cannot seek; labelled.
	Prefix bool
	// Insist asks for a count of distinct values of a thinned stream as a labelled lower bound, instead of an error.
	Insist bool
	// Limit ends the answer after this many rows, those of all windows; 0: no limit.
	Limit int64
	// Unsifted leaves HAVING, ORDER BY, LIMIT and OFFSET out of the query.
	Unsifted bool
}

// DefaultConfidence is the confidence of intervals for which nobody named another.
const DefaultConfidence = 0.95
