package synopsis

import "math"

// countInterval returns the interval of the count that t holds by a theorem, without integer ends.
//
// Within a stratum the kept rows of a cell are hypergeometric, and their moment generating function is at most that of the binomial
// (Hoeffding 1963, theorem 4), ln E exp(s k) <= m ln(1 + pi (exp s - 1)). With weights w = M/m of at most w* in all strata, since a
// cumulant generating function grows in proportion at least and by Jensen's inequality, the sum N of the weights of kept rows has
//
//	ln E exp(s N) <= M/w* ln(1 + n/M (exp(s w*) - 1)),   M = sum of all strata's,
//
// so that by Chernoff's bound the counts n with M/w* KL(N/M, n/M) <= ln(2/delta) hold the true one: the interval of Clopper and
// Pearson with Chernoff's tails. Where rows were kept independently of each other, M has no part in it, and N ln(N/n) - N + n stands for
// M KL. Samples of samples have Hoeffding's interval, of all rows.
func (d *Design) countInterval(t *tallies, q Question) (low, high float64) {
	n := t.value()
	offered, poisson := d.offered-d.unknown, false
	for _, s := range d.strata {
		if s.Whole() || s.Offered == 0 {
			continue
		}
		switch s.design(0).form {
		case stagedForm:
			q.Method = Hoeffding
			half := d.guaranteed(q, 1, 0)
			return n - half, n + half
		case poissonForm:
			poisson = poisson || s.Kept > 0 || s.poisson()
		}
	}
	if d.given > 1 {
		return 0, math.Inf(1)
	}
	limit := d.largest * math.Log(2/(1-q.Confidence))
	if poisson {
		return within(limit, n, 0, func(x float64) float64 { return x - n + relative(n, x) }),
			within(limit, n, n+2*limit+2*math.Sqrt(n*limit), func(x float64) float64 { return x - n + relative(n, x) })
	}
	n = min(n, offered)
	far := func(x float64) float64 { return relative(n, x) + relative(offered-n, offered-x) }
	return within(limit, n, 0, far), within(limit, n, offered, far)
}

// relative returns x ln(x/y), its limit 0 where x is 0.
func relative(x, y float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x/y)
}

// within returns the x between near and end, moving away from near, up to which far(x), which grows on the way, is at most limit.
func within(limit, near, end float64, far func(x float64) float64) float64 {
	for range 60 {
		mid := (near + end) / 2
		if far(mid) <= limit {
			near = mid
		} else {
			end = mid
		}
	}
	return end
}
