package sketch

// hashSet is a set of mixed 64-bit hashes with open addressing, at most three
// quarters full. The zero value is empty.
type hashSet struct {
	slots []uint64 // a power of two of them; 0 is a free slot
	n     int      // members, zero included
	zero  bool     // the hash 0 is a member
}

const minSlots = 8

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
	if 4*s.n >= 3*len(s.slots) {
		s.grow()
	}
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case h:
			return false
		case 0:
			s.slots[i] = h
			s.n++
			return true
		}
	}
}

func (s *hashSet) grow() {
	old := s.slots
	s.slots = make([]uint64, max(2*len(old), minSlots))
	mask := uint64(len(s.slots) - 1)
	for _, h := range old {
		if h == 0 {
			continue
		}
		i := h & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = h
	}
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

func (s *hashSet) reset() {
	clear(s.slots)
	s.n, s.zero = 0, false
}
