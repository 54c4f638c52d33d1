package sketch

import (
	"encoding/binary"
	"math"
)

// Marks of a marshalled WeightedQuantile.
const (
	markDense byte = 1 << iota
	markFloating
	markWeighted
)

// leastKept is the size of a marshalled value with its weight.
const leastKept = 17

// MarshalBinary returns the state: the marks, and the sorted values with their weights or the histogram. Equal multisets
// of values and weights give equal bytes up to the rounding of sums.
func (s *WeightedQuantile) MarshalBinary() ([]byte, error) {
	marks := flag(s.dense)*markDense | flag(s.floating)*markFloating | flag(s.weighted)*markWeighted
	b := append(openSeal(kindWeighted, 1024), marks)
	if !s.dense {
		s.sort()
		b = binary.AppendUvarint(b, uint64(len(s.kept)))
		for _, v := range s.kept {
			b = appendF64(appendNumber(b, v.Number), v.w)
		}
		return closeSeal(b), nil
	}
	b = appendF64(binary.AppendUvarint(b, uint64(s.rows)), s.largest)
	b = appendNumber(appendNumber(b, s.least), s.greatest)
	for _, m := range [...]mass{s.zeros, s.posInf, s.negInf} {
		b = appendMass(b, m)
	}
	return closeSeal(s.neg.append(s.pos.append(b))), nil
}

func appendNumber(b []byte, v Number) []byte {
	if v.IsInt {
		return binary.LittleEndian.AppendUint64(append(b, 1), uint64(v.Int))
	}
	return appendF64(append(b, 0), v.Value)
}

func appendMass(b []byte, m mass) []byte {
	if m.w == 0 {
		return append(b, 0)
	}
	return appendF64(appendF64(append(b, 1), m.w), m.spread)
}

func (w *masses) append(b []byte) []byte {
	from, to := w.occupied()
	b = binary.AppendUvarint(b, uint64(to-from))
	if from == to {
		return b
	}
	b = binary.AppendUvarint(b, uint64(from-firstBucket))
	for key := from; key < to; key++ {
		b = appendMass(b, w.cells[key-w.first])
	}
	return b
}

// UnmarshalBinary replaces the state.
func (s *WeightedQuantile) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindWeighted, data)
	if err != nil {
		return err
	}
	var loaded WeightedQuantile
	marks := in.u8()
	in.require(marks < markWeighted<<1, "marks")
	if marks&markDense == 0 {
		n := in.count(leastKept)
		in.require(n <= exactQuantile, "too many exact values")
		for i := 0; i < n && in.err == nil; i++ {
			v, w := in.number(), in.f64()
			in.require(w > 0 && w <= maxWeight, "weight")
			loaded.add(v, w)
		}
		in.require(flag(loaded.floating)*markFloating|flag(loaded.weighted)*markWeighted == marks, "marks")
	} else {
		loaded.dense, loaded.floating, loaded.weighted = true, marks&markFloating != 0, marks&markWeighted != 0
		loaded.load(in)
	}
	if err := in.finish(); err != nil {
		return err
	}
	*s = loaded
	return nil
}

// number reads what appendNumber wrote.
func (d *decoder) number() (v Number) {
	switch d.u8() {
	case 0:
		v.Value = d.f64()
		d.require(v.Value == v.Value, "not a number")
	case 1:
		v.IsInt, v.Int = true, int64(d.u64())
	default:
		d.fail("kind of number")
	}
	return v
}

// mass reads what appendMass wrote, no more than so many rows can have.
func (d *decoder) mass() (m mass) {
	switch d.u8() {
	case 0:
	case 1:
		m.w, m.spread = d.f64(), d.f64()
		d.require(m.w > 0 && m.w <= maxCounted*maxWeight && m.spread >= 0 && m.spread <= maxCounted*maxWeight*maxWeight, "mass")
	default:
		d.fail("kind of mass")
	}
	return m
}

// load reads a histogram. Where all weights are 1 they must come to the number of rows.
func (s *WeightedQuantile) load(in *decoder) {
	rows := in.uvarint()
	in.require(exactQuantile < rows && rows <= maxCounted, "number of rows")
	s.rows, s.largest = int64(rows), in.f64()
	in.require(s.largest > 0 && s.largest <= maxWeight && (s.weighted || s.largest == 1), "largest weight")
	s.least, s.greatest = in.number(), in.number()
	in.require(s.least.Compare(s.greatest) <= 0, "extremes")
	for _, m := range [...]*mass{&s.zeros, &s.posInf, &s.negInf} {
		*m = in.mass()
	}
	s.pos.load(in)
	s.neg.load(in)
	if in.err != nil {
		return
	}
	total := s.total()
	in.require(total.w > 0 && (s.weighted || total == mass{w: float64(rows)}), "weights do not add up")
	if !s.floating {
		limit := bucketKey(math.Float64bits(0x1p63))
		_, posEnd := s.pos.occupied()
		_, negEnd := s.neg.occupied()
		in.require(s.posInf.w == 0 && s.negInf.w == 0 && posEnd <= limit && negEnd <= limit+1, "integers out of range")
		in.require(s.least.IsInt && s.greatest.IsInt, "extremes of integers")
	}
}

func (w *masses) load(in *decoder) {
	n := in.count(1)
	if n == 0 {
		return
	}
	from := in.uvarint()
	in.require(from <= infiniteKey-firstBucket && n <= infiniteKey-firstBucket-int(from), "bucket range")
	if in.err != nil {
		return
	}
	first := int(from) + firstBucket
	w.cover(first, first+n-1)
	for i := range n {
		w.cells[first+i-w.first] = in.mass()
	}
}
