package synopsis

import (
	"math"
	"math/rand/v2"
)

// VarOpt is a sample of weighted items of a fixed size k by which sums of weights over any subset are estimated without bias, with
// the least variance on average that k items can have (Cohen, Duffield, Kaplan, Lund and Thorup, "Efficient stream
// sampling for variance-optimal estimation of subset sums", SIAM Journal on Computing 40(5), 2011, section 3). Items heavier
// than the threshold tau are all there with their weight; of the others each is there with probability weight/tau, for tau. The adjusted
// weights add up to the sum of all weights exactly.
type VarOpt[T any] struct {
	capacity int
	large    []weightedItem[T] // heavier than tau: a heap, the lightest first
	small    []weightedItem[T]
	tau      float64
	total    float64
	taken    []weightedItem[T] // scratch
	rng      *rand.Rand
}

type weightedItem[T any] struct {
	item   T
	weight float64
}

// NewVarOpt returns an empty sample of capacity items, which draws from stream number stream of the seed.
func NewVarOpt[T any](capacity int, seed, stream uint64) (*VarOpt[T], error) {
	if capacity < 1 {
		return nil, errCapacity
	}
	return &VarOpt[T]{capacity: capacity, rng: rand.New(rand.NewPCG(seed, stream))}, nil
}

// Add offers an item. Weights that are not positive and finite are not taken.
func (s *VarOpt[T]) Add(item T, weight float64) {
	if !(weight > 0) || math.IsInf(weight, 1) {
		return
	}
	s.total += weight
	x := weightedItem[T]{item, weight}
	if len(s.large)+len(s.small) < s.capacity {
		s.push(x)
		return
	}
	s.taken = s.taken[:0]
	sum := s.tau * float64(len(s.small))
	if weight > s.tau {
		s.push(x)
	} else {
		s.taken = append(s.taken, x)
		sum += weight
	}
	// The next threshold makes the k+1 items' probabilities add up to k.
	for len(s.large) > 0 && sum >= float64(len(s.small)+len(s.taken)-1)*s.large[0].weight {
		sum += s.large[0].weight
		s.taken = append(s.taken, s.pop())
	}
	tau := sum / float64(len(s.small)+len(s.taken)-1)
	s.drop(tau)
	s.tau = tau
	s.small = append(s.small, s.taken...)
}

// drop takes one item out: each of taken with 1 - weight/tau, each of small, which have tau so far, with equal shares of the rest.
func (s *VarOpt[T]) drop(tau float64) {
	u := s.rng.Float64()
	for i := range s.taken {
		if u -= 1 - s.taken[i].weight/tau; u < 0 {
			last := len(s.taken) - 1
			s.taken[i] = s.taken[last]
			s.taken = s.taken[:last]
			return
		}
	}
	if n := len(s.small); n > 0 {
		s.small[s.rng.IntN(n)] = s.small[n-1]
		s.small = s.small[:n-1]
		return
	}
	s.taken = s.taken[:len(s.taken)-1] // rounding
}

func (s *VarOpt[T]) push(x weightedItem[T]) {
	s.large = append(s.large, x)
	h := s.large
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].weight <= h[i].weight {
			break
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (s *VarOpt[T]) pop() weightedItem[T] {
	h := s.large
	x, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	s.large = h
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(h); c++ {
			if h[c].weight < h[least].weight {
				least = c
			}
		}
		if least == i {
			return x
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// Len returns the number of items in the sample.
func (s *VarOpt[T]) Len() int { return len(s.large) + len(s.small) }

// Total returns the sum of all weights offered, which is known.
func (s *VarOpt[T]) Total() float64 { return s.total }

// Each calls f with every item of the sample and the weight that it stands for.
func (s *VarOpt[T]) Each(f func(item T, weight float64)) {
	for _, x := range s.large {
		f(x.item, x.weight)
	}
	for _, x := range s.small {
		f(x.item, s.tau)
	}
}

// Sum estimates the sum of the weights of the items that are chosen by in. The number of them at or below the threshold is a sum of
// negatively associated indicators, no wider than a Poisson variable of its mean, and has the interval of Garwood (1936) for
// those; heavier items are known.
func (s *VarOpt[T]) Sum(in func(item T) bool, confidence float64) Estimate {
	known, seen, n := 0.0, 0.0, 0.0
	for _, x := range s.large {
		if in(x.item) {
			known += x.weight
		}
	}
	for _, x := range s.small {
		if in(x.item) {
			seen += x.weight
			n++
		}
	}
	if s.tau == 0 { // all items are there
		return Exactly(known)
	}
	q := quantilesAt(confidence)
	low, high := 0.0, s.tau*q.high.quantile(n+1)
	if n > 0 {
		low = s.tau * q.low.quantile(n)
	}
	return Estimate{
		Value: known + s.tau*n, Low: known + max(low, seen), High: min(known+high, s.total),
		Confidence: confidence,
	}
}
