package op

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// summary is a sketch as a pointer to a T. One that was reset is as good as a fresh one. It is a constraint of type parameters, not a protocol: its
// four entries are what the sketches have in common.
type summary[T any] interface {
	*T
	Reset()
	MarshalBinary() ([]byte, error)
	UnmarshalBinary(data []byte) error
}

// stock makes sketches and keeps those of closed windows for the next ones. All panes of an operator
// share it.
type stock[P any] struct {
	fresh func() P
	spare []P
}

func (s *stock[P]) take() P {
	n := len(s.spare)
	if n == 0 {
		return s.fresh()
	}
	p := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return p
}

// summaries holds the sketch of each group, nil before its first value.
type summaries[T any, P summary[T]] struct {
	stock *stock[P]
	of    []P
}

func (a *summaries[T, P]) grow(groups int) { a.of = extend(a.of, groups) }

func (a *summaries[T, P]) at(g uint32) P {
	if a.of[g] == nil {
		a.of[g] = a.stock.take()
	}
	return a.of[g]
}

// look returns the sketch of g, nil if g had no value.
func (a *summaries[T, P]) look(g uint32) P {
	if int(g) < len(a.of) {
		return a.of[g]
	}
	return nil
}

func (a *summaries[T, P]) reset() {
	for i, s := range a.of {
		if s != nil {
			s.Reset()
			a.stock.spare = append(a.stock.spare, s)
		}
		a.of[i] = nil
	}
	a.of = roomy(a.of)
}

// distincts estimates numbers of distinct values.
type distincts struct {
	summaries[sketch.Distinct, *sketch.Distinct]
	rows   counts
	hashes *[]uint64
}

func (a *distincts) add(in *lane, groups int) {
	a.grow(groups)
	a.rows.add(in, groups)
	hashes := hashColumn(in, tuple.Resize(*a.hashes, len(in.sel)))
	*a.hashes = hashes
	of := a.of
	for i, g := range in.ids {
		s := of[g]
		if s == nil {
			s = a.at(g)
		}
		s.AddHash(hashes[i])
	}
}

// hashColumn writes a hash of each row's value to hashes.
func hashColumn(in *lane, hashes []uint64) []uint64 {
	switch c := in.col; {
	case c.Type.Bytes():
		hashSpans(c, in.sel, hashes)
	case c.Type != tuple.Boolean && c.Rep == tuple.RepInt:
		for i, r := range in.sel {
			hashes[i] = sketch.HashInt(uint64(c.I[r]))
		}
	case c.Type != tuple.Boolean && c.Rep == tuple.RepFloat:
		for i, r := range in.sel {
			hashes[i] = hashNumber(floatNumber(c.F[r]))
		}
	default:
		for i, r := range in.sel {
			hashes[i] = hashNumber(numberAt(c, r))
		}
	}
	return hashes
}

func hashNumber(v number) uint64 {
	switch v.kind() {
	case kindInt:
		return sketch.HashInt(uint64(v.lo))
	case kindFloat:
		return sketch.HashFloat(v.float())
	}
	return sketch.HashInt(sketch.HashInt(uint64(v.hi)) ^ uint64(v.lo))
}

func (a *distincts) merge(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	other := from.(*distincts)
	a.rows.merge(&other.rows, to, groups)
	for i, s := range other.of {
		if s != nil {
			mustMerge(a.at(to[i]).Merge(s))
		}
	}
}

func (a *distincts) reset() {
	a.summaries.reset()
	a.rows.reset()
}

// estimate returns the number of distinct values of g, at most the number of its values.
func (a *distincts) estimate(g uint32) int64 {
	s := a.look(g)
	if s == nil {
		return 0
	}
	return min(s.Estimate(), a.rows.of(g))
}

// mustMerge panics where sketches of one operator turn out to be of different configuration.
func mustMerge(err error) {
	if err != nil {
		panic(fmt.Sprintf("op: merging sketches: %v", err))
	}
}
