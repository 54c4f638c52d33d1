package workload

import (
	"math/bits"
	"math/rand/v2"
	"time"
)

// schedule says when each record is due, in ns since the start. Within a
// stretch of constant rate record k is due at phase + k pitch; the fraction of
// a gap left at the end of a stretch is carried into the next, so that a shape
// loses no records.
type schedule struct {
	gap    float64 // ns between records at the mean rate
	phases phases

	base   int64   // start of the stretch
	length float64 // its length in ns
	pitch  float64 // ns between its records
	phase  float64 // its first record
	k      int64   // records taken from it
}

func newSchedule(rate float64, phases phases) *schedule {
	s := &schedule{gap: 1e9 / rate, phases: phases}
	s.enter(0)
	return s
}

// enter moves to the next stretch with a rate above zero; its first record is
// due after carry gaps of it.
func (s *schedule) enter(carry float64) {
	for {
		length, factor := s.phases.next()
		if factor > 0 {
			s.length, s.pitch, s.k = length, s.gap/factor, 0
			s.phase = mul(carry, s.pitch)
			return
		}
		s.base += int64(length)
	}
}

// next returns when the next record is due.
func (s *schedule) next() int64 {
	for {
		due := s.phase + mul(float64(s.k), s.pitch)
		if due < s.length {
			s.k++
			return s.base + int64(due)
		}
		s.base += int64(s.length)
		s.enter((due - s.length) / s.pitch)
	}
}

// disorder moves some event times into the past, by at most its bound.
type disorder struct {
	rnd   *rand.PCG
	bound uint64 // ns
	share chance
}

func newDisorder(bound time.Duration, share float64, rnd *rand.PCG) disorder {
	if bound <= 0 {
		share = 0
	}
	return disorder{rnd: rnd, bound: uint64(bound), share: newChance(share)}
}

// displace returns t, or with the share given a time up to the bound before it.
func (d *disorder) displace(t int64) int64 {
	if d.share == 0 || !d.share.hit(d.rnd.Uint64()) {
		return t
	}
	back, _ := bits.Mul64(d.rnd.Uint64(), d.bound+1)
	return t - int64(back)
}

// chance is a probability in units of 2^-53.
type chance uint64

func newChance(p float64) chance { return chance(mul(p, 1<<53)) }

// hit reports whether 64 random bits fall under the probability.
func (c chance) hit(u uint64) bool { return u>>11 < uint64(c) }
