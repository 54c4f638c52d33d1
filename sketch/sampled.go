package sketch

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// sampledCount is a count by the rows that were kept: n is the sum of w, missing that of w-1 and spread that of w(w-1).
type sampledCount struct{ n, missing, spread float64 }

// countGuard is the share of one more row of the largest weight that an upper bound allows for (intervals.md section 2);
// 1 would be the analogue of Clopper and Pearson's interval.
const countGuard = 0.7

// atLeast returns the lower end of the two-sided interval for the number of rows: those kept, and a gamma quantile of
// those missing, the mean and the variance of which are missing and spread.
func (c sampledCount) atLeast(confidence float64) float64 {
	if !(c.missing > 0) {
		return c.n
	}
	return c.n - c.missing + gammaQuantile((1-confidence)/2, c.missing, c.spread)
}

// atMost returns the upper end, where no row weighed more than largest.
func (c sampledCount) atMost(confidence, largest float64) float64 {
	missing := c.missing + countGuard*(largest-1)
	if !(missing > 0) {
		return c.n
	}
	spread := c.spread + countGuard*largest*(largest-1)
	return max(c.n, c.n-c.missing+gammaQuantile((1+confidence)/2, missing, spread))
}

// gammaQuantile returns the quantile p of the gamma distribution with this mean and variance.
func gammaQuantile(p, mean, variance float64) float64 {
	if !(variance > 0) || math.IsInf(variance, 1) {
		return mean
	}
	return variance / mean * mathext.GammaIncRegInv(mean*mean/variance, p)
}
