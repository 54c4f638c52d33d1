package synopsis

import "math"

// tallies counts the rows of a cell over strata. Where the cell holds at most half of a stratum's kept rows they are
// counted themselves; else those outside it are, the complement: for few rows the count is Poisson-like and the interval
// must follow it, and few are missing just as few are there (intervals.md section 2).
type tallies struct {
	n, k, v        float64 // the cell: sum w k, k, variance
	bn, bk, bv     float64 // the complement: the same
	bOffered, bSum float64 // of the strata of the complement: M and m
	bw             float64 // their largest weight
	parked         int32   // first of the counts whose strata may have more rows, +1
}

// add counts k rows, all that the cell has in stratum s.
func (t *tallies) add(s *Stratum, k int64) {
	d := s.design(k)
	switch d.form {
	case simpleForm:
		t.sample(k, int64(d.m), d.M, d.w)
	case stagedForm:
		p := Part{k: k}
		t.n += d.w * float64(k)
		t.k += float64(k)
		t.v += max(stagedVariance(&p, s)[2], 0)
	default:
		t.weigh(float64(k), d.w)
	}
}

// weigh counts k rows of weight w each, kept independently of each other.
func (t *tallies) weigh(k, w float64) {
	t.n += w * k
	t.k += k
	t.v += w * (w - 1) * k
}

// sample counts k of a simple random sample of m rows of M, each of weight w = M/m.
func (t *tallies) sample(k, m int64, population, w float64) {
	a, b := float64(k), float64(m-k)
	v := w * (w - 1) * a
	if m > 1 {
		n := float64(m)
		v = population * (population - n) / (n * (n - 1)) * a * b / n
	}
	if 2*k <= m {
		t.n += w * a
		t.k += a
		t.v += v
		return
	}
	t.bn += w * b
	t.bk += b
	t.bv += v
	t.bOffered += population
	t.bSum += float64(m)
	t.bw = max(t.bw, w)
}

// value returns the estimate: sum w k.
func (t *tallies) value() float64 { return t.n + t.bOffered - t.bn }

// seen returns the number of kept rows.
func (t *tallies) seen() float64 { return t.k + t.bSum - t.bk }

// guardShare is the part of an imagined kept row that the upper bound of a count rests on. With 1 it is the exact interval of Clopper
// and Pearson where rows are few.
const guardShare = 0.7

// interval returns the bounds of the count in the strata of all. The errors of the two groups combine as if independent, but no further than their
// sum where each is held to the rows that are there.
func (t *tallies) interval(all *totals, q *quantiles) (low, high float64) {
	missing, other := math.Inf(1), math.Inf(1)
	if all.given <= 1 {
		missing = max(all.offered-t.bOffered-(all.kept-t.bSum), 0)
		other = t.bOffered - t.bSum
	}
	lowA, highA := gammaInterval(t.n, t.k, t.v, max(all.largest, all.given), q)
	lowB, highB := 0.0, 0.0
	if t.bOffered > 0 {
		lowB, highB = gammaInterval(t.bn, t.bk, t.bv, t.bw, q)
	}
	value := t.value()
	heldA := max(min(highA, t.k+missing), t.n)
	heldB := max(min(highB, t.bk+other), t.bn)
	low = value - min(math.Hypot(t.n-lowA, highB-t.bn), t.n-lowA+heldB-t.bn)
	high = value + min(math.Hypot(highA-t.n, t.bn-lowB), heldA-t.n+t.bn-lowB)
	return low, high
}

// gammaInterval returns the bounds of a count estimated by n from k kept rows with variance v, when a kept row weighs at most w: what
// is missing has about a gamma distribution.
func gammaInterval(n, k, v, w float64, q *quantiles) (low, high float64) {
	lost := n - k
	low = n
	if lost > 0 && v > 0 {
		low = k + lost*gammaScaled(&q.low, lost*lost/v)
	}
	mean := max(lost, 0) + guardShare*(w-1)
	variance := v + guardShare*w*(w-1)
	high = n
	if mean > 0 && variance > 0 {
		high = k + mean*gammaScaled(&q.high, mean*mean/variance)
	}
	return min(low, n), max(high, n)
}

// gammaScaled returns the quantile of the gamma distribution of the given shape and mean 1.
func gammaScaled(t *gammaTable, shape float64) float64 { return t.quantile(shape) / shape }
