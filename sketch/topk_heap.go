package sketch

// The heap of TopK: item numbers with the least count first, the latest first
// appearance first among equal counts. Items know their place in it.

func (t *TopK) lighter(a, b int32) bool {
	x, y := &t.items[a], &t.items[b]
	if x.count != y.count {
		return x.count < y.count
	}
	return x.seq > y.seq
}

func (t *TopK) put(at int, i int32) {
	t.heap[at] = i
	t.items[i].place = int32(at)
}

// rise moves the item at a place up to where it belongs.
func (t *TopK) rise(at int) {
	i := t.heap[at]
	for at > 0 {
		parent := (at - 1) / 2
		if !t.lighter(i, t.heap[parent]) {
			break
		}
		t.put(at, t.heap[parent])
		at = parent
	}
	t.put(at, i)
}

// sink moves the item at a place down to where it belongs.
func (t *TopK) sink(at int) {
	i := t.heap[at]
	for {
		child := 2*at + 1
		if child >= len(t.heap) {
			break
		}
		if right := child + 1; right < len(t.heap) && t.lighter(t.heap[right], t.heap[child]) {
			child = right
		}
		if !t.lighter(t.heap[child], i) {
			break
		}
		t.put(at, t.heap[child])
		at = child
	}
	t.put(at, i)
}

// topIndex finds items by hash: open addressing with linear probing, at most
// half full, and removal that shifts back, so that nothing builds up.
type topIndex struct {
	slots []int32 // item number + 1; 0 is free
}

func (x *topIndex) start(h uint64) int { return int(remix(h) & uint64(len(x.slots)-1)) }
func (x *topIndex) next(slot int) int  { return (slot + 1) & (len(x.slots) - 1) }

// insert adds item i, the hash of which is h.
func (x *topIndex) insert(h uint64, i int32, items []topItem) {
	if 2*len(items) > len(x.slots) {
		x.slots = make([]int32, max(16, 2*len(x.slots)))
		for j := range items {
			x.place(items[j].hash, int32(j))
		}
		return
	}
	x.place(h, i)
}

func (x *topIndex) place(h uint64, i int32) {
	slot := x.start(h)
	for x.slots[slot] != 0 {
		slot = x.next(slot)
	}
	x.slots[slot] = i + 1
}

// remove takes item i out and moves later items of the run into the gap.
func (x *topIndex) remove(h uint64, i int32, items []topItem) {
	gap := x.start(h)
	for x.slots[gap] != i+1 {
		gap = x.next(gap)
	}
	mask := len(x.slots) - 1
	for slot := x.next(gap); x.slots[slot] != 0; slot = x.next(slot) {
		home := x.start(items[x.slots[slot]-1].hash)
		if (slot-home)&mask >= (slot-gap)&mask {
			x.slots[gap] = x.slots[slot]
			gap = slot
		}
	}
	x.slots[gap] = 0
}

func (x *topIndex) reset() { clear(x.slots) }
