package sink

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string, escaped as encoding/json does without HTML escaping: bytes that are no
// UTF-8 become \ufffd, and U+2028 and U+2029 are escaped for JavaScript.
func appendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	for {
		n := plain(s)
		dst = append(dst, s[:n]...)
		if s = s[n:]; len(s) == 0 {
			return append(dst, '"')
		}
		dst, s = appendSpecial(dst, s)
	}
}

// plain returns the length of the longest prefix of ASCII without control characters, quotes and backslashes.
func plain(s []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; n+8 <= len(s); n += 8 {
		x := binary.LittleEndian.Uint64(s[n:])
		quote, slash := x^ones*'"', x^ones*'\\'
		// The lowest bit that is set is right; a borrow may set others above it.
		special := (x | (x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash) & tops
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
	for ; n < len(s); n++ {
		if c := s[n]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return n
}

// appendSpecial appends the characters at the start of s that plain stops at and returns what follows.
func appendSpecial(dst, s []byte) (longer, rest []byte) {
	if c := s[0]; c < utf8.RuneSelf {
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		return dst, s[1:]
	}
	for len(s) > 0 && s[0] >= utf8.RuneSelf {
		r, size := utf8.DecodeRune(s)
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, '\\', 'u', '2', '0', '2', hexDigits[r&15])
		default:
			dst = append(dst, s[:size]...)
		}
		s = s[size:]
	}
	return dst, s
}

// appendRaw appends a JSON value as it stands, on one line: line ends, which can only stand between its tokens,
// become spaces.
func appendRaw(dst, v []byte) []byte {
	if len(v) == 0 {
		return append(dst, "null"...)
	}
	start := len(dst)
	dst = append(dst, v...)
	if bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 {
		return dst
	}
	for i := start; i < len(dst); i++ {
		if dst[i] == '\n' || dst[i] == '\r' {
			dst[i] = ' '
		}
	}
	return dst
}
