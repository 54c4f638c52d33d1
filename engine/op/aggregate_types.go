package op

import (
	"errors"
	"fmt"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var aggNames = [...]string{
	CountAll: "count", Count: "count", CountDistinct: "count", Sum: "sum", Avg: "avg", Min: "min", Max: "max",
	VarPop: "var_pop", VarSamp: "var_samp", StddevPop: "stddev_pop", StddevSamp: "stddev_samp",
	AnyValue: "any_value", First: "first", Last: "last", ApproxDistinct: "approx_count_distinct",
	Quantile: "approx_quantile", QuantileRank: "approx_quantile", QuantileTDigest: "tdigest_quantile", TopK: "approx_top_k",
}

// String returns the function's SQL name.
func (f AggFunc) String() string {
	if int(f) < len(aggNames) {
		return aggNames[f]
	}
	return fmt.Sprintf("AggFunc(%d)", uint8(f))
}

// quantiles reports whether f is one of the quantile functions.
func (f AggFunc) quantiles() bool { return f >= Quantile && f <= QuantileTDigest }

// variance reports whether f is a variance or a standard deviation.
func (f AggFunc) variance() bool { return f >= VarPop && f <= StddevSamp }

// ResultType returns the type of a's values: BIGINT for counts, NUMBER for sums of integers, which
// may need 128 bits, DOUBLE for means and variances, JSON for lists, the argument's type for the rest. The mean
// and the sum of intervals are intervals.
func (a *Agg) ResultType() tuple.Type {
	arg := tuple.Null
	if a.Arg != nil {
		arg = a.Arg.Type
	}
	switch f := a.Func; {
	case f <= CountDistinct, f == ApproxDistinct:
		return tuple.Bigint
	case f == TopK, f.quantiles() && (a.List || len(a.Quantiles) != 1):
		return tuple.JSON
	case f == Sum && arg == tuple.Bigint:
		return tuple.Number
	case f == Avg && arg != tuple.Interval, f.variance():
		return tuple.Double
	case f == Sum && arg == tuple.Null:
		return tuple.Number
	case f == QuantileTDigest && arg.Numeric():
		return tuple.Double
	}
	return arg
}

// check says what is wrong with a.
func (a *Agg) check() error {
	if int(a.Func) >= len(aggNames) {
		return fmt.Errorf("unknown aggregate function %d", a.Func)
	}
	if (a.Arg == nil) != (a.Func == CountAll) {
		return fmt.Errorf("%v: wrong number of arguments", a.Func)
	}
	if a.Filter != nil && a.Filter.Type != tuple.Boolean && a.Filter.Type != tuple.Null {
		return fmt.Errorf("%v: FILTER must be a condition, not %v", a.Func, a.Filter.Type)
	}
	if a.Ranged && !(a.Low < a.High) {
		return fmt.Errorf("%v: a range from %v to %v", a.Func, a.Low, a.High)
	}
	if a.Arg == nil {
		return a.checkResult()
	}
	switch t := a.Arg.Type; {
	case t == tuple.Null || t.Numeric():
	case t == tuple.Interval && !a.Func.variance():
	case t == tuple.Timestamp && a.Func != Sum && a.Func != Avg && !a.Func.variance():
	case a.Func == Sum || a.Func == Avg || a.Func.variance() || a.Func.quantiles():
		return fmt.Errorf("%v of %v", a.Func, t)
	}
	if a.Func == TopK && a.K < 1 {
		return errors.New("approx_top_k: k must be at least 1")
	}
	if a.Func.quantiles() && len(a.Quantiles) == 0 {
		return fmt.Errorf("%v: no quantile given", a.Func)
	}
	for _, q := range a.Quantiles {
		if !(q >= 0 && q <= 1) {
			return fmt.Errorf("%v: %v is not within [0, 1]", a.Func, q)
		}
	}
	return a.checkResult()
}

// checkResult says whether a's field can hold its values: it must have their type, or one of the
// numeric types where they are numbers.
func (a *Agg) checkResult() error {
	natural, declared := a.ResultType(), a.Field.Type
	if declared == tuple.Null || declared == natural || natural == tuple.Null {
		return nil
	}
	if natural.Numeric() && (declared == tuple.Number || declared == tuple.Double) {
		return nil
	}
	return fmt.Errorf("%v gives %v, not %v", a.Func, natural, declared)
}

// fieldType returns the type of a's output column.
func (a *Agg) fieldType() tuple.Type {
	if a.Field.Type != tuple.Null {
		return a.Field.Type
	}
	return a.ResultType()
}

// weighted reports whether a is a count of rows with weights, which need not be a whole number.
func (s *Aggregate) weighted(a *Agg) bool {
	return s.Sampling != nil && s.Sampling.Weighted && a.Func <= Count && a.Field.Type == tuple.Null
}
