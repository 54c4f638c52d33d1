package coverage

import (
	"math"
	"slices"
)

// Tally adds up the cells of one aggregate, over the runs of one twin or of several. Make one with NewTally; call Twin before the
// first run of a twin, and Begin before each run.
type Tally struct {
	z     float64
	plain Share // cells that are not labelled
	label Share
	open  int64

	widths []float64 // relative half-widths of cells that are not labelled and have both bounds
	errors moments   // relative errors, of every cell with a value
	run    moments   // signed relative errors of this run
	runs   moments   // their means
	// Of the twin at work: its runs, its cells by row, and the half-widths of its cells, which wait for their deviations.
	begun   float64
	repeats []repeat
	halves  []half
	// Over the twins before it: half-widths against normal intervals, their sums and one by one.
	width, normal float64
	ratios        []float64
}

// repeat is what is known of a row over the runs.
type repeat struct{ value, half moments }

// half is half the width of a cell.
type half struct {
	row   int
	width float64
}

// NewTally returns a tally for intervals of the confidence.
func NewTally(confidence float64) *Tally { return &Tally{z: math.Sqrt2 * math.Erfinv(confidence)} }

// Twin begins a twin of so many rows.
func (t *Tally) Twin(rows int) {
	t.Begin()
	t.compare()
	t.begun, t.repeats, t.halves = 0, make([]repeat, rows), t.halves[:0]
}

// Begin begins a run.
func (t *Tally) Begin() {
	if t.run.n > 0 {
		t.runs.add(t.run.mean)
	}
	t.run = moments{}
	t.begun++
}

// Add adds a cell of the run.
func (t *Tally) Add(c *Cell) {
	width := (c.High - c.Low) / 2
	bounded := !math.IsInf(width, 0) && !math.IsNaN(width)
	r := &t.repeats[c.Row]
	if c.Unreliable {
		t.label.add(c.Covered())
	} else {
		t.plain.add(c.Covered())
		if !bounded {
			t.open++
		}
		if bounded && !c.SampledNull && !c.TruthNull {
			r.half.add(width)
			t.halves = append(t.halves, half{c.Row, width})
			if c.Truth != 0 {
				t.widths = append(t.widths, width/math.Abs(c.Truth))
			}
		}
	}
	if c.SampledNull || c.TruthNull {
		return
	}
	r.value.add(c.Value)
	if c.Truth != 0 {
		e := (c.Value - c.Truth) / math.Abs(c.Truth)
		t.errors.add(math.Abs(e))
		t.run.add(e)
	}
}

// leastRuns is the number of runs from which their standard deviation is worth a look.
const leastRuns = 8

// compare compares the widths of the twin's cells with those of normal intervals, in rows that every run has and most do not label.
func (t *Tally) compare() {
	normals := make([]float64, len(t.repeats))
	for i := range t.repeats {
		r := &t.repeats[i]
		if n := r.value.n; n >= max(leastRuns, t.begun-1) && 2*r.half.n >= n {
			// The factor takes the bias from the root of a variance: c4 of n observations is about 1 - 1/(4n) - 7/(32 n^2).
			normals[i] = t.z * r.value.deviation() / (1 - 1/(4*n) - 7/(32*n*n))
			t.normal += normals[i]
			t.width += r.half.mean
		}
	}
	for _, h := range t.halves {
		if n := normals[h.row]; n > 0 {
			t.ratios = append(t.ratios, h.width/n)
		}
	}
}

// Column is what an aggregate's cells came to. Widths are half of an interval, and as errors relative to the truth; figures of
// cells that there are none of are NaN.
type Column struct {
	Name     string
	Plain    Share // cells that are not labelled as unreliable
	Labelled Share
	Open     int64 // of Plain, those without a lower or an upper bound
	// Width is the mean over Plain without the open ones, and Median their median.
	Width, Median float64
	// Oracle is the mean width of cells over that of normal intervals with the true standard deviation of each cell, as the runs
	// show it, and OracleMedian the median over cells of that quotient: of rows that every run has and most do not label, in eight runs or more.
	Oracle, OracleMedian float64
	// Error is the mean of errors without their sign, and Bias that with it; Deviation is the standard error of Bias, from run to run.
	Error, Bias, Deviation float64
}

// LabelledShare returns the share of cells that are labelled.
func (c *Column) LabelledShare() float64 {
	return float64(c.Labelled.Cells) / float64(c.Labelled.Cells+c.Plain.Cells)
}

// Column returns the figures of the cells so far. It ends the twin.
func (t *Tally) Column(name string) Column {
	t.Twin(0)
	c := Column{Name: name, Plain: t.plain, Labelled: t.label, Open: t.open, Width: mean(t.widths), Median: median(t.widths)}
	c.Oracle, c.OracleMedian = t.width/t.normal, median(t.ratios)
	c.Error, c.Bias, c.Deviation = t.errors.center(), t.runs.center(), math.NaN()
	if t.runs.n > 1 {
		c.Deviation = t.runs.deviation() / math.Sqrt(t.runs.n)
	}
	return c
}

// moments are the count, mean and squared deviations of numbers (Welford).
type moments struct{ n, mean, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += d * (x - m.mean)
}

// center returns the mean, NaN of nothing.
func (m *moments) center() float64 {
	if m.n == 0 {
		return math.NaN()
	}
	return m.mean
}

func (m *moments) deviation() float64 { return math.Sqrt(m.squares / (m.n - 1)) }

func mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
