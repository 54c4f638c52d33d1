package synopsis

import "math"

// Moments follows the count, mean and variance of the values added. The zero
// value is empty. It is 40 bytes and holds no pointer.
//
// Deviations d from the first value, its origin, are followed by Welford's
// recurrence
//
//	delta = d - mean;  mean += delta/n;  m2 += delta*(d - mean)
//
// and two of them merge by Chan, Golub and LeVeque (1979),
//
//	m2 = m2a + m2b + delta^2 * na*nb/(na+nb).
//
// Taking the origin out first keeps what values near 1e9 or integers beyond
// 2^53 differ by: an integer's deviation is computed in integers. The relative
// error of the variance is of the order n*2^-53 at worst. A NaN or an infinity
// makes mean and variance NaN; so may a spread beyond 1e154, whose square no
// float64 holds. The caller leaves out what it does not want.
type Moments struct {
	n        int64
	mean, m2 float64 // of deviations from the origin
	origin   uint64  // int64 or float64 bits
	floating bool    // origin holds float64 bits
}

// AddInt adds v.
func (m *Moments) AddInt(v int64) {
	if m.n == 0 {
		m.origin, m.floating = uint64(v), false
	}
	if m.floating {
		m.add(float64(v) - math.Float64frombits(m.origin))
		return
	}
	m.add(intDifference(v, int64(m.origin)))
}

// AddFloat adds x.
func (m *Moments) AddFloat(x float64) {
	if m.n == 0 {
		m.origin, m.floating = math.Float64bits(x), true
	}
	m.add(x - m.start())
}

func (m *Moments) add(d float64) {
	m.n++
	delta := d - m.mean
	m.mean += delta / float64(m.n)
	m.m2 += delta * (d - m.mean)
}

// Merge adds everything that o has seen.
func (m *Moments) Merge(o *Moments) {
	if o.n == 0 {
		return
	}
	if m.n == 0 {
		*m = *o
		return
	}
	between := o.start() - m.start()
	if !m.floating && !o.floating {
		between = intDifference(int64(o.origin), int64(m.origin))
	}
	na, nb := float64(m.n), float64(o.n)
	n := na + nb
	delta := between + o.mean - m.mean
	m.mean += delta * (nb / n)
	m.m2 += o.m2 + delta*delta*(na*nb/n)
	m.n += o.n
}

// Count returns the number of values added.
func (m *Moments) Count() int64 { return m.n }

// Mean returns the mean; NaN where nothing was added. Sum.Mean is the exact one.
func (m *Moments) Mean() float64 {
	if m.n == 0 {
		return math.NaN()
	}
	return m.start() + m.mean
}

// VarPop returns the population variance, divisor n; NaN where nothing was added.
func (m *Moments) VarPop() float64 { return m.variance(m.n) }

// VarSamp returns the sample variance, divisor n-1; NaN below two values.
func (m *Moments) VarSamp() float64 { return m.variance(m.n - 1) }

// StddevPop returns the square root of VarPop.
func (m *Moments) StddevPop() float64 { return math.Sqrt(m.VarPop()) }

// StddevSamp returns the square root of VarSamp.
func (m *Moments) StddevSamp() float64 { return math.Sqrt(m.VarSamp()) }

func (m *Moments) variance(divisor int64) float64 {
	if divisor <= 0 {
		return math.NaN()
	}
	return max(m.m2/float64(divisor), 0)
}

func (m *Moments) start() float64 {
	if m.floating {
		return math.Float64frombits(m.origin)
	}
	return float64(int64(m.origin))
}

// intDifference returns the float64 nearest to a - b, which may need 65 bits.
func intDifference(a, b int64) float64 {
	d := a - b
	if (a^b)&(a^d) < 0 { // the difference wrapped: it has the sign of a
		return Int128FromInt64(a).Sub(Int128FromInt64(b)).Float64()
	}
	return float64(d)
}
