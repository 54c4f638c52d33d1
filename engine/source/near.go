package source

import (
	"os"
	"path/filepath"
	"strings"
)

// near returns the path in the same folder whose name is most like path's, or "". Names that extend
// path's (x.ndjson.gz for x.ndjson) are likest; others may differ in a third of their letters.
func near(path string) string {
	dir, name := filepath.Split(path)
	folder := dir
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	if err != nil || name == "" {
		return ""
	}
	best, least := "", max(len(name)/3, 1)+1
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(e.Name()))
		if strings.HasPrefix(e.Name(), name+".") {
			d = 0
		}
		if d < least {
			best, least = e.Name(), d
		}
	}
	if best == "" {
		return ""
	}
	return dir + best
}

// distance is Levenshtein's: the number of bytes to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
