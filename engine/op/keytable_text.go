package op

import "github.com/aurora-dsms/aurora/engine/tuple"

// key returns the bytes of a key.
func (t *keyTable) key(id int) []byte { return t.arena[t.ends[id]:t.ends[id+1]] }

// findText is find for a single column of bytes.
func (t *keyTable) findText(rows keyRows, ids []uint32, scratch *keyScratch) {
	col := rows.cols[0]
	null := col.Null
	if null == nil && !t.scoped {
		scratch.hash = tuple.Resize(scratch.hash, len(rows.sel))
		hashSpans(col, rows.sel, scratch.hash)
		t.findTexts(col, rows.sel, scratch.hash, ids)
		return
	}
	for i, r := range rows.sel {
		if null != nil && null[r] {
			ids[i] = t.findNull()
			continue
		}
		key, scope := col.Str(int(r)), uint32(0)
		h := hashBytes(key)
		if t.scoped {
			scope = rows.scope[i]
			h = mix(h, uint64(scope))
		}
		ids[i] = t.findBytes(uint32(h), scope, key, len(key))
	}
}

// findTexts is findText where no row is NULL. Its loop holds what findBytes does for a key that is
// there; the others are left to that.
func (t *keyTable) findTexts(col *tuple.Column, sel []uint16, hash []uint64, ids []uint32) {
	slots, ends, arena := t.slots, t.ends, t.arena
	spans, buf := col.Span, col.Buf
	ids, hash = ids[:len(sel)], hash[:len(sel)]
	for i, r := range sel {
		s := spans[r]
		key := buf[s.Off : s.Off+s.Len]
		h := uint32(hash[i])
		id := uint32(0)
		for at := int(h); len(slots) > 0; at++ {
			e := slots[at&(len(slots)-1)]
			if e.id == 0 {
				break
			}
			if e.hash != h {
				continue
			}
			stored := arena[ends[e.id-1]:ends[e.id]]
			n := len(stored)
			if n != len(key) {
				continue
			}
			if n >= 8 && n <= 16 {
				if wordAt(stored, 0) == wordAt(key, 0) && wordAt(stored, n-8) == wordAt(key, n-8) {
					id = e.id
					break
				}
			} else if sameBytes(stored, key) {
				id = e.id
				break
			}
		}
		if id == 0 {
			id = t.findBytes(h, 0, key, len(key)) + 1
			slots, ends, arena = t.slots, t.ends, t.arena
		}
		ids[i] = id - 1
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
		if len(stored) == len(key) && string(stored[:same]) == string(key[:same]) {
			return uint32(id)
		}
	}
	id := uint32(t.n)
	t.slots[at] = slot{hash, id + 1}
	t.addBytes(scope, key)
	return id
}

func (t *keyTable) addBytes(scope uint32, key []byte) {
	if t.n == 0 {
		t.ends = append(t.ends, 0)
	}
	t.arena = appendAll(t.arena, key)
	t.ends = appendOne(t.ends, len(t.arena))
	t.added(scope)
}
