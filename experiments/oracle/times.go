package oracle

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
)

var timeText = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?(?: ?([Zz]|UTC|[+-]\d\d(?::?\d\d(?::?\d\d)?)?))?)?$`)

// parseTime reads a time as tuple.ParseTime documents it.
func parseTime(s string) (ns int64, ok bool) {
	m := timeText.FindStringSubmatch(s)
	if m == nil || m[4] != "" && m[3] == "" {
		return 0, false
	}
	clock, seconds := m[2], m[3]
	if clock == "" {
		clock = "00:00"
	}
	if seconds == "" {
		seconds = ":00"
	}
	t, err := time.Parse("2006-01-02 15:04:05", m[1]+" "+clock+seconds)
	if err != nil {
		return 0, false
	}
	offset, ok := parseOffset(m[5])
	if !ok {
		return 0, false
	}
	fraction, _ := strconv.ParseInt((m[4] + "000000000")[:9], 10, 64)
	sum := new(big.Int).Mul(big.NewInt(t.Unix()-offset), big.NewInt(1e9))
	sum.Add(sum, big.NewInt(fraction))
	return sum.Int64(), sum.IsInt64()
}

// parseOffset reads a zone and returns its distance from UTC in seconds.
func parseOffset(s string) (seconds int64, ok bool) {
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, true
	}
	digits := strings.ReplaceAll(s[1:], ":", "") + "0000"
	t, err := time.Parse("150405", digits[:6])
	if err != nil {
		return 0, false
	}
	seconds = int64(t.Hour()*3600 + t.Minute()*60 + t.Second())
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

var unitDigits = map[codec.Unit]int64{codec.UnitSeconds: 9, codec.UnitMillis: 6, codec.UnitMicros: 3, codec.UnitNanos: 0}

// numericTime reads a number of units since the epoch. What is below a nanosecond is cut off.
func numericTime(s string, unit codec.Unit) (ns int64, ok bool) {
	digits, known := unitDigits[unit]
	if !known {
		return 0, false
	}
	r, ok := decimal(s, digits)
	if !ok {
		return 0, false
	}
	n := new(big.Int).Quo(r.Num(), r.Denom())
	return n.Int64(), n.IsInt64()
}

// decimal reads a decimal number times a power of ten. Magnitudes beyond 1e400 are refused, and below 1e-400 are zero.
func decimal(s string, tens int64) (*big.Rat, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	r, ok := new(big.Rat).SetString(strings.TrimPrefix(mantissa, "+"))
	if !ok {
		return nil, false
	}
	if exponent != "" {
		e, err := strconv.ParseInt(exponent, 10, 64)
		switch {
		case r.Sign() == 0:
			return r, true
		case err != nil && exponent[0] == '-' || err == nil && e < -400-int64(len(mantissa)):
			return new(big.Rat), true
		case err != nil || e > 400+int64(len(mantissa)):
			return nil, false
		}
		tens += e
	}
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(tens, -tens)), nil))
	if tens < 0 {
		power.Inv(power)
	}
	return r.Mul(r, power), true
}
