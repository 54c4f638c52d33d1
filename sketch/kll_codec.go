package sketch

import (
	"encoding/binary"
	"slices"
)

// kllLevels bounds the levels of a loaded sketch: those that maxKLLTotal takes.
const kllLevels = 59

// Marks of a marshalled KLL.
const (
	markFloats byte = 1 << iota
	markFine
	markRows // the number of values follows, where it is not the weight
)

// MarshalBinary returns the state, the coin's included.
func (s *KLL) MarshalBinary() ([]byte, error) {
	coin, err := s.coin.MarshalBinary()
	if err != nil {
		return nil, err
	}
	b := openSeal(kindKLL, 64+8*s.size+2*len(s.levels))
	b = binary.AppendUvarint(b, uint64(s.k))
	b = append(b, flag(s.floating)*markFloats|flag(s.fine)*markFine|flag(s.rows != s.n)*markRows)
	if s.rows != s.n {
		b = binary.AppendUvarint(b, uint64(s.rows))
	}
	b = binary.LittleEndian.AppendUint64(b, s.least)
	b = binary.LittleEndian.AppendUint64(b, s.greatest)
	b = binary.AppendUvarint(b, uint64(len(coin)))
	b = append(b, coin...)
	b = binary.AppendUvarint(b, uint64(len(s.levels)))
	for _, level := range s.levels {
		b = binary.AppendUvarint(b, uint64(len(level)))
		for _, key := range level {
			b = binary.LittleEndian.AppendUint64(b, key)
		}
	}
	return closeSeal(b), nil
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// UnmarshalBinary replaces the state.
func (s *KLL) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindKLL, data)
	if err != nil {
		return err
	}
	k := in.uvarint()
	in.require(minKLL <= k && k <= maxKLL, "k")
	marks := in.u8()
	in.require(marks < markRows<<1, "marks")
	loaded := KLL{k: int(k), floating: marks&markFloats != 0, fine: marks&markFine != 0}
	rows := uint64(0)
	if marks&markRows != 0 {
		rows = in.uvarint()
	}
	loaded.least, loaded.greatest = in.u64(), in.u64()
	if coin := in.bytes(in.uvarint()); in.err == nil && loaded.coin.UnmarshalBinary(coin) != nil {
		in.fail("coin")
	}
	levels := in.count(1)
	in.require(1 <= levels && levels <= kllLevels, "levels")
	for h := 0; h < levels && in.err == nil; h++ {
		loaded.loadLevel(h, in)
	}
	if err := in.finish(); err != nil {
		return err
	}
	loaded.measure()
	in.require(loaded.size <= loaded.room, "too many items")
	in.require(loaded.n <= 2*maxKLLTotal && rows <= maxCounted, "weight")
	if loaded.rows = loaded.n; marks&markRows != 0 {
		loaded.rows = int64(rows)
		in.require(loaded.rows != loaded.n, "a number of rows that need not be told")
	}
	if in.err != nil {
		return in.err
	}
	*s = loaded
	return nil
}

// loadLevel reads level h, whose items lie within the extremes and, above level
// 0, in order.
func (s *KLL) loadLevel(h int, in *decoder) {
	level := make([]uint64, in.count(8))
	for i := range level {
		key := in.u64()
		level[i] = key
		in.require(s.least <= key && key <= s.greatest, "item beyond the extremes")
		in.require(!s.floating || floatOfKey(key) == floatOfKey(key), "not a number")
	}
	in.require(h == 0 || slices.IsSorted(level), "items out of order")
	s.levels = append(s.levels, level)
	s.size += len(level)
	s.n += int64(len(level)) << h
	in.require(len(level) < 1<<20 && s.n <= 2*maxKLLTotal, "weight")
}
