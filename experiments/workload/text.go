package workload

import "strconv"

// appendPadded appends a number that is not negative with leading zeros.
func appendPadded(dst []byte, v, width int) []byte {
	for range width {
		dst = append(dst, '0')
	}
	for i := len(dst) - 1; width > 0; i, width = i-1, width-1 {
		dst[i] = byte('0' + v%10)
		v /= 10
	}
	return dst
}

// appendFixed appends v / 10^places with all its decimals.
func appendFixed(dst []byte, v int64, places int) []byte {
	if v < 0 {
		dst, v = append(dst, '-'), -v
	}
	scale := int64(1)
	for range places {
		scale *= 10
	}
	dst = strconv.AppendInt(dst, v/scale, 10)
	return appendPadded(append(dst, '.'), int(v%scale), places)
}

// digits returns the decimal digits that numbers below n need, at least least.
func digits(n, least int) int {
	width := 1
	for n -= 1; n >= 10; n /= 10 {
		width++
	}
	return max(width, least)
}

// floorDiv returns the quotient rounded down, for positive b.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
