package synopsis

import "math"

// AppendBinary appends the state to b, all of it but the strata. The error is always nil.
func (d *Design) AppendBinary(b []byte) ([]byte, error) {
	f := fields{b: b}
	d.fields(&f)
	return f.b, nil
}

// Load replaces the state by the one in data, with the strata that belong to it, in the order of Strata.
func (d *Design) Load(data []byte, strata []*Stratum) error {
	d.Reset()
	for _, s := range strata {
		if int(d.Enter(s)) != len(d.strata)-1 {
			return errBinary
		}
	}
	f := fields{b: data, load: true}
	d.fields(&f)
	f.require(!f.bad && d.sound())
	if err := f.err(); err != nil {
		d.Reset()
		return err
	}
	return nil
}

func (d *Design) fields(f *fields) {
	n := len(d.strata)
	f.require(f.length(n) == n)
	for i := range d.strata {
		f.count(&d.rows[i])
		f.flag(&d.passed[i])
	}
	f.require(f.length(len(d.newest)) == len(d.newest))
	for i := range d.newest {
		f.number(&d.newest[i].stratum, 0, n)
	}
	f.number(&d.last, 0, max(n, 1))
	f.reals(&d.given)
	d.folds.fields(f, func(r *fold) { r.fields(f) })
	d.parts.fields(f, n, func(p *Part) { p.fields(f) })
	d.ones.fields(f, func(r *ones) {
		f.reals(&r.c)
		r.sum.fields(f)
		r.within.fields(f)
	})
	d.counts.fields(f, func(r *tallies) { r.fields(f) })
	d.parkedCounts.fields(f, n, f.count)
}

// fields reads or writes the records of s.
func (s *slab[T]) fields(f *fields, record func(*T)) {
	n := f.length(int(s.n))
	for i := int32(0); int(i) < n && !f.bad; i++ {
		if f.load {
			s.take()
		}
		record(s.at(i))
	}
}

// fields reads or writes the records of p, and which of them are free, in a design of so many strata.
func (p *parking[T]) fields(f *fields, strata int, of func(*T)) {
	p.slab.fields(f, func(r *parked[T]) {
		of(&r.of)
		f.number(&r.stratum, 0, strata)
		f.number(&r.next, 0, math.MaxInt32)
	})
	f.number(&p.free, 0, math.MaxInt32)
}

func (r *fold) fields(f *fields) {
	f.reals(&r.n, &r.t, &r.a1, &r.a2, &r.drawn, &r.sum.v, &r.sum.k, &r.sum.j, &r.sum.d)
	for i := range r.mean.v {
		f.reals(&r.mean.v[i])
	}
	for i := range r.mean.k {
		f.reals(&r.mean.k[i], &r.mean.j[i])
	}
	for i := range r.mean.d {
		f.reals(&r.mean.d[i])
	}
	f.reals(&r.sumUp.w, &r.sumUp.u, &r.sumDown.w, &r.sumDown.u)
	f.reals(&r.meanUp.w, &r.meanUp.u, &r.meanUp.z, &r.meanDown.w, &r.meanDown.u, &r.meanDown.z)
	r.seen.fields(f)
	f.number(&r.parked, 0, math.MaxInt32)
	f.number(&r.ones, -1, math.MaxInt32)
}

func (t *tallies) fields(f *fields) {
	f.reals(&t.n, &t.k, &t.v, &t.bn, &t.bk, &t.bv, &t.bOffered, &t.bSum, &t.bw)
	f.number(&t.parked, 0, math.MaxInt32)
}

// sound reports whether the records refer to records that are there, and every parked one is in one list only, at most.
func (d *Design) sound() bool {
	parts := d.parts.lists()
	for i := range d.folds.n {
		r := d.folds.at(i)
		if r.ones > d.ones.n {
			return false
		}
		parts.add(r.parked)
	}
	counts := d.parkedCounts.lists()
	for i := range d.counts.n {
		counts.add(d.counts.at(i).parked)
	}
	for i := range d.ones.n {
		if r := d.ones.at(i); r.sum.parked != 0 || r.within.parked != 0 {
			return false
		}
	}
	return !parts.broken && !counts.broken
}

// lists are lists through the records of a slab: next holds the number of the next record, +1, and is -1 once the record
// has been visited.
type lists struct {
	next   []int32
	broken bool
}

// lists returns the lists of p, of which that of the free records has been visited.
func (p *parking[T]) lists() lists {
	l := lists{next: make([]int32, p.n)}
	for i := range p.n {
		l.next[i] = p.at(i).next
	}
	l.add(p.free)
	return l
}

func (l *lists) add(first int32) {
	for at := first; at != 0 && !l.broken; {
		if int(at) > len(l.next) || l.next[at-1] < 0 {
			l.broken = true
			return
		}
		at, l.next[at-1] = l.next[at-1], -1
	}
}
