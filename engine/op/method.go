package op

import (
	"strconv"

	"github.com/aurora-dsms/aurora/sketch"
)

// Method says which sketch answers a and how far off it may be: "log-histogram (value within 0.8 %)". It is empty for the
// functions that are exact.
func (a *Agg) Method() string {
	switch a.Func {
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

// percent returns a share as text of two digits.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 2, 64) + " %" }
