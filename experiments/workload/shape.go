package workload

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// ShapeKind names how the rate moves around its mean.
type ShapeKind string

// The shapes. The long-run mean of each is [Config.Rate].
const (
	// Constant has equal gaps.
	Constant ShapeKind = "constant"
	// Sine is Rate (1 + (Peak-1) sin(2 pi t / Period)) in 64 steps a period;
	// Peak is at most 2.
	Sine ShapeKind = "sine"
	// Square is Rate x Peak for the first Duty of each period, and for the rest
	// the constant rate that makes up the mean.
	Square ShapeKind = "square"
	// Pareto is Square with on and off times drawn from Pareto distributions of
	// exponent Alpha, whose means are Duty and 1-Duty of a period: bursts on
	// every time scale for Alpha below 2.
	Pareto ShapeKind = "pareto"
)

// Shape describes the bursts of a stream. Constant uses no other field.
type Shape struct {
	Kind   ShapeKind
	Period time.Duration // length of one swing; on average for Pareto
	Peak   float64       // highest rate / mean rate, at least 1
	Duty   float64       // share of time at the peak, in (0,1); Peak x Duty <= 1
	Alpha  float64       // exponent of the Pareto times, in (1, 10]
}

const sineSteps = 64

// Validate returns what makes the shape impossible, or nil.
func (s Shape) Validate() error {
	switch s.Kind {
	case Constant:
		return nil
	case Sine, Square, Pareto:
	default:
		return fmt.Errorf("unknown shape %q: constant, sine, square or pareto", s.Kind)
	}
	if s.Period < time.Microsecond || s.Period > 365*24*time.Hour {
		return fmt.Errorf("the period of a shape must be between 1µs and a year, not %v", s.Period)
	}
	if !(s.Peak >= 1) || math.IsInf(s.Peak, 0) {
		return fmt.Errorf("the peak must be at least 1 and finite, not %v", s.Peak)
	}
	if s.Kind == Sine {
		if s.Peak > 2 {
			return errors.New("the peak of a sine is at most 2: beyond it the rate would be negative")
		}
		return nil
	}
	if !(s.Duty > 0 && s.Duty < 1) || !(s.Peak*s.Duty <= 1) {
		return fmt.Errorf("the duty must be in (0,1) and at most 1/peak = %.3g, not %v", 1/s.Peak, s.Duty)
	}
	if s.Kind == Pareto && !(s.Alpha > 1 && s.Alpha <= 10) {
		return fmt.Errorf("alpha must be in (1, 10], not %v", s.Alpha)
	}
	return nil
}

// phases walks a valid shape: stretches of time with a constant rate.
type phases struct {
	shape Shape
	rnd   *rand.PCG
	step  int
}

// next returns the length of the next stretch in ns and its rate as a multiple
// of the mean rate, which may be 0. The stretch of Constant does not end.
func (p *phases) next() (length, factor float64) {
	s, period := p.shape, float64(p.shape.Period)
	step := p.step
	p.step++
	switch s.Kind {
	case Sine:
		turn := (float64(step%sineSteps) + 0.5) / sineSteps
		from, to := float64(step%sineSteps)/sineSteps, float64(step%sineSteps+1)/sineSteps
		return math.Floor(mul(period, to)) - math.Floor(mul(period, from)), 1 + mul(s.Peak-1, sine(turn))
	case Square, Pareto:
		share, factor := s.Duty, s.Peak
		if step%2 == 1 {
			share, factor = 1-s.Duty, (1-mul(s.Peak, s.Duty))/(1-s.Duty)
		}
		mean := mul(period, share)
		if s.Kind == Pareto {
			mean = p.pareto(mean)
		}
		return math.Max(1, math.Floor(mean)), factor
	}
	return math.Inf(1), 1
}

// pareto draws x_min u^(-1/alpha), where x_min = mean (alpha-1)/alpha.
func (p *phases) pareto(mean float64) float64 {
	u := float64(p.rnd.Uint64()>>11+1) / (1 << 53)
	least := mul(mean, (p.shape.Alpha-1)/p.shape.Alpha)
	return mul(least, exp(-ln(u)/p.shape.Alpha))
}
