package syntax_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// TestCanonicalTextGivesTheTreeBack draws trees, also such as no text of the transcripts has, prints and parses them.
func TestCanonicalTextGivesTheTreeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &syntax.Script{Statements: rapid.SliceOfN(rapid.Custom(drawStatement), 1, 3).Draw(t, "statements")}
		got, err := syntax.Parse(syntax.NewSource("", want.String()))
		require.NoError(t, err, want.String())
		require.Equal(t, dump(want), dump(got), want.String())
	})
}

func TestQoSGivesTheTreeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawQoS(t)
		got, err := syntax.ParseQoS(syntax.NewSource("", want.String()))
		require.NoError(t, err, want.String())
		require.Equal(t, dump(want), dump(got), want.String())
	})
}

func drawStatement(t *rapid.T) syntax.Statement {
	switch rapid.IntRange(0, 5).Draw(t, "statement") {
	case 0:
		return drawCreate(t)
	case 1:
		return &syntax.Explain{Query: drawQuery(t, 2)}
	}
	return drawQuery(t, 2)
}

func drawCreate(t *rapid.T) *syntax.CreateStream {
	c := &syntax.CreateStream{Name: drawIdent(t)}
	for range rapid.IntRange(0, 3).Draw(t, "columns") {
		c.Columns = append(c.Columns, syntax.ColumnDef{Name: drawDotted(t), Type: drawType(t)})
	}
	for range rapid.IntRange(0, 3).Draw(t, "options") {
		var v syntax.Expr
		switch rapid.IntRange(0, 3).Draw(t, "value") {
		case 0:
			v = &syntax.Bool{Value: rapid.Bool().Draw(t, "bool")}
		case 1:
			v = drawNumber(t)
		default:
			v = &syntax.String{Value: rapid.String().Draw(t, "text")}
		}
		c.Options = append(c.Options, syntax.Option{Key: drawIdent(t), Value: v})
	}
	return c
}

func drawQuery(t *rapid.T, depth int) *syntax.Query {
	q := &syntax.Query{}
	for range rapid.IntRange(1, 2).Draw(t, "arms") {
		q.Arms = append(q.Arms, drawSelect(t, depth))
	}
	for range rapid.IntRange(0, 2).Draw(t, "order") {
		q.OrderBy = append(q.OrderBy, syntax.OrderItem{
			Expr: drawExpr(t, depth), Desc: rapid.Bool().Draw(t, "desc"),
			Nulls: rapid.SampledFrom([]syntax.NullOrder{syntax.NullsDefault, syntax.NullsFirst, syntax.NullsLast}).Draw(t, "nulls"),
		})
	}
	q.Limit, q.Offset = drawCount(t), drawCount(t)
	switch rapid.IntRange(0, 4).Draw(t, "emit") {
	case 0:
		q.Emit = &syntax.Emit{Kind: syntax.EmitChanges}
	case 1:
		d := drawDuration(t)
		if d.Nanos() <= 0 {
			d = syntax.Duration{Days: 1}
		}
		q.Emit = &syntax.Emit{Kind: syntax.EmitEvery, Every: d}
	case 2:
		q.Emit = &syntax.Emit{}
	}
	if rapid.IntRange(0, 3).Draw(t, "qos") == 0 {
		q.QoS = drawQoS(t)
	}
	return q
}

func drawCount(t *rapid.T) *syntax.Int {
	if rapid.Bool().Draw(t, "absent") {
		return nil
	}
	return &syntax.Int{Value: rapid.Int64Range(0, math.MaxInt64).Draw(t, "count")}
}

func drawSelect(t *rapid.T, depth int) *syntax.Select {
	s := &syntax.Select{Distinct: rapid.Bool().Draw(t, "distinct")}
	for range rapid.IntRange(1, 3).Draw(t, "items") {
		if rapid.IntRange(0, 5).Draw(t, "star") == 0 {
			s.Items = append(s.Items, syntax.Item{Expr: &syntax.Star{Table: drawAlias(t)}})
			continue
		}
		s.Items = append(s.Items, syntax.Item{Expr: drawExpr(t, depth), Alias: drawAlias(t)})
	}
	if rapid.IntRange(0, 4).Draw(t, "from") == 0 {
		return s
	}
	s.From = drawRelation(t, depth)
	if rapid.Bool().Draw(t, "where") {
		s.Where = drawExpr(t, depth)
	}
	for range rapid.IntRange(0, 2).Draw(t, "group") {
		s.GroupBy = append(s.GroupBy, drawExpr(t, depth))
	}
	if rapid.Bool().Draw(t, "having") {
		s.Having = drawExpr(t, depth)
	}
	return s
}

func drawAlias(t *rapid.T) *syntax.Ident {
	if rapid.Bool().Draw(t, "no alias") {
		return nil
	}
	n := drawIdent(t)
	return &n
}

func drawRelation(t *rapid.T, depth int) syntax.Relation {
	switch rapid.IntRange(0, 2+depth).Draw(t, "relation") {
	default:
		return &syntax.Table{Name: drawIdent(t), Alias: drawAlias(t), Sample: drawSample(t)}
	case 1:
		name := syntax.Ident{Name: rapid.String().Draw(t, "path")}
		return &syntax.Table{Name: name, IsPath: true, Alias: drawAlias(t), Sample: drawSample(t)}
	case 2:
		f := syntax.Ident{Name: rapid.SampledFrom([]string{"tumble", "HOP", "Session"}).Draw(t, "window")}
		w := &syntax.Window{Func: f, Alias: drawAlias(t), Sample: drawSample(t), Args: drawArgs(t, depth)}
		w.Input = &syntax.Table{Name: drawIdent(t)}
		if depth > 0 && rapid.Bool().Draw(t, "nested") {
			w.Input = &syntax.Subquery{Query: drawQuery(t, depth-1)}
		}
		return w
	case 3:
		return &syntax.Subquery{Query: drawQuery(t, depth-1), Alias: drawAlias(t), Sample: drawSample(t)}
	case 4:
		j := &syntax.Join{Left: drawRelation(t, depth-1), Right: drawRelation(t, depth-1)}
		j.Kind = rapid.SampledFrom([]syntax.JoinKind{syntax.InnerJoin, syntax.LeftJoin, syntax.RightJoin, syntax.FullJoin, syntax.CrossJoin}).Draw(t, "kind")
		switch {
		case j.Kind == syntax.CrossJoin:
		case rapid.Bool().Draw(t, "on"):
			j.On = drawExpr(t, depth-1)
		default:
			j.Using = []syntax.Ident{drawIdent(t), drawIdent(t)}
		}
		return j
	}
}

func drawSample(t *rapid.T) *syntax.Sample {
	if rapid.IntRange(0, 3).Draw(t, "sample") > 0 {
		return nil
	}
	s := &syntax.Sample{Amount: rapid.Float64Range(0, 100).Draw(t, "percent"), Seed: drawCount(t)}
	if s.Rows = rapid.Bool().Draw(t, "rows"); s.Rows {
		s.Amount = float64(rapid.IntRange(0, 1e9).Draw(t, "amount"))
	}
	s.Method = rapid.SampledFrom([]syntax.SampleMethod{syntax.SampleDefault, syntax.SampleBernoulli, syntax.SampleSystem, syntax.SampleReservoir, syntax.SampleUniverse}).Draw(t, "method")
	if s.Method == syntax.SampleUniverse {
		s.Key = &syntax.Name{Parts: []syntax.Ident{drawIdent(t)}}
	}
	return s
}

// drawIdent draws names that need quotes, names that are keywords elsewhere, and plain ones.
func drawIdent(t *rapid.T) syntax.Ident {
	switch rapid.IntRange(0, 3).Draw(t, "name") {
	case 0:
		return syntax.Ident{Name: rapid.StringN(1, 5, -1).Draw(t, "quoted"), Quoted: true}
	case 1:
		words := []string{"timestamp", "INTERVAL", "date", "left", "offset", "filter", "first", "over", "cast", "extract", "table", "desc", "on", "value", "every", "qos"}
		return syntax.Ident{Name: rapid.SampledFrom(words).Draw(t, "keyword")}
	}
	return syntax.Ident{Name: rapid.SampledFrom([]string{"a", "ts", "größe", "_x1", "Host"}).Draw(t, "plain")}
}

func drawType(t *rapid.T) syntax.Type {
	return syntax.Type{Of: rapid.SampledFrom([]tuple.Type{tuple.Boolean, tuple.Bigint, tuple.Double, tuple.Text, tuple.Timestamp, tuple.Interval}).Draw(t, "type")}
}

func drawNumber(t *rapid.T) syntax.Expr {
	if rapid.Bool().Draw(t, "integer") {
		return &syntax.Int{Value: rapid.Int64().Draw(t, "int")}
	}
	f := rapid.Float64Range(-1e18, 1e18).Draw(t, "float")
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		text += ".0"
	}
	return &syntax.Float{Value: f, Text: text}
}

func drawArgs(t *rapid.T, depth int) []syntax.Arg {
	var list []syntax.Arg
	for range rapid.IntRange(0, 2).Draw(t, "args") {
		list = append(list, syntax.Arg{Value: drawExpr(t, depth-1)})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "named") {
		list = append(list, syntax.Arg{Name: &syntax.Ident{Name: fmt.Sprintf("arg%d", i)}, Value: drawExpr(t, depth-1)})
	}
	return list
}
