package sink

import (
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// terminal measures text the same on every machine, whatever its locale.
var terminal = &runewidth.Condition{StrictEmojiNeutral: true}

// width returns the number of columns that text takes on a terminal.
func width(s []byte) int {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return terminal.StringWidth(string(s))
		}
	}
	return len(s)
}

// appendVisible appends text with what a terminal would obey instead of showing written as escapes: control
// characters (\n, \x1b, \u009b), marks of writing direction, line and paragraph separators. Bytes that are no UTF-8
// become U+FFFD.
func appendVisible(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			if c >= ' ' && c != 0x7f {
				dst = append(dst, c)
			} else {
				dst = appendControl(dst, c)
			}
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		i += size
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
			dst = append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
}

// appendCut appends text cut to at most columns, the last being … when something is missing.
func appendCut(dst, s []byte, columns int) []byte {
	if width(s) <= columns {
		return append(dst, s...)
	}
	return append(dst, terminal.Truncate(string(s), columns, "…")...)
}

// appendGrouped appends the decimal number s with commas between the thousands of its integer part. What is not
// written in digits (nan, 1e+30) stands as it is.
func appendGrouped(dst, s []byte) []byte {
	if len(s) > 0 && s[0] == '-' {
		dst, s = append(dst, '-'), s[1:]
	}
	end := 0
	for end < len(s) && s[end]-'0' <= 9 {
		end++
	}
	for i, c := range s {
		if i > 0 && i < end && (end-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c)
	}
	return dst
}
