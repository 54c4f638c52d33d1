package synopsis

import (
	"math"
	"math/rand/v2"
)

// farSkip is the outcome of the table of Skips that stands for all skips from it on.
const farSkip = 255

// nearKeep is the least keep whose skips come from the table: there (1-keep)^255 = 2 %, so that the logarithm is
// rare. Below it the logarithm costs a fraction of a nanosecond per offered record.
const nearKeep = 1.0 / 64

// Skips draws how many records a Bernoulli sample leaves out between two that it keeps, so that the work is done per
// kept record and none per dropped one. The skips are independent and geometric,
//
//	P(skip = j) = keep (1-keep)^j,
//
// each from one 64-bit random number of a PCG stream: skips below 255 by Walker's alias method in Vose's form (IEEE
// Transactions on Software Engineering 17(9), 1991) on integer weights that add up to 2^64, longer ones by inversion,
// 255 + floor(ln u / ln(1-keep)), for the distribution has no memory. Every probability is right to 2^-49.
type Skips struct {
	pcg   rand.PCG
	table [256]uint64 // per column: 56 bits of threshold, then the 8-bit outcome at or above it; below it: the column's number
	scale float64     // 1/ln(1-keep)
	first int64       // least skip that inversion gives: 0 or farSkip
	keep  float64     // of the table
}

// NewSkips returns the skips for a keep in (0, 1], drawn from stream number stream of the seed.
func NewSkips(keep float64, seed, stream uint64) *Skips {
	s := new(Skips)
	s.Reset(keep, seed, stream)
	return s
}

// Reset makes s equal to NewSkips(keep, seed, stream). It does not allocate, and is cheap where keep does not change.
func (s *Skips) Reset(keep float64, seed, stream uint64) {
	if !(keep > 0 && keep <= 1) {
		panic("synopsis: keep outside (0, 1]")
	}
	s.pcg.Seed(seed, stream)
	if keep == s.keep {
		return
	}
	s.keep, s.scale, s.first = keep, 1/math.Log1p(-keep), 0
	switch {
	case keep == 1:
		s.table = [256]uint64{} // threshold 0, outcome 0
	case keep >= nearKeep:
		s.first = farSkip
		s.tabulate()
	default:
		for i := range s.table {
			s.table[i] = farSkip
		}
	}
}

// Next returns how many offered records to drop before the next one that is kept.
func (s *Skips) Next() int64 {
	r := s.pcg.Uint64()
	entry := s.table[uint8(r)]
	skip := entry & 0xff
	if r>>8 < entry>>8 {
		skip = r & 0xff
	}
	if skip == farSkip {
		return s.far(r)
	}
	return int64(skip)
}

// far draws by inversion, from r where the table told nothing by it.
func (s *Skips) far(r uint64) int64 {
	if s.first > 0 {
		r = s.pcg.Uint64()
	}
	u := float64(r>>11+1) * 0x1p-53 // in (0, 1]
	return s.first + int64(min(math.Log(u)*s.scale, 0x1p62))
}

// tabulate builds the alias table: column i holds outcome i up to its threshold and one other outcome above.
func (s *Skips) tabulate() {
	const column = 1 << 56
	var weight [256]uint64
	rest := uint64(0) // P(skip > i) 2^64, rounded; 2^64 itself before the first
	power := 1.0
	for i := range farSkip {
		if power *= 1 - s.keep; i%16 == 0 { // products would drift
			power = math.Pow(1-s.keep, float64(i+1))
		}
		next := uint64(power * 0x1p64)
		weight[i] = rest - next
		rest = next
	}
	weight[farSkip] = rest
	var small, large [256]uint8
	smalls, larges := 0, 0
	for i, w := range weight {
		if w < column {
			small[smalls] = uint8(i)
			smalls++
		} else {
			large[larges] = uint8(i)
			larges++
		}
	}
	for smalls > 0 {
		smalls--
		i, j := small[smalls], large[larges-1]
		s.table[i] = weight[i]<<8 | uint64(j)
		weight[j] -= column - weight[i]
		if weight[j] < column {
			larges--
			small[smalls] = j
			smalls++
		}
	}
	for ; larges > 0; larges-- { // full columns
		s.table[large[larges-1]] = uint64(large[larges-1])
	}
}
