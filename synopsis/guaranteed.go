package synopsis

import "math"

// guaranteed returns how far T, a weighted sum over the window's strata, may be from the truth by a theorem, where what two rows
// contribute is at most wide apart. variance is that of T.
//
// Hoeffding's inequality (1963, section 6: it holds without replacement; with Serfling's factor 1-(m-1)/M) bounds by
// range sqrt(ln(2/d)/2 sum M^2/m (1-(m-1)/M)). The empirical Bernstein-Serfling bound of Bardenet and Maillard (2015, theorem 4.3) holds in each of H
// strata with ln(10 H/d), and their sum is at most sqrt(2 H V L) + range L (7/3 + 3/sqrt 2) sum M/m.
func (d *Design) guaranteed(q Question, wide, variance float64) float64 {
	var squares, weights, stages float64
	strata := 0.0
	for _, s := range d.strata {
		if s.Whole() || s.Offered == 0 {
			continue
		}
		k := s.design(0)
		strata++
		weights += k.w
		depth := 0.0
		below := 0.0
		for u := s; u != nil; u = u.Up {
			if u.Keep >= 1 {
				continue
			}
			depth++
			below += u.spread(k.w / u.Weight())
		}
		stages = max(stages, depth)
		squares += below * depth
	}
	if d.given > 1 || d.unknown > 0 {
		return math.Inf(1)
	}
	delta := 1 - q.Confidence
	if q.Method == Hoeffding || stages > 1 || d.independent() {
		return wide * math.Sqrt(squares*math.Log(2*max(stages, 1)/delta)/2)
	}
	l := math.Log(10 * max(strata, 1) / delta)
	// The variance has (1-m/M) where the theorem has 1-(m-1)/M, at most twice it where a row was dropped.
	return math.Sqrt(4*strata*variance*l) + wide*l*(7.0/3+3/math.Sqrt2)*weights
}

// independent reports whether rows were kept independently of each other in some stratum, which Hoeffding's inequality holds for and the
// empirical Bernstein-Serfling bound does not.
func (d *Design) independent() bool {
	for _, s := range d.strata {
		for u := s; u != nil; u = u.Up {
			if u.Keep < 1 && u.Offered > 0 && (u.poisson() || u.Kept == 0) {
				return true
			}
		}
	}
	return false
}

// spread returns the sum of squares of what one row of range 1 may add, all rows of the stage, each of weight below after it.
func (s *Stratum) spread(below float64) float64 {
	w := s.stageWeight()
	m := float64(s.Kept)
	if s.poisson() || m == 0 {
		return below * below * w * w * float64(s.Offered)
	}
	return below * below * w * w * m * (1 - (m-1)/max(float64(s.Offered), m))
}
