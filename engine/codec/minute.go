package codec

import (
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// minute remembers the minute of the last timestamp that was written as 2026-03-02T12:34:56Z, with a fraction or without, because the
// next one is mostly of the same minute: comparing is much cheaper than the calendar. The zero value remembers nothing.
type minute struct {
	text [minuteLength]byte // 2026-03-02T12:34:
	at   int64              // its time, in ns since the Unix epoch
	ns   int64              // the result of quick
}

const minuteLength = len("2026-03-02T12:34:")

// quick sets ns to the time from p to end. It returns false when the time is written in another way,
// or is none, or is too near to the limits of times.
func (m *minute) quick(base unsafe.Pointer, p, end int) bool {
	n := end - p
	if n < len("2026-03-02T12:34:56Z") || n > len("2026-03-02T12:34:56.123456789Z") || load1(base, end-1) != 'Z' {
		return false
	}
	b := unsafe.Slice((*byte)(unsafe.Add(base, p)), n)
	if b[0] == 0 || [minuteLength]byte(b) != m.text && !m.learn(b) {
		return false
	}
	tens, ones := b[minuteLength]-'0', b[minuteLength+1]-'0'
	if tens > 5 || ones > 9 {
		return false
	}
	frac := int64(0)
	if n > len("2026-03-02T12:34:56Z") {
		digits := b[minuteLength+3 : n-1]
		if b[minuteLength+2] != '.' || len(digits) == 0 {
			return false
		}
		for _, c := range digits {
			if c -= '0'; c > 9 {
				return false
			}
			frac = frac*10 + int64(c)
		}
		frac *= int64(pow10[9-len(digits)])
	}
	m.ns = m.at + int64(tens*10+ones)*1e9 + frac
	return true
}

// farthestTime keeps times whose minute could reach beyond 64 bits away from quick.
const farthestTime = 9e18

// learn takes the minute of b, which is a time in the form that quick reads, up to its seconds at least.
func (m *minute) learn(b []byte) bool {
	var whole [minuteLength + 3]byte
	copy(whole[:], b[:minuteLength])
	copy(whole[minuteLength:], "00Z")
	ns, ok := tuple.ParseTime(whole[:])
	if !ok || ns > farthestTime || ns < -farthestTime {
		return false
	}
	m.text, m.at = [minuteLength]byte(b), ns
	return true
}
