package op

import (
	"strconv"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/sketch"
)

// Method says which sketch answers a and how far off it may be by itself: "log-histogram (value within 0.8 %)"; or by which bound and
// in which range the interval of a sample is made, if that is not the usual one. It is
// empty for the functions that need none. s is nil where the rows are all there are.
func (a *Agg) Method(s *Sampling) string {
	if s != nil && (a.Func == ApproxDistinct || a.Func == CountDistinct) {
		return a.sampledMethod(s)
	}
	switch a.Func {
	case CountAll, Count:
		if s != nil && s.Method != Transform {
			return "Chernoff's bound"
		}
	case Sum, Avg:
		if s != nil {
			return a.intervalMethod(s.Method)
		}
	case Quantile:
		return "log-histogram (value within 0.8 %)"
	case QuantileRank:
		if s, err := sketch.NewKLL(a.Error, coins); err == nil {
			return "KLL (rank within " + percent(s.LargestRankError()) + ")"
		}
	case QuantileTDigest:
		return "t-digest (no proved bound)"
	case ApproxDistinct:
		if s, err := sketch.NewDistinct(a.Error); err == nil {
			return "HyperLogLog (standard error " + percent(s.RelativeError()) + ")"
		}
	case TopK:
		return "SpaceSaving (" + strconv.Itoa(sketch.TopCapacity(a.K)) + " counters)"
	}
	return ""
}

// intervalMethod names the way to the interval of a sum or a mean where it is not the usual one.
func (a *Agg) intervalMethod(m Method) string {
	if !a.Ranged {
		return ""
	}
	name := [...]string{"Hall's transform", "Hoeffding's bound", "the empirical Bernstein bound"}[m]
	float := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return name + " within " + float(a.Low) + ".." + float(a.High)
}

// sampledMethod is Method of a number of distinct values of a sample.
func (a *Agg) sampledMethod(s *Sampling) string {
	if s.Key == nil || !expr.Equal(s.Key, a.Arg) {
		return "what was seen (a lower bound)"
	}
	if t, err := sketch.NewTheta(a.thetaError()); err == nil {
		return "the least hashes (standard error " + percent(t.RelativeError()) + ")"
	}
	return ""
}

// percent returns a share as text of two digits.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 2, 64) + " %" }
