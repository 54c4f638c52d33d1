package sketch

import "sync"

// hashSet is a set of mixed 64-bit hashes with open addressing, at most three
// quarters full. The zero value is empty.
type hashSet struct {
	slots []uint64 // a power of two of them; 0 is a free slot
	n     int      // members, zero included
	zero  bool     // the hash 0 is a member
	eager bool     // expected to become as large as sets get
}

const (
	minSlots  = 8
	fewSlots  = 64 // beyond, a set grows by four: moving costs more than room
	fullSlots = 2 * exactDistinct
)

// fullSets holds cleared arrays for sets that are as large as they get, between
// the time a counter turns to registers and the time that another grows.
var fullSets = sync.Pool{New: func() any { return new([fullSlots]uint64) }}

// add reports whether h is new.
func (s *hashSet) add(h uint64) bool {
	if h == 0 {
		fresh := !s.zero
		if fresh {
			s.zero = true
			s.n++
		}
		return fresh
	}
	slots := s.slots
	for i := h; len(slots) > 0; i++ {
		switch at := &slots[i&uint64(len(slots)-1)]; *at {
		case h:
			return false
		case 0:
			if 4*s.n >= 3*len(slots) {
				s.grow()
				s.place(h)
			} else {
				*at = h
			}
			s.n++
			return true
		}
	}
	s.grow()
	s.place(h)
	s.n++
	return true
}

// grow makes room for more members, at most exactDistinct+1 in all.
func (s *hashSet) grow() {
	switch n := len(s.slots); {
	case s.eager:
		s.resize(fullSlots)
	case n < fewSlots:
		s.resize(max(2*n, minSlots))
	default:
		s.resize(min(4*n, fullSlots))
	}
}

// resize moves the members to an array of n slots.
func (s *hashSet) resize(n int) {
	old := s.slots
	if n == fullSlots {
		s.slots = fullSets.Get().(*[fullSlots]uint64)[:]
	} else {
		s.slots = make([]uint64, n)
	}
	for _, h := range old {
		if h != 0 {
			s.place(h)
		}
	}
}

// place puts h, which is neither a member nor 0, into a free slot.
func (s *hashSet) place(h uint64) {
	mask := uint64(len(s.slots) - 1)
	i := h & mask
	for s.slots[i] != 0 {
		i = (i + 1) & mask
	}
	s.slots[i] = h
}

// members moves the members to the front of the slots, in no stated order, and
// returns them. The set is fit for release or reset only afterwards.
func (s *hashSet) members() []uint64 {
	k := 0
	for _, h := range s.slots {
		// Written always and kept where h is one: which slots are free is
		// beyond any branch predictor.
		s.slots[k] = h
		if h != 0 {
			k++
		}
	}
	return s.slots[:k]
}

// release empties the set and lets its array go.
func (s *hashSet) release() {
	if len(s.slots) == fullSlots {
		clear(s.slots)
		fullSets.Put((*[fullSlots]uint64)(s.slots))
	}
	*s = hashSet{}
}

// each calls f with every member, in no stated order.
func (s *hashSet) each(f func(uint64)) {
	if s.zero {
		f(0)
	}
	for _, h := range s.slots {
		if h != 0 {
			f(h)
		}
	}
}

// reset empties the set. It keeps its array unless that is far more than was used.
func (s *hashSet) reset() {
	if len(s.slots) > fewSlots && 16*s.n < len(s.slots) {
		s.release()
		return
	}
	clear(s.slots)
	s.n, s.zero = 0, false
}
