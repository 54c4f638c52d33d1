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
