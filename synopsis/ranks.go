package synopsis

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// manyRows is the number of rows from which on binomial quantiles are taken from their expansion, which is then right
// to less than a rank.
const manyRows = 1e5

// Ranks returns, as fractions of the total weight, the ranks between which the q-quantile of the offered rows lies
// with the given confidence, from a random sample that is worth rows rows drawn with replacement (RankRows). They are the
// binomial ranks of intervals.md section 8: with n kept rows of equal weight low is the value at position
// n*lo, rounded down, and high that at n*hi, rounded up, counted from 1. lo <= 0 says that the sample has no lower bound,
// hi > 1 that it has no upper one. Infinite rows give q itself. A sketch's rank error comes on top.
func Ranks(rows, q, confidence float64) (lo, hi float64) {
	if math.IsInf(rows, 1) {
		return q, q
	}
	if !(rows > 0) || q <= 0 || q >= 1 {
		return 0, math.Nextafter(1, 2)
	}
	delta := (1 - confidence) / 2
	return binomialQuantile(rows, q, delta) / rows, (binomialQuantile(rows, q, 1-delta) + 1) / rows
}

// RankRows returns how many rows drawn with replacement the kept rows are worth for the q-quantile: with n rows of one
// weight w, n w/(w-1), which is n/(1-f), else (intervals.md section 8)
//
//	min( W^2/sum w(w-1),  q(1-q)/VF ),   VF = (sum w(w-1) (1[x <= x_q]-q)^2 + w*(w*-1) max(q, 1-q)^2) / W^2.
//
// total is W = sum w, below and above are the sums of w(w-1) over the rows up to x_q and beyond it, and largest
// is w*, the largest weight in the window. Where nothing was shed the rows are worth infinitely many.
func RankRows(q, total, below, above, largest float64) float64 {
	lost := below + above
	if lost <= 0 && largest <= 1 {
		return math.Inf(1)
	}
	pooled := total * total / lost
	if math.Abs(lost-total*(largest-1)) <= 1e-9*lost {
		return pooled
	}
	far := max(q, 1-q)
	vf := below*(1-q)*(1-q) + above*q*q + largest*(largest-1)*far*far
	return min(pooled, q*(1-q)*total*total/vf)
}

// binomialQuantile returns the least integer j with P(B <= j) >= p for B binomial of n trials, n not
// necessarily an integer: P(B <= j) = I_{1-q}(n-j, j+1).
func binomialQuantile(n, q, p float64) float64 {
	z := distuv.UnitNormal.Quantile(p)
	// Cornish-Fisher expansion with the correction for continuity.
	j := math.Ceil(n*q + z*math.Sqrt(n*q*(1-q)) + (z*z-1)*(1-2*q)/6 - 0.5)
	j = min(max(j, 0), math.Ceil(n))
	if n > manyRows {
		return j
	}
	reaches := func(j float64) bool { return j >= n || mathext.RegIncBeta(n-j, j+1, 1-q) >= p }
	for ; !reaches(j); j++ {
	}
	for ; j > 0 && reaches(j-1); j-- {
	}
	return j
}
