package synopsis

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

var errCapacity = errors.New("synopsis: a sample needs room for one item at least")

// Reservoir is a uniform sample without replacement of what is offered, of a fixed size whatever the length of the stream: each set
// of k of the n items offered is equally likely. It is Li's Algorithm L (ACM Transactions on Mathematical Software 20(4),
// 1994), which draws how many items to pass over: k (1 + ln(n/k)) random numbers in all, none for the others.
//
// With n = Offered it is one stratum of a Design: Stratum{Keep: k/n, Offered: n, Kept: k}.
type Reservoir[T any] struct {
	items    []T
	capacity int
	offered  int64
	next     int64   // the offered item that is taken next, once the reservoir is full
	w        float64 // the greatest of the k least of n uniform numbers
	rng      *rand.Rand
}

// NewReservoir returns an empty reservoir for capacity items, which draws from stream number stream of the seed.
func NewReservoir[T any](capacity int, seed, stream uint64) (*Reservoir[T], error) {
	if capacity < 1 {
		return nil, errCapacity
	}
	return &Reservoir[T]{capacity: capacity, rng: rand.New(rand.NewPCG(seed, stream))}, nil
}

// Add offers an item.
func (r *Reservoir[T]) Add(x T) {
	r.offered++
	switch {
	case len(r.items) < r.capacity:
		r.items = append(r.items, x)
		if len(r.items) == r.capacity {
			r.w = 1
			r.pass()
		}
	case r.offered == r.next:
		r.items[r.rng.IntN(len(r.items))] = x
		r.pass()
	}
}

// pass draws which item is taken next.
func (r *Reservoir[T]) pass() {
	r.w *= math.Exp(math.Log(1-r.rng.Float64()) / float64(r.capacity))
	r.leap()
}

func (r *Reservoir[T]) leap() {
	skip := math.Log(1-r.rng.Float64()) / math.Log1p(-r.w)
	r.next = r.offered + 1 + int64(min(skip, 1<<62-float64(r.offered)))
}

// Items returns the sample, in no order. The slice is the reservoir's own.
func (r *Reservoir[T]) Items() []T { return r.items }

// Offered returns the number of items offered.
func (r *Reservoir[T]) Offered() int64 { return r.offered }

// Shrink makes the capacity smaller, and the sample one of that size of the same items.
func (r *Reservoir[T]) Shrink(capacity int) {
	if capacity < 1 || capacity >= r.capacity {
		return
	}
	r.capacity = capacity
	if len(r.items) >= capacity {
		r.keep(capacity)
		r.restart()
	}
}

// keep leaves n of the items by chance.
func (r *Reservoir[T]) keep(n int) {
	for i := range n {
		j := i + r.rng.IntN(len(r.items)-i)
		r.items[i], r.items[j] = r.items[j], r.items[i]
	}
	clear(r.items[n:])
	r.items = r.items[:n]
}

// restart draws w anew for a full reservoir: the k-th of n uniform numbers has the beta distribution of k and n-k+1.
func (r *Reservoir[T]) restart() {
	k := float64(r.capacity)
	r.w = distuv.Beta{Alpha: k, Beta: float64(r.offered) - k + 1, Src: r.rng}.Rand()
	r.leap()
}

// Merge makes r a sample of what both were offered, of r's capacity or of as many items as a sample of both can have. o is used up.
func (r *Reservoir[T]) Merge(o *Reservoir[T]) {
	size := r.capacity
	if r.offered > int64(len(r.items)) {
		size = min(size, len(r.items)) // r is full
	}
	if o.offered > int64(len(o.items)) {
		size = min(size, len(o.items))
	}
	size = int(min(int64(size), r.offered+o.offered))
	// How many of the sample are of r is hypergeometric.
	mine, left, all := 0, r.offered, r.offered+o.offered
	for range size {
		if r.rng.Int64N(all) < left {
			mine++
			left--
		}
		all--
	}
	r.keep(mine)
	o.keep(size - mine)
	r.items = append(r.items, o.items...)
	r.offered += o.offered
	if r.offered > int64(size) {
		r.capacity = size
	}
	if size == r.capacity {
		r.restart()
	}
}
