package sketch

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/axiomhq/hyperloglog"
)

// MarshalBinary returns the state: precision, then 0 and the sorted hashes, or 1
// and the library's dense encoding. Equal sets give equal bytes.
func (d *Distinct) MarshalBinary() ([]byte, error) {
	if d.dense {
		b := append(openSeal(kindDistinct, 2+registerOffset+1<<d.bits()), d.bits(), 1)
		b, err := d.registers.AppendBinary(b)
		if err != nil {
			return nil, err
		}
		return closeSeal(b), nil
	}
	hashes := make([]uint64, 0, d.set.n)
	d.set.each(func(h uint64) { hashes = append(hashes, h) })
	slices.Sort(hashes)
	b := append(openSeal(kindDistinct, 4+8*len(hashes)), d.bits(), 0)
	b = binary.AppendUvarint(b, uint64(len(hashes)))
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return closeSeal(b), nil
}

// UnmarshalBinary replaces the state.
func (d *Distinct) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindDistinct, data)
	if err != nil {
		return err
	}
	loaded := Distinct{precision: in.u8()}
	in.require(minPrecision <= loaded.precision && loaded.precision <= maxPrecision, "precision")
	switch in.u8() {
	case 0:
		loaded.loadSet(in)
	case 1:
		loaded.loadRegisters(in)
	default:
		in.fail("representation")
	}
	if err := in.finish(); err != nil {
		return err
	}
	*d = loaded
	return nil
}

func (d *Distinct) loadSet(in *decoder) {
	n := in.count(8)
	in.require(n <= exactDistinct, "too many exact values")
	for i, last := 0, uint64(0); i < n && in.err == nil; i++ {
		h := in.u64()
		in.require(i == 0 || h > last, "hashes out of order")
		d.set.add(h)
		last = h
	}
}

func (d *Distinct) loadRegisters(in *decoder) {
	const version, denseMark = 2, 0
	raw := in.bytes(registerOffset + 1<<d.precision)
	if raw == nil {
		return
	}
	in.require(raw[0] == version && raw[1] == d.precision && raw[3] == denseMark, "register header")
	if in.err != nil {
		return
	}
	d.registers, d.dense = new(hyperloglog.Sketch), true
	if err := d.registers.UnmarshalBinary(raw); err != nil {
		in.fail(fmt.Sprintf("registers: %v", err))
	}
}
