package coverage

import "math"

// FalseAlarm is the probability with which an interval that holds its promise is blamed.
const FalseAlarm = 1e-6

// Short reports whether the share is less than promised, beyond what chance explains: whether that few would be covered with a
// probability below FalseAlarm if each were with the probability promised, by itself.
func (s Share) Short(promised float64) bool {
	return atMost(s.Covered, s.Cells, promised) < FalseAlarm
}

// atMost returns the probability of k or fewer successes among n of probability p; 1 where k is not below the mean.
func atMost(k, n int64, p float64) float64 {
	if float64(k) >= p*float64(n) {
		return 1
	}
	logGamma := func(x int64) float64 {
		v, _ := math.Lgamma(float64(x))
		return v
	}
	term := math.Exp(logGamma(n+1) - logGamma(k+1) - logGamma(n-k+1) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	sum := 0.0
	// Below the mean terms fall, each by more than the one before it.
	for ; k >= 0 && term > 1e-18*sum; k-- {
		sum += term
		term *= float64(k) / float64(n-k+1) * (1 - p) / p
	}
	return min(sum, 1)
}
