package synopsis

// blockSums are the sums of k^i x^j over blocks, for 1 <= i+j <= 4, ordered by i+j and then by j.
type blockSums [14]float64

func (s *blockSums) add(k, x float64) {
	n := 0
	for order := 1; order <= 4; order++ {
		for j := range order + 1 {
			t := 1.0
			for range order - j {
				t *= k
			}
			for range j {
				t *= x
			}
			s[n] += t
			n++
		}
	}
}

func (s *blockSums) k() float64 { return s[0] }
func (s *blockSums) x() float64 { return s[1] }

// effective returns how many blocks of equal size the blocks are worth: (sum k)^2 / sum k^2.
func (s *blockSums) effective() float64 {
	if s[2] == 0 {
		return 0
	}
	return s[0] * s[0] / s[2]
}

// powers returns the sums of (a x - r k)^p for p = 1 to 4.
func (s *blockSums) powers(a, r float64) [4]float64 {
	r = -r
	var out [4]float64
	n := 0
	for order := 1; order <= 4; order++ {
		choose := 1.0
		for j := range order + 1 {
			t := choose * s[n]
			for range order - j {
				t *= r
			}
			for range j {
				t *= a
			}
			out[order-1] += t
			choose = choose * float64(order-j) / float64(j+1)
			n++
		}
	}
	return out
}

// cumulants returns those of the sum over the population of units whose powers 1 to 4 add up to sums over the units that were drawn, m of M
// without replacement (simplePolynomials).
func (c Clusters) cumulants(sums [4]float64) cumulants {
	m, population := float64(c.Sampled), float64(c.Population)
	p := Part{k: c.Sampled, x1: sums[0], x2: sums[1], x3: sums[2], x4: sums[3]}
	if c.Sampled < fewRows {
		return cumulants{v: population * (population - m) / m * max(sums[1]-sums[0]*sums[0]/m, 0) / max(m-1, 1)}
	}
	terms := simplePolynomials(&p, m, population)
	return terms.at(0)
}
