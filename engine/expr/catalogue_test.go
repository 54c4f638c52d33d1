package expr_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func typed(t tuple.Type) *expr.Node { return &expr.Node{Kind: expr.Col, Type: t} }

func word(s string) *expr.Node { return Constant(Text(s)) }

func TestResolve(t *testing.T) {
	bigint, double, number, text, ts, interval := typed(tuple.Bigint), typed(tuple.Double), typed(tuple.Number), typed(tuple.Text), typed(tuple.Timestamp), typed(tuple.Interval)
	for _, c := range []struct {
		claim, name string
		args        []*expr.Node
		canonical   string
		result      tuple.Type
	}{
		{"integers stay integers", "+", []*expr.Node{bigint, bigint}, "+", tuple.Bigint},
		{"a double makes a double", "+", []*expr.Node{number, double}, "+", tuple.Double},
		{"a number makes a number", "*", []*expr.Node{bigint, number}, "*", tuple.Number},
		{"/ is always double", "/", []*expr.Node{bigint, bigint}, "/", tuple.Double},
		{"names in any case, by alias", "SUBSTRING", []*expr.Node{text, bigint}, "substr", tuple.Text},
		{"time minus time", "-", []*expr.Node{ts, ts}, "-", tuple.Interval},
		{"time minus interval", "-", []*expr.Node{ts, interval}, "-", tuple.Timestamp},
		{"floor keeps the type", "floor", []*expr.Node{bigint}, "floor", tuple.Bigint},
		{"epoch is a double", "date_part", []*expr.Node{word("epoch"), ts}, "date_part", tuple.Double},
		{"other parts are not", "extract", []*expr.Node{word("hours"), ts}, "date_part", tuple.Bigint},
		{"numbers of two types unify", "coalesce", []*expr.Node{bigint, double}, "coalesce", tuple.Number},
		{"NULL goes with all", "greatest", []*expr.Node{Constant(Null(tuple.Null)), text}, "greatest", tuple.Text},
		{"any number of arguments", "and", []*expr.Node{typed(tuple.Boolean), typed(tuple.Boolean), typed(tuple.Boolean)}, "and", tuple.Boolean},
	} {
		canonical, result, err := expr.Resolve(c.name, c.args)
		require.NoError(t, err, c.claim)
		assert.Equal(t, c.canonical, canonical, c.claim)
		assert.Equal(t, c.result, result, c.claim)
	}
}

func TestResolveSaysWhatIsWrong(t *testing.T) {
	bigint, text, ts := typed(tuple.Bigint), typed(tuple.Text), typed(tuple.Timestamp)
	for _, c := range []struct {
		claim, name string
		args        []*expr.Node
		says        string
	}{
		{"unknown", "lowr", []*expr.Node{text}, "unknown function lowr"},
		{"types between operators", "=", []*expr.Node{bigint, text}, "= has no meaning between BIGINT and TEXT; convert with CAST(... AS BIGINT)"},
		{"types of arguments", "lower", []*expr.Node{bigint}, "lower takes (TEXT), not (BIGINT)"},
		{"too few", "replace", []*expr.Node{text, text}, "replace takes (TEXT, TEXT, TEXT), not (TEXT, TEXT)"},
		{"optional ones are shown", "round", []*expr.Node{text}, "round takes (a number[, a number]), not (TEXT)"},
		{"the clock", "now", nil, "an answer must follow from the input alone"},
		{"a bad expression", "regexp_matches", []*expr.Node{text, word("a(")}, "bad regular expression: missing closing ): 'a('"},
		{"bad options", "regexp_matches", []*expr.Node{text, word("a"), word("q")}, `unknown regular expression option 'q'`},
		{"an unknown unit", "date_trunc", []*expr.Node{word("fortnight"), ts}, "unknown unit 'fortnight': there are century, day"},
		{"a unit from a column", "date_trunc", []*expr.Node{text, ts}, "the unit must be a literal"},
		{"a unit that does not cut", "date_trunc", []*expr.Node{word("dow"), ts}, "'dow' is a part of a time"},
		{"a pattern that ends in its escape", "like", []*expr.Node{text, word("a!"), word("!")}, "ends with its escape character"},
		{"a long escape", "like", []*expr.Node{text, word("a"), word("!!")}, "ESCAPE takes one character"},
		{"what does not unify", "coalesce", []*expr.Node{bigint, text}, "BIGINT and TEXT do not go together"},
	} {
		_, _, err := expr.Resolve(c.name, c.args)
		assert.ErrorContains(t, err, c.says, c.claim)
	}
	_, _, err := expr.Resolve("lowr", nil)
	assert.ErrorIs(t, err, expr.ErrUnknown)
	_, _, err = expr.Resolve("now", nil)
	assert.NotErrorIs(t, err, expr.ErrUnknown)
}

func TestNames(t *testing.T) {
	names := expr.Names()
	assert.True(t, slices.IsSorted(names))
	for _, name := range []string{"lower", "substring", "date_trunc", "coalesce", "year"} {
		assert.Contains(t, names, name)
	}
	for _, name := range []string{"+", "neg", "is null", "like", "now"} {
		assert.NotContains(t, names, name)
	}
}

func TestCompileRefusesWhatTheBinderMustNotMake(t *testing.T) {
	for claim, n := range map[string]*expr.Node{
		"an unknown function":  {Kind: expr.Call, Name: "nope", Type: tuple.Text},
		"a wrong result type":  {Kind: expr.Call, Name: "lower", Type: tuple.Bigint, Args: []*expr.Node{typed(tuple.Text)}},
		"wrong argument types": {Kind: expr.Call, Name: "lower", Type: tuple.Text, Args: []*expr.Node{typed(tuple.Bigint)}},
		"a CASE without else":  {Kind: expr.Case, Type: tuple.Text, Args: []*expr.Node{typed(tuple.Boolean), typed(tuple.Text)}},
		"a CASE of two types":  {Kind: expr.Case, Type: tuple.Text, Args: []*expr.Node{typed(tuple.Boolean), typed(tuple.Text), typed(tuple.Bigint)}},
		"a CASE on a number":   {Kind: expr.Case, Type: tuple.Text, Args: []*expr.Node{typed(tuple.Bigint), typed(tuple.Text), typed(tuple.Text)}},
		"IN of another type":   {Kind: expr.In, Type: tuple.Boolean, Args: []*expr.Node{typed(tuple.Text), typed(tuple.Bigint)}},
		"no kind":              {Kind: 99},
	} {
		_, err := expr.Compile(n)
		assert.Error(t, err, claim)
	}
}

func TestString(t *testing.T) {
	s := Schema(tuple.Bigint, tuple.Bigint, tuple.Text)
	a, b, c := Ref(s, 0), Ref(s, 1), Ref(s, 2)
	for want, n := range map[string]*expr.Node{
		"a + b * 2":                         Call("+", a, Call("*", b, Constant(Int(2)))),
		"(a + b) * 2":                       Call("*", Call("+", a, b), Constant(Int(2))),
		"a - (b - 1)":                       Call("-", a, Call("-", b, Constant(Int(1)))),
		"-(a + b)":                          Call("neg", Call("+", a, b)),
		"NOT (a = b OR c IS NULL)":          Call("not", Call("or", Call("=", a, b), Call("is null", c))),
		"c LIKE 'it''s%' ESCAPE '!'":        Call("like", c, Constant(Text("it's%")), Constant(Text("!"))),
		"a IN (1, NULL)":                    {Kind: expr.In, Type: tuple.Boolean, Args: []*expr.Node{a, Constant(Int(1)), Constant(Null(tuple.Bigint))}},
		"CAST(a AS TEXT) || c":              Call("||", &expr.Node{Kind: expr.Cast, Type: tuple.Text, Args: []*expr.Node{a}}, c),
		"CASE WHEN a > 1 THEN b ELSE 0 END": {Kind: expr.Case, Type: tuple.Bigint, Args: []*expr.Node{Call(">", a, Constant(Int(1))), b, Constant(Int(0))}},
		"round(a, 2)":                       Call("round", a, Constant(Int(2))),
	} {
		assert.Equal(t, want, n.String())
	}
}

func TestFold(t *testing.T) {
	s := Schema(tuple.Boolean, tuple.Bigint)
	x, n := Ref(s, 0), Ref(s, 1)
	yes, no := Constant(Bool(true)), Constant(Bool(false))
	for _, c := range []struct {
		claim string
		n     *expr.Node
		want  string
	}{
		{"constants are computed", Call("+", n, Call("*", Constant(Int(2)), Constant(Int(3)))), "b + 6"},
		{"what fails stays", Call("+", Constant(Int(1)), &expr.Node{Kind: expr.Cast, Type: tuple.Bigint, Args: []*expr.Node{word("x")}}), "1 + CAST('x' AS BIGINT)"},
		{"TRUE AND x is x", Call("and", yes, x), "a"},
		{"x AND FALSE is FALSE", Call("and", x, no), "false"},
		{"FALSE OR x is x", Call("or", no, x), "a"},
		{"x OR TRUE is TRUE", Call("or", x, yes), "true"},
		{"NULL AND x stays", Call("and", Constant(Null(tuple.Boolean)), x), "NULL AND a"},
		{"NULL AND TRUE is NULL", Call("and", Constant(Null(tuple.Boolean)), yes), "NULL"},
	} {
		before := c.n.String()
		assert.Equal(t, c.want, expr.Fold(c.n).String(), c.claim)
		assert.Equal(t, before, c.n.String(), "the tree stays as it is: %s", c.claim)
	}
}

func TestTrees(t *testing.T) {
	s := Schema(tuple.Bigint, tuple.Bigint, tuple.Bigint)
	a, c := Ref(s, 0), Ref(s, 2)
	sum := Call("+", c, Call("+", a, c))
	assert.Equal(t, []int{0, 2}, expr.Columns(sum))
	assert.True(t, expr.Equal(sum, Call("+", c, Call("+", &expr.Node{Kind: expr.Col, Type: tuple.Bigint, Text: "other"}, c))))
	assert.False(t, expr.Equal(sum, Call("+", a, Call("+", a, c))))
	assert.False(t, expr.Equal(Constant(Int(1)), Constant(Int(2))))
	replaced := expr.Substitute(sum, []*expr.Node{Constant(Int(1)), nil, a})
	assert.Equal(t, "a + (1 + a)", replaced.String())
	assert.Equal(t, []int{3, 5}, expr.Columns(expr.Shift(sum, 3)))
	assert.Same(t, sum, expr.Rewrite(sum, func(n *expr.Node) *expr.Node { return n }), "what does not change is shared")
}
