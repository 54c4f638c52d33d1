package codec

import (
	"unicode/utf16"
	"unicode/utf8"
)

// appendUnquoted appends what the inside of a valid JSON string means: escapes resolved, each byte that is no
// UTF-8 and each lone surrogate replaced by U+FFFD.
func appendUnquoted(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && s[i+1] == 'u':
			r, n := unescape(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		case c == '\\':
			dst = append(dst, escapes[s[i+1]])
			i += 2
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRune(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		}
	}
	return dst
}

// escapes are the characters behind a backslash.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// unescape returns the rune of the \u escape that s begins with, together with the second half of a surrogate pair,
// and the length.
func unescape(s []byte) (r rune, n int) {
	r, _ = hex4(s[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		low, _ := hex4(s[8:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// hex4 returns the value of the four hexadecimal digits that b begins with.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case (c|0x20)-'a' <= 5:
			c = (c | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
