package sketch

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Keys are unsigned integers in the order of the numbers they stand for.

func intKey(v int64) uint64     { return uint64(v) ^ signBit }
func intOfKey(key uint64) int64 { return int64(key ^ signBit) }

func floatKey(x float64) uint64 {
	u := math.Float64bits(x + 0) // -0 is 0
	if u&signBit != 0 {
		return ^u
	}
	return u | signBit
}

func floatOfKey(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key &^ signBit)
	}
	return math.Float64frombits(^key)
}

func (s *KLL) number(key uint64) Number {
	if s.floating {
		return floatNumber(floatOfKey(key))
	}
	return intNumber(intOfKey(key))
}

// weightedKey is an item with the weight of all items up to and including it.
type weightedKey struct {
	key        uint64
	cumulative int64
}

// atRank returns the key of the rank, in [1, n]. The sorted view is kept until
// the next change.
func (s *KLL) atRank(rank int64) uint64 {
	switch rank {
	case 1:
		return s.least
	case s.n:
		return s.greatest
	}
	if len(s.view) == 0 {
		s.sortView()
	}
	i := sort.Search(len(s.view), func(i int) bool { return s.view[i].cumulative >= rank })
	return s.view[i].key
}

func (s *KLL) sortView() {
	s.view = s.view[:0]
	for h, level := range s.levels {
		for _, key := range level {
			s.view = append(s.view, weightedKey{key, 1 << h})
		}
	}
	slices.SortFunc(s.view, func(a, b weightedKey) int { return cmp.Compare(a.key, b.key) })
	total := int64(0)
	for i := range s.view {
		total += s.view[i].cumulative
		s.view[i].cumulative = total
	}
}
