package synopsis

import "math"

// Tally is the pooled shape of a column over cells and recent windows, by which cells are labelled: it decides how many
// effective rows an interval needs before it can be relied on (intervals.md section 3). A cell must not be judged by its own look:
// the cells that missed the outlier look best. The zero value is empty.
//
// A cell with n effective rows is unreliable if n+1 < max(5, A g^2), g the pooled skewness and A = 2 up to 95 % confidence, 4 from 99 %;
// or if the tally has fewer than 300 rows, or fewer than 1,000 and n < 30; or if its values show no variance though the column's do; or if those of a
// tally of fewer than 1,000 rows show none, unless they are ones, which count rows. This is Cochran's rule n > 25 g^2 with 25 replaced by A,
// as the transform and the guard pay for the difference.
//
// The design trusts the skewness that any tally has; here A is multiplied by (1,000/rows)^2 where the tally has fewer than 1,000 rows, at most by
// 5. The tally of a query with few cells is little more than the cell itself, and has missed the outlier with it: of the bytes of an
// access log 44 to 60 % of the intervals without a label covered at keep 0.1. So nearly all carry one, and those of columns with
// light tails do not, from 300 rows on: of fewer nothing is known. What no row of so small a tally hints at stays unknown.
type Tally struct {
	rows            float64
	second, third   float64 // sums of (x - mean of the cell)^r
	second0, third0 float64 // sums of x^r
	cubes           float64 // sum of the cubes of the means of the rows' cells
	low, high       float64
	one             float64 // the value that is not 0, while values are in {0, one}
	mixed           bool    // they are not
}

const (
	tallyRows    = 1000  // a shape is known from so many rows on
	unknownShape = 300   // and nothing of it below so many: of values of which 1 % are outliers, 5 % of such tallies have seen none
	tallyMemory  = 20000 // rows from which on windows lose weight: fewer may not show an outlier of one in a thousand
	tallyHalf    = 50    // windows after which a row counts half
	fewestRows   = 5     // n+1 of a cell at least
	unknownRows  = 30    // n of a cell at least where the shape is unknown
	mostDoubt    = 5     // factor of A at most
)

// Add adds the kept rows of a cell. At the close of a window all its cells are added before the first is estimated.
func (t *Tally) Add(c *Cell, d *Design) {
	p, one, two := c.seen(d)
	if p.k == 0 {
		return
	}
	n := float64(p.k)
	m := p.x1 / n
	x1, x2, x3 := p.sums()
	second := max(p.x2-n*m*m, 0)
	third := p.x3 - 3*m*p.x2 + 2*n*m*m*m
	if sum := x1 + x2 + x3 + second + third; sum-sum != 0 {
		return
	}
	if t.rows == 0 {
		t.low, t.high = p.low, p.high
	}
	t.low, t.high = min(t.low, p.low), max(t.high, p.high)
	t.rows += n
	t.second += second
	t.third += third
	t.second0 += x2
	t.third0 += x3
	t.cubes += n * (m + p.pivot) * (m + p.pivot) * (m + p.pivot)
	switch {
	case !two || t.one != 0 && one != 0 && t.one != one:
		t.mixed = true
	case one != 0:
		t.one = one
	}
}

// EndWindow lets what was added lose weight, as far as enough remains.
func (t *Tally) EndWindow() {
	keep := max(math.Exp2(-1.0/tallyHalf), tallyMemory/max(t.rows, tallyMemory))
	t.rows *= keep
	t.second *= keep
	t.third *= keep
	t.second0 *= keep
	t.third0 *= keep
	t.cubes *= keep
}

// Skewness returns the pooled skewness of what kept rows add to a sum that has the given share of its strata's rows, per row of
// the cell: for the share 1, as for means, that of values about the mean of their cell; as the share goes to 0, that about 0, as the rows outside
// the cell add 0. Between them, with m the mean, the central moments of a row's part per row of the cell are
//
//	E[x^2] - share m^2,    E[x^3] - 3 share m E[x^2] + 2 share^2 m^3.
func (t *Tally) Skewness(share float64) float64 {
	outside := 1 - min(max(share, 0), 1)
	second := t.second + outside*(t.second0-t.second)
	third := t.third + outside*(t.third0-t.third-2*(1-outside)*t.cubes)
	if !(second > 1e-9*t.second0) { // a constant, but for rounding
		return 0
	}
	return math.Abs(third) / second * math.Sqrt(t.rows/second)
}

// twoValued reports whether the column has only the values 0 and c; with c = 0 whether it has only one value that is not 0. Fewer than
// 1,000 rows of one value, other than 1, say nothing of the others.
func (t *Tally) twoValued(c float64) bool {
	if t == nil || t.mixed || t.rows == 0 || t.rows < tallyRows && !t.flags() {
		return false
	}
	return c == 0 || t.one == c
}

// flags reports whether a column of values in {0, c} seems to be one of flags, so that the value which did not come yet may come: a constant
// other than 1 does not.
func (t *Tally) flags() bool { return t.low < t.high || t.one == 1 }

// reliable reports whether an interval from n effective rows with variance v can be relied on, where the cell has the given share of the rows
// that count.
func (q *Question) reliable(n, v, share float64) bool {
	n += 1e-6 // of rounding
	if n+1 < fewestRows {
		return false
	}
	t := q.Tally
	if (t == nil || t.rows < tallyRows) && n < unknownRows || t != nil && t.rows < unknownShape {
		return false
	}
	if t == nil {
		return true
	}
	if v == 0 && t.low < t.high || t.rows < tallyRows && (v == 0 || t.low == t.high && t.low != 1) {
		return false
	}
	g := t.Skewness(share)
	return n+1 >= labelFactor(q.Confidence)*t.doubt()*g*g
}

// doubt returns by how much the factor of the rule grows where the tally has too few rows to show outliers.
func (t *Tally) doubt() float64 {
	r := max(tallyRows/t.rows, 1)
	return min(r*r, mostDoubt)
}

// labelFactor returns A: 2 up to 95 % confidence, 4 from 99 %.
func labelFactor(confidence float64) float64 {
	return 2 + 2*min(max((confidence-0.95)/0.04, 0), 1)
}
