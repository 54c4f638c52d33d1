package synopsis

import "math"

// Sizes in bytes of the states of cells of other kinds than Count and Cell.
const (
	SpreadStateSize       = 43*8 + SpreadPartStateSize
	SpreadPartStateSize   = 12 * 8
	QuotientStateSize     = 37*8 + QuotientPartStateSize
	QuotientPartStateSize = 24 * 8
	BlocksStateSize       = 37 * 8
	BlockRanksStateSize   = (9 + 2*19) * 8
	KeysStateSize         = (4 + 2*keyGroups) * 8
	ShapeStateSize        = 3 * 8
)

// all is a list of known length.
func (f *fields) all(list []float64) {
	for i := range list {
		f.reals(&list[i])
	}
}

// AppendBinary appends the state to b. The error is always nil.
func (s *Spread) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	s.fields(&f, math.MaxInt32)
	return f.b, nil
}

// Load replaces the state by the one in data, of a cell used with d, which is loaded.
func (s *Spread) Load(d *Design, data []byte) error {
	f := fields{b: data, load: true}
	s.fields(&f, len(d.strata))
	return f.err()
}

func (s *Spread) fields(f *fields, strata int) {
	f.number(&s.open, 0, strata+1)
	f.count(&s.rows)
	s.part.fields(f)
	f.all(s.size[:])
	f.all(s.v[:])
	f.all(s.k3[:])
	f.all(s.j[:])
	f.all(s.d[:])
	f.all(s.between[:])
	f.reals(&s.squares, &s.far.w, &s.far.y, &s.heavy)
}

// AppendBinary appends the state to b. The error is always nil.
func (p *SpreadPart) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	p.fields(&f)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (p *SpreadPart) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	p.fields(&f)
	return f.err()
}

func (p *SpreadPart) fields(f *fields) {
	f.reals(&p.pivot)
	f.all(p.sums[:])
	f.limits(&p.ends)
}

func (f *fields) limits(l *limits) { f.reals(&l.low, &l.high) }

// AppendBinary appends the state to b. The error is always nil.
func (s *Quotient) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	s.fields(&f, math.MaxInt32)
	return f.b, nil
}

// Load replaces the state by the one in data, of a cell used with d, which is loaded.
func (s *Quotient) Load(d *Design, data []byte) error {
	f := fields{b: data, load: true}
	s.fields(&f, len(d.strata))
	return f.err()
}

func (s *Quotient) fields(f *fields, strata int) {
	f.number(&s.open, 0, strata+1)
	f.count(&s.rows)
	s.seen.fields(f)
	f.reals(&s.a, &s.b)
	s.part.fields(f)
	f.all(s.size[:])
	f.all(s.v[:])
	f.all(s.k3[:])
	f.all(s.j[:])
	f.all(s.d[:])
	f.all(s.between[:])
	f.all(s.plain[:])
	for i := range s.far {
		s.far[i].fields(f)
	}
	f.reals(&s.heavy)
}

func (k *rowKinds) fields(f *fields) {
	f.flag(&k.uneven)
	f.flag(&k.inside)
	f.flag(&k.apart)
}

func (p *pairRow) fields(f *fields) { f.reals(&p.w, &p.a, &p.b) }

// AppendBinary appends the state to b. The error is always nil.
func (p *QuotientPart) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	p.fields(&f)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (p *QuotientPart) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	p.fields(&f)
	return f.err()
}

func (p *QuotientPart) fields(f *fields) {
	f.reals(&p.k)
	f.all(p.s1[:])
	f.all(p.s2[:])
	f.all(p.s3[:])
	f.all(p.s4[:])
	for i := range p.ends {
		p.ends[i].fields(f)
	}
	p.seen.fields(f)
}

// AppendBinary appends the state to b. The error is always nil.
func (b *Blocks) AppendBinary(data []byte) ([]byte, error) {
	f := fields{b: data}
	b.fields(&f)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (b *Blocks) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	b.fields(&f)
	return f.err()
}

func (b *Blocks) fields(f *fields) {
	f.count(&b.open)
	f.reals(&b.k, &b.x, &b.pivot)
	f.count(&b.rows)
	f.flag(&b.pairs)
	f.count(&b.blocks)
	f.all(b.sums[:])
	f.all(b.within[:])
	f.all(b.each[:])
	for _, l := range [...]*limits{&b.counts, &b.totals, &b.values} {
		f.limits(l)
	}
	for i := range b.rest {
		f.reals(&b.rest[i].k, &b.rest[i].x)
	}
}

// AppendBinary appends the state to data. The error is always nil.
func (b *BlockRanks) AppendBinary(data []byte) ([]byte, error) {
	f := fields{b: data}
	b.fields(&f)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (b *BlockRanks) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	b.fields(&f)
	return f.err()
}

func (b *BlockRanks) fields(f *fields) {
	f.count(&b.open)
	f.reals(&b.k, &b.total, &b.squares)
	f.count(&b.n)
	f.count(&b.rows)
	f.count(&b.blocks)
	f.count(&b.next)
	f.flag(&b.thinned)
	for i := range b.pilots {
		p := &b.pilots[i]
		f.reals(&p.value, &p.share, &p.c)
		f.count(&p.rows)
		f.count(&p.blocks)
		f.all(p.sums[:])
	}
}

// AppendBinary appends the state to b. The error is always nil.
func (k *Keys) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	k.fields(&f)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (k *Keys) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	k.fields(&f)
	return f.err()
}

func (k *Keys) fields(f *fields) {
	f.count(&k.rows)
	f.reals(&k.seen)
	f.limits(&k.values)
	f.all(k.n[:])
	f.all(k.sum[:])
}

// AppendBinary appends the state to b. The error is always nil.
func (s *Shape) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	f.reals(&s.rows, &s.second, &s.third)
	return f.b, nil
}

// UnmarshalBinary replaces the state by the one in data.
func (s *Shape) UnmarshalBinary(data []byte) error {
	f := fields{b: data, load: true}
	f.reals(&s.rows, &s.second, &s.third)
	return f.err()
}
