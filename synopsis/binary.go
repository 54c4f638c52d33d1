package synopsis

import (
	"encoding/binary"
	"errors"
	"math"
)

// Sizes in bytes of what AppendBinary appends.
const (
	SumSize     = 33
	MomentsSize = 33
)

var errBinary = errors.New("not the state of an accumulator")

// AddInt128 adds v exactly.
func (s *Sum) AddInt128(v Int128) { s.ints = s.ints.Add(v) }

// AppendBinary appends the state to b. The error is always nil.
func (s *Sum) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint64(b, uint64(s.ints.Hi))
	b = binary.LittleEndian.AppendUint64(b, s.ints.Lo)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.sum))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.lost))
	return append(b, s.flags), nil
}

// UnmarshalBinary replaces the state by the one in data. On error s is unchanged.
func (s *Sum) UnmarshalBinary(data []byte) error {
	if len(data) != SumSize || data[32] > sumFloats|sumScaled|sumPosInf|sumNegInf {
		return errBinary
	}
	s.ints = Int128{Hi: int64(binary.LittleEndian.Uint64(data)), Lo: binary.LittleEndian.Uint64(data[8:])}
	s.sum = math.Float64frombits(binary.LittleEndian.Uint64(data[16:]))
	s.lost = math.Float64frombits(binary.LittleEndian.Uint64(data[24:]))
	s.flags = data[32]
	return nil
}

// AppendBinary appends the state to b. The error is always nil.
func (m *Moments) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint64(b, uint64(m.n))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.mean))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.m2))
	b = binary.LittleEndian.AppendUint64(b, m.origin)
	if m.floating {
		return append(b, 1), nil
	}
	return append(b, 0), nil
}

// UnmarshalBinary replaces the state by the one in data. On error m is unchanged.
func (m *Moments) UnmarshalBinary(data []byte) error {
	if len(data) != MomentsSize || data[32] > 1 || int64(binary.LittleEndian.Uint64(data)) < 0 {
		return errBinary
	}
	m.n = int64(binary.LittleEndian.Uint64(data))
	m.mean = math.Float64frombits(binary.LittleEndian.Uint64(data[8:]))
	m.m2 = math.Float64frombits(binary.LittleEndian.Uint64(data[16:]))
	m.origin = binary.LittleEndian.Uint64(data[24:])
	m.floating = data[32] == 1
	return nil
}
