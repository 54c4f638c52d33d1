package synopsis

import "math"

// Cell is the state of SUM and AVG of a cell.
type Cell struct {
	rows       int64
	n, t, q, v float64
}

// Add adds the value x of a kept row of stratum i of d.
func (c *Cell) Add(d *Design, i int32, x float64) { c.AddWeighted(d, x, d.strata[i].Weight()) }

// AddWeighted adds the value x of a row of a given weight w, at least 1.
func (c *Cell) AddWeighted(d *Design, x, w float64) {
	c.rows++
	c.n += w
	c.t += w * x
	c.q += w * x * x
	c.v += w * (w - 1) * x * x
}

// AddPart adds a stratum's share of the cell.
func (c *Cell) AddPart(d *Design, i int32, p *Part) {
	w := d.strata[i].Weight()
	c.rows += p.k
	c.n += w * float64(p.k)
	c.t += w * p.x1
	c.q += w * p.x2
	c.v += w * (w - 1) * p.x2
}

// Rows returns the number of kept rows.
func (c *Cell) Rows() int64 { return c.rows }

// Sum returns the sum of the cell's values, and whether its interval can be relied on.
func (c *Cell) Sum(d *Design, known Known, q Question) (e Estimate, reliable bool) {
	if d.Whole() && c.v == 0 {
		return Exactly(known.Sum + c.t), true
	}
	v, h := known.Sum+c.t, 2*math.Sqrt(c.v)
	return Estimate{Value: v, Low: v - h, High: v + h, Confidence: q.Confidence}, c.rows >= 30
}

// Mean returns the mean of the cell's values, and whether its interval can be relied on.
func (c *Cell) Mean(d *Design, known Known, q Question) (e Estimate, reliable bool) {
	n := float64(known.Rows) + c.n
	v := (known.Sum + c.t) / n
	if d.Whole() && c.v == 0 {
		return Exactly(v), true
	}
	h := 2 * math.Sqrt(c.v) / n
	return Estimate{Value: v, Low: v - h, High: v + h, Confidence: q.Confidence}, c.rows >= 30
}

// Known is what is known of the rows of whole strata, which exact accumulators hold.
type Known struct {
	Rows int64
	Sum  float64
}
