package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// writer draws the text of queries, most of which mean something.
type writer struct {
	*rapid.T
	columns []string
}

func (w writer) one(from ...string) string { return rapid.SampledFrom(from).Draw(w.T, "word") }

func (w writer) upTo(n int) int { return rapid.IntRange(0, n).Draw(w.T, "number") }

func (w writer) leaf() string {
	if w.upTo(2) > 0 {
		return w.one(w.columns...)
	}
	return w.one("1", "2.5", "0", "'a'", "'5'", "'2024-01-01'", "'5 minutes'", "NULL", "TRUE", "INTERVAL '1h'", "TIMESTAMP '2024-01-01'",
		"123456789012345678901234567890")
}

func (w writer) expr(depth int) string {
	if depth == 0 {
		return w.leaf()
	}
	x := func() string { return w.expr(depth - 1) }
	switch w.upTo(11) {
	case 0, 1:
		return w.leaf()
	case 2:
		return fmt.Sprintf("(%s %s %s)", x(), w.one("+", "-", "*", "/", "//", "%", "||"), x())
	case 3:
		return fmt.Sprintf("(%s %s %s)", x(), w.one("=", "<>", "<", ">=", "IS DISTINCT FROM", "LIKE"), x())
	case 4:
		return fmt.Sprintf("(%s %s %s)", x(), w.one("AND", "OR"), x())
	case 5:
		return fmt.Sprintf("%s(%s)", w.one("NOT", "-"), x())
	case 6:
		return fmt.Sprintf("(%s IS NULL)", x())
	case 7:
		return fmt.Sprintf("(%s IN (%s, %s))", x(), x(), x())
	case 8:
		return fmt.Sprintf("(%s BETWEEN %s AND %s)", x(), x(), x())
	case 9:
		return fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", x(), x(), x())
	case 10:
		return fmt.Sprintf("%s(%s AS %s)", w.one("CAST", "TRY_CAST"), x(), w.one("BIGINT", "DOUBLE", "TEXT", "BOOLEAN", "TIMESTAMP", "INTERVAL"))
	}
	args := []string{x()}
	for range w.upTo(2) {
		args = append(args, x())
	}
	if name := w.one(expr.Names()...); w.upTo(1) == 0 {
		return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	}
	return w.one("date_trunc('hour', ", "lower(", "round(", "coalesce(NULL, ", "length(", "abs(", "epoch_ms(") + args[0] + ")"
}

func (w writer) aggregate() string {
	x := w.expr(1)
	filter := ""
	if w.upTo(3) == 0 {
		filter = " FILTER (WHERE " + w.expr(1) + ")"
	}
	if w.upTo(5) == 0 {
		return w.one("lower_bound(", "upper_bound(", "absolute_error(", "relative_error(") + w.one("count(*)", "2 * sum("+x+")", "max("+x+") - min("+x+")") + ")"
	}
	return w.one("count(*)", "count("+x+")", "count(DISTINCT "+x+")", "sum("+x+")", "avg("+x+")", "min("+x+")", "max("+x+")", "var_pop("+x+")",
		"first("+x+")", "median("+x+")", "approx_quantile("+x+", [0.5, 0.9])", "uniq("+x+")", "topk("+x+", 3)") + filter
}

// query draws a query over s.
func (w writer) query() string {
	var items, keys []string
	from, groups := "s", w.upTo(2) > 0
	if groups {
		for range w.upTo(2) {
			keys = append(keys, w.expr(1))
		}
		for _, k := range keys {
			items = append(items, k, w.one("lower(", "coalesce(", "(")+k+")")
		}
		for range 1 + w.upTo(1) {
			items = append(items, w.aggregate(), w.one("1 + ", "upper(", "-")+"("+w.aggregate()+")")
			if strings.HasPrefix(items[len(items)-1], "upper") {
				items[len(items)-1] += ")"
			}
		}
		if w.upTo(1) == 0 {
			from = w.one("tumble(s, '1m')", "hop(s, ts, '1m', '2m')", "tumble(s, n, '1 day', timezone => 'Europe/Berlin')")
			items = append(items, "window_start")
		}
	} else {
		for range 1 + w.upTo(2) {
			items = append(items, w.expr(2))
		}
	}
	keep := 1 + w.upTo(len(items)-1)
	sql := "SELECT " + w.one("", "", "DISTINCT ") + strings.Join(items[:keep], ", ") + " FROM " + from
	if w.upTo(1) == 0 {
		sql += " WHERE " + w.expr(2)
	}
	if len(keys) > 0 {
		sql += " GROUP BY " + strings.Join(keys, ", ")
	}
	if groups && w.upTo(2) == 0 {
		sql += " HAVING " + w.aggregate() + " > 1"
	}
	if w.upTo(1) == 0 {
		sql += " ORDER BY " + w.one("1", "1 DESC", items[0], items[len(items)-1])
	}
	return sql + w.one("", " LIMIT 3", " LIMIT 3 OFFSET 1")
}

var randomStreams = []*Stream{
	{Name: "s", Closed: true, Fields: []Field{
		{Name: "ts", Path: []string{"ts"}, Type: tuple.Timestamp},
		{Name: "n", Path: []string{"n"}, Type: tuple.Number},
		{Name: "name", Path: []string{"name"}, Type: tuple.Text},
		{Name: "ok", Path: []string{"ok"}, Type: tuple.Boolean},
		{Name: "empty", Path: []string{"empty"}, Type: tuple.Null},
		{Name: "doc", Path: []string{"doc"}, Type: tuple.JSON},
		{Name: "doc.id", Path: []string{"doc", "id"}, Type: tuple.Number},
	}},
	{Name: "s", Closed: true, Declared: true, Fields: []Field{
		{Name: "ts", Path: []string{"ts"}, Type: tuple.Timestamp},
		{Name: "n", Path: []string{"n"}, Type: tuple.Bigint},
		{Name: "name", Path: []string{"name"}, Type: tuple.Text},
		{Name: "ok", Path: []string{"ok"}, Type: tuple.Boolean},
		{Name: "empty", Path: []string{"empty"}, Type: tuple.Double},
		{Name: "doc", Path: []string{"doc"}, Type: tuple.Text},
		{Name: "doc.id", Path: []string{"doc", "id"}, Type: tuple.Interval},
	}},
}

// randomSettings are what is asked of answers; the first asks for nothing.
var randomSettings = []Settings{
	{},
	{Bounds: true},
	{Sample: []float64{0.1}, Insist: true},
	{Sample: []float64{0.1}, SampleBy: "name", Insist: true, Unsifted: true},
	{Sample: []float64{0.1}, Method: "bernstein", Ranges: []Range{{Path: []string{"n"}, Low: -1, High: 1}}},
	{Weight: "n", Insist: true},
	{Memory: 1 << 20},
	{Within: true, Insist: true},
}

// TestRandomQueries draws queries and holds against each other: what binds to a stream passes the check without
// one, and makes a plan that validates and whose expressions read columns that are there, at their types.
func TestRandomQueries(t *testing.T) {
	good, all, estimated := 0, 0, 0
	check := func(t *rapid.T) {
		w := writer{t, []string{"ts", "n", "name", "ok", "empty", "doc", "doc.id"}}
		sql := w.query()
		src := syntax.NewSource("", sql)
		tree, err := syntax.Parse(src)
		if err != nil {
			return // extract(x) and the like
		}
		q := &Query{Text: sql, tree: tree.Statements[0].(*syntax.Query)}
		bound, err := bind(src, q, rapid.SampledFrom(randomStreams).Draw(t, "stream"), rapid.SampledFrom(randomSettings).Draw(t, "settings"))
		_, checked := bind(src, q, nil, Settings{})
		all++
		if err != nil {
			return
		}
		good++
		require.NoError(t, checked, "%s\nbinds, but the check refuses it", sql)
		require.NoError(t, bound.Plan.Validate(), sql)
		requireSound(t, bound.Plan)
		if slices.ContainsFunc(bound.Plan.Output.Fields, func(f tuple.Field) bool { return f.Role == tuple.Low }) {
			estimated++
		}
	}
	for rounds := 0; rounds == 0 || estimated == 0 && rounds < 20; rounds++ {
		rapid.Check(t, check)
	}
	require.Positive(t, good, "none of %d queries means anything", all)
	require.Positive(t, estimated, "none of %d queries has bounds", good)
}

func requireSound(t *rapid.T, q *plan.Query) {
	for i, b := range q.Boxes {
		in := q.Inputs[0].Schema
		if i > 0 {
			in = q.Boxes[i-1].Schema
		}
		for _, n := range expressions(b.Spec) {
			expr.Rewrite(n, func(n *expr.Node) *expr.Node {
				if n.Kind == expr.Col {
					require.Less(t, n.Index, len(in.Fields), "%s in %s", n, q.Text)
					require.Equal(t, in.Fields[n.Index].Type, n.Type, "%s in %s", n, q.Text)
				}
				return n
			})
		}
	}
	for i, f := range q.Output.Fields {
		if f.Role == tuple.Low || f.Role == tuple.High || f.Role == tuple.Unreliable {
			require.Less(t, f.Of, i, "%s in %s", f.Name, q.Text)
			require.Equal(t, tuple.Plain, q.Output.Fields[f.Of].Role, q.Text)
		}
	}
	seen := map[string]bool{}
	for _, f := range q.Inputs[0].Schema.Fields {
		key := fmt.Sprint(f.Path, f.Type)
		require.False(t, seen[key], "%s is read twice in %s", key, q.Text)
		seen[key] = true
	}
}

func expressions(s op.Spec) []*expr.Node {
	switch s := s.(type) {
	case *op.Filter:
		return []*expr.Node{s.Cond}
	case *op.Project:
		return s.Exprs
	case *op.Aggregate:
		list := s.Keys
		for _, a := range s.Aggs {
			for _, n := range []*expr.Node{a.Arg, a.Filter} {
				if n != nil {
					list = append(list, n)
				}
			}
		}
		return list
	}
	return nil
}
