package synopsis

import "math"

// Quotient is the state of a ratio R of two aggregates over the same rows: sum(a)/sum(b), where a and b are 0 on rows that
// an aggregate leaves out, and 1 on those that it counts.
//
// The error of sum w (a - R b) has the residual e = a - R b, of which a kept row of weight w adds w(w-1) e^2 to the
// variance, w(w-1)(w-2) e^3 to the third cumulant, w(w-1)(2w-1) e^3 to J and w(w-1)^3 e^4 to D; from the variance of a
// stratum of m kept rows (sum e)^2/m comes off again. The interval holds the values R whose T(R) lies inside Hall's bounds
// with guard rows at R itself (intervals.md sections 1 and 7; Fieller 1954 for the inversion). A ratio of counts where every row of
// the numerator is one of the denominator is a share, and has the gamma interval of a count over the denominator; where none is, it is
// p/(1-p) with p the share of the numerator in both.
//
// Strata come one behind the other, as in Spread. The zero value is empty. It is about 350 B and holds no pointer.
type Quotient struct {
	open int32 // index of the open stratum plus one, 0 where there is none
	rows int64
	seen rowKinds
	a, b float64      // of the kept rows of strata that are not open, without weights
	part QuotientPart // of the open stratum

	size    [2]float64 // sums of w a, w b
	v       [3]float64 // sums of w(w-1) times a^2, a b, b^2
	k3, j   [4]float64 // likewise a^3, a^2 b, ..
	d       [5]float64 // likewise a^4, ..
	between [3]float64 // sums of w(w-1)/m times products of sum a, sum b
	plain   [2]float64 // sums of w(w-1), (w(w-1))^2
	far     [2]pairRow // the rows with the greatest w(w-1)e^2 below and above 0
	heavy   float64    // largest weight
}

// pairRow is a kept row: its weight and its values.
type pairRow struct{ w, a, b float64 }

// Add adds a kept row of stratum i of d.
func (s *Quotient) Add(d *Design, i int32, a, b float64) {
	s.turn(d, i)
	s.rows++
	s.part.Add(a, b)
}

// AddPart adds a stratum's share of the cell.
func (s *Quotient) AddPart(d *Design, i int32, p *QuotientPart) {
	s.turn(d, i)
	s.rows += int64(p.k)
	s.part.Merge(p)
}

// AddWeighted adds a row of a given weight w, at least 1.
func (s *Quotient) AddWeighted(d *Design, a, b, w float64) {
	s.turn(d, -1)
	s.rows++
	s.part.Add(a, b)
	w = max(w, 1)
	d.given = max(d.given, w)
	s.close(w, 0)
}

// Rows returns the number of kept rows.
func (s *Quotient) Rows() int64 { return s.rows }

// turn makes stratum i the open one.
func (s *Quotient) turn(d *Design, i int32) {
	if s.open != i+1 {
		s.fold(d)
		s.open = i + 1
	}
}

// fold closes the open stratum.
func (s *Quotient) fold(d *Design) {
	if s.open == 0 {
		return
	}
	stratum := d.Strata()[s.open-1]
	s.close(stratum.Weight(), simpleRows(stratum))
}

// close folds the open part, whose rows have weight w, in a simple random sample of m rows; m = 0: kept independently.
func (s *Quotient) close(w, m float64) {
	p, c := &s.part, w*(w-1)
	for i, t := range p.s1 {
		s.size[i] += w * t
	}
	for i, t := range p.s2 {
		s.v[i] += c * t
	}
	for i, t := range p.s3 {
		s.k3[i] += c * (w - 2) * t
		s.j[i] += c * (2*w - 1) * t
	}
	for i, t := range p.s4 {
		s.d[i] += c * (w - 1) * (w - 1) * t
	}
	if m >= p.k && m > 1 {
		for i, t := range [3]float64{p.s1[0] * p.s1[0], p.s1[0] * p.s1[1], p.s1[1] * p.s1[1]} {
			s.between[i] += c / m * t
		}
	}
	s.plain[0] += p.k * c
	s.plain[1] += p.k * c * c
	s.seen.add(p.seen)
	s.a += p.s1[0]
	s.b += p.s1[1]
	r := quotientOf(s.a, s.b)
	for i, end := range p.ends {
		e, old := math.Sqrt(c)*(end.a-r*end.b), math.Sqrt(s.far[i].w*max(s.far[i].w-1, 0))*(s.far[i].a-r*s.far[i].b)
		if i == 0 && e < old || i == 1 && e > old {
			s.far[i] = pairRow{w, end.a, end.b}
		}
	}
	s.heavy = max(s.heavy, w)
	s.open, s.part = 0, QuotientPart{}
}

// Ratio returns the ratio, and whether its interval can be relied on. a and b are the sums over the rows of whole strata, and shape
// that of the residuals (Tell).
func (s Quotient) Ratio(d *Design, a, b float64, shape *Shape, q Question) (e Estimate, reliable bool) {
	s.fold(d)
	num, den := a+s.size[0], b+s.size[1]
	r := num / den
	switch {
	case den == 0:
		return Estimate{Value: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Confidence: q.Confidence}, false
	case !d.lost && d.given <= 1:
		return Exactly(r), true
	}
	rows, tables := s.effective(d), quantilesAt(q.Confidence)
	e = Estimate{Value: r, Confidence: q.Confidence}
	switch {
	case s.seen.uneven || s.seen.inside && s.seen.apart:
		e.Low, e.High = s.invert(num, den, rows, tables)
		return e, s.relied(shape, r, den, rows, q.Confidence)
	case s.seen.apart:
		e.Low, e.High = s.share(d, kind{num, a + s.a, s.v[0]}, kind{den, b + s.b, s.v[2]}, tables)
		e.Low, e.High = e.Low/(1-e.Low), e.High/(1-e.High)
	default:
		e.Low, e.High = s.share(d, kind{num, a + s.a, s.v[0]}, kind{den - num, b - a + s.b - s.a, s.v[2] - s.v[0]}, tables)
	}
	return e, rows >= fewShare
}

// relied reports whether an interval by inversion can be relied on: with twice the rows that a mean would need, and a denominator that is four
// standard errors from 0 at 95 %.
func (s *Quotient) relied(shape *Shape, r, den, rows, confidence float64) bool {
	q := 2 * quantilesAt(confidence).student.quantile(math.Inf(1))
	switch {
	case !(s.at(r).v > 0) && (shape == nil || shape.varies()):
		return false
	case q*q*(s.v[2]-s.between[2]) >= den*den:
		return false
	}
	return !shape.short((rows+1)/2, confidence)
}

// fewShare is the least number of rows that a share can be relied on: the count of the denominator is taken as known.
const fewShare = 5

// kind is a kind of rows: their estimated count, how many were seen, and the sum of w(w-1) over those.
type kind struct{ count, seen, spread float64 }

// share returns the interval of the share of one kind of rows, by counting the rarer kind.
func (s *Quotient) share(d *Design, one, other kind, q *quantiles) (low, high float64) {
	if one.count > other.count {
		low, high = s.share(d, other, one, q)
		return 1 - high, 1 - low
	}
	w, rows, all := max(d.Largest(), s.heavy), s.effective(d), one.count+other.count
	p := one.count / all
	v := ((1-p)*(1-p)*one.spread + p*p*other.spread) * rows / max(rows-1, 0.5)
	missing := max(one.count-one.seen, 0)
	low = math.Floor(one.seen + gammaAt(&q.low, missing, v))
	high = math.Ceil(one.seen+gammaAt(&q.high, missing+guardShare*(w-1), v+guardShare*w*(w-1))) / all
	if low <= one.seen { // what was seen is sure, its share is not
		all += q.student.quantile(math.Inf(1)) * math.Sqrt(one.spread+other.spread)
	}
	return low / all, min(high, 1)
}

// invert returns the least and the greatest R for which num - R den is no further from 0 than chance takes it.
func (s *Quotient) invert(num, den, rows float64, q *quantiles) (low, high float64) {
	t := q.student.quantile(rows - 1)
	if t*t*(s.v[2]-s.between[2]) >= den*den {
		return math.Inf(-1), math.Inf(1)
	}
	edge := func(side int, sign float64) float64 {
		r := num / den
		for range 8 {
			c, g := s.at(r), s.guard(side, r)
			next := (num - c.reach(g, sign*q.student.quantile(c.freedom(g, rows)))) / den
			if math.Abs(next-r) <= 1e-9*math.Abs(next) {
				break
			}
			r = next
		}
		return r
	}
	low, high = edge(0, 1), edge(1, -1)
	return min(low, high), max(low, high)
}

// guard returns one more row like the one that adds most to T(r) below (0) or above 0 (1).
func (s *Quotient) guard(side int, r float64) guard {
	far := s.far[side]
	u := far.a - r*far.b
	if side == 0 && u > 0 || side == 1 && u < 0 {
		u = 0
	}
	return guard{max(far.w, 1), u}
}

// at returns the cumulants of T(r).
func (s *Quotient) at(r float64) cumulants {
	v := s.v[0] - 2*r*s.v[1] + r*r*s.v[2]
	between := s.between[0] - 2*r*s.between[1] + r*r*s.between[2]
	cube := [4]float64{1, -3 * r, 3 * r * r, -r * r * r}
	fourth := [5]float64{1, -4 * r, 6 * r * r, -4 * r * r * r, r * r * r * r}
	c := cumulants{v: max(v, 0), k: dot(cube[:], s.k3[:]), j: dot(cube[:], s.j[:]), d: max(dot(fourth[:], s.d[:]), 0)}
	return c.scaled(ratio(v-between, v))
}

// effective returns n*, how many rows of equal weight the kept ones are worth (intervals.md section 1).
func (s *Quotient) effective(d *Design) float64 {
	w := max(d.Largest(), s.heavy)
	a := w * (w - 1)
	if a == 0 {
		return 0
	}
	return (s.plain[0]+a)*(s.plain[0]+a)/(s.plain[1]+a*a) - 1
}

// Tell adds the cell to the shape of the residuals: at the end of a window, every cell before the first estimate.
func (s Quotient) Tell(shape *Shape, d *Design) {
	s.fold(d)
	if s.size[1] == 0 || !(s.plain[0] > 0) {
		return
	}
	// The weights of j are to square and cube alike what they are to a row.
	r, n, c := s.size[0]/s.size[1], float64(s.rows), (s.heavy*2-1)*s.plain[0]
	square := s.v[0] - 2*r*s.v[1] + r*r*s.v[2]
	cube := s.j[0] - 3*r*s.j[1] + 3*r*r*s.j[2] - r*r*r*s.j[3]
	shape.Add(n, n*square/s.plain[0], n*cube/c)
}
