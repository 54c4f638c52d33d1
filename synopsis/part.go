package synopsis

// Part is one stratum's share of a cell: what panes keep that serve several windows. The zero value is empty.
type Part struct {
	k              int64
	pivot          float64
	x1, x2, x3, x4 float64
	low, high      float64
}

// Add adds the value x of a kept row.
func (p *Part) Add(x float64) {
	p.k++
	p.x1 += x
	p.x2 += x * x
}

// Merge adds the rows of o, which are of the same stratum.
func (p *Part) Merge(o *Part) {
	p.k += o.k
	p.x1 += o.x1
	p.x2 += o.x2
}

// Rows returns the number of kept rows.
func (p *Part) Rows() int64 { return p.k }
