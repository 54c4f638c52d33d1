package query

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// overAggregates draws an expression over aggregates of a declared stream with the numbers n and x.
func overAggregates(t *rapid.T, depth int) string {
	one := func(from ...string) string { return rapid.SampledFrom(from).Draw(t, "word") }
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		return one("count(*)", "sum(n)", "avg(x)", "max(x)", "count(x) FILTER (WHERE n > 5)", "k", "2", "-3", "0.5", "0")
	}
	x := func() string { return overAggregates(t, depth-1) }
	switch rapid.IntRange(0, 9).Draw(t, "form") {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x(), one("+", "-", "*", "/"), x())
	case 3:
		return fmt.Sprintf("%s(%s)", one("-", "abs", "floor", "ceil", "trunc", "sign", "sqrt", "ln", "log2", "exp", "cbrt", "radians", "round"), x())
	case 4:
		return fmt.Sprintf("%s(%s, %s)", one("greatest", "least", "coalesce"), x(), x())
	case 5:
		return fmt.Sprintf("CASE WHEN %s > %s THEN %s ELSE %s END", x(), x(), x(), x())
	case 6:
		return fmt.Sprintf("CAST(%s AS DOUBLE)", x())
	case 7:
		return fmt.Sprintf("nullif(%s, 0)", x())
	case 8:
		return fmt.Sprintf("if(k > 0, %s, %s)", x(), x())
	}
	return fmt.Sprintf("round(%s, 1)", x())
}

var numbersStream = &Stream{Name: "s", Closed: true, Declared: true, Fields: []Field{
	{Name: "n", Path: []string{"n"}, Type: tuple.Bigint},
	{Name: "x", Path: []string{"x"}, Type: tuple.Double},
	{Name: "k", Path: []string{"k"}, Type: tuple.Double},
}}

// TestIntervalsCover draws expressions over aggregates, for each aggregate an interval and two values inside, an estimate and
// the truth, and holds that the expression of the truths lies between the bounds that the plan computes from the
// estimates and the intervals.
func TestIntervalsCover(t *testing.T) {
	bounded := 0
	rapid.Check(t, func(t *rapid.T) {
		sql := "SELECT " + overAggregates(t, 3) + " AS v FROM s GROUP BY k"
		src := syntax.NewSource("", sql)
		tree, err := syntax.Parse(src)
		require.NoError(t, err)
		q := &Query{Text: sql, tree: tree.Statements[0].(*syntax.Query)}
		b, err := bind(src, q, numbersStream, Settings{Sample: []float64{0.5}})
		require.NoError(t, err, sql)
		require.NoError(t, b.Plan.Validate(), sql)
		n := len(b.Plan.Boxes)
		project, ok := b.Plan.Boxes[n-1].Spec.(*op.Project)
		aggregate, isAggregate := b.Plan.Boxes[n-2].Spec.(*op.Aggregate)
		if !ok || !isAggregate || len(project.Fields) < 3 || project.Fields[1].Role != tuple.Low {
			return // no aggregate is left in it
		}
		estimates, truths := drawAnswers(t, aggregate)
		truth := evaluate(t, project.Exprs[0], truths)
		low, high := evaluate(t, project.Exprs[1], estimates), evaluate(t, project.Exprs[2], estimates)
		if math.IsNaN(truth) {
			return
		}
		if !math.IsNaN(low) && !math.IsNaN(high) {
			bounded++
		}
		slack := 1e-9 * (1 + math.Abs(truth))
		require.False(t, low > truth+slack, "%s: %v is less than its lower bound %v", sql, truth, low)
		require.False(t, high < truth-slack, "%s: %v is more than its upper bound %v", sql, truth, high)
	})
	require.Greater(t, bounded, 10, "37 of 100 are bounded on average, with a deviation of 5")
}

// drawAnswers draws a row of an aggregate's output as it is estimated, and as it would be if nothing were missing.
func drawAnswers(t *rapid.T, spec *op.Aggregate) (estimates, truths []tuple.Column) {
	fields := spec.Schema(nil).Fields
	estimates, truths = make([]tuple.Column, len(fields)), make([]tuple.Column, len(fields))
	for i, f := range fields {
		estimates[i].Reset(f.Type, 1)
		truths[i].Reset(f.Type, 1)
	}
	put := func(i int, estimate, truth float64) {
		set(&estimates[i], estimate)
		set(&truths[i], truth)
	}
	key := rapid.Float64Range(-3, 3).Draw(t, "key")
	put(0, key, key)
	truth := make([]float64, len(spec.Aggs))
	for i := range spec.Aggs {
		from, to := -20, 40
		if spec.Aggs[i].Func <= op.Count {
			from = 0
		}
		number := rapid.IntRange(from, to)
		ends := []float64{float64(number.Draw(t, "end")), float64(number.Draw(t, "end"))}
		low, high := min(ends[0], ends[1]), max(ends[0], ends[1])
		inside := rapid.IntRange(int(low), int(high))
		truth[i] = float64(inside.Draw(t, "truth"))
		put(1+i, float64(inside.Draw(t, "estimate")), truth[i])
		at := spec.BoundsOf(i)
		open := rapid.IntRange(0, 5).Draw(t, "open")
		put(at, low, low)
		put(at+1, high, high)
		if open == 0 {
			estimates[at].SetNull(0, 1)
		}
		if open == 1 {
			estimates[at+1].SetNull(0, 1)
		}
		if open == 2 {
			estimates[1+i].SetNull(0, 1)
		}
	}
	for i, r := range spec.Ratios {
		at, v := spec.RatioBounds(i), r.Scale*truth[r.Num]/truth[r.Den]
		if truth[r.Den] == 0 {
			v = 0
		}
		put(at, v-1, v-1)
		put(at+1, v+2, v+2)
	}
	return estimates, truths
}

func set(c *tuple.Column, v float64) {
	if c.Type == tuple.Double {
		c.F[0] = v
	} else {
		c.I[0] = int64(v)
	}
}

// evaluate returns the value of a number, NaN for NULL.
func evaluate(t *rapid.T, n *expr.Node, row []tuple.Column) float64 {
	p, err := expr.Compile(n)
	require.NoError(t, err, "%s", n)
	v := expr.ValueAt(p.Eval(row, 1, tuple.All(1)), 0)
	switch {
	case v.Null:
		return math.NaN()
	case v.Type == tuple.Double, v.Type == tuple.Number && v.Float:
		return v.F
	}
	return float64(v.I)
}
