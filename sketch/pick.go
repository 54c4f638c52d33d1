package sketch

// nth returns the value that would be at s[k] were s sorted, and reorders s. There
// is no NaN in it. It is Hoare's selection, quadratic at worst, for short lists; the
// pivot leans to the side that k is on, so that extreme ranks take one pass and a bit.
func nth[T int64 | float64](s []T, k int) T {
	for len(s) > 3 {
		n := len(s)
		lo, mid, hi := ordered(s[n/4], s[n/2], s[n-1-n/4])
		pivot := mid
		switch {
		case 4*k < n:
			pivot = lo
		case 4*k >= 3*n:
			pivot = hi
		}
		i, j := split(s, pivot)
		switch {
		case k <= j:
			s = s[:j+1]
		case k >= i:
			s, k = s[i:], k-i
		default:
			return pivot
		}
	}
	if len(s) < 3 {
		return [...]T{min(s[0], s[len(s)-1]), max(s[0], s[len(s)-1])}[k]
	}
	lo, mid, hi := ordered(s[0], s[1], s[2])
	return [...]T{lo, mid, hi}[k]
}

func ordered[T int64 | float64](a, b, c T) (lo, mid, hi T) {
	lo, hi = min(a, b), max(a, b)
	return min(lo, c), max(lo, min(hi, c)), max(hi, c)
}

// split reorders s so that no value up to j is above the pivot, none from i on is
// below it, and those between are equal to it. The pivot occurs in s, so both parts are
// shorter than s.
func split[T int64 | float64](s []T, pivot T) (i, j int) {
	i, j = 0, len(s)-1
	for i <= j {
		for s[i] < pivot {
			i++
		}
		for s[j] > pivot {
			j--
		}
		if i <= j {
			s[i], s[j] = s[j], s[i]
			i++
			j--
		}
	}
	return i, j
}
