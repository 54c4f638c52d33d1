package synopsis

import "math"

// Clusters says which blocks of a file were read: Sampled of Population, drawn without replacement.
type Clusters struct{ Population, Sampled int64 }

// weight returns how many blocks a block that was read stands for.
func (c Clusters) weight() float64 {
	if c.Sampled <= 0 {
		return 1
	}
	return max(float64(c.Population)/float64(c.Sampled), 1)
}

// Blocks is the state of COUNT, SUM and AVG of a cell whose rows are those of blocks of a file that were drawn by chance, all
// rows of a block or none. The unit of sampling is the block: with k_b rows that add up to x_b in block b, in m
// of M blocks,
//
//	COUNT = M/m sum k_b     SUM = M/m sum x_b     AVG = R = sum x_b / sum k_b
//
// and the variance is that of the totals k_b, x_b and x_b - R k_b between blocks, zeros included, with the factor
// 1-m/M (Cochran, Sampling Techniques, 3rd edition, sections 9A.2 and 9A.6). Intervals are Hall's with guard rows (intervals.md
// section 1), with blocks in the place of rows; the count of a cell that fewer than half of the blocks have is a gamma interval (section 2).
//
// The rows of a block come together: totals are folded when the number of the block changes. The zero value is
// empty. It holds no pointer.
type Blocks struct {
	open   int64   // the number of the open block plus one, 0 where there is none
	k, x   float64 // of the open block, x from the pivot
	pivot  float64 // the first value; sums are of differences from it
	rows   int64
	pairs  bool        // rows were added by AddPair
	blocks int64       // folded
	sums   blockSums   // of the folded blocks
	within [3]float64  // sums of w(w-1) (x-pivot)^r for rows thinned inside of blocks
	each   [3]float64  // sums of (x-pivot)^(r+1) over rows
	counts limits      // of k_b
	totals limits      // of x_b, without pivot
	rest   [2]extremum // of x_b - R k_b with the R of then: the least and the greatest
	values limits
}

// limits are the least and the greatest of some values.
type limits struct{ low, high float64 }

// take takes in x, the first value where first is set.
func (l *limits) take(x float64, first bool) {
	if first {
		*l = limits{x, x}
	}
	l.low, l.high = min(l.low, x), max(l.high, x)
}

// extremum is the totals of a block.
type extremum struct{ k, x float64 }

// Add adds the value x of a row of a block.
func (b *Blocks) Add(block int64, x float64) { b.AddWeighted(block, x, 1) }

// AddWeighted adds the value x of a row that stands for w rows of its block, w at least 1: rows that were thinned
// after blocks had been drawn.
func (b *Blocks) AddWeighted(block int64, x, w float64) {
	if b.open != block+1 {
		b.fold()
		b.open = block + 1
	}
	if b.rows == 0 {
		b.pivot = x
	}
	b.values.take(x, b.rows == 0)
	b.rows++
	d := x - b.pivot
	b.k += w
	b.x += w * d
	b.each[0] += d
	b.each[1] += d * d
	b.each[2] += d * d * d
	if w > 1 {
		c := w * (w - 1)
		b.within[0] += c
		b.within[1] += c * d
		b.within[2] += c * d * d
	}
}

// AddPart adds rows of a block, each of which stands for w rows.
func (b *Blocks) AddPart(block int64, p *Part, w float64) {
	if p.k == 0 {
		return
	}
	if b.open != block+1 {
		b.fold()
		b.open = block + 1
	}
	if b.rows == 0 {
		b.pivot = p.pivot
	}
	q := *p
	q.move(b.pivot)
	b.values.take(q.low, b.rows == 0)
	b.values.take(q.high, false)
	b.rows += q.k
	k := float64(q.k)
	b.k += w * k
	b.x += w * q.x1
	addTo(b.each[:], []float64{q.x1, q.x2, q.x3})
	if w > 1 {
		c := w * (w - 1)
		addTo(b.within[:], []float64{c * k, c * q.x1, c * q.x2})
	}
}

// AddPair adds a row that counts n times and adds a to the sum, and stands for w rows of its block: then Mean is the ratio of the two
// sums. A state has either pairs or values.
func (b *Blocks) AddPair(block int64, a, n, w float64) {
	if b.open != block+1 {
		b.fold()
		b.open = block + 1
	}
	b.rows++
	b.k += w * n
	b.x += w * a
	b.pairs = true
}

// Rows returns the number of rows that were added.
func (b *Blocks) Rows() int64 { return b.rows }

// Seen returns the sum of the values that were added, without weights.
func (b *Blocks) Seen() float64 { return b.each[0] + b.pivot*float64(b.rows) }

// fold closes the open block.
func (b *Blocks) fold() {
	if b.open == 0 || b.k == 0 && b.x == 0 {
		b.open = 0
		return
	}
	first := b.blocks == 0
	b.blocks++
	b.sums.add(b.k, b.x)
	b.counts.take(b.k, first)
	b.totals.take(b.x+b.pivot*b.k, first)
	r := b.sums.x() / b.sums.k()
	u := b.x - r*b.k
	if first || u < b.rest[0].x-r*b.rest[0].k {
		b.rest[0] = extremum{b.k, b.x}
	}
	if first || u > b.rest[1].x-r*b.rest[1].k {
		b.rest[1] = extremum{b.k, b.x}
	}
	b.open, b.k, b.x = 0, 0, 0
}

// Count returns the number of rows of the cell in all blocks, and whether its interval can be relied on.
func (b Blocks) Count(c Clusters, shape *Shape, q Question) (e Estimate, reliable bool) {
	b.fold()
	w, k := c.weight(), b.sums.k()
	switch {
	case c.Sampled >= c.Population && b.within[0] == 0:
		return Exactly(k), true
	case b.blocks == 0:
		return Estimate{High: math.Inf(1), Confidence: q.Confidence}, false
	}
	e = Estimate{Value: w * k, Confidence: q.Confidence}
	powers := b.sums.powers(0, -1)
	within := w * b.within[0]
	if 2*b.blocks <= c.Sampled {
		e.Low, e.High = b.gamma(c, c.cumulants(powers).v+within, quantilesAt(q.Confidence))
	} else {
		below, above := b.span(c, powers, within, b.counts, q)
		e.Low, e.High = e.Value-below, e.Value+above
	}
	const rounding = 1e-9
	e.Low = max(math.Floor(e.Low+rounding), float64(b.rows))
	e.High = max(math.Ceil(e.High-rounding), e.Value)
	reliable = b.enough(c, b.counts.high <= 1) && (!q.Domain || c.many()) && !shape.lopsided(c, q.Confidence)
	return e.loose(reliable), reliable
}

// gamma returns the interval of the count of a cell that most blocks have no row of: a gamma distribution of the number of
// rows in blocks that were not read, which at the upper end has one more block like the largest.
func (b *Blocks) gamma(c Clusters, v float64, q *quantiles) (low, high float64) {
	w, k, t := c.weight(), b.sums.k(), b.counts.high
	missing, share := (w-1)*k, guardShare
	if t > 1 { // the sizes of blocks are estimated, too
		share = 1
		v *= 1 + 2/float64(b.blocks)
	}
	low = k + gammaAt(&q.low, missing, v)
	high = k + gammaAt(&q.high, missing+share*(w-1)*t, v+share*w*(w-1)*t*t)
	return low, high
}

// Sum returns the sum of the cell's values in all blocks, and whether its interval can be relied on.
func (b Blocks) Sum(c Clusters, rows, shape *Shape, q Question) (e Estimate, reliable bool) {
	b.fold()
	w, seen := c.weight(), b.sums.x()+b.pivot*b.sums.k()
	switch {
	case c.Sampled >= c.Population && b.within[0] == 0:
		return Exactly(seen), true
	case b.blocks == 0:
		return Estimate{Value: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Confidence: q.Confidence}, false
	}
	e = Estimate{Value: w * seen, Confidence: q.Confidence}
	within := w * (b.within[2] + 2*b.pivot*b.within[1] + b.pivot*b.pivot*b.within[0])
	below, above := b.span(c, b.sums.powers(1, -b.pivot), within, b.totals, q)
	e.Low, e.High = e.Value-below, e.Value+above
	reliable = b.relied(c, rows, shape, q)
	e = e.loose(reliable)
	if b.values.low >= 0 {
		e.Low = max(e.Low, seen)
	}
	if b.values.high <= 0 {
		e.High = min(e.High, seen)
	}
	return e, reliable
}

// Mean returns the mean of the cell's values in all blocks, and whether its interval can be relied on.
func (b Blocks) Mean(c Clusters, rows, shape *Shape, q Question) (e Estimate, reliable bool) {
	b.fold()
	if b.blocks == 0 {
		return Estimate{Value: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Confidence: q.Confidence}, false
	}
	r := b.sums.x() / b.sums.k()
	if c.Sampled >= c.Population && b.within[0] == 0 {
		return Exactly(b.pivot + r), true
	}
	w := c.weight()
	within := w * (b.within[2] - 2*r*b.within[1] + r*r*b.within[0])
	rest := limits{b.rest[0].x - r*b.rest[0].k, b.rest[1].x - r*b.rest[1].k}
	below, above := b.span(c, b.sums.powers(1, r), within, rest, q)
	n := float64(b.blocks)
	scale := math.Sqrt(n/max(n-1, 1)) / (w * b.sums.k())
	if scale < 0 { // the denominator of pairs
		below, above, scale = above, below, -scale
	}
	e = Estimate{Value: b.pivot + r, Low: b.pivot + r - below*scale, High: b.pivot + r + above*scale, Confidence: q.Confidence}
	reliable = b.relied(c, rows, shape, q)
	e = e.loose(reliable)
	if q.Low < q.High {
		e.Low, e.High = max(e.Low, q.Low), min(e.High, q.High)
	}
	return e, reliable
}

// relied reports whether an interval of sums and means can be relied on: by the number of rows over the design effect, what the rows are worth
// if they were drawn one by one, and by the shapes of the column: that of its rows, and that of what blocks add.
func (b *Blocks) relied(c Clusters, rows, shape *Shape, q Question) bool {
	if !b.enough(c, false) || !c.many() || shape.lopsided(c, q.Confidence) {
		return false
	}
	if b.pairs {
		return !shape.short(float64(b.blocks), q.Confidence)
	}
	n, squares, _ := b.deviations()
	between := b.sums.powers(1, b.sums.x()/b.sums.k())[1]
	if squares <= 0 && rows.varies() {
		return false
	}
	if between > squares {
		n = max(n*squares/between, b.sums.effective())
	}
	return !rows.short(n, q.Confidence)
}

// deviations returns the number of rows and the sums of the squares and cubes of their deviations from their mean.
func (b *Blocks) deviations() (n, squares, cubes float64) {
	n = float64(b.rows)
	m := b.each[0] / n
	return n, b.each[1] - n*m*m, b.each[2] - 3*m*b.each[1] + 2*n*m*m*m
}

// Tell adds the cell to the shapes of its column, those of its rows and of what blocks add: at the end of a window, every cell before the first
// estimate.
func (b Blocks) Tell(c Clusters, rows *Shape, to *UnitShapes) {
	b.fold()
	if b.blocks == 0 {
		return
	}
	if !b.pairs {
		rows.Add(b.deviations())
	}
	tell := func(s *Shape, p [4]float64) {
		n := float64(max(c.Sampled, b.blocks))
		m := p[0] / n
		s.Add(n, p[1]-n*m*m, p[2]-3*m*p[1]+2*n*m*m*m)
	}
	tell(to.Count, b.sums.powers(0, -1))
	tell(to.Sum, b.sums.powers(1, -b.pivot))
	tell(to.Mean, b.sums.powers(1, quotientOf(b.sums.x(), b.sums.k())))
}

// lopsided reports whether totals of blocks with the shape s are too skewed for the blocks that were read.
func (s *Shape) lopsided(c Clusters, confidence float64) bool {
	g := s.Skewness()
	return float64(c.Sampled)+1 < labelFactor(confidence)*g*g
}

// surely is how many rows the smallest block of a cell has where a block without any would be no matter of chance:
// with e^-9 of the blocks at most.
const surely = 9

// span returns how far below and above the estimate of a total the truth may be. powers and u are the sums and
// the limits of what blocks with rows add to it, within is the variance from inside of blocks. A block
// without rows adds 0, and is reckoned with unless every block has many.
func (b *Blocks) span(c Clusters, powers [4]float64, within float64, u limits, q Question) (below, above float64) {
	w, n := c.weight(), float64(c.Sampled)
	mean := powers[0] / n
	down, up := min(u.low-mean, 0), max(u.high-mean, 0)
	if b.blocks < c.Sampled || q.Domain && b.counts.low <= surely {
		down, up = min(down, -mean), max(up, -mean)
	}
	if 2*b.blocks <= c.Sampled {
		n = float64(b.blocks)
	}
	t := c.cumulants(powers)
	t.v += within
	return t.span(guard{w, down}, guard{w, up}, n, quantilesAt(q.Confidence))
}

// Least numbers of blocks, read at all and with rows of the cell, for an interval to be relied on.
const (
	fewBlocks     = 10
	fewBlocksCell = 5
	manyBlocks    = 150
)

// many reports whether so many blocks were read that what a fiftieth of the file has, such as an incident, is missed in one run of twenty
// at most.
func (c Clusters) many() bool { return c.Sampled >= manyBlocks || c.Sampled >= c.Population }

// enough reports whether there are blocks enough. One is enough of blocks that have one row each, for a count.
func (b *Blocks) enough(c Clusters, ones bool) bool {
	return c.Sampled >= fewBlocks && (ones || b.sums.effective() >= fewBlocksCell)
}

// gammaAt returns the quantile of the gamma distribution with the given mean and variance; the mean where it does not vary.
func gammaAt(t *gammaTable, mean, variance float64) float64 {
	if !(mean > 0) || !(variance > 0) {
		return max(mean, 0)
	}
	return mean * gammaScaled(t, mean*mean/variance)
}
