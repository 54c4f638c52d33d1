package synopsis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// distribution is a column of values, with what the table of intervals.md section 3 says of it: the labelled share of its cells (not of Pareto
// 1.5, whose outliers beyond those of a column of half a million rows it counts), the coverage of the others, and
// the median width against the oracle of those with 30 to 74 kept rows.
type distribution struct {
	name             string
	draw             func(*rand.Rand) float64
	labels           [3]float64 // by question, in percent
	covers           float64    // at least, in percent
	width            float64    // 0: not in the table
	values, sums, sq []float64
}

const columnRows = 1 << 19

// column draws the values and their running sums.
func (d *distribution) column(sim *simulation) {
	d.values = make([]float64, columnRows)
	d.sums = make([]float64, columnRows+1)
	d.sq = make([]float64, columnRows+1)
	for i := range d.values {
		x := d.draw(sim.Rand)
		d.values[i] = x
		d.sums[i+1] = d.sums[i] + x
		d.sq[i+1] = d.sq[i] + x*x
	}
}

// rest returns the sums of n values and of their squares, from somewhere in the column.
func (d *distribution) rest(sim *simulation, n int64) (sum, squares float64) {
	at := sim.Int64N(columnRows - n)
	return d.sums[at+n] - d.sums[at], d.sq[at+n] - d.sq[at]
}

func (d *distribution) value(sim *simulation) float64 { return d.values[sim.IntN(columnRows)] }

func lognormal(s float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Exp(s * r.NormFloat64()) }
}

func pareto(a float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/a) }
}

func distributions() []*distribution {
	return []*distribution{
		{name: "constant", draw: func(*rand.Rand) float64 { return 7 }, covers: 94, labels: [3]float64{0, 0, 0}},
		{name: "uniform", draw: (*rand.Rand).Float64, covers: 94, labels: [3]float64{0, 0, 0}},
		{name: "normal 0", draw: (*rand.Rand).NormFloat64, covers: 94, labels: [3]float64{0, 0, 0}, width: 1.09},
		{name: "normal 10", draw: func(r *rand.Rand) float64 { return 10 + r.NormFloat64() }, covers: 94, labels: [3]float64{0, 0, 0}, width: 1.09},
		{name: "exponential", draw: (*rand.Rand).ExpFloat64, covers: 94, labels: [3]float64{9, 12, 9}, width: 1.18},
		{name: "lognormal 1.0", draw: lognormal(1), covers: 94, labels: [3]float64{36, 31, 36}, width: 1.30},
		{name: "lognormal 1.5", draw: lognormal(1.5), covers: 94, labels: [3]float64{64, 60, 64}, width: 1.66},
		{name: "lognormal 2.0", draw: lognormal(2), covers: 94, labels: [3]float64{85, 85, 85}},
		{name: "Pareto 2.1", draw: pareto(2.1), covers: 94, labels: [3]float64{71, 47, 71}, width: 1.41},
		{name: "Pareto 1.5", draw: pareto(1.5), covers: 91, labels: [3]float64{100, 100, 100}},
		{name: "1 % x 1000", draw: func(r *rand.Rand) float64 {
			x := 1 + 0.1*r.NormFloat64()
			if r.Float64() < 0.01 {
				x *= 1000
			}
			return x
		}, covers: 94, labels: [3]float64{61, 62, 61}},
		{name: "zipf 1.5", draw: func(r *rand.Rand) float64 {
			return math.Floor(math.Pow(1-r.Float64()*(1-1/math.Sqrt(1000)), -2))
		}, covers: 94, labels: [3]float64{46, 46, 46}},
		{name: "5 % ones", draw: func(r *rand.Rand) float64 {
			if r.Float64() < 0.05 {
				return 1
			}
			return 0
		}, covers: 94, labels: [3]float64{34, 35, 34}},
	}
}

// question is one of the columns of the design's table.
type question struct {
	name   string
	share  float64 // of the stratum's rows that are the cell's
	domain bool
	mean   bool
}

var questions = []question{{"whole SUM", 1, false, false}, {"SUM of 5 %", 0.05, true, false}, {"AVG of 5 %", 0.05, true, true}}

// sizeClasses are the expected numbers of kept rows, one for each class of the table from 4 on.
var sizeClasses = []int{6, 11, 21, 47, 106, 229, 592, 1700, 5000}

// result is a line of the table: each size class weighs the same.
type result struct {
	all, plain       coverage
	labelled         float64
	rate, rateSpread float64   // of the unlabelled cells, with its standard deviation
	widths           []float64 // of the unlabelled cells, against the oracle
}

func (d *distribution) measure(sim *simulation, q question, cells int) (r result) {
	classes := 0.0
	for _, n := range sizeClasses {
		var c coverage
		for _, keep := range []float64{0.5, 0.1, 0.01} {
			one, widths := d.scenario(sim, q, keep, n, max(cells*min(400, 50000/n)/400, 4), &r.plain)
			c.merge(one)
			if n >= 47 {
				// No rows are too few for a simple random sample.
				r.widths = append(r.widths, widths[:min(len(widths), cells/8)]...)
			}
		}
		r.labelled += float64(c.labelled) / float64(c.cells) / float64(len(sizeClasses))
		if u := float64(c.unlabelled()); u > 0.05*float64(c.cells) {
			classes++
			r.rate += c.rate()
			r.rateSpread += 0.25 * 0.25 / u
		}
		r.all.merge(c)
	}
	classes = max(classes, 1)
	r.rate /= classes
	r.rateSpread = math.Sqrt(r.rateSpread) / classes
	slices.Sort(r.widths)
	return r
}

func (r *result) medianWidth() float64 {
	if len(r.widths) == 0 {
		return math.NaN()
	}
	return r.widths[len(r.widths)/2]
}

func TestSumsAndMeansCover(t *testing.T) {
	sim := newSimulation(2)
	naive := 0.0
	for _, d := range distributions() {
		d.column(sim)
		for i, q := range questions {
			r := d.measure(sim, q, 50*simulationScale)
			about := fmt.Sprintf("%-14s %-10s labelled %2.0f %% (design %2.0f), covered %.1f %% (+- %.1f), median width %.2f (design %.2f); all %v; naive %.1f %%",
				d.name, q.name, 100*r.labelled, d.labels[i], 100*r.rate, 100*r.rateSpread, r.medianWidth(), d.width, &r.all, 100*r.plain.rate())
			t.Log(about)
			// 5 standard deviations of a normal variate: less than falseAlarm.
			if r.rate > 0 {
				require.GreaterOrEqual(t, 100*(r.rate+5*r.rateSpread), d.covers, about)
			}
			require.LessOrEqual(t, 100*r.labelled, d.labels[i]+labelSlack, about)
			if d.width > 0 {
				require.LessOrEqual(t, r.medianWidth(), 1.1*d.width, about)
			}
			naive += 100 * r.plain.rate() / float64(3*len(distributions()))
		}
	}
	require.Less(t, naive, 90.0, "a naive interval passes, so this test proves nothing")
}

// labelSlack is by how much the labelled share may pass the design's, in points: two thirds of one of nine size classes, as the design does not say
// where it cut them.
const labelSlack = 8

func (d *distribution) scenario(sim *simulation, q question, keep float64, n, cells int, plain *coverage) (c coverage, widths []float64) {
	size := int64(float64(n) / keep)
	offered := int64(float64(size) / q.share)
	var tally Tally
	var design Design
	for i := range cells {
		if i%10 == 0 {
			tally = d.tally(sim, max(1000, 20*n))
		}
		k := sim.binomial(size, keep)
		m := k + sim.binomial(offered-size, keep)
		if k < 4 {
			continue
		}
		design.Reset()
		at := design.Enter(&Stratum{Keep: keep, Offered: offered, Kept: m, Open: q.domain})
		design.Rows(at, m)
		var cell Cell
		sum, squares := d.rest(sim, size-k)
		var x1, x2 float64
		for range k {
			x := d.value(sim)
			x1 += x
			x2 += x * x
			cell.Add(&design, at, x)
		}
		sum += x1
		squares += x2
		design.Seal()
		N, M := float64(size), float64(offered)
		v := (1 - keep) / keep * (squares - sum*sum/M)
		est := naive(x1/keep, (1-keep)/keep/keep*x2)
		truth := sum
		ask := Question{Confidence: 0.95, Domain: q.domain, Tally: &tally}
		e, ok := cell.Sum(&design, Known{}, ask)
		if q.mean {
			mean := x1 / float64(k)
			v = (1 - keep) / keep * (squares - sum*sum/N) / N / N
			est = naive(mean, (x2/float64(k)-mean*mean)/float64(k)*(1-keep))
			truth = sum / N
			e, ok = cell.Mean(&design, Known{}, ask)
		}
		oracle := 2 * 1.96 * math.Sqrt(max(v, 0))
		// The sums of the values were rounded, the bounds of a constant have no room for that.
		slack := 1e-9 * math.Abs(truth)
		e.Low, e.High = e.Low-slack, e.High+slack
		c.add(e, truth, ok, oracle)
		plain.add(est, truth, true, oracle)
		if ok {
			widths = append(widths, (e.High-e.Low)/oracle)
		}
	}
	return c, widths
}

// tally returns that of n rows of the column in cells of their own.
func (d *distribution) tally(sim *simulation, n int) (t Tally) {
	var design Design
	at := design.Enter(&Stratum{Keep: 0.5, Offered: int64(2 * n), Kept: int64(n)})
	var c Cell
	for range n {
		c.Add(&design, at, d.value(sim))
	}
	t.Add(&c, &design)
	return t
}
