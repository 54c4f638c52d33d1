package workload

import "math"

// alias draws from a finite distribution in constant time (A. J. Walker's alias
// method): a cell is chosen evenly, then the cell or its alias.
type alias []aliasCell

// aliasCell is left for its alias by draws at or above cut, in units of 2^-32.
type aliasCell struct{ cut, other uint32 }

// newAlias returns the distribution in which i has the share
// weights[i] / sum(weights). Weights are finite, not negative, not all zero.
func newAlias(weights []float64) alias {
	n, sum := len(weights), 0.0
	for _, w := range weights {
		sum += w
	}
	cells := make(alias, n)
	scaled := make([]float64, n)
	var below, above []int
	for i, w := range weights {
		cells[i] = aliasCell{math.MaxUint32, uint32(i)}
		scaled[i] = mul(w/sum, float64(n))
		if scaled[i] < 1 {
			below = append(below, i)
		} else {
			above = append(above, i)
		}
	}
	for len(below) > 0 && len(above) > 0 {
		poor, rich := below[len(below)-1], above[len(above)-1]
		below = below[:len(below)-1]
		cells[poor] = aliasCell{uint32(mul(scaled[poor], 1<<32)), uint32(rich)}
		scaled[rich] -= 1 - scaled[poor]
		if scaled[rich] < 1 {
			above = above[:len(above)-1]
			below = append(below, rich)
		}
	}
	return cells
}

// zipf returns the distribution over ranks 0..n-1 in which rank k has a share
// proportional to (k+1)^-skew. Skew 0 is uniform.
func zipf(n int, skew float64) alias {
	weights := make([]float64, n)
	for k := range weights {
		weights[k] = exp(mul(-skew, ln(float64(k+1))))
	}
	return newAlias(weights)
}

// draw maps 64 random bits to an index.
func (a alias) draw(u uint64) int {
	i := int((u >> 32) * uint64(len(a)) >> 32)
	if c := a[i]; uint32(u) >= c.cut {
		return int(c.other)
	}
	return i
}
