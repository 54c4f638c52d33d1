package synopsis

import "math/bits"

// slab is a list of records that stay where they are while it grows: chunk c holds 2^c of them, so that a window with one
// cell is small, and nothing is copied for one with a million. Records are numbered from 0.
type slab[T any] struct {
	chunks [][]T
	n      int32
}

// take appends an empty record and returns its number.
func (s *slab[T]) take() int32 {
	c := bits.Len32(uint32(s.n)+1) - 1
	if c == len(s.chunks) {
		s.chunks = append(s.chunks, make([]T, 1<<c))
	}
	i := s.n
	s.n++
	var empty T
	*s.at(i) = empty
	return i
}

func (s *slab[T]) at(i int32) *T {
	c := bits.Len32(uint32(i)+1) - 1
	return &s.chunks[c][uint32(i)+1-1<<c]
}

// reset forgets all records and keeps their memory.
func (s *slab[T]) reset() { s.n = 0 }

// size returns the number of records that there is memory for.
func (s *slab[T]) size() int { return 1<<len(s.chunks) - 1 }

// parking holds what cells have of strata that may have more rows, in a list for each cell. Records are numbered from 1; 0 is none.
type parking[T any] struct {
	slab[parked[T]]
	free int32 // first of the unused records
}

// parked is what a cell has of a stratum.
type parked[T any] struct {
	of      T
	stratum int32
	next    int32 // the next one of the cell, or of the free ones
}

// put returns a record that stands before next.
func (p *parking[T]) put(of T, stratum, next int32) int32 {
	at := p.free
	if at == 0 {
		at = p.take() + 1
	} else {
		p.free = p.at(at - 1).next
	}
	*p.at(at - 1) = parked[T]{of: of, stratum: stratum, next: next}
	return at
}

// remove takes the record that link refers to out of its list.
func (p *parking[T]) remove(link *int32) {
	free := *link
	at := p.at(free - 1)
	*link = at.next
	at.next, p.free = p.free, free
}

// reset forgets all records and keeps their memory.
func (p *parking[T]) reset() {
	p.slab.reset()
	p.free = 0
}
