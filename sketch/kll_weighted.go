package sketch

import (
	"math"
	"slices"
)

// AddIntWeighted adds v with weight w; weights outside (0, 2^32] are ignored.
func (s *KLL) AddIntWeighted(v int64, w float64) {
	if s.floating {
		s.addWeighted(floatKey(float64(v)), w)
		return
	}
	s.addWeighted(intKey(v), w)
}

// AddFloatWeighted adds x with weight w; weights outside (0, 2^32] are ignored, and so is NaN.
func (s *KLL) AddFloatWeighted(x, w float64) {
	if x != x {
		return
	}
	if !s.floating {
		s.float()
	}
	s.addWeighted(floatKey(x), w)
}

func (s *KLL) addWeighted(key uint64, w float64) {
	switch {
	case w == 1:
		s.add(key)
		return
	case !(w > 0 && w <= maxKLLWeight):
		return
	case w != math.Trunc(w) && !s.fine:
		s.refine()
	}
	if !s.fine {
		s.insert(key, uint64(w))
		return
	}
	units := math.Floor(w * (1 << kllFine))
	if rest := w*(1<<kllFine) - units; rest > 0 && float64(s.coin.Uint64()>>11) < rest*0x1p53 {
		units++
	}
	s.insert(key, uint64(units))
}

// insert adds a value that weighs so many units of level 0: an item to the level of each binary digit. A value that
// weighs nothing still counts, and is noted as one of the extremes.
func (s *KLL) insert(key, units uint64) {
	if s.n > maxKLLTotal {
		return
	}
	s.note(key)
	for h := 0; units>>h != 0; h++ {
		if units>>h&1 == 0 {
			continue
		}
		for s.size >= s.room {
			s.compress()
		}
		s.reach(h)
		if level := s.levels[h]; h == 0 {
			s.levels[h] = append(level, key)
		} else {
			at, _ := slices.BinarySearch(level, key)
			s.levels[h] = slices.Insert(level, at, key)
		}
		s.size++
	}
	s.n += int64(units)
}

// reach adds levels until there is level h.
func (s *KLL) reach(h int) {
	for h >= len(s.levels) {
		s.addLevel()
	}
}

// refine makes 1/16 the unit of level 0.
func (s *KLL) refine() {
	slices.Sort(s.levels[0])
	s.levels = slices.Insert(s.levels, 0, make([][]uint64, kllFine)...)
	s.n <<= kllFine
	s.fine = true
	s.view = s.view[:0]
	s.measure()
}
