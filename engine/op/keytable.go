package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// keyTable numbers distinct keys 0, 1, 2, ... in the order of their first appearance. It holds
// no pointers: an open-addressing index from hash to number, and the keys themselves in flat
// arrays. How a key is stored depends on its columns:
//
//	none            nothing, there is one key
//	one of numbers  bits, class and, for integers beyond 64 bits, high (keytable_num.go)
//	one of bytes    arena, ends and the number of the NULL key (keytable_text.go)
//	several         their encoding in arena and ends (keytable_row.go)
//
// Keys are equal when IS NOT DISTINCT FROM says so, integers and doubles by value; NaN equals NaN. A key
// is given back as it first appeared. With scoped set, each row's key is the pair of its scope and
// its value.
type keyTable struct {
	types  []tuple.Type
	scoped bool
	n      int

	slots []slot // length a power of two, or nil
	scope []uint32
	bits  []int64
	class []uint8
	high  []int64
	ends  []int // of key i in the arena at i+1; it starts at i
	arena []byte
	null  int // number of the NULL key of a column of bytes, which is not in slots, or -1
	rest  int // number of the entry that stands for keys without room, which is not in slots either, or -1
}

// slot is an entry of the index: the low half of a key's hash, and its number plus one; 0 is an empty slot.
type slot struct{ hash, id uint32 }

// keyRows are rows whose keys are looked up: one column per key column and, for a scoped table,
// the scope of each row of sel.
type keyRows struct {
	cols  []*tuple.Column
	sel   []uint16
	scope []uint32
}

// keyScratch is memory that tables need while they look keys up. Tables of one operator share it.
type keyScratch struct {
	hash []uint64
	row  []byte
	ids  []uint32
}

func newKeyTable(types []tuple.Type, scoped bool) keyTable {
	return keyTable{types: types, scoped: scoped, null: -1, rest: -1}
}

// find writes the number of the key of each row to ids, which is as long as rows.sel.
func (t *keyTable) find(rows keyRows, ids []uint32, scratch *keyScratch) {
	switch {
	case len(t.types) == 0:
		t.n = 1
		clear(ids)
	case len(t.types) > 1:
		t.findRows(rows, ids, scratch)
	case t.types[0].Bytes():
		t.findText(rows, ids, scratch)
	default:
		t.findNumbers(rows, ids, scratch)
	}
}

// added counts a key that has been stored and entered in the index, and makes room for the next.
func (t *keyTable) added(scope uint32) {
	if t.scoped {
		t.scope = appendOne(t.scope, scope)
	}
	t.n++
	if t.n == math.MaxUint32 {
		panic("op: more than 2^32 keys in a pane")
	}
	if t.n > len(t.slots)/t.sparsity() {
		t.grow()
	}
}

// sparsity is how many slots a key has at least: many while they fit the processor's cache, where the
// misprediction of a second probe is what costs, few when memory does.
func (t *keyTable) sparsity() int {
	if len(t.slots) <= 1<<14 {
		return 4
	}
	return 2
}

// grow doubles the index.
func (t *keyTable) grow() {
	old := t.slots
	t.slots = make([]slot, max(8, 2*len(old)))
	mask := uint32(len(t.slots) - 1)
	for _, e := range old {
		if e.id == 0 {
			continue
		}
		at := e.hash & mask
		for t.slots[at].id != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = e
	}
}

// reset empties t and keeps its memory, unless it is far more than was used.
func (t *keyTable) reset() {
	if len(t.slots) > 1024 && t.n < len(t.slots)/16 {
		*t = newKeyTable(t.types, t.scoped)
		return
	}
	clear(t.slots)
	t.n, t.null, t.rest = 0, -1, -1
	t.scope, t.bits, t.class, t.high = t.scope[:0], t.bits[:0], t.class[:0], t.high[:0]
	t.ends, t.arena = t.ends[:0], t.arena[:0]
}

// write writes the keys numbered ids to the rows of cols from at on; rows is the length of the columns.
func (t *keyTable) write(cols []tuple.Column, ids []uint32, at, rows int) {
	switch {
	case len(t.types) == 0:
	case len(t.types) > 1:
		for i, id := range ids {
			t.writeRow(cols, int(id), at+i, rows)
		}
	case t.types[0].Bytes():
		for i, id := range ids {
			if int(id) == t.null || int(id) == t.rest {
				cols[0].SetNull(at+i, rows)
				cols[0].SetStr(at+i, nil)
				continue
			}
			cols[0].SetStr(at+i, t.key(int(id)))
		}
	default:
		for i, id := range ids {
			if int(id) == t.rest {
				cols[0].SetNull(at+i, rows)
				continue
			}
			t.number(int(id)).put(&cols[0], at+i, rows)
		}
	}
}

// absorb finds or adds each key of from in t and writes its number to ids, which is as long as from
// has keys. Scopes are mapped through scopes.
func (t *keyTable) absorb(from *keyTable, ids, scopes []uint32) {
	if len(t.types) == 0 {
		t.n = from.n
	}
	for i := range ids {
		var scope uint32
		if t.scoped {
			scope = scopes[from.scope[i]]
		}
		ids[i] = t.adopt(from, i, scope)
	}
}

// adopt finds or adds key number i of from and returns its number.
func (t *keyTable) adopt(from *keyTable, i int, scope uint32) uint32 {
	switch {
	case len(t.types) == 0:
		return 0
	case i == from.rest:
		return t.reserve()
	case len(t.types) > 1:
		key := from.key(i)
		same := len(key) - t.shown()
		return t.findBytes(uint32(t.scopedHash(hashBytes(key[:same]), scope)), scope, key, same)
	case !t.types[0].Bytes():
		num := from.number(i)
		return t.findNumber(uint32(t.scopedHash(num.hash(), scope)), scope, num)
	case i == from.null:
		return t.findNull()
	}
	key := from.key(i)
	return t.findBytes(uint32(t.scopedHash(hashBytes(key), scope)), scope, key, len(key))
}

// reserve returns the number of the entry that stands for keys without room. Its key is not defined, and no key finds it.
func (t *keyTable) reserve() uint32 {
	if t.rest >= 0 {
		return uint32(t.rest)
	}
	t.rest = t.n
	if len(t.types) > 1 || t.types[0].Bytes() {
		t.addBytes(0, make([]byte, t.shown()))
		return uint32(t.rest)
	}
	if len(t.class) > 0 {
		t.class = appendOne(t.classes(), kindInt)
	}
	if len(t.high) > 0 {
		t.high = appendOne(extend(t.high, t.n), 0)
	}
	t.bits = appendOne(t.bits, 0)
	t.added(0)
	return uint32(t.rest)
}

// bytes returns about how much memory t takes: it depends on the keys alone, not on how the table came to them.
func (t *keyTable) bytes() int64 {
	const index, bits, end, scope = 32, 8, 8, 4
	n := int64(t.n) * index
	if t.scoped {
		n += int64(t.n) * scope
	}
	if len(t.types) == 1 && !t.types[0].Bytes() {
		n += int64(t.n)*bits + int64(len(t.class)) + int64(len(t.high))*bits
	} else {
		n += int64(t.n)*end + int64(len(t.arena))
	}
	return n
}

func (t *keyTable) scopedHash(hash uint64, scope uint32) uint64 {
	if t.scoped {
		return mix(hash, uint64(scope))
	}
	return hash
}

// show gives key id the looks of the equal key number j of from.
func (t *keyTable) show(id int, from *keyTable, j int) {
	switch {
	case len(t.types) == 0:
	case len(t.types) > 1:
		copy(t.key(id), from.key(j))
	case !t.types[0].Bytes():
		if len(t.class) > 0 || len(from.class) > 0 {
			num := from.number(j)
			t.classes()[id] = num.class
		}
	}
}
