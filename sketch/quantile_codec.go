package sketch

import (
	"encoding/binary"
	"math"
)

// MarshalBinary returns the state: 0 and the sorted values, or 1 and the
// histogram. Equal multisets give equal bytes.
func (s *Quantile) MarshalBinary() ([]byte, error) {
	if s.dense {
		b := append(openSeal(kindQuantile, 1024), 1)
		return closeSeal(s.hist.append(b)), nil
	}
	s.sort()
	b := append(openSeal(kindQuantile, 8+8*(len(s.ints)+len(s.floats))), 0)
	b = binary.AppendUvarint(b, uint64(len(s.ints)))
	b = binary.AppendUvarint(b, uint64(len(s.floats)))
	for _, v := range s.ints {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, x := range s.floats {
		b = appendF64(b, x)
	}
	return closeSeal(b), nil
}

// UnmarshalBinary replaces the state.
func (s *Quantile) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindQuantile, data)
	if err != nil {
		return err
	}
	var loaded Quantile
	switch in.u8() {
	case 0:
		loaded.loadValues(in)
	case 1:
		loaded.hist, loaded.dense = new(logHist), true
		loaded.hist.load(in)
		in.require(loaded.hist.count() > exactQuantile, "a histogram of few values")
	default:
		in.fail("representation")
	}
	if err := in.finish(); err != nil {
		return err
	}
	*s = loaded
	return nil
}

func (s *Quantile) loadValues(in *decoder) {
	ints, floats := in.uvarint(), in.uvarint()
	in.require(ints <= exactQuantile && floats <= exactQuantile && ints+floats <= exactQuantile, "too many exact values")
	for i := uint64(0); i < ints && in.err == nil; i++ {
		s.ints = append(s.ints, int64(in.u64()))
	}
	for i := uint64(0); i < floats && in.err == nil; i++ {
		x := in.f64()
		in.require(x == x, "not a number")
		s.floats = append(s.floats, x+0)
	}
}

func (h *logHist) append(b []byte) []byte {
	for _, n := range []int64{h.ints, h.floats, h.zeros, h.posInf, h.negInf} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(h.minInt))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.maxInt))
	b = appendF64(appendF64(b, h.minFloat+0), h.maxFloat+0)
	return h.neg.append(h.pos.append(b))
}

func (w *window) append(b []byte) []byte {
	from, to := w.occupied()
	if from == to {
		return binary.AppendUvarint(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(to-from))
	b = binary.AppendUvarint(b, uint64(from-firstBucket))
	for key := from; key < to; key++ {
		b = binary.AppendUvarint(b, uint64(w.at(key-w.first)))
	}
	return b
}

// maxCounted bounds what a loaded histogram may have counted, so that totals and
// later additions cannot overflow.
const maxCounted = 1 << 60

// load reads a histogram. The counts must add up, which makes every rank fall
// into some bucket, and the extremes be in order.
func (h *logHist) load(in *decoder) {
	for _, n := range []*int64{&h.ints, &h.floats, &h.zeros, &h.posInf, &h.negInf} {
		v := in.uvarint()
		in.require(v <= maxCounted, "count")
		*n = int64(v)
	}
	h.minInt, h.maxInt = int64(in.u64()), int64(in.u64())
	h.minFloat, h.maxFloat = in.f64(), in.f64()
	in.require(h.minInt <= h.maxInt && h.minFloat <= h.maxFloat, "extremes")
	in.require(h.floats > 0 || h.posInf == 0 && h.negInf == 0, "infinite integers")
	total := h.zeros + h.posInf + h.negInf
	total += h.pos.load(in)
	total += h.neg.load(in)
	in.require(total == h.count() && total <= maxCounted, "counts do not add up")
	if in.err == nil && h.floats == 0 {
		limit := bucketKey(math.Float64bits(0x1p63))
		_, posEnd := h.pos.occupied()
		_, negEnd := h.neg.occupied()
		in.require(posEnd <= limit && negEnd <= limit+1, "integers out of range")
	}
}

func (w *window) load(in *decoder) (total int64) {
	n := in.count(1)
	if n == 0 {
		return 0
	}
	from := in.uvarint()
	in.require(from <= infiniteKey-firstBucket && n <= infiniteKey-firstBucket-int(from), "bucket range")
	if in.err != nil {
		return 0
	}
	first := int(from) + firstBucket
	w.cover(first, first+n-1)
	for i := range n {
		c := in.uvarint()
		in.require(c <= maxCounted && total <= maxCounted, "count")
		if in.err != nil {
			return 0
		}
		if c > 0 {
			w.add(first+i, c)
		}
		total += int64(c)
	}
	return total
}
