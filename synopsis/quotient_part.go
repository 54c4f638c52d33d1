package synopsis

// QuotientPart is one stratum's share of a Quotient: what panes keep that serve several windows. The zero value is empty.
type QuotientPart struct {
	k    float64
	s1   [2]float64 // sums of a, b
	s2   [3]float64 // of a^2, a b, b^2
	s3   [4]float64 // of a^3, a^2 b, ..
	s4   [5]float64
	ends [2]pairRow // the rows with the least and the greatest a - R b
	seen rowKinds
}

// rowKinds says what rows there were.
type rowKinds struct {
	uneven bool // some a or b is neither 0 nor 1
	inside bool // a is not 0 where b is not 0
	apart  bool // a is not 0 where b is 0
}

func (k *rowKinds) add(o rowKinds) {
	k.uneven = k.uneven || o.uneven
	k.inside = k.inside || o.inside
	k.apart = k.apart || o.apart
}

// Add adds a kept row.
func (p *QuotientPart) Add(a, b float64) {
	p.seen.add(rowKinds{
		uneven: a != 0 && a != 1 || b != 0 && b != 1,
		inside: a != 0 && b != 0,
		apart:  a != 0 && b == 0,
	})
	p.s1[0] += a
	p.s1[1] += b
	p.extend(pairRow{a: a, b: b})
	p.k++
	aa, ab, bb := a*a, a*b, b*b
	p.s2[0] += aa
	p.s2[1] += ab
	p.s2[2] += bb
	p.s3[0] += aa * a
	p.s3[1] += aa * b
	p.s3[2] += a * bb
	p.s3[3] += bb * b
	p.s4[0] += aa * aa
	p.s4[1] += aa * ab
	p.s4[2] += aa * bb
	p.s4[3] += ab * bb
	p.s4[4] += bb * bb
}

// Merge adds the rows of o, which are of the same stratum.
func (p *QuotientPart) Merge(o *QuotientPart) {
	if o.k == 0 {
		return
	}
	p.seen.add(o.seen)
	addTo(p.s1[:], o.s1[:])
	p.extend(o.ends[0])
	p.k += o.k
	p.extend(o.ends[1])
	addTo(p.s2[:], o.s2[:])
	addTo(p.s3[:], o.s3[:])
	addTo(p.s4[:], o.s4[:])
}

func addTo(sum, v []float64) {
	for i := range sum {
		sum[i] += v[i]
	}
}

// extend takes in a row that may be an end.
func (p *QuotientPart) extend(row pairRow) {
	r := quotientOf(p.s1[0], p.s1[1])
	e := row.a - r*row.b
	if p.k == 0 || e < p.ends[0].a-r*p.ends[0].b {
		p.ends[0] = row
	}
	if p.k == 0 || e > p.ends[1].a-r*p.ends[1].b {
		p.ends[1] = row
	}
}

// quotientOf returns a/b, 0 where b is 0.
func quotientOf(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
