package expr_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// like runs s LIKE pattern ESCAPE '!', with a constant pattern and with one from a column.
func like(t require.TestingT, s, pattern string) (constant, column bool, err error) {
	cols := []tuple.Column{Column(tuple.Text, Text(s)), Column(tuple.Text, Text(pattern))}
	for i, arg := range []*expr.Node{Constant(Text(pattern)), {Kind: expr.Col, Type: tuple.Text, Index: 1}} {
		args := []*expr.Node{{Kind: expr.Col, Type: tuple.Text}, arg, Constant(Text("!"))}
		if _, _, err := expr.Resolve("like", args); err != nil {
			return false, false, err
		}
		p, err := expr.Compile(Call("like", args...))
		require.NoError(t, err)
		found := len(p.Select(cols, 1, tuple.All(1), nil)) == 1
		if i == 0 {
			constant = found
		} else {
			column = found
		}
	}
	return constant, column, nil
}

func TestLikeIsItsDefinition(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aabé%_!")), 0, 8, -1)
	pattern := rapid.StringOfN(rapid.SampledFrom([]rune("aabé%%_!")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		s, p := text.Draw(t, "s"), pattern.Draw(t, "pattern")
		constant, column, err := like(t, s, p)
		if err != nil {
			t.Skip("ends in the escape")
		}
		want := naiveLike([]rune(s), []rune(p), '!')
		require.Equal(t, want, constant, "%q LIKE %q", s, p)
		require.Equal(t, want, column, "%q LIKE %q from a column", s, p)
	})
}

func FuzzLike(f *testing.F) {
	f.Add("Zürich", "Z_r%")
	f.Add("aaaab", "%a_b%!%")
	f.Fuzz(func(t *testing.T, s, pattern string) {
		if !utf8.ValidString(s) || !utf8.ValidString(pattern) || len(s) > 24 || len(pattern) > 12 {
			return
		}
		constant, column, err := like(t, s, pattern)
		if want := naiveLike([]rune(s), []rune(pattern), '!'); err == nil && (constant != want || column != want) {
			t.Fatalf("%q LIKE %q: %v, from a column %v, must be %v", s, pattern, constant, column, want)
		}
	})
}
