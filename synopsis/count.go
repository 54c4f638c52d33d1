package synopsis

import "math"

// Count is the state of COUNT of a cell.
type Count struct {
	rows int64
	n, v float64
}

// Add counts n kept rows of stratum i of d.
func (c *Count) Add(d *Design, i int32, n int64) {
	w := d.strata[i].Weight()
	c.rows += n
	c.n += w * float64(n)
	c.v += w * (w - 1) * float64(n)
}

// AddWeighted counts a row of a given weight, at least 1.
func (c *Count) AddWeighted(d *Design, w float64) {
	c.rows++
	c.n += w
	c.v += w * (w - 1)
}

// Rows returns the number of kept rows.
func (c *Count) Rows() int64 { return c.rows }

// Estimate returns the count of the cell's rows. known is how many were counted in whole strata.
func (c *Count) Estimate(d *Design, known int64, q Question) Estimate {
	if d.Whole() && c.v == 0 {
		return Exactly(float64(known) + c.n)
	}
	v, h := float64(known)+c.n, 2*math.Sqrt(c.v)
	return Estimate{Value: v, Low: v - h, High: v + h, Confidence: q.Confidence}
}
