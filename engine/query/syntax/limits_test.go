package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

func TestDepthIsLimited(t *testing.T) {
	const n = 5_000
	for _, c := range []struct{ claim, open, middle, end string }{
		{"parentheses", "(", "1", ")"},
		{"parentheses left open", "(", "", ""},
		{"lists", "[", "1", "]"},
		{"calls", "f(", "1", ")"},
		{"signs", "- ", "x", ""},
		{"plus signs", "+", "x", ""},
		{"NOT", "NOT ", "x", ""},
		{"CASE", "CASE WHEN ", "x", " THEN 1 END"},
		{"casts", "CAST(", "x", " AS TEXT)"},
		{"brackets", "a[", "1", "]"},
		{"filters", "f(*) FILTER (WHERE ", "x", ")"},
		{"BETWEEN", "1 BETWEEN (", "x", ") AND 1"},
		{"a chain of operators", "a + ", "a", ""},
		{"a chain of OR", "a OR ", "a", ""},
		{"a chain of IS NULL", "", "a", " IS NULL"},
		{"a chain of casts", "", "a", "::TEXT"},
		{"a chain of fields", "", "f(x)", ".a"},
		{"chains inside chains", "(", "a", strings.Repeat(" + 1", 100) + ")"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			text := strings.Repeat(c.open, n) + c.middle + strings.Repeat(c.end, n)
			_, err := syntax.ParseExpr(syntax.NewSource("", text))
			require.Error(t, err)
			assert.Regexp(t, "nested too deeply|too large", err.Error())
		})
	}
	for _, c := range []struct{ claim, open, middle, end string }{
		{"sub-queries", "SELECT a FROM (", "SELECT 1", ")"},
		{"relations", "SELECT a FROM " + strings.Repeat("(", n), "t", strings.Repeat(")", n)},
		{"joins", "SELECT a FROM t" + strings.Repeat(" CROSS JOIN t", n), "", ""},
		{"commas", "SELECT a FROM t" + strings.Repeat(", t", n), "", ""},
	} {
		t.Run(c.claim, func(t *testing.T) {
			text := c.open + c.middle + c.end
			if c.claim == "sub-queries" {
				text = strings.Repeat(c.open, n) + c.middle + strings.Repeat(c.end, n)
			}
			_, err := syntax.Parse(syntax.NewSource("", text))
			require.Error(t, err)
			assert.Regexp(t, "nested too deeply|more than 100 joins", err.Error())
		})
	}
}

func TestWhatPeopleWriteIsWithinTheLimits(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 150) + "1" + strings.Repeat(")", 150),
		"x" + strings.Repeat(" OR x", 1500),
		"x IN (1" + strings.Repeat(", 1", 100_000) + ")",
		"f(a OR b" + strings.Repeat(", a OR b", 5000) + ")",
		"CASE" + strings.Repeat(" WHEN a THEN b", 5000) + " END",
		"a" + strings.Repeat(".a", 5000),
	} {
		x, err := syntax.ParseExpr(syntax.NewSource("", text))
		require.NoError(t, err)
		_, err = syntax.ParseExpr(syntax.NewSource("", x.String()))
		require.NoError(t, err)
	}
}
