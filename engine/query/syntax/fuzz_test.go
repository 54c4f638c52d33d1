package syntax_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// seeds returns the queries of the acceptance cases and of the interface's text, and every input of the transcripts.
func seeds(t testing.TB) []string {
	text, err := os.ReadFile("testdata/seeds.txt")
	require.NoError(t, err)
	list := strings.Split(strings.TrimSpace(string(text)), "\n")
	files, err := os.ReadDir("testdata/transcripts")
	require.NoError(t, err)
	for _, f := range files {
		transcript, err := os.ReadFile("testdata/transcripts/" + f.Name())
		require.NoError(t, err)
		for _, part := range strings.Split(string(transcript), "\n----\n") {
			if i := strings.LastIndex(part, "\n\n"); i >= 0 {
				list = append(list, part[i+2:])
			}
		}
	}
	return list
}

// checkParse demands of any text an error that renders, or a tree that its canonical text gives back.
func checkParse(t testing.TB, command, text string) {
	src := syntax.NewSource("", text)
	node, err := parseAs(command, src)
	if err != nil {
		var e *syntax.Error
		require.ErrorAs(t, err, &e)
		require.Positive(t, e.Line)
		require.Positive(t, e.Col)
		require.NotEmpty(t, e.Msg)
		require.LessOrEqual(t, strings.Count(e.Render(), "\n"), 2, "a message is one line, a picture two")
		return
	}
	printed := node.String()
	again, err := parseAs(command, syntax.NewSource("", printed))
	if err != nil && strings.Contains(err.Error(), "nested too deeply") {
		return
	}
	require.NoError(t, err, "canonical text: %s", printed)
	require.Equal(t, dump(node), dump(again), "canonical text: %s", printed)
	require.Equal(t, printed, again.String())
	checkSpans(t, src, node)
}

// checkSpans demands that the text at each expression's span is that expression.
func checkSpans(t testing.TB, src *syntax.Source, node any) {
	for _, root := range exprs(node) {
		syntax.Walk(root, func(x syntax.Expr) bool {
			text := src.Slice(x.Where())
			if _, star := x.(*syntax.Star); star {
				return true
			}
			again, err := syntax.ParseExpr(syntax.NewSource("", text))
			require.NoError(t, err, "span of %s is %q", x, text)
			require.Equal(t, dump(x), dump(again), "span %q", text)
			return true
		})
	}
}

// exprs returns the expressions directly below a statement, or the expression itself.
func exprs(node any) []syntax.Expr {
	var list []syntax.Expr
	switch n := node.(type) {
	case syntax.Expr:
		list = append(list, n)
	case *syntax.Script:
		for _, s := range n.Statements {
			list = append(list, exprs(s)...)
		}
	case *syntax.Explain:
		return exprs(n.Query)
	case *syntax.Query:
		for _, s := range n.Arms {
			for _, it := range s.Items {
				list = append(list, it.Expr)
			}
			list = append(append(list, s.Where, s.Having), s.GroupBy...)
		}
		for _, o := range n.OrderBy {
			list = append(list, o.Expr)
		}
	}
	return list
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, command := range []string{"parse", "expr", "qos"} {
			checkParse(t, command, text)
		}
	})
}

// TestEveryBeginning parses each seed cut at each byte: what people see while they type, and what a cut file holds.
func TestEveryBeginning(t *testing.T) {
	for _, s := range seeds(t) {
		for i := range len(s) + 1 {
			checkParse(t, "parse", s[:i])
			checkParse(t, "qos", s[:i])
		}
	}
}

// TestSeedsParse demands that the acceptance cases are read, but for the two that are meant not to be.
func TestSeedsParse(t *testing.T) {
	text, err := os.ReadFile("testdata/seeds.txt")
	require.NoError(t, err)
	for _, s := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		command := "parse"
		if !strings.HasPrefix(s, "S") && !strings.HasPrefix(s, "C") {
			command = "qos"
		}
		_, err := parseAs(command, syntax.NewSource("", s))
		if s == "SELEC 1" || strings.HasPrefix(s, "latenzy") {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, s)
	}
}
