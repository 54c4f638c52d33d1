package sketch

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/aurora-dsms/aurora/synopsis"
)

const (
	// leastTopK and topKFactor give the capacity for k: eight counters an item
	// that is asked for keep the error below W/8k.
	leastTopK  = 64
	topKFactor = 8

	maxTopK = 1 << 16
)

// TopK finds the byte strings of greatest weight by SpaceSaving (Metwally,
// Agrawal and El Abbadi, 2005) with weights. It counts max(64, 8k) values; a value
// that is not among them takes the place of the one with the least count, whose
// count it inherits as its possible error.
//
// For every value reported Low <= true weight <= High. A value that is not
// counted weighs at most the least count, which without merges is at most
// W/capacity. All is exact while no more than capacity distinct values came.
//
// Merging adds counts, crediting a value that one side did not count with that
// side's least count, and keeps the heaviest (Cafaro, Tempesta and Pulimeno, 2014):
// the bounds hold for any merge tree. Which values are kept may depend on order.
// Ties are resolved by first appearance, so equal inputs give equal answers.
//
// Weights are float64: integers are exact to 2^53.
type TopK struct {
	k        int
	capacity int
	items    []topItem
	heap     []int32 // item numbers; the least count first
	index    topIndex
	arena    []byte  // the values' bytes
	wasted   int     // bytes of arena that no item uses
	order    []int32 // scratch of tidy
	seq      uint64  // of the next first appearance
	total    float64
	largest  float64 // weight of a row; kept where some is above 1
	evicted  bool
}

// topItem is a counted value.
type topItem struct {
	hash         uint64
	count, slack float64 // count-slack <= weight <= count
	missing      float64 // of the rows in count-slack: the sum of w-1, where that is positive
	spread       float64 // and of w(w-1)
	seq          uint64  // first appearance
	off, size    int     // in the arena
	place        int32   // in the heap
}

// compare orders items as answers are: by falling count, then first appearance.
func (x *topItem) compare(y *topItem) int {
	return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(x.seq, y.seq))
}

// sample notes that a row of weight w was kept by chance.
func (x *topItem) sample(w float64) {
	if w > 1 {
		x.missing += w - 1
		x.spread += w * (w - 1)
	}
}

// TopItem is a value with its weight: Low <= weight <= High = Count. Certain
// says that it is among the k heaviest whatever these errors are. The weight is that of the rows added; Interval bounds
// that of the rows of which they are a sample.
type TopItem struct {
	Value            []byte
	Count, Low, High float64
	Certain          bool
	missing, spread  float64
}

// Interval returns the weight of the rows that the item's are a sample of, each kept with the reciprocal of its weight as
// probability; the greatest weight that rows may have had, those not kept included, is largest. It is the gamma interval
// for counts of intervals.md section 2, with Low for its lower end and High for its upper one.
func (it *TopItem) Interval(confidence, largest float64) synopsis.Estimate {
	e := synopsis.Estimate{Value: it.Count, Low: it.Low, High: it.High, Confidence: 1, Exact: it.Low == it.High}
	if it.spread == 0 && !(largest > 1) {
		return e
	}
	largest = max(largest, 1)
	slack := it.High - it.Low
	low := sampledCount{n: it.Low, missing: it.missing, spread: it.spread}
	high := sampledCount{
		n: it.High, missing: it.missing + slack*(1-1/largest), spread: it.spread + slack*(largest-1),
	}
	e.Low, e.High = low.atLeast(confidence), high.atMost(confidence, largest)
	e.Confidence, e.Exact = confidence, false
	return e
}

// NewTopK returns an empty sketch for the k heaviest values, k within [1, 8192].
func NewTopK(k int) (*TopK, error) {
	if k < 1 || k*topKFactor > maxTopK {
		return nil, fmt.Errorf("k %d is not within [1, %d]", k, maxTopK/topKFactor)
	}
	return &TopK{k: k, capacity: TopCapacity(k)}, nil
}

// TopCapacity returns how many values are counted to find the k heaviest.
func TopCapacity(k int) int { return max(leastTopK, topKFactor*k) }

// Add adds weight w to the value; weights outside (0, 2^62] are ignored. The bytes are
// copied.
func (t *TopK) Add(value []byte, w float64) { t.AddHash(Hash(value), value, w) }

// AddHash is Add for a caller that has Hash(value) already.
func (t *TopK) AddHash(h uint64, value []byte, w float64) {
	if !(w > 0 && w <= maxWeight) {
		return
	}
	t.total += w
	if w > 1 {
		t.largest = max(t.largest, w)
	}
	if i := t.find(h, value); i >= 0 {
		t.items[i].count += w
		t.items[i].sample(w)
		t.sink(int(t.items[i].place))
		return
	}
	if len(t.items) < t.capacity {
		it := topItem{hash: h, count: w, seq: t.seq}
		it.sample(w)
		t.insert(it, value)
		t.seq++
		return
	}
	t.replace(h, value, w)
}

func (t *TopK) find(h uint64, value []byte) int32 {
	if len(t.items) == 0 {
		return -1
	}
	for slot := t.index.start(h); ; slot = t.index.next(slot) {
		i := t.index.slots[slot] - 1
		if i < 0 {
			return -1
		}
		if it := &t.items[i]; it.hash == h && bytes.Equal(t.value(it), value) {
			return i
		}
	}
}

func (t *TopK) value(it *topItem) []byte { return t.arena[it.off : it.off+it.size : it.off+it.size] }

// insert adds an item for which there is room.
func (t *TopK) insert(it topItem, value []byte) {
	i := int32(len(t.items))
	it.off, it.size = len(t.arena), len(value)
	it.place = i
	t.arena = append(t.arena, value...)
	t.items = append(t.items, it)
	t.heap = append(t.heap, i)
	t.index.insert(it.hash, i, t.items)
	t.rise(int(it.place))
}

// replace gives the least item's counter to a new value.
func (t *TopK) replace(h uint64, value []byte, w float64) {
	i := t.heap[0]
	it := &t.items[i]
	t.index.remove(it.hash, i, t.items)
	least := it.count
	off := it.off
	if len(value) > it.size {
		t.wasted += it.size
		off = len(t.arena)
		t.arena = append(t.arena, value...)
	} else {
		t.wasted += it.size - len(value)
		copy(t.arena[off:], value)
	}
	*it = topItem{hash: h, count: least + w, slack: least, seq: t.seq, off: off, size: len(value), place: it.place}
	it.sample(w)
	t.seq++
	t.evicted = true
	t.index.insert(h, i, t.items)
	t.sink(int(it.place))
	if t.wasted > len(t.arena)/2 {
		t.tidy()
	}
}

// tidy closes the gaps of the arena in place, in the order in which values lie.
func (t *TopK) tidy() {
	t.order = append(t.order[:0], t.heap...)
	slices.SortFunc(t.order, func(a, b int32) int { return cmp.Compare(t.items[a].off, t.items[b].off) })
	end := 0
	for _, i := range t.order {
		it := &t.items[i]
		copy(t.arena[end:], t.value(it))
		it.off = end
		end += it.size
	}
	t.arena = t.arena[:end]
	t.wasted = 0
}

// Top appends the k heaviest values to dst, by falling count, then first
// appearance. Their bytes are valid until the next change of t.
func (t *TopK) Top(dst []TopItem) []TopItem {
	order := t.ranked()
	// A value outside the answer weighs at most the next count, or what a value
	// that is not counted can weigh.
	outside := t.Floor()
	if len(order) > t.k {
		outside = max(outside, t.items[order[t.k]].count)
		order = order[:t.k]
	}
	for _, i := range order {
		it := &t.items[i]
		low := it.count - it.slack
		dst = append(dst, TopItem{
			Value: t.value(it), Count: it.count, Low: low, High: it.count,
			Certain: low >= outside,
			missing: it.missing, spread: it.spread,
		})
	}
	return dst
}

// ranked returns the items by falling count, then first appearance.
func (t *TopK) ranked() []int32 {
	order := slices.Clone(t.heap)
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &t.items[a], &t.items[b]
		if c := x.compare(y); c != 0 {
			return c
		}
		return bytes.Compare(t.value(x), t.value(y)) // only a forged state gets here
	})
	return order
}

// Exact reports whether every value that came is counted without error.
func (t *TopK) Exact() bool { return !t.evicted }

// Floor returns the greatest weight that a value which is not counted can have.
func (t *TopK) Floor() float64 {
	if !t.evicted {
		return 0
	}
	return t.items[t.heap[0]].count
}

// Largest returns the largest weight of a row, at least 1.
func (t *TopK) Largest() float64 { return max(t.largest, 1) }

// Bytes returns the memory that t takes.
func (t *TopK) Bytes() int {
	return 192 + 80*cap(t.items) + 4*(cap(t.heap)+cap(t.order)+cap(t.index.slots)) + cap(t.arena)
}

// Total returns the weight of all values.
func (t *TopK) Total() float64 { return t.total }

// Reset empties t and keeps its arrays.
func (t *TopK) Reset() {
	t.items, t.heap, t.arena = t.items[:0], t.heap[:0], t.arena[:0]
	t.index.reset()
	t.wasted, t.seq, t.total, t.largest, t.evicted = 0, 0, 0, 0, false
}
