package synopsis

import (
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Tables of quantiles at one pair of probabilities, made once per confidence: a window may close with 100,000 cells, each of which
// asks for two or four. Cubic interpolation in them is right to 1e-6 of the value and takes some 20 ns.
type quantiles struct {
	confidence, tail float64 // tail = (1-confidence)/2
	low, high        gammaTable
	student          studentTable
}

// recentQuantiles holds the tables of the confidence that was asked for last.
var recentQuantiles atomic.Pointer[quantiles]

// quantilesAt returns the tables for an interval with the given confidence.
func quantilesAt(confidence float64) *quantiles {
	if q := recentQuantiles.Load(); q != nil && q.confidence == confidence {
		return q
	}
	tail := (1 - min(max(confidence, 0.01), 1-1e-9)) / 2
	q := &quantiles{confidence: confidence, tail: tail}
	q.low.make(tail)
	q.high.make(1 - tail)
	q.student.make(1 - tail)
	recentQuantiles.Store(q)
	return q
}

// gammaTable gives quantiles of the gamma distribution with scale 1 as a function of its shape a, by the base-2 logarithm of a
// in steps of 1/gammaSteps. Up to a = 1 it holds a ln q, which tends to ln p, above the cube root of q/a, which is nearly
// linear in 1/a (Wilson and Hilferty, 1931).
type gammaTable struct {
	p, z float64
	y    [(gammaLast-gammaFirst)*gammaSteps + 4]float64
}

const (
	gammaFirst = -16 // below a = 2^-16: P(a, q) = q^a/Gamma(a+1) (1 - a q/(a+1)), to the order of (a q)^2
	gammaLast  = 20  // above a = 2^20: Wilson and Hilferty's formula
	gammaSteps = 8
)

func (t *gammaTable) make(p float64) {
	t.p, t.z = p, distuv.UnitNormal.Quantile(p)
	for i := range t.y {
		a := math.Exp2(gammaFirst + float64(i-1)/gammaSteps)
		if a < math.Exp2(0.5/gammaSteps) {
			t.y[i] = a * logGammaQuantile(a, p)
		} else {
			t.y[i] = math.Cbrt(mathext.GammaIncRegInv(a, p) / a)
		}
	}
}

// quantile returns the quantile for shape a > 0.
func (t *gammaTable) quantile(a float64) float64 {
	if a < math.Exp2(gammaFirst) {
		lg, _ := math.Lgamma(1 + a)
		q := math.Exp((math.Log(t.p) + lg) / a)
		return q * math.Exp(q/(1+a))
	}
	if a >= math.Exp2(gammaLast) {
		r := 1 - 1/(9*a) + t.z/(3*math.Sqrt(a))
		return a * r * r * r
	}
	u := (math.Log2(a) - gammaFirst) * gammaSteps
	i := int(u)
	const one = -gammaFirst * gammaSteps // the step of a = 1
	if a < 1 {
		// The four points must lie on the side of a = 1 where the table holds a ln q.
		i = min(i, one-2)
		return math.Exp(cubic(t.y[i:i+4], u-float64(i)) / a)
	}
	i = max(i, one+2)
	r := cubic(t.y[i:i+4], u-float64(i))
	return a * r * r * r
}

// logGammaQuantile returns ln q with P(a, q) = p, by Newton's method on ln P as a function of ln q: it is concave, and the start
// ln(p Gamma(a+1))/a lies below the root, so the iteration rises to it.
func logGammaQuantile(a, p float64) float64 {
	lg, _ := math.Lgamma(1 + a)
	l := (math.Log(p) + lg) / a
	for range 200 {
		if l < -40 {
			break
		}
		q := math.Exp(l)
		c := mathext.GammaIncReg(a, q)
		if !(c > 0) {
			break
		}
		slope := a * math.Exp(a*l-q-lg) / c
		step := (math.Log(p) - math.Log(c)) / slope
		l += step
		if math.Abs(step) < 1e-12*(1+math.Abs(l)) {
			break
		}
	}
	return l
}

// studentTable gives quantiles of Student's t distribution with f >= 1 degrees of freedom: their logarithm by 1/f.
type studentTable struct{ y [studentSteps + 4]float64 }

const studentSteps = 64

func (t *studentTable) make(p float64) {
	for i := range t.y {
		x := float64(i-1) / studentSteps
		if x <= 0 {
			// The point before 1/f = 0 continues the parabola through the next ones.
			t.y[i] = math.Log(distuv.UnitNormal.Quantile(p))
			continue
		}
		t.y[i] = math.Log(distuv.StudentsT{Sigma: 1, Nu: 1 / x}.Quantile(p))
	}
	t.y[0] = 3*t.y[1] - 3*t.y[2] + t.y[3]
}

// quantile returns the quantile with f degrees of freedom, with those of 1 for fewer.
func (t *studentTable) quantile(f float64) float64 {
	if !(f > 1) {
		f = 1
	}
	u := studentSteps / f
	i := min(int(u), studentSteps)
	return math.Exp(cubic(t.y[i:i+4], u-float64(i)))
}

// cubic interpolates between y[1] at x = 0 and y[2] at x = 1 through four points one apart; also for x a little outside.
func cubic(y []float64, x float64) float64 {
	_ = y[3]
	d1 := y[1] - y[0]
	d2 := y[2] - 2*y[1] + y[0]
	d3 := y[3] - 3*y[2] + 3*y[1] - y[0]
	s := x + 1
	return y[0] + s*(d1+(s-1)/2*(d2+(s-2)/3*d3))
}
