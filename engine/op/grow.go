package op

// appendOne is append with a growth of a quarter for long slices, so that at most that much of
// the memory of a large table lies idle.
func appendOne[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = reserve(s, 1)
	}
	return append(s, v)
}

func appendAll(s, v []byte) []byte {
	if len(s)+len(v) > cap(s) {
		s = reserve(s, len(v))
	}
	return append(s, v...)
}

// reserve returns s with room for n more elements.
func reserve[T any](s []T, n int) []T {
	grown := 2 * cap(s)
	if cap(s) > 1<<14 {
		grown = cap(s) + cap(s)/4
	}
	next := make([]T, len(s), max(len(s)+n, grown))
	copy(next, s)
	return next
}

// extend returns s with length n, zeroes after what it held.
func extend[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n > cap(s) {
		s = reserve(s, n-len(s))
	}
	old := len(s)
	s = s[:n]
	clear(s[old:])
	return s
}
