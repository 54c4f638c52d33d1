package op

import (
	"time"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Filter keeps the rows for which Cond is true (not false, not NULL).
type Filter struct {
	Cond *expr.Node
}

// Project computes one column per expression. Fields names and types them.
type Project struct {
	Exprs  []*expr.Node
	Fields []tuple.Field
}

// WindowKind is the kind of a window.
type WindowKind uint8

// The kinds of windows.
const (
	NoWindow WindowKind = iota // one answer at the end of input
	Tumble
	Hop
)

// Window assigns rows to half-open intervals [start, end) of event time. Sizes are a number of
// calendar days plus a duration, of which one is zero: days follow the zone's daylight saving (23
// and 25 hours), durations do not. Windows are aligned to Origin (ns since the epoch; default 0: the epoch), in
// Zone's local time when Zone is set, by flooring.
type Window struct {
	Kind        WindowKind
	Size, Slide time.Duration // Slide == Size for Tumble
	SizeDays    int           // whole days; then Size is 0
	SlideDays   int
	Origin      int64
	Zone        *time.Location
}

// AggFunc is an aggregate function.
type AggFunc uint8

// The aggregate functions. Quantile is the default approx_quantile (value within 1 %), QuantileRank the
// KLL one with a rank error, QuantileTDigest influxdata's t-digest. CountDistinct is exact.
const (
	CountAll AggFunc = iota
	Count
	CountDistinct
	Sum
	Avg
	Min
	Max
	VarPop
	VarSamp
	StddevPop
	StddevSamp
	AnyValue
	First
	Last
	ApproxDistinct
	Quantile
	QuantileRank
	QuantileTDigest
	TopK
)

// Agg is one aggregate of an Aggregate box.
type Agg struct {
	Func   AggFunc
	Arg    *expr.Node // nil for CountAll
	Filter *expr.Node // FILTER (WHERE ...), or nil
	// Distinct asks for SUM, AVG etc. over distinct values; COUNT(DISTINCT) is CountDistinct.
	Distinct bool
	// Quantiles holds q for the quantile functions; several give a JSON list.
	Quantiles []float64
	List      bool // the quantiles were written as a list: the result is a JSON list even for one
	// Error is the relative error (ApproxDistinct) or rank error (QuantileRank) asked for, 0 for the default.
	Error float64
	K     int         // TopK
	Field tuple.Field // its column; type Null stands for the natural one, ResultType
	// Bounds asks for the aggregate's interval: three more columns, see Aggregate.BoundsOf.
	Bounds bool
	// Confidence is that of the bounds where there is no Sampling, and they are those of a sketch; 0: 0.95.
	Confidence float64
	// Ranged says that the values of Arg are promised to lie in [Low, High]. With Sampling it bounds sums and means, and the methods
	// Hoeffding and Bernstein rest on it. Values outside take part, are counted in Faults as "range", and their
	// window's answers and all later ones are labelled.
	Ranged    bool
	Low, High float64
}

// Sampling says that the rows of an Aggregate may have been thinned, so that it estimates (estimators.md section 2).
type Sampling struct {
	// Confidence of the intervals, in (0, 1).
	Confidence float64
	// Weighted says that rows carry Batch.Weight: counts are then sums of weights, of type Number.
	Weighted bool
	// Filtered says that rows may have been taken out behind the first drop, by WHERE or otherwise: then "all rows that were
	// kept are here" does not prove that all are.
	Filtered bool
	// Method is how means and sums get their intervals. Counts have Chernoff's where it is one that holds by a theorem.
	Method Method
	// Key is the key of the universe drop by which the rows were thinned, or nil, and Seed the drop's seed.
	Key  *expr.Node
	Seed uint64
}

// Method is a way to make intervals.
type Method uint8

// The methods. Hoeffding and Bernstein hold for any values inside the declared range, at the price of width.
const (
	Transform Method = iota // Hall's transform with guard rows
	Hoeffding
	Bernstein
)

var methodNames = [...]string{"transform", "hoeffding", "bernstein"}

// String returns the method's name in SQL.
func (m Method) String() string { return methodNames[m] }

// Ratio is the quotient Scale * Aggs[Num] / Aggs[Den] of two aggregates, whose interval is narrower than that of two
// intervals divided.
type Ratio struct {
	Num, Den int
	Scale    float64
}

// Aggregate groups rows by window and keys and computes aggregates. Its output has the columns
// window_start and window_end (Timestamp, with the window's zone) when Window.Kind is not NoWindow, then
// the keys, then the aggregates, then columns of bounds (Aggregate.BoundsOf and the methods beside it). Event time is
// Batch.Time.
//
// Windows are emitted in order of start; groups inside a window in order of their first row's appearance
// in the input. NULL is a key of its own, and -0, 0 and the integer 0 are one key. Without keys and
// without a window one row is emitted even for an empty input; a window without rows emits nothing.
type Aggregate struct {
	Window    Window
	Keys      []*expr.Node
	KeyFields []tuple.Field // one per key; type Null stands for the key's own
	Aggs      []Agg
	// Sampling is nil where the rows that come are all there are.
	Sampling *Sampling
	// Ratios are the quotients whose bounds are wanted.
	Ratios []Ratio
	// Memory bounds the bytes of state; 0: no bound. Beyond it the lightest groups of a window are folded into
	// one row with NULL keys.
	Memory int64
}

// OrderKey is one term of ORDER BY: a column of the input.
type OrderKey struct {
	Col        int
	Desc       bool
	NullsFirst bool // whatever Desc says
}

// Order sorts, limits and trims rows, within each window when Window is the column that identifies it
// (window_start; rows of a window arrive together), else over the whole input. Sorting is stable. Limit < 0 is none.
// Keep is the number of leading columns to emit: trailing ones are only sorted by. With no Keys it passes
// rows through as they come and only counts. Rows that stand for groups that had no room (a column of the role tuple.Other) come
// last, behind what the limit leaves of their window, and are not counted.
type Order struct {
	Keys          []OrderKey
	Limit, Offset int64
	Window        int // column index, or -1
	Keep          int
	// Total limits the rows of all windows together; 0: no limit.
	Total int64
	// Pick, with a limit or an offset, labels rows that it picks for being large by an estimate; nil: none.
	Pick *Pick
}

// Pick names the columns of bounds by which an Order tells which of its rows may be there by luck. Rows picked for being
// large by estimates are too large on average, so that their intervals do not cover (estimators.md section 3). A row
// is labelled unless all of its interval lies beyond those of the rows that were not picked: then it would have been
// picked whatever the errors, and its interval is what it was. Of all rows, those that are neither labelled nor
// covered are at most one less the confidence, as they are among the estimates before the limit.
type Pick struct {
	Low, High int // the bounds of the key by which rows are picked
	Desc      bool
	// Blind says that the key depends on estimates and has no bounds itself, like a bound: all rows are labelled where any was
	// left out, and Low, High and Desc say nothing.
	Blind  bool
	Labels []Estimate
	// Lists are the labels of columns that have no bounds, which are left as they are in rows of which column Exact is true.
	Lists []int
	Exact int
}

// Estimate names the bounds and the label of an estimate, which is left as it is where both bounds are the same.
type Estimate struct{ Low, High, Label int }

// Distinct drops rows equal to an earlier one, within each window when Window is a column, else over
// the whole input. Only the first Keep columns are compared.
type Distinct struct {
	Window int
	Keep   int
	// Memory bounds the bytes of state; 0: no bound. It is exact while the rows of a window fit half of it. From there on until the window
	// ends a new row is dropped, by mistake, with probability Error at most; and where more rows come than its filters have
	// room for, one that did not come for long may pass again.
	Memory int64
	// Error is that probability, within [1e-8, 0.5]; 0: DefaultDistinctError.
	Error float64
}
