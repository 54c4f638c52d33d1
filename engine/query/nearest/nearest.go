// Package nearest finds the known name that a mistyped one was meant to be.
//
// # Model
//
// Two names are as far apart as the number of single edits between them: a letter added, left out, replaced, or two
// neighbours swapped (the Damerau-Levenshtein distance in its optimal string alignment form). Letter case does not
// count. A name is offered only if at most a third of the longer word would change, so that short words are not
// "corrected" into unrelated ones. An abbreviation is farther than that from what it stands for, and found by its own
// rule; as it may well be a name itself, it deserves a hint rather than an error.
//
// # Limits
//
// Words longer than 64 letters are compared only for equality: nobody mistypes those, and the cost is quadratic.
package nearest

import (
	"strings"
	"unicode/utf8"
)

const longest = 64

// Name returns the candidate nearest to word, and whether any is near enough to be worth offering. Among equally
// near candidates the one sharing the longer beginning with word wins, then the earlier one, so the answer depends
// on the order of candidates only. A candidate that differs from word in letter case alone is the nearest possible.
func Name(word string, candidates []string) (string, bool) {
	best, bestDistance, bestPrefix := "", -1, -1
	for _, c := range candidates {
		d := Distance(word, c)
		if d > Allowed(word, c) {
			continue
		}
		prefix := sharedPrefix(word, c)
		if bestDistance < 0 || d < bestDistance || d == bestDistance && prefix > bestPrefix {
			best, bestDistance, bestPrefix = c, d, prefix
		}
	}
	return best, bestDistance >= 0
}

// Abbreviated returns the shortest of the candidates that word abbreviates, and whether there is any; of several as
// short, the earliest. A word abbreviates those that it begins and, if it has three letters or more, those that begin with its first
// letter and have the others in its order: lvl is level. Letter case does not count.
func Abbreviated(word string, candidates []string) (string, bool) {
	best := ""
	for _, c := range candidates {
		if abbreviates([]rune(strings.ToLower(word)), []rune(strings.ToLower(c))) && (best == "" || len(c) < len(best)) {
			best = c
		}
	}
	return best, best != ""
}

func abbreviates(short, long []rune) bool {
	if len(short) < 2 || len(short) >= len(long) || short[0] != long[0] {
		return false
	}
	if len(short) == 2 {
		return short[1] == long[1]
	}
	for _, r := range long {
		if len(short) > 0 && r == short[0] {
			short = short[1:]
		}
	}
	return len(short) == 0
}

// Allowed returns the largest distance at which b is still offered for a: a third of the longer word, at least 1, and
// never the whole of the shorter one. A word of one letter is offered for its other case only.
func Allowed(a, b string) int {
	m, n := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	return min(max(1, max(m, n)/3), min(m, n)-1)
}

// Distance returns the number of edits between a and b, disregarding case. It is symmetric and zero for equal words.
// If either is longer than 64 letters and they differ, it returns the length of the longer one.
func Distance(a, b string) int {
	s, t := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if max(len(s), len(t)) > longest {
		if string(s) == string(t) {
			return 0
		}
		return max(len(s), len(t))
	}
	before, above, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			replace := above[j]
			if s[i] != t[j] {
				replace++
			}
			row[j+1] = min(replace, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}

func sharedPrefix(a, b string) int {
	s, t := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	n := 0
	for n < len(s) && n < len(t) && s[n] == t[n] {
		n++
	}
	return n
}
