package codec

import (
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// minute remembers the minute of the last timestamp that was written as 2026-03-02T12:34:56Z, with a fraction or without, because the
// next one is mostly of the same minute: comparing is much cheaper than the calendar. The zero value remembers nothing.
type minute struct {
	date  uint64 // the text as words: 2026-03-
	clock uint64 // 02T12:34, a colon follows
	at    int64  // its time, in ns since the Unix epoch
	ns    int64  // the result of quick
}

const minuteLength = len("2026-03-02T12:34:")

// quick sets ns to the time from p to end. It returns false when the time is written in another way,
// or is none, or is too near to the limits of times.
func (m *minute) quick(base unsafe.Pointer, p, end int) bool {
	n := end - p
	if n < len("2026-03-02T12:34:56Z") || n > len("2026-03-02T12:34:56.123456789Z") || load1(base, end-1) != 'Z' {
		return false
	}
	date, clock := load8(base, p), load8(base, p+8)
	if date != m.date || clock != m.clock || load1(base, p+minuteLength-1) != ':' || date == 0 {
		if !m.learn(unsafe.Slice((*byte)(unsafe.Add(base, p)), n)) {
			return false
		}
		m.date, m.clock = date, clock
	}
	tens, ones := load1(base, p+minuteLength)-'0', load1(base, p+minuteLength+1)-'0'
	if tens > 5 || ones > 9 {
		return false
	}
	m.ns = m.at + int64(tens*10+ones)*1e9
	if n == len("2026-03-02T12:34:56Z") {
		return true
	}
	digits := n - len("2026-03-02T12:34:56.Z")
	if digits == 0 || load1(base, p+minuteLength+2) != '.' {
		return false
	}
	frac := int64(0)
	if digits == 9 {
		nano := load1(base, end-2) - '0'
		if nano > 9 {
			return false
		}
		frac, end, digits = int64(nano), end-1, 8
	}
	word := lastDigits(load8(base, end-9), digits)
	if notDecimal(word) {
		return false
	}
	m.ns += frac + int64(eightDigits(word)*pow10[9-digits])
	return true
}

// farthestTime keeps times whose minute could reach beyond 64 bits away from quick.
const farthestTime = 9e18

// learn sets at to the minute of b, which is a time in the form that quick reads, up to its seconds at least.
func (m *minute) learn(b []byte) bool {
	var whole [minuteLength + 3]byte
	copy(whole[:], b[:minuteLength])
	copy(whole[minuteLength:], "00Z")
	ns, ok := tuple.ParseTime(whole[:])
	if !ok || ns > farthestTime || ns < -farthestTime {
		return false
	}
	m.at = ns
	return true
}
