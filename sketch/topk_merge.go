package sketch

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// valued is an item with its bytes, outside any arena.
type valued struct {
	topItem
	value []byte
}

// Merge adds everything that o has seen. o is only read. Values that only o has
// count as first seen after those of t.
func (t *TopK) Merge(o *TopK) error {
	if t.k != o.k {
		return fmt.Errorf("%w: k %d and %d", ErrMismatch, t.k, o.k)
	}
	tFloor, oFloor := t.Floor(), o.Floor()
	union := make([]valued, 0, len(t.items)+len(o.items))
	for i := range t.items {
		it := t.items[i]
		if j := o.find(it.hash, t.value(&it)); j >= 0 {
			it.count += o.items[j].count
			it.slack += o.items[j].slack
			it.missing += o.items[j].missing
			it.spread += o.items[j].spread
		} else {
			it.count += oFloor
			it.slack += oFloor
		}
		union = append(union, valued{it, slices.Clone(t.value(&it))})
	}
	for i := range o.items {
		it := o.items[i]
		value := o.value(&it)
		if t.find(it.hash, value) >= 0 {
			continue
		}
		it.count += tFloor
		it.slack += tFloor
		it.seq += t.seq
		union = append(union, valued{it, value})
	}
	merged := TopK{seq: t.seq + o.seq, total: t.total + o.total, evicted: t.evicted || o.evicted, largest: max(t.largest, o.largest)}
	t.Reset()
	t.seq, t.total, t.evicted, t.largest = merged.seq, merged.total, merged.evicted, merged.largest
	t.fill(union)
	return nil
}

// fill puts the heaviest of the items into the empty t.
func (t *TopK) fill(items []valued) {
	slices.SortFunc(items, func(a, b valued) int {
		return a.compare(&b.topItem)
	})
	if len(items) > t.capacity {
		items = items[:t.capacity]
		t.evicted = true
	}
	for i := range items {
		t.insert(items[i].topItem, items[i].value)
	}
}

// MarshalBinary returns the state, items by falling count.
func (t *TopK) MarshalBinary() ([]byte, error) {
	b := openSeal(kindTopK, 64+32*len(t.items)+len(t.arena))
	b = binary.AppendUvarint(b, uint64(t.k))
	sampled := t.sampled()
	b = append(b, flag(t.evicted)*markEvicted|flag(sampled)*markSampled)
	b = binary.AppendUvarint(b, t.seq)
	b = appendF64(b, t.total)
	if sampled {
		b = appendF64(b, t.largest)
	}
	b = binary.AppendUvarint(b, uint64(len(t.items)))
	for _, i := range t.ranked() {
		it := &t.items[i]
		b = appendF64(appendF64(b, it.count), it.slack)
		if sampled {
			b = appendF64(appendF64(b, it.missing), it.spread)
		}
		b = binary.AppendUvarint(b, it.seq)
		b = binary.AppendUvarint(b, uint64(it.size))
		b = append(b, t.value(it)...)
	}
	return closeSeal(b), nil
}

// Marks of a marshalled TopK.
const (
	markEvicted byte = 1 << iota
	markSampled      // the largest weight follows, and items have what they miss and their spread
)

// sampled reports whether some row stood for more than itself.
func (t *TopK) sampled() bool { return t.largest > 1 }

// leastTopItem is the least size of a marshalled item.
const leastTopItem = 18

// UnmarshalBinary replaces the state.
func (t *TopK) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindTopK, data)
	if err != nil {
		return err
	}
	k := in.uvarint()
	in.require(0 < k && k <= maxTopK/topKFactor, "k")
	if in.err != nil {
		return in.err
	}
	loaded, err := NewTopK(int(k))
	if err != nil {
		return err
	}
	marks := in.u8()
	loaded.evicted, loaded.seq, loaded.total = marks&markEvicted != 0, in.uvarint(), in.f64()
	if marks&markSampled != 0 {
		loaded.largest = in.f64()
		in.require(loaded.largest > 1 && loaded.largest <= maxWeight, "largest weight")
	}
	in.require(marks < markSampled<<1 && loaded.seq < math.MaxUint64/2, "flags or sequence")
	in.require(loaded.total >= 0 && loaded.total <= maxWeight, "total")
	n := in.count(leastTopItem)
	in.require(n <= loaded.capacity && (n == loaded.capacity || !loaded.evicted), "number of items")
	for i := 0; i < n && in.err == nil; i++ {
		loaded.loadItem(in, marks&markSampled != 0)
	}
	if err := in.finish(); err != nil {
		return err
	}
	*t = *loaded
	return nil
}

func (t *TopK) loadItem(in *decoder, sampled bool) {
	it := topItem{count: in.f64(), slack: in.f64()}
	if sampled {
		it.missing, it.spread = in.f64(), in.f64()
		in.require(it.missing >= 0 && it.missing <= it.count-it.slack && it.spread >= it.missing && it.spread <= maxWeight*maxWeight, "spread")
	}
	it.seq = in.uvarint()
	value := in.bytes(in.uvarint())
	in.require(it.slack >= 0 && it.slack <= it.count && it.count <= maxWeight && it.seq < t.seq, "item")
	if in.err != nil {
		return
	}
	it.hash = Hash(value)
	in.require(t.find(it.hash, value) < 0, "an item twice")
	t.insert(it, value)
}
