package op

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// aggregateMagic begins a saved state; the digit is the version of its layout.
const aggregateMagic = "aurora aggregate 1\n"

var errClosing = errors.New("aggregate: save between two calls of Advance for one time")

// identity is what the operator that loads a state must share with the one that saved it.
func (a *aggregate) identity() uint64 {
	s := fmt.Sprintf("%v %v %d", a.spec, a.plan.types, a.spec.Memory)
	for _, c := range a.plan.ranges {
		s += fmt.Sprintf(" %d in %v..%v", c.lane, c.low, c.high)
	}
	return xxhash.Sum64String(a.spec.Sampling.appendTo(s))
}

// Save writes the complete state: open panes, the mark and the counters.
func (a *aggregate) Save(w io.Writer) error {
	if a.closing.pane != nil {
		return errClosing
	}
	s := &stateWriter{}
	s.b = append(s.b, aggregateMagic...)
	s.u64(a.identity())
	for _, v := range [...]int64{a.mark, a.next, a.seen, a.nans, a.late, a.plan.overflows} {
		s.i64(v)
	}
	programs := a.programs()
	s.count(len(programs))
	for _, p := range programs {
		s.faults(p.Faults())
	}
	s.i64(int64(a.memory.until))
	s.i64(a.memory.folded)
	s.f64(a.memory.unlisted)
	if a.spec.Sampling != nil {
		a.saveSampling(s)
	}
	s.count(len(a.open))
	for _, p := range a.open {
		a.savePane(s, p)
	}
	s.u64(xxhash.Sum64(s.b))
	_, err := w.Write(s.b)
	return err
}

func (a *aggregate) savePane(s *stateWriter, p *pane) {
	s.i64(p.start)
	p.keys.save(s)
	saveList(s, p.first, s.i64)
	if a.memory.limit > 0 {
		p.fold.save(s)
	}
	if a.spec.Sampling != nil {
		a.saveSample(s, p)
	}
	for _, state := range p.states {
		state.(persistent).save(s)
	}
	for i := range p.sets {
		p.sets[i].save(s)
	}
}

// Load reads what Save wrote.
func (a *aggregate) Load(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("aggregate: load: %w", err)
	}
	if err := a.load(data); err != nil {
		return fmt.Errorf("aggregate: load: %w", err)
	}
	return nil
}

func (a *aggregate) load(data []byte) error {
	end := len(data) - 8
	if end < len(aggregateMagic) || string(data[:len(aggregateMagic)]) != aggregateMagic {
		return errors.New("not the state of an aggregate")
	}
	r := &stateReader{b: data[end:]}
	if r.u64() != xxhash.Sum64(data[:end]) {
		return errState
	}
	r.b = data[len(aggregateMagic):end]
	if r.u64() != a.identity() {
		return errors.New("the state of another aggregate")
	}
	for _, v := range [...]*int64{&a.mark, &a.next, &a.seen, &a.nans, &a.late, &a.plan.overflows} {
		*v = r.i64()
	}
	programs := a.programs()
	r.require(r.count(1) == len(programs))
	for _, p := range programs {
		p.SetFaults(r.faults())
	}
	a.memory.until = int(min(max(r.i64(), 1), math.MaxInt32))
	a.memory.folded, a.memory.unlisted = r.i64(), r.f64()
	if a.spec.Sampling != nil {
		a.loadSampling(r)
	}
	a.open, a.current, a.bounded = a.open[:0], nil, false
	for n := r.count(1); n > 0 && r.err == nil; n-- {
		a.loadPane(r)
	}
	r.require(len(r.b) == 0)
	if r.err == nil {
		r.require(a.consistent())
	}
	return r.err
}

func (a *aggregate) loadPane(r *stateReader) {
	start := r.i64()
	s := span{start, tuple.End}
	if a.windows.kind != NoWindow {
		s = a.windows.panes.at(start)
		r.require(s.start == start)
	}
	if n := len(a.open); n > 0 {
		r.require(a.open[n-1].start < start)
	}
	p := a.take(s)
	p.keys.load(r)
	r.require(p.keys.rest < 0 || a.memory.limit > 0)
	p.first = loadList(r, 8, r.i64)
	if a.memory.limit > 0 {
		p.fold.load(r, p.keys.n)
	}
	if a.spec.Sampling != nil {
		a.loadSample(r, p)
	}
	for _, state := range p.states {
		if d, ok := state.(designed); ok {
			d.loadIn(r, p)
		} else {
			state.(persistent).load(r, p.keys.n)
		}
	}
	for i := range p.sets {
		set := &p.sets[i]
		set.load(r)
		for _, g := range set.scope {
			r.require(int(g) < p.keys.n)
		}
	}
	want := 0
	if a.windows.kind == Hop {
		want = p.keys.n
	}
	r.require(len(p.first) == want)
	a.open = append(a.open, p)
}

// consistent reports whether loaded panes fit together.
func (a *aggregate) consistent() bool {
	w := a.windows
	if w.kind == NoWindow {
		if len(a.open) == 1 {
			a.current = a.open[0]
			return true
		}
		return false
	}
	for _, p := range a.open {
		if p.keys.n == 0 {
			return false
		}
	}
	if w.kind != Hop || len(a.open) == 0 {
		return true
	}
	start := a.open[0].start
	return w.starts.at(a.next).start == a.next && w.first(start) <= a.next && a.next <= start
}
