package synopsis

// StratifiedReservoir keeps a reservoir per stratum of the items offered, so that rare strata are in the sample as well as
// common ones: the room is shared equally (the senate of Acharya, Gibbons and Poosala's congressional samples, SIGMOD
// 2000, section 4), and reservoirs shrink as strata appear. It serves sums over some of the strata, or over all of them with the weights
// of Each.
type StratifiedReservoir[K comparable, T any] struct {
	capacity int
	seed     uint64
	keys     []K // in order of appearance
	strata   []*Reservoir[T]
	index    map[K]int
}

// NewStratifiedReservoir returns an empty sample of capacity items, which draws by the seed.
func NewStratifiedReservoir[K comparable, T any](capacity int, seed uint64) (*StratifiedReservoir[K, T], error) {
	if capacity < 1 {
		return nil, errCapacity
	}
	return &StratifiedReservoir[K, T]{capacity: capacity, seed: seed, index: map[K]int{}}, nil
}

// Add offers an item of a stratum. It returns false, and forgets the item, where there are as many strata as there is
// room for items.
func (s *StratifiedReservoir[K, T]) Add(key K, x T) bool {
	i, ok := s.index[key]
	if !ok {
		if i = len(s.strata); i == s.capacity {
			return false
		}
		quota := s.capacity / (i + 1)
		for _, r := range s.strata {
			r.Shrink(quota)
		}
		r, err := NewReservoir[T](quota, s.seed, uint64(i))
		if err != nil {
			return false
		}
		s.index[key] = i
		s.keys, s.strata = append(s.keys, key), append(s.strata, r)
	}
	s.strata[i].Add(x)
	return true
}

// Strata returns the number of strata.
func (s *StratifiedReservoir[K, T]) Strata() int { return len(s.strata) }

// Each calls f with every stratum, in order of appearance: its key and its sample.
func (s *StratifiedReservoir[K, T]) Each(f func(key K, sample *Reservoir[T])) {
	for i, key := range s.keys {
		f(key, s.strata[i])
	}
}
