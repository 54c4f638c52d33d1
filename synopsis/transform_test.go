package synopsis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestHallsTransformWithoutSkewnessIsTheNormalInterval(t *testing.T) {
	c := cumulants{v: 9}
	require.InDelta(t, 3*1.96, c.reach(guard{w: 1}, 1.96), 1e-12)
	require.InDelta(t, -3*1.96, c.reach(guard{w: 1}, -1.96), 1e-12)
	skewed := cumulants{v: 9, j: 1, k: 1}
	tiny := cumulants{v: 9, j: 1e-4, k: 1e-4}
	require.Greater(t, -skewed.reach(guard{w: 1}, -1.96), 3*1.96, "a sum of skewed values may be much too small")
	require.InDelta(t, tiny.reach(guard{w: 1}, 1.96), 3*1.96, 1e-3)
}

// written is the interval of intervals.md section 1 for T(R), written down once more for one stratum, and without any of the shortcuts.
type written struct {
	values     []float64
	m          int
	population float64
}

func (s written) interval(r float64) (below, above float64) {
	w, k := s.population/float64(s.m), float64(len(s.values))
	centre := 0.0
	for _, x := range s.values {
		centre += (x - r) / float64(s.m)
	}
	candidates := []float64{slices.Max(s.values) - r - centre, slices.Min(s.values) - r - centre}
	if len(s.values) < s.m {
		candidates = append(candidates, -centre)
	}
	bound := func(u, sign float64) float64 {
		c := direct(s.values, s.m, s.population, r)
		v := c.v + w*(w-1)*u*u
		j := c.j + w*(w-1)*(2*w-1)*u*u*u
		l := c.k + w*(w-1)*(w-2)*u*u*u
		d := c.d + w*math.Pow(w-1, 3)*math.Pow(u, 4)
		f := math.Max(1, math.Min(k-1, 2*v*v/d))
		q := sign * distuv.StudentsT{Sigma: 1, Nu: f}.Quantile(0.975)
		skew := j / (6 * math.Pow(v, 1.5))
		return math.Sqrt(v) * (math.Cbrt(1+3*skew*(q-l/math.Pow(v, 1.5)/6)) - 1) / skew
	}
	return bound(min(slices.Min(candidates), 0), 1), -bound(max(slices.Max(candidates), 0), -1)
}

func TestIntervalsAreThoseOfTheFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, m := range []int{50, 400, 3000} {
		for _, domain := range []bool{false, true} {
			s := written{m: m, population: 7.5 * float64(m)}
			var d Design
			at := d.Enter(&Stratum{Keep: 0.133, Offered: int64(s.population), Kept: int64(m)})
			var c Cell
			for i := range m {
				if domain && i%5 > 0 {
					continue
				}
				x := 3 + math.Exp(r.NormFloat64())
				s.values = append(s.values, x)
				c.Add(&d, at, x)
			}
			d.Seal()
			q := Question{Confidence: 0.95, Domain: domain}
			e, _ := c.Sum(&d, Known{}, q)
			below, above := s.interval(0)
			require.InEpsilon(t, below, e.Value-e.Low, 1e-3)
			require.InEpsilon(t, above, e.High-e.Value, 1e-3)

			e, _ = c.Mean(&d, Known{}, q)
			below, above = s.interval(e.Value)
			k := float64(len(s.values))
			scale := 1 / (7.5 * k)
			if domain {
				scale *= math.Sqrt(k / (k - 1))
			}
			require.InEpsilon(t, below*scale, e.Value-e.Low, 1e-3)
			require.InEpsilon(t, above*scale, e.High-e.Value, 1e-3)
		}
	}
}
