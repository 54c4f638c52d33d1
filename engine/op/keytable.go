package op

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// keyTable numbers distinct keys 0, 1, 2, ... in the order of their first appearance. It holds
// no pointers: an open-addressing index from hash to number, and the keys themselves in flat
// arrays. How a key is stored depends on its columns:
//
//	none            nothing, there is one key
//	one of numbers  bits, class and, for integers beyond 64 bits, high (keytable_num.go)
//	one of bytes    arena, ends and the number of the NULL key
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
	ends  []int
	arena []byte
	null  int // number of the NULL key of a column of bytes, or -1
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

var errTooManyGroups = errors.New("more than 2^32 groups")

func newKeyTable(types []tuple.Type, scoped bool) keyTable {
	return keyTable{types: types, scoped: scoped, null: -1}
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

// findText is find for a single column of bytes.
func (t *keyTable) findText(rows keyRows, ids []uint32, scratch *keyScratch) {
	col := rows.cols[0]
	scratch.hash = tuple.Resize(scratch.hash, len(rows.sel))
	hash := scratch.hash
	for i, r := range rows.sel {
		if col.Null != nil && col.Null[r] {
			continue
		}
		s := col.Span[r]
		hash[i] = hashBytes(col.Buf[s.Off : s.Off+s.Len])
	}
	if t.scoped {
		for i, s := range rows.scope {
			hash[i] = mix(hash[i], uint64(s))
		}
	}
	plain := !t.scoped && col.Null == nil
	mask := uint32(len(t.slots) - 1)
	for i, r := range rows.sel {
		if col.Null != nil && col.Null[r] {
			ids[i] = t.findNull()
			continue
		}
		s := col.Span[r]
		key := col.Buf[s.Off : s.Off+s.Len]
		if plain && len(t.slots) > 0 {
			// The first probe is written out: most rows end here.
			h := uint32(hash[i])
			if e := t.slots[h&mask]; e.hash == h && e.id != 0 && string(t.key(int(e.id-1))) == string(key) {
				ids[i] = e.id - 1
				continue
			}
		}
		var scope uint32
		if t.scoped {
			scope = rows.scope[i]
		}
		ids[i] = t.findBytes(uint32(hash[i]), scope, key, len(key))
		mask = uint32(len(t.slots) - 1)
	}
}

func (t *keyTable) findNull() uint32 {
	if t.null < 0 {
		t.null = t.n
		t.addBytes(0, nil)
	}
	return uint32(t.null)
}

// findBytes returns the number of the key whose first same bytes are key's; the rest of key is
// stored beside a key that is added and not compared.
func (t *keyTable) findBytes(hash, scope uint32, key []byte, same int) uint32 {
	if len(t.slots) == 0 {
		t.grow()
	}
	mask := uint32(len(t.slots) - 1)
	at := hash & mask
	for ; t.slots[at].id != 0; at = (at + 1) & mask {
		if t.slots[at].hash != hash {
			continue
		}
		id := int(t.slots[at].id - 1)
		if t.scoped && t.scope[id] != scope {
			continue
		}
		stored := t.key(id)
		if len(stored) == len(key) && string(stored[:same]) == string(key[:same]) && id != t.null {
			return uint32(id)
		}
	}
	id := uint32(t.n)
	t.slots[at] = slot{hash, id + 1}
	t.addBytes(scope, key)
	return id
}

func (t *keyTable) addBytes(scope uint32, key []byte) {
	t.arena = appendAll(t.arena, key)
	t.ends = appendOne(t.ends, len(t.arena))
	t.added(scope)
}

// added counts a key that has been stored and entered in the index, and makes room for the next.
func (t *keyTable) added(scope uint32) {
	if t.scoped {
		t.scope = appendOne(t.scope, scope)
	}
	t.n++
	if t.n == math.MaxUint32 {
		panic(errTooManyGroups)
	}
	if t.n > len(t.slots)/4*3 {
		t.grow()
	}
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

// key returns the bytes of a key.
func (t *keyTable) key(id int) []byte {
	start := 0
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.arena[start:t.ends[id]]
}

// reset empties t and keeps its memory, unless it is far more than was used.
func (t *keyTable) reset() {
	if len(t.slots) > 1024 && t.n < len(t.slots)/16 {
		*t = newKeyTable(t.types, t.scoped)
		return
	}
	clear(t.slots)
	t.n, t.null = 0, -1
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
			if int(id) == t.null {
				cols[0].SetNull(at+i, rows)
				cols[0].SetStr(at+i, nil)
				continue
			}
			cols[0].SetStr(at+i, t.key(int(id)))
		}
	default:
		for i, id := range ids {
			t.number(int(id)).put(&cols[0], at+i, rows)
		}
	}
}

// absorb finds or adds each key of from in t and writes its number to ids, which is as long as from
// has keys. Scopes are mapped through scopes.
func (t *keyTable) absorb(from *keyTable, ids, scopes []uint32, scratch *keyScratch) {
	if len(t.types) == 0 {
		t.n = from.n
	}
	for i := range ids {
		var scope uint32
		if t.scoped {
			scope = scopes[from.scope[i]]
		}
		switch {
		case len(t.types) == 0:
			ids[i] = 0
		case len(t.types) > 1:
			key := from.key(i)
			same := len(key) - t.shown()
			ids[i] = t.findBytes(uint32(t.scopedHash(hashBytes(key[:same]), scope)), scope, key, same)
		case !t.types[0].Bytes():
			num := from.number(i)
			ids[i] = t.findNumber(uint32(t.scopedHash(num.hash(), scope)), scope, num)
		case i == from.null:
			ids[i] = t.findNull()
		default:
			key := from.key(i)
			ids[i] = t.findBytes(uint32(t.scopedHash(hashBytes(key), scope)), scope, key, len(key))
		}
	}
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

// appendOne is append with a growth of a quarter for long slices, so that at most that much of
// the memory of a large table lies idle.
func appendOne[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = reserve(s, 1)
	}
	return append(s, v)
}

func appendAll(s, v []byte) []byte {
	if len(s)+len(v) > cap(s) {
		s = reserve(s, len(v))
	}
	return append(s, v...)
}

// reserve returns s with room for n more elements.
func reserve[T any](s []T, n int) []T {
	grown := 2 * cap(s)
	if cap(s) > 1<<14 {
		grown = cap(s) + cap(s)/4
	}
	next := make([]T, len(s), max(len(s)+n, grown, 8))
	copy(next, s)
	return next
}

// extend returns s with length n, zeroes after what it held.
func extend[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n > cap(s) {
		s = reserve(s, n-len(s))
	}
	old := len(s)
	s = s[:n]
	clear(s[old:])
	return s
}

const (
	hashA = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	hashB = 0xd1b54a32d192ed03 // the same for the plastic number, the next in the series
)

// mix returns a well-mixed hash of two words: the halves of their product, folded.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^hashA, b^hashB)
	return hi ^ lo
}

// hashBytes returns a hash of b: of its two overlapping halves where they are words, else xxhash's.
func hashBytes(b []byte) uint64 {
	n := len(b)
	switch {
	case n > 16:
		return xxhash.Sum64(b)
	case n >= 8:
		return mix(mix(binary.LittleEndian.Uint64(b), uint64(n)), binary.LittleEndian.Uint64(b[n-8:]))
	case n >= 4:
		return mix(uint64(binary.LittleEndian.Uint32(b))|uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32, uint64(n))
	case n > 0:
		return mix(uint64(b[0])<<16|uint64(b[n>>1])<<8|uint64(b[n-1]), uint64(n))
	}
	return hashA
}
