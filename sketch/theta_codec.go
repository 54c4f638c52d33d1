package sketch

import (
	"encoding/binary"
	"slices"
)

// MarshalBinary returns the state: capacity, theta and the sorted hashes. Equal sets under equal limits give equal bytes.
func (t *Theta) MarshalBinary() ([]byte, error) {
	t.settle()
	hashes := t.members()
	slices.Sort(hashes)
	b := openSeal(kindTheta, 24+8*len(hashes))
	b = binary.AppendUvarint(b, uint64(t.capacity))
	b = binary.LittleEndian.AppendUint64(b, t.top)
	b = binary.AppendUvarint(b, uint64(len(hashes)))
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return closeSeal(b), nil
}

// UnmarshalBinary replaces the state.
func (t *Theta) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindTheta, data)
	if err != nil {
		return err
	}
	capacity := in.uvarint()
	in.require(minTheta <= capacity && capacity <= maxTheta, "capacity")
	loaded := Theta{capacity: int(capacity), top: in.u64()}
	n := in.count(8)
	in.require(n <= loaded.capacity, "too many hashes")
	for i, last := 0, uint64(0); i < n && in.err == nil; i++ {
		h := in.u64()
		in.require((i == 0 || h > last) && h <= loaded.top, "hashes out of order or beyond theta")
		loaded.insert(h)
		last = h
	}
	if err := in.finish(); err != nil {
		return err
	}
	*t = loaded
	return nil
}
