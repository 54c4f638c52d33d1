package synopsis

import "math"

// keyGroups is the number of groups that kept keys are parted into, tuple.UniverseGroups.
const keyGroups = 64

// Keys is the state of COUNT, SUM and AVG of a cell whose rows are those of keys that were kept by their hash, all rows of a key or
// none. The unit of sampling is the key, and the keys are parted into 64 groups by other bits of the hash, whose totals T_g
// tell how much keys differ (estimators.md section 4): with w = 1/theta for the rows that came while keys below theta were
// kept, T_g = sum w x,
//
//	SUM = sum T_g,   Var = (1-theta) G/(G-1) sum (T_g - mean T)^2,   t with G-1 degrees of freedom,
//
// COUNT with x = 1, and AVG = R = SUM/COUNT with T_g - R N_g in the place of T_g. Cells with few keys are labelled, and those of a column
// where the totals of groups are skewed in its cells taken together (Tell): keys of great weight may as well be among those that were dropped.
//
// The zero value is empty. It is about 1 KiB and holds no pointer.
type Keys struct {
	rows   int64
	seen   float64 // the sum of the rows' values
	values limits
	n, sum [keyGroups]float64
}

// Add adds the value x of a row of a key in group unit, which was kept with the keys below theta = 1/w.
func (k *Keys) Add(unit uint8, x, w float64) { k.AddPair(unit, x, 1, w) }

// AddPair adds a row that counts b times and adds a to the sum: then Mean is the ratio of the two sums.
func (k *Keys) AddPair(unit uint8, a, b, w float64) {
	k.values.take(a, k.rows == 0)
	k.rows++
	k.seen += a
	unit %= keyGroups
	k.n[unit] += w * b
	k.sum[unit] += w * a
}

// Merge adds the rows of o.
func (k *Keys) Merge(o *Keys) {
	if o.rows == 0 {
		return
	}
	k.values.take(o.values.low, k.rows == 0)
	k.values.take(o.values.high, false)
	k.rows += o.rows
	k.seen += o.seen
	for g := range k.n {
		k.n[g] += o.n[g]
		k.sum[g] += o.sum[g]
	}
}

// Rows returns the number of kept rows.
func (k *Keys) Rows() int64 { return k.rows }

// Count returns the number of rows of the cell, known of them from strata that lost nothing, and whether its interval can be relied on.
// theta is the least share of keys that was kept in the window, and shape that of its column (Tell).
func (k *Keys) Count(theta float64, known int64, shape *Shape, q Question) (e Estimate, reliable bool) {
	e, reliable = k.total(theta, &k.n, shape, q)
	if !e.Exact {
		e.Low, e.High = max(math.Floor(e.Low), float64(k.rows)), math.Ceil(e.High)
	}
	return e.plus(float64(known)), reliable
}

// Sum returns the sum of the cell's values, known being those of strata that lost nothing, and whether its interval can be
// relied on.
func (k *Keys) Sum(theta float64, known Known, shape *Shape, q Question) (e Estimate, reliable bool) {
	if k.rows == 0 {
		return Estimate{Value: known.Sum, Low: math.Inf(-1), High: math.Inf(1), Confidence: q.Confidence}, false
	}
	e, reliable = k.total(theta, &k.sum, shape, q)
	if k.values.low >= 0 {
		e.Low = max(e.Low, k.seen)
	}
	if k.values.high <= 0 {
		e.High = min(e.High, k.seen)
	}
	return e.plus(known.Sum), reliable
}

// Mean returns the mean of the cell's values, known being those of strata that lost nothing, and whether its interval can be
// relied on.
func (k *Keys) Mean(theta float64, known Known, shapes UnitShapes, q Question) (e Estimate, reliable bool) {
	return k.Ratio(theta, known.Sum, float64(known.Rows), shapes, q)
}

// Ratio is Mean for a cell of pairs, where sum and n are what strata add that lost nothing, and shapes are those of its
// column. A denominator that rests on few heavy keys makes the ratio of theirs.
func (k *Keys) Ratio(theta, sum, n float64, shapes UnitShapes, q Question) (e Estimate, reliable bool) {
	for g := range k.n {
		n += k.n[g]
		sum += k.sum[g]
	}
	r := sum / n
	if k.rows == 0 || n == 0 {
		return Estimate{Value: r, Low: math.Inf(-1), High: math.Inf(1), Confidence: q.Confidence}, false
	}
	rest := k.residuals(r)
	e, reliable = k.total(theta, &rest, shapes.Mean, q)
	g := shapes.Count.Skewness()
	reliable = reliable && skewNumber*g*g < keyGroups
	if e.Exact {
		return Exactly(r), true
	}
	far := max(e.High-e.Value, e.Value-e.Low) / math.Abs(n)
	e = Estimate{Value: r, Low: r - far, High: r + far, Confidence: q.Confidence}
	if q.Low < q.High {
		e.Low, e.High = max(e.Low, q.Low), min(e.High, q.High)
	}
	return e, reliable
}

// UnitShapes are the pooled shapes of what units of sampling, keys or blocks of a file, add to the counts, the sums and the means of the cells of
// a column.
type UnitShapes struct{ Count, Sum, Mean *Shape }

// Tell adds the cell to the shapes of its column: at the end of a window, every cell before the first estimate.
func (k *Keys) Tell(to *UnitShapes) {
	if k.rows == 0 {
		return
	}
	var n, sum float64
	for g := range k.n {
		n += k.n[g]
		sum += k.sum[g]
	}
	rest := k.residuals(quotientOf(sum, n))
	tellGroups(to.Count, &k.n)
	tellGroups(to.Sum, &k.sum)
	tellGroups(to.Mean, &rest)
}

// tellGroups adds the totals of groups to a shape.
func tellGroups(s *Shape, t *[keyGroups]float64) {
	mean, squares, cubes := 0.0, 0.0, 0.0
	for _, x := range t {
		mean += x / keyGroups
	}
	for _, x := range t {
		d := x - mean
		squares += d * d
		cubes += d * d * d
	}
	s.Add(keyGroups, squares, cubes)
}

func (k *Keys) residuals(r float64) (rest [keyGroups]float64) {
	for g := range rest {
		rest[g] = k.sum[g] - r*k.n[g]
	}
	return rest
}

// Limits of what can be relied on: of 64 groups, 48 are taken where about 90 keys were kept; and the totals of groups must not be more skewed than
// Cochran's rule n > 25 g^2 allows (Sampling Techniques, 3rd edition, section 2.15): unlike those of rows the intervals are symmetrical, and the
// keys of a window are too few to show the heaviest of all.
const (
	fewKeyGroups = 48
	skewKeys     = 25
	skewNumber   = 8 // in the place of 25 for the denominators of ratios
)

// total returns the sum of what the groups stand for.
func (k *Keys) total(theta float64, t *[keyGroups]float64, shape *Shape, q Question) (e Estimate, reliable bool) {
	taken, sum := 0, 0.0
	for g := range t {
		if k.n[g] > 0 {
			taken++
		}
		sum += t[g]
	}
	if theta >= 1 {
		return Exactly(sum), true
	}
	mean := sum / keyGroups
	squares := 0.0
	for g := range t {
		squares += (t[g] - mean) * (t[g] - mean)
	}
	deviation := math.Sqrt((1 - theta) * keyGroups / (keyGroups - 1) * squares)
	half := deviation * quantilesAt(q.Confidence).student.quantile(keyGroups-1)
	e = Estimate{Value: sum, Low: sum - half, High: sum + half, Confidence: q.Confidence}
	skew := shape.Skewness()
	reliable = taken >= fewKeyGroups && skewKeys*skew*skew < keyGroups && (squares > 0 || shape != nil && !shape.varies())
	return e.loose(reliable), reliable
}
