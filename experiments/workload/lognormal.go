package workload

const (
	knotBits = 10
	knots    = 1 << knotBits
)

// lognormal draws whole numbers whose logarithm is normal, by the inverse of
// the distribution function: exact at the knots i/1024, and in the first and
// last of these cells at 1,024 knots more; linear in between.
type lognormal struct{ low, body, high [knots + 1]int64 }

// newLognormal returns the distribution with the median given and sigma, the
// deviation of the logarithm.
func newLognormal(median, sigma float64) *lognormal {
	value := func(z float64) int64 { return int64(mul(median, exp(mul(sigma, z))) + 0.5) }
	d := &lognormal{}
	for i := 1; i <= knots/2; i++ {
		z := normalQuantile(float64(i) / knots)
		d.body[i], d.body[knots-i] = value(z), value(-z)
	}
	for i := 0; i <= knots; i++ {
		p := float64(i) / (knots * knots)
		if i == 0 {
			p = 0.25 / (knots * knots)
		}
		z := normalQuantile(p)
		d.low[i], d.high[knots-i] = value(z), value(-z)
	}
	return d
}

// draw maps 64 random bits to a value.
func (d *lognormal) draw(u uint64) int64 {
	table := &d.body
	cell, rest := u>>(64-knotBits), u<<knotBits
	switch cell {
	case 0:
		table, cell, rest = &d.low, rest>>(64-knotBits), rest<<knotBits
	case knots - 1:
		table, cell, rest = &d.high, rest>>(64-knotBits), rest<<knotBits
	}
	from := table[cell]
	return from + (table[cell+1]-from)*int64(rest>>40)>>24
}
