package syntax_test

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

func TestPosition(t *testing.T) {
	src := syntax.NewSource("q.sql", "\ufeffa\r\nbé日x\n\n")
	assert.Equal(t, "a\r\nbé日x\n\n", src.Text, "the byte order mark is no part of the text")
	for _, c := range []struct{ offset, line, col int }{
		{0, 1, 1}, {1, 1, 2}, {3, 2, 1}, {4, 2, 2}, {6, 2, 3}, {9, 2, 4}, {10, 2, 5}, {11, 3, 1}, {12, 4, 1}, {99, 4, 1},
	} {
		line, col := src.Position(c.offset)
		assert.Equal(t, [2]int{c.line, c.col}, [2]int{line, col}, "offset %d", c.offset)
	}
}

func TestErrorNamesItsFile(t *testing.T) {
	_, err := syntax.Parse(syntax.NewSource("q.sql", "SELECT 1;\nSELEC 2"))
	require.Error(t, err)
	assert.Equal(t, `q.sql:2:1: expected a statement, found "SELEC"; did you mean SELECT?`, err.Error())
}

func TestErrorOfASpanOverLinesMarksTheFirst(t *testing.T) {
	src := syntax.NewSource("", "SELECT a +\r\n b")
	e := src.Errorf(syntax.Span{Start: 7, End: len(src.Text)}, "", "wrong type")
	assert.Equal(t, "1:8: wrong type\n 1 | SELECT a +\n   |        ^^^", e.Render())
}

func TestErrorOfAnEmptySpanHasACaret(t *testing.T) {
	src := syntax.NewSource("", "ab")
	e := src.Errorf(syntax.Span{Start: 2, End: 2}, "", "more")
	assert.Equal(t, "1:3: more\n 1 | ab\n   |   ^", e.Render())
}

// TestCaretsStandUnderTheirText replaces the marked text by stars and demands that carets begin in the same cell, whatever
// stands before: tabs, wide characters, emoji, control characters, long lines.
func TestCaretsStandUnderTheirText(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "\t", "日", "é", "e\u0301", "👩‍👩‍👧", "\x1b", "\u202e", " ", "ﬁ", "longer"})
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "before"), "")
		after := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "after"), "")
		src := syntax.NewSource("", before+"***"+after)
		e := src.Errorf(syntax.Span{Start: len(before), End: len(before) + 3}, "", "here")
		lines := strings.Split(e.Render(), "\n")
		require.Len(t, lines, 3)
		shown, _, found := strings.Cut(lines[1], "***")
		require.True(t, found, lines[1])
		width := &runewidth.Condition{StrictEmojiNeutral: true}
		assert.Equal(t, strings.Index(lines[2], "^^^"), width.StringWidth(shown))
		assert.Equal(t, 3, strings.Count(lines[2], "^"))
		assert.LessOrEqual(t, width.StringWidth(lines[1]), 110)
		assert.NotContains(t, e.Render(), "\x1b")
	})
}

func TestWalkVisitsParentsFirstInTheOrderOfTheText(t *testing.T) {
	x, err := syntax.ParseExpr(syntax.NewSource("", "CASE a WHEN b THEN f(c, n => d) FILTER (WHERE e) ELSE g BETWEEN h AND i[j].k END"))
	require.NoError(t, err)
	var names []string
	syntax.Walk(x, func(x syntax.Expr) bool {
		if n, ok := x.(*syntax.Name); ok {
			names = append(names, n.String())
		}
		return true
	})
	assert.Equal(t, "a b c d e g h i j", strings.Join(names, " "))
	count := 0
	syntax.Walk(x, func(syntax.Expr) bool { count++; return false })
	assert.Equal(t, 1, count, "false keeps it out of what is inside")
}
