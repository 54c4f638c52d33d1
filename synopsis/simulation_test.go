package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

// falseAlarm is the probability with which a statistical test of this package fails on code that keeps its promise.
const falseAlarm = 1e-6

// tally of how often intervals covered, how wide they were and how many carried a label.
type coverage struct {
	cells, labelled, covered, coveredLabelled int
	width, oracle                             float64
	bias, truth                               float64
}

func (c *coverage) add(e Estimate, truth float64, reliable bool, oracle float64) {
	c.cells++
	c.bias += e.Value - truth
	c.truth += truth
	if !reliable {
		c.labelled++
		if e.Contains(truth) {
			c.coveredLabelled++
		}
		return
	}
	if e.Contains(truth) {
		c.covered++
	}
	c.width += e.High - e.Low
	c.oracle += oracle
}

func (c *coverage) unlabelled() int { return c.cells - c.labelled }

func (c *coverage) merge(o coverage) {
	c.cells += o.cells
	c.labelled += o.labelled
	c.covered += o.covered
	c.coveredLabelled += o.coveredLabelled
	c.width += o.width
	c.oracle += o.oracle
	c.bias += o.bias
	c.truth += o.truth
}

// rate returns the share of the unlabelled cells that were covered.
func (c *coverage) rate() float64 { return float64(c.covered) / float64(max(c.unlabelled(), 1)) }

func (c *coverage) String() string {
	return fmt.Sprintf("%5.1f %% covered, %3.0f %% labelled (%5.1f %% covered), width %.2f, bias %+.2f %%", 100*c.rate(),
		100*float64(c.labelled)/float64(max(c.cells, 1)), 100*float64(c.coveredLabelled)/float64(max(c.labelled, 1)), c.width/c.oracle, 100*c.bias/c.truth)
}

// atLeast fails when the unlabelled cells were covered so rarely that a true coverage of want would be seen with probability below
// falseAlarm.
func (c *coverage) atLeast(t *testing.T, want float64, about string) {
	t.Helper()
	n := c.unlabelled()
	if n == 0 {
		return
	}
	require.GreaterOrEqual(t, float64(c.covered), binomialLimit(n, want), "%s: %v of %d cells", about, c, n)
}

// binomialLimit returns the number of successes in n trials below which fewer come with probability falseAlarm at most.
func binomialLimit(n int, p float64) float64 {
	b := distuv.Binomial{N: float64(n), P: p}
	x := math.Floor(float64(n)*p - 5.5*math.Sqrt(float64(n)*p*(1-p)) - 10)
	for x++; b.CDF(x) < falseAlarm; x++ {
	}
	return x
}

// naive returns the normal interval that ignores everything this package is about: what tests must be able to refuse.
func naive(value, variance float64) Estimate {
	h := 1.96 * math.Sqrt(variance)
	return Estimate{Value: value, Low: value - h, High: value + h, Confidence: 0.95}
}

type simulation struct {
	*rand.Rand
	src rand.Source
}

func newSimulation(seed uint64) *simulation {
	src := rand.NewPCG(seed, 0x5eed)
	return &simulation{Rand: rand.New(src), src: src}
}

// binomial draws how many of n rows are kept.
func (s *simulation) binomial(n int64, p float64) int64 {
	switch {
	case n <= 0 || p <= 0:
		return 0
	case p >= 1:
		return n
	case n < 32:
		k := int64(0)
		for range n {
			if s.Float64() < p {
				k++
			}
		}
		return k
	}
	return int64(distuv.Binomial{N: float64(n), P: p, Src: s.src}.Rand())
}

// trend says how a cell's share of the rows moves from stratum to stratum.
type trend struct {
	name string
	step float64
}

var trends = []trend{{"level", 1}, {"falling", 0.3}, {"rising", 1 / 0.3}}

type rates struct {
	name  string
	keeps []float64
}

var patterns = []rates{
	{"0.1", []float64{0.1}},
	{"0.01", []float64{0.01}},
	{"1 .5 .05", []float64{1, 0.5, 0.05}},
	{".5 .001 in turn", []float64{0.5, 0.001, 0.5, 0.001}},
	{"ten from .5 to .02", []float64{0.5, 0.35, 0.25, 0.17, 0.12, 0.085, 0.06, 0.04, 0.03, 0.02}},
}

// spread parts n rows of a cell over h strata along a trend, and returns with it how many rows each stratum has for the largest share to be the
// given one.
func (tr trend) spread(n, h int, share float64) (rows []int64, offered int64) {
	weights := make([]float64, h)
	sum, w, most := 0.0, 1.0, 0.0
	for i := range weights {
		weights[i] = w
		sum += w
		most = max(most, w)
		w *= tr.step
	}
	left := int64(n)
	for i, w := range weights {
		k := int64(math.Round(float64(n) * w / sum))
		if k = min(k, left); i == h-1 {
			k = left
		}
		rows = append(rows, k)
		left -= k
	}
	return rows, int64(math.Ceil(float64(n) * most / sum / share))
}

func TestCountsCover(t *testing.T) {
	sizes := []int{3, 10, 30, 100, 300, 1000, 5000}
	shares := []float64{0.01, 0.05, 0.3, 0.8, 1}
	cells := 150 * simulationScale
	sim := newSimulation(1)
	lowest, under, all := 1.0, 0, 0
	var total, plain coverage
	for _, pattern := range patterns {
		var sum coverage
		for _, tr := range trends {
			for _, share := range shares {
				for _, n := range sizes {
					c := countScenario(sim, pattern.keeps, tr, share, n, cells, &plain)
					c.atLeast(t, 0.94, fmt.Sprintf("keep %s, %s, share %g, %d rows", pattern.name, tr.name, share, n))
					sum.merge(c)
					all++
					if c.rate() < 0.94 {
						under++
					}
					lowest = min(lowest, c.rate())
				}
			}
		}
		t.Logf("keep %-20s %v", pattern.name, &sum)
		total.merge(sum)
	}
	t.Logf("lowest %.3f, %d of %d below 94 %% by chance or not; naive %.1f %%", lowest, under, all, 100*plain.rate())
	total.atLeast(t, 0.95, "all")
	require.Less(t, plain.rate(), 0.9, "a naive interval passes, so this test proves nothing")
}

func countScenario(sim *simulation, keeps []float64, tr trend, share float64, n, cells int, plain *coverage) (c coverage) {
	rows, offered := tr.spread(n, len(keeps), share)
	oracle := 0.0
	for i, p := range keeps {
		M := max(offered, rows[i])
		if M > 1 {
			f := p
			oracle += (1 - f) / f * float64(rows[i]) * (1 - float64(rows[i])/float64(M))
		}
	}
	oracle = 2 * 1.96 * math.Sqrt(oracle)
	strata := make([]Stratum, len(keeps))
	var d Design
	for range cells {
		d.Reset()
		var count Count
		truth, known, n, v := int64(0), int64(0), 0.0, 0.0
		for i, p := range keeps {
			M := max(offered, rows[i])
			k := sim.binomial(rows[i], p)
			m := k + sim.binomial(M-rows[i], p)
			strata[i] = Stratum{ID: uint32(i), Keep: p, Offered: M, Kept: m, Open: true}
			at := d.Enter(&strata[i])
			d.Rows(at, m)
			truth += rows[i]
			if p >= 1 {
				known += k
				continue
			}
			if k > 0 {
				count.Add(&d, at, k)
			}
			n += float64(k) / p
			v += float64(k) * (1 - p) / p / p
		}
		d.Seal()
		e := count.Estimate(&d, known, Question{Confidence: 0.95, Domain: true})
		c.add(e, float64(truth), true, oracle)
		plain.add(naive(float64(known)+n, v), float64(truth), true, oracle)
	}
	return c
}
