package codec

import "github.com/aurora-dsms/aurora/engine/tuple"

// logDay remembers the day and the zone of the last time of an access log, because the next one mostly is of the
// same. The zero value remembers nothing.
type logDay struct {
	text [11]byte // 17/May/2015
	zone [6]byte  // " +0200"
	at   int64    // the day's beginning in that zone, in ns since the Unix epoch
	ns   int64    // the result of parse
}

// parse sets ns to the time that b is, as in 17/May/2015:10:05:03 +0200. It returns false when b is another text.
func (d *logDay) parse(b []byte) bool {
	if len(b) != len("17/May/2015:10:05:03 +0200") || b[0] == 0 {
		return false
	}
	if ([11]byte(b) != d.text || [6]byte(b[20:]) != d.zone) && !d.learn(b) {
		return false
	}
	h, ok1 := twoDigits(b[12:])
	m, ok2 := twoDigits(b[15:])
	s, ok3 := twoDigits(b[18:])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 59 || b[11] != ':' || b[14] != ':' || b[17] != ':' {
		return false
	}
	d.ns = d.at + int64(h*3600+m*60+s)*1e9
	return true
}

// learn takes the day and the zone of b.
func (d *logDay) learn(b []byte) bool {
	month := monthOf([3]byte(b[3:6]))
	if month == 0 || b[2] != '/' || b[6] != '/' || b[20] != ' ' {
		return false
	}
	iso := [...]byte{
		b[7], b[8], b[9], b[10], '-', '0' + month/10, '0' + month%10, '-', b[0], b[1],
		'T', '0', '0', ':', '0', '0', ':', '0', '0', b[21], b[22], b[23], b[24], b[25],
	}
	ns, ok := tuple.ParseTime(iso[:])
	if !ok || ns > farthestTime || ns < -farthestTime {
		return false
	}
	d.text, d.zone, d.at = [11]byte(b), [6]byte(b[20:]), ns
	return true
}

// twoDigits returns the number that b begins with.
func twoDigits(b []byte) (n int, ok bool) {
	t, o := b[0]-'0', b[1]-'0'
	return int(t)*10 + int(o), t <= 9 && o <= 9
}

// monthNames are the months' names in access logs.
const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

// monthOf returns the number of the month called name, or 0.
func monthOf(name [3]byte) byte {
	for m := range byte(12) {
		if monthNames[3*m:3*m+3] == string(name[:]) {
			return m + 1
		}
	}
	return 0
}
