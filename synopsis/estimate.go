package synopsis

import "math"

// Estimate is an answer with what is known about its error: the true value
// lies in [Low, High] with probability at least Confidence.
//
// Exact says that Value is the true value; then Low and High equal Value and
// Confidence is 1. Confidence 1 without Exact is a bound that always holds.
// Confidence 0 is that of an interval that cannot be relied on: nothing is
// promised of it.
type Estimate struct {
	Value, Low, High, Confidence float64
	Exact                        bool
}

// Exactly returns the estimate of a value that is known.
func Exactly(v float64) Estimate {
	return Estimate{Value: v, Low: v, High: v, Confidence: 1, Exact: true}
}

// Contains reports whether v lies in the interval, ends included.
func (e Estimate) Contains(v float64) bool { return e.Low <= v && v <= e.High }

// loose returns e with open bounds where it cannot be relied on and its bounds are equal: what was kept does not vary, and says nothing of the
// rest.
func (e Estimate) loose(reliable bool) Estimate {
	if !reliable && !e.Exact && e.Low == e.High {
		e.Low, e.High = math.Inf(-1), math.Inf(1)
	}
	return e
}

// plus returns the estimate of what e estimates and x more.
func (e Estimate) plus(x float64) Estimate {
	e.Value, e.Low, e.High = e.Value+x, e.Low+x, e.High+x
	return e
}

// Total returns the estimate of n times what e estimates: of a sum, where e is of the mean of n values.
func (e Estimate) Total(n float64) Estimate {
	e.Value, e.Low, e.High = e.Value*n, e.Low*n, e.High*n
	return e
}
