package nearest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/query/nearest"
)

func TestName(t *testing.T) {
	names := []string{"latency", "host", "status", "ts", "user", "users", "bytes", "größe"}
	for _, c := range []struct{ claim, word, want string }{
		{"a letter left out", "latncy", "latency"},
		{"a letter too many", "hostt", "host"},
		{"a letter replaced", "stetus", "status"},
		{"neighbours swapped count once", "btyes", "bytes"},
		{"case alone", "LATENCY", "latency"},
		{"case and a slip", "LATENZY", "latency"},
		{"equal is nearer than longer", "User", "user"},
		{"letters, not bytes, are counted", "grösse", "größe"},
		{"nothing near", "temperature", ""},
		{"a short word is not corrected into another", "x", ""},
		{"two letters may differ in one", "tt", "ts"},
		{"an empty word is near nothing", "", ""},
	} {
		t.Run(c.claim, func(t *testing.T) {
			got, ok := nearest.Name(c.word, names)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.want != "", ok)
		})
	}
}

func TestTiesGoToTheSharedBeginning(t *testing.T) {
	got, _ := nearest.Name("cost", []string{"host", "cosh", "post"})
	assert.Equal(t, "cosh", got)
	got, _ = nearest.Name("xost", []string{"host", "post"})
	assert.Equal(t, "host", got, "then to the earlier candidate")
}

func TestAbbreviated(t *testing.T) {
	names := []string{"timestamp", "level", "levels", "message", "status", "id"}
	for _, c := range []struct{ claim, word, want string }{
		{"letters left out, and the shortest wins", "lvl", "level"},
		{"a beginning", "STAT", "status"},
		{"a beginning of two letters", "ti", "timestamp"},
		{"doubled letters left out", "msg", "message"},
		{"two letters apart say too little", "ts", ""},
		{"another first letter", "evl", ""},
		{"another order", "lvle", ""},
		{"the word itself is no abbreviation", "id", ""},
		{"nor is a letter", "l", ""},
		{"nor nothing", "", ""},
	} {
		t.Run(c.claim, func(t *testing.T) {
			got, ok := nearest.Abbreviated(c.word, names)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.want != "", ok)
		})
	}
}

func TestLongWordsAreComparedForEqualityOnly(t *testing.T) {
	long := strings.Repeat("a", 100)
	assert.Zero(t, nearest.Distance(long, strings.ToUpper(long)))
	assert.Equal(t, 101, nearest.Distance(long, long+"b"))
}

func TestDistanceIsSymmetricAndBounded(t *testing.T) {
	word := rapid.StringMatching(`[a-cA-C]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := nearest.Distance(a, b)
		assert.Equal(t, d, nearest.Distance(b, a))
		assert.LessOrEqual(t, d, max(len(a), len(b)))
		assert.GreaterOrEqual(t, d, max(len(a), len(b))-min(len(a), len(b)))
		assert.Equal(t, strings.EqualFold(a, b), d == 0)
	})
}

func ExampleName() {
	name, ok := nearest.Name("SELEC", []string{"SELECT", "CREATE", "EXPLAIN"})
	fmt.Println(name, ok)
	// Output: SELECT true
}
