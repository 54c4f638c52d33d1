package synopsis

import "math"

// Bounded is a random sample of values that are known to lie in [Low, High]: what the intervals by a theorem need.
// In place of the Transform they hold for every distribution and every number of rows, at two to ten times its width.
type Bounded struct {
	// Rows is n, the number of values in the sample.
	Rows int64
	// Population is N, the number of values that the sample was drawn from without replacement; 0 where unknown.
	Population int64
	// Mean and Variance are the sample's, the variance with divisor n.
	Mean, Variance float64
	// Low and High are the declared range.
	Low, High float64
}

// Hoeffding returns the mean of the population within
//
//	(High-Low) sqrt( (1-(n-1)/N) ln(2/delta) / 2n ),   delta = 1 - confidence:
//
// Hoeffding (1963), theorem 2, with the factor of Serfling (1974), corollary 1.1, for a known population.
func (b Bounded) Hoeffding(confidence float64) Estimate {
	n := float64(b.Rows)
	half := (b.High - b.Low) * math.Sqrt(b.remaining()*math.Log(2/(1-confidence))/(2*n))
	return b.within(half, confidence)
}

// Bernstein returns the mean of the population within the empirical Bernstein bound of Audibert, Munos and Szepesvari
// (2009), theorem 1,
//
//	sqrt(2 V L/n) + 3 (High-Low) L/n,   V the sample's variance, L = ln(3/delta),
//
// which holds without replacement too (Hoeffding 1963, section 6), or for a known population the empirical
// Bernstein-Serfling bound of Bardenet and Maillard (2015), theorem 4.3,
//
//	sqrt(2 rho V L/n) + (7/3 + 3/sqrt 2) (High-Low) L/n,   L = ln(10/delta),   rho = 1-(n-1)/N, or (1-n/N)(1+1/n) above half of it.
//
// It is the one that is narrower for a standard deviation of a tenth of the range, so that the choice does not
// depend on the sample. Both are narrower than Hoeffding's where the deviation is small and n is large.
func (b Bounded) Bernstein(confidence float64) Estimate {
	n, delta := float64(b.Rows), 1-confidence
	rho := b.remaining()
	if b.Population > 0 && 2*b.Rows > b.Population {
		rho = (1 - n/float64(b.Population)) * (1 + 1/n)
	}
	plain := func(deviation float64) float64 {
		l := math.Log(3/delta) / n
		return deviation*math.Sqrt(2*l) + 3*l
	}
	serfling := func(deviation float64) float64 {
		l := math.Log(10/delta) / n
		return deviation*math.Sqrt(2*rho*l) + (7.0/3+3/math.Sqrt2)*l
	}
	bound := plain
	if b.Population > 0 && serfling(0.1) < plain(0.1) {
		bound = serfling
	}
	wide := b.High - b.Low
	if wide == 0 {
		return b.within(0, confidence)
	}
	return b.within(wide*bound(math.Sqrt(b.Variance)/wide), confidence)
}

// remaining returns Serfling's factor 1-(n-1)/N, which is 1 for a population without known size.
func (b Bounded) remaining() float64 {
	if b.Population <= 0 {
		return 1
	}
	return 1 - float64(b.Rows-1)/float64(b.Population)
}

// within returns the mean with an interval of the given half-width inside of what is possible: the range, and with a
// known population the mean of what was seen and values at one end for the rest.
func (b Bounded) within(half, confidence float64) Estimate {
	if b.Rows <= 0 {
		return Estimate{Value: math.NaN(), Low: b.Low, High: b.High, Confidence: 1}
	}
	if b.Rows == b.Population {
		return Exactly(b.Mean)
	}
	low, high := b.Low, b.High
	if b.Population > 0 {
		seen := float64(b.Rows) / float64(b.Population)
		low, high = seen*b.Mean+(1-seen)*b.Low, seen*b.Mean+(1-seen)*b.High
	}
	return Estimate{Value: b.Mean, Low: max(b.Mean-half, low), High: min(b.Mean+half, high), Confidence: confidence}
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
