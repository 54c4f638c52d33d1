package synopsis

import "math"

// Spread is the state of VAR and STDDEV of a cell. The variance is a mean of squares, so its interval is that of a mean
// (intervals.md sections 1 and 6) with the residual
//
//	u = (x-R)^2 - S,   R the mean and S the variance of the cell, population divisor.
//
// A kept row of weight w adds to the error of N S the variance w(w-1) u^2, the third cumulant w(w-1)(w-2) u^3, to J
// w(w-1)(2w-1) u^3 and to D w(w-1)^3 u^4; from the variance of a stratum of m kept rows (sum u)^2/m comes off again, as
// in a simple random sample. All of these are polynomials in R and S whose coefficients are power sums up to the eighth, which
// are folded when the stratum changes.
//
// Strata come one behind the other: rows of one that come after those of another are folded with its totals of that time, as if
// of a stratum of their own.
//
// The zero value is empty. It is about 500 B and holds no pointer. Values are taken as deviations from the first one; where
// that lies a hundred deviations from the mean the eighth powers lose their digits, and intervals become wide.
type Spread struct {
	open int32 // index of the open stratum plus one, 0 where there is none
	rows int64
	part SpreadPart // of the open stratum; its pivot is the cell's

	size    [3]float64 // sums of w y^r
	v       [5]float64 // sums of w(w-1) y^r
	k3, j   [7]float64 // of w(w-1)(w-2) y^r, w(w-1)(2w-1) y^r
	d       [9]float64 // of w(w-1)^3 y^r
	between [6]float64 // sums of c/m times products of sum y^2, sum y, k: 22, 21, 20, 11, 10, 00
	squares float64    // sum of (w(w-1))^2
	far     guardRow   // the row that adds most to the variance
	heavy   float64    // largest weight
}

// guardRow is a kept row: its weight and its deviation from the pivot.
type guardRow struct{ w, y float64 }

// Add adds the value x of a kept row of stratum i of d.
func (s *Spread) Add(d *Design, i int32, x float64) {
	s.turn(d, i, x)
	s.rows++
	s.part.add(x)
}

// AddPart adds a stratum's share of the cell.
func (s *Spread) AddPart(d *Design, i int32, p *SpreadPart) {
	if p.sums[0] == 0 {
		return
	}
	s.turn(d, i, p.pivot)
	s.rows += int64(p.sums[0])
	q := *p
	q.move(s.part.pivot)
	s.part.Merge(&q)
}

// AddWeighted adds the value x of a row of a given weight w, at least 1.
func (s *Spread) AddWeighted(d *Design, x, w float64) {
	s.turn(d, -1, x)
	s.rows++
	s.part.add(x)
	w = max(w, 1)
	d.given = max(d.given, w)
	s.close(w, 0)
}

// turn makes stratum i the open one. x becomes the pivot of an empty cell.
func (s *Spread) turn(d *Design, i int32, x float64) {
	if s.rows == 0 {
		s.part.pivot = x
	}
	if s.open != i+1 {
		s.fold(d)
		s.open = i + 1
	}
}

// Rows returns the number of kept rows.
func (s *Spread) Rows() int64 { return s.rows }

// fold closes the open stratum.
func (s *Spread) fold(d *Design) {
	if s.open == 0 {
		return
	}
	stratum := d.Strata()[s.open-1]
	s.close(stratum.Weight(), simpleRows(stratum))
}

// simpleRows returns the number of kept rows of a stratum that is a simple random sample, 0 for others.
func simpleRows(s *Stratum) float64 {
	if s.Up != nil || s.Keep >= 1 || float64(s.Offered)*s.Keep < poissonRows {
		return 0
	}
	return float64(s.Kept)
}

// close folds the open part, whose rows have weight w, in a simple random sample of m rows; m = 0: kept independently.
func (s *Spread) close(w, m float64) {
	p := &s.part.sums
	c := w * (w - 1)
	for r := range p {
		if r < len(s.size) {
			s.size[r] += w * p[r]
		}
		if r < len(s.v) {
			s.v[r] += c * p[r]
		}
		if r < len(s.j) {
			s.k3[r] += c * (w - 2) * p[r]
			s.j[r] += c * (2*w - 1) * p[r]
		}
		s.d[r] += c * (w - 1) * (w - 1) * p[r]
	}
	s.squares += p[0] * c * c
	if m >= p[0] && m > 1 {
		for i, t := range [6]float64{p[2] * p[2], p[2] * p[1], p[2] * p[0], p[1] * p[1], p[1] * p[0], p[0] * p[0]} {
			s.between[i] += c / m * t
		}
	}
	mean := s.size[1] / s.size[0]
	for _, x := range [2]float64{s.part.ends.low, s.part.ends.high} {
		y := x - s.part.pivot
		if math.Sqrt(c)*(y-mean)*(y-mean) > math.Sqrt(s.far.w*(s.far.w-1))*(s.far.y-mean)*(s.far.y-mean) || s.heavy == 0 {
			s.far = guardRow{w, y}
		}
	}
	s.heavy = max(s.heavy, w)
	s.open, s.part = 0, SpreadPart{pivot: s.part.pivot}
}

// Var returns the variance of the cell's values, with divisor n-1 where sample is set and n elsewhere, and whether its
// interval can be relied on. known is what whole strata hold, shape that of the column (Tell).
func (s Spread) Var(d *Design, known *Moments, shape *Shape, q Question, sample bool) (e Estimate, reliable bool) {
	s.fold(d)
	n, r, variance := s.pool(known)
	divisor := n
	if sample {
		divisor--
	}
	switch {
	case !(divisor > 0):
		return Estimate{Value: math.NaN(), High: math.Inf(1), Confidence: q.Confidence}, false
	case !d.lost && d.given <= 1:
		return Exactly(variance * n / divisor), true
	}
	// The mean of squares about the estimated mean is too small by the variance of that mean.
	rows := s.effective(d)
	variance += s.quadratic(r) / (n * n) * rows / max(rows-1, 0.5)
	c := s.cumulants(r, variance)
	below, above := c.span(guard{s.heavy, -variance}, guard{s.far.w, max((s.far.y-r)*(s.far.y-r)-variance, 0)}, rows, quantilesAt(q.Confidence))
	scale := math.Sqrt(rows/max(rows-1, 0.5)) / divisor
	e = Estimate{Value: variance * n / divisor, Confidence: q.Confidence}
	e.Low, e.High = max(e.Value-below*scale, 0), e.Value+above*scale
	reliable = s.relied(shape, rows, c.v, q.Confidence)
	e = e.loose(reliable)
	e.Low = max(e.Low, 0)
	return e, reliable
}

// Stddev returns the square root of Var.
func (s Spread) Stddev(d *Design, known *Moments, shape *Shape, q Question, sample bool) (e Estimate, reliable bool) {
	e, reliable = s.Var(d, known, shape, q, sample)
	e.Value, e.Low, e.High = math.Sqrt(e.Value), math.Sqrt(e.Low), math.Sqrt(e.High)
	return e, reliable
}

// pool returns the number of rows, the mean as a deviation from the pivot, and the variance, of kept rows by their weights
// and of known ones.
func (s *Spread) pool(known *Moments) (n, mean, variance float64) {
	n = s.size[0]
	if n > 0 {
		mean = s.size[1] / n
		variance = max(s.size[2]/n-mean*mean, 0)
	}
	if known == nil || known.Count() == 0 {
		return n, mean, variance
	}
	k := float64(known.Count())
	if n == 0 {
		return k, 0, known.VarPop()
	}
	apart := known.Mean() - s.part.pivot - mean
	squares := n*variance + k*known.VarPop() + apart*apart*n*k/(n+k)
	return n + k, mean + apart*k/(n+k), squares / (n + k)
}

// quadratic returns the sum of w(w-1) (y-r)^2.
func (s *Spread) quadratic(r float64) float64 {
	return max(s.v[2]-2*r*s.v[1]+r*r*s.v[0], 0)
}

// cumulants returns those of N S for the residual u = (y-r)^2 - shift.
func (s *Spread) cumulants(r, shift float64) cumulants {
	u := [3]float64{r*r - shift, -2 * r, 1} // y^2 - 2 r y + ..
	square := times(u[:], u[:])
	cube := times(square, u[:])
	c := cumulants{v: dot(square, s.v[:]), k: dot(cube, s.k3[:]), j: dot(cube, s.j[:]), d: max(dot(times(square, square), s.d[:]), 0)}
	b := &s.between
	between := b[0] + 2*u[1]*b[1] + 2*u[0]*b[2] + u[1]*u[1]*b[3] + 2*u[0]*u[1]*b[4] + u[0]*u[0]*b[5]
	return c.scaled(ratio(c.v-between, c.v))
}

// times multiplies two polynomials, dot takes a polynomial of power sums.
func times(a, b []float64) []float64 {
	out := make([]float64, len(a)+len(b)-1)
	for i := range a {
		for j := range b {
			out[i+j] += a[i] * b[j]
		}
	}
	return out
}

func dot(polynomial, sums []float64) (t float64) {
	for i, a := range polynomial {
		t += a * sums[i]
	}
	return t
}

// effective returns n*, how many rows of equal weight the kept ones are worth (intervals.md section 1).
func (s *Spread) effective(d *Design) float64 {
	w := max(d.Largest(), s.heavy)
	a := w * (w - 1)
	if a == 0 {
		return 0
	}
	return (s.v[0]+a)*(s.v[0]+a)/(s.squares+a*a) - 1
}

// Tell adds the cell to the shape of its column, which is that of squared deviations: at the end of a window, every cell
// before the first estimate.
func (s Spread) Tell(shape *Shape, d *Design) {
	s.fold(d)
	all := s.j[0]
	if !(all > 0) {
		return
	}
	r := s.j[1] / all
	line := [2]float64{-r, 1}
	square := times(line[:], line[:])
	fourth := times(square, square)
	m2, m4, m6 := dot(square, s.j[:])/all, dot(fourth, s.j[:])/all, dot(times(fourth, square), s.j[:])/all
	n := float64(s.rows)
	shape.Add(n, n*(m4-m2*m2), n*(m6-3*m4*m2+2*m2*m2*m2))
}

// fewSpread is the least number of rows of a variance that can be relied on.
const fewSpread = 30

// relied reports whether an interval with variance v can be relied on: with enough rows for squares as skewed as the column's are in all of its
// cells, as for a mean. A cell that missed the outliers looks best.
func (s *Spread) relied(shape *Shape, rows, v, confidence float64) bool {
	if v <= 0 && (shape.varies() || shape == nil) {
		return false
	}
	if shape != nil && shape.rows < unknownShape {
		return false // of so few rows nothing is known of the column's shape (Tally)
	}
	return rows+1 >= fewSpread && !shape.short(rows+1, confidence)
}
