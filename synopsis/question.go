package synopsis

// Method is the way to an interval for sums and means.
type Method uint8

// The methods. The last two need a declared range.
const (
	Transform Method = iota // Hall's transform with guard rows: narrow, covers by experience
	Hoeffding               // by Hoeffding's inequality: wide, a theorem
	Bernstein               // by the empirical Bernstein inequality: a theorem, narrower where the variance is small
)

// Question is what is asked of a cell.
type Question struct {
	// Confidence that the interval is to have, in (0, 1).
	Confidence float64
	// Domain says that the query groups, filters or has windows, so that a cell need not be the whole of its strata.
	Domain bool
	// Tally is that of the cell's column, or nil.
	Tally *Tally
	// Method chooses the interval of sums and means.
	Method Method
	// Low and High are the declared range of the column; none unless Low < High.
	Low, High float64
}
