package op

import (
	"encoding/binary"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Keys of several columns are stored as the encodings of their values, one after the other,
//
//	NULL     0xff
//	bytes    0x00, length as a varint, the bytes
//	number   its kind + 1, low word, and for huge ones the high word
//
// followed by the looks of each numeric key, one byte each, which take no part in comparisons.

const rowNull = 0xff

// shown returns the number of bytes after a key's encoding that are not compared.
func (t *keyTable) shown() int {
	n := 0
	for _, typ := range t.types {
		if typ.Numeric() {
			n++
		}
	}
	return n
}

// findRows is find for several columns.
func (t *keyTable) findRows(rows keyRows, ids []uint32, scratch *keyScratch) {
	for i, r := range rows.sel {
		var same int
		scratch.row, same = t.encode(scratch.row[:0], rows.cols, r)
		hash := hashBytes(scratch.row[:same])
		var scope uint32
		if t.scoped {
			scope = rows.scope[i]
			hash = mix(hash, uint64(scope))
		}
		ids[i] = t.findBytes(uint32(hash), scope, scratch.row, same)
	}
}

// encode appends the key in row r to dst, and returns also how much of it is compared.
func (t *keyTable) encode(dst []byte, cols []*tuple.Column, r uint16) (key []byte, same int) {
	var looks [maxKeys]byte
	shown := looks[:0]
	for j, c := range cols {
		switch typ := t.types[j]; {
		case c.Type.Bytes():
			if c.Null != nil && c.Null[r] {
				dst = append(dst, rowNull)
				break
			}
			s := c.Span[r]
			dst = append(dst, 0)
			dst = binary.AppendUvarint(dst, uint64(s.Len))
			dst = append(dst, c.Buf[s.Off:s.Off+s.Len]...)
		case c.Rep == tuple.RepInt && c.Null == nil && c.Type != tuple.Boolean && c.Type != tuple.Null:
			if typ.Numeric() {
				shown = append(shown, 0)
			}
			dst = binary.LittleEndian.AppendUint64(append(dst, kindInt+1), uint64(c.I[r]))
		default:
			v := numberAt(c, r)
			if typ.Numeric() {
				shown = append(shown, v.class&^kindMask)
			}
			if v.kind() == kindNull {
				dst = append(dst, rowNull)
				break
			}
			dst = append(dst, v.kind()+1)
			dst = binary.LittleEndian.AppendUint64(dst, uint64(v.lo))
			if v.kind() == kindHuge {
				dst = binary.LittleEndian.AppendUint64(dst, uint64(v.hi))
			}
		}
	}
	same = len(dst)
	return append(dst, shown...), same
}

// writeRow writes key id to row r of cols, which have rows rows.
func (t *keyTable) writeRow(cols []tuple.Column, id, r, rows int) {
	if id == t.rest {
		for j := range cols {
			putNull(&cols[j], r, rows)
		}
		return
	}
	key := t.key(id)
	looks := key[len(key)-t.shown():]
	for j := range cols {
		c := &cols[j]
		var look uint8
		if t.types[j].Numeric() {
			look, looks = looks[0], looks[1:]
		}
		tag := key[0]
		key = key[1:]
		switch tag {
		case rowNull:
			c.SetNull(r, rows)
			if c.Type.Bytes() {
				c.SetStr(r, nil)
			}
		case 0:
			n, width := binary.Uvarint(key)
			c.SetStr(r, key[width:width+int(n)])
			key = key[width+int(n):]
		default:
			v := number{lo: int64(binary.LittleEndian.Uint64(key)), class: tag - 1 | look}
			key = key[8:]
			if v.kind() == kindHuge {
				v.hi = int64(binary.LittleEndian.Uint64(key))
				key = key[8:]
			}
			v.put(c, r, rows)
		}
	}
}

// wellFormed reports whether key is the encoding of a key of t, as untrusted input must be.
func (t *keyTable) wellFormed(key []byte) bool {
	shown := t.shown()
	if len(key) < shown {
		return false
	}
	key = key[:len(key)-shown]
	for _, typ := range t.types {
		if len(key) == 0 {
			return false
		}
		tag := key[0]
		key = key[1:]
		size := 8
		switch {
		case tag == rowNull:
			size = 0
		case tag == 0 && typ.Bytes():
			n, width := binary.Uvarint(key)
			if width <= 0 || n > uint64(len(key)-width) {
				return false
			}
			size = width + int(n)
		case tag == kindHuge+1 && typ.Numeric():
			size = 16
		case typ.Bytes() || tag != kindInt+1 && (tag != kindFloat+1 || !typ.Numeric()):
			return false
		}
		if len(key) < size {
			return false
		}
		key = key[size:]
	}
	return len(key) == 0
}
