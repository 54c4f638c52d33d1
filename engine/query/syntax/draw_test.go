package syntax_test

import (
	"math"

	"pgregory.net/rapid"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

func drawExpr(t *rapid.T, depth int) syntax.Expr {
	if depth <= 0 {
		return drawLeaf(t)
	}
	sub := func() syntax.Expr { return drawExpr(t, depth-1) }
	not := rapid.Bool().Draw(t, "not")
	switch rapid.IntRange(0, 14).Draw(t, "expr") {
	case 0:
		return &syntax.Index{X: sub(), Key: sub()}
	case 1:
		return &syntax.Field{X: sub(), Name: drawIdent(t)}
	case 2:
		return &syntax.List{Items: drawList(t, depth, 0)}
	case 3:
		x := sub()
		switch x.(type) {
		case *syntax.Int, *syntax.Float:
			return x
		}
		return &syntax.Unary{Op: syntax.Neg, X: x}
	case 4:
		return &syntax.Unary{Op: syntax.Not, X: sub()}
	case 5:
		return &syntax.IsNull{X: sub(), Not: not}
	case 6:
		return &syntax.IsDistinct{L: sub(), R: sub(), Not: not}
	case 7:
		return &syntax.In{X: sub(), List: drawList(t, depth, 1), Not: not}
	case 8:
		return &syntax.Between{X: sub(), Lo: sub(), Hi: sub(), Not: not}
	case 9:
		l := &syntax.Like{X: sub(), Pattern: sub(), Fold: rapid.Bool().Draw(t, "fold"), Not: not}
		if rapid.Bool().Draw(t, "escape") {
			l.Escape = sub()
		}
		return l
	case 10:
		return drawCase(t, depth)
	case 11:
		return &syntax.Cast{X: sub(), Type: drawType(t), Try: not}
	case 12:
		return drawCall(t, depth)
	}
	return &syntax.Binary{Op: rapid.SampledFrom(binaryOps).Draw(t, "op"), L: sub(), R: sub()}
}

var binaryOps = []syntax.Op{
	syntax.Or, syntax.And, syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge,
	syntax.Concat, syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.IntDiv, syntax.Mod,
}

func drawList(t *rapid.T, depth, least int) []syntax.Expr {
	var list []syntax.Expr
	for range rapid.IntRange(least, 3).Draw(t, "list") {
		list = append(list, drawExpr(t, depth-1))
	}
	return list
}

func drawCase(t *rapid.T, depth int) *syntax.Case {
	c := &syntax.Case{}
	if rapid.Bool().Draw(t, "operand") {
		c.Operand = drawExpr(t, depth-1)
	}
	for range rapid.IntRange(1, 2).Draw(t, "whens") {
		c.Whens = append(c.Whens, syntax.When{Cond: drawExpr(t, depth-1), Then: drawExpr(t, depth-1)})
	}
	if rapid.Bool().Draw(t, "else") {
		c.Else = drawExpr(t, depth-1)
	}
	return c
}

// drawCall draws functions under names that are not forms of their own.
func drawCall(t *rapid.T, depth int) syntax.Expr {
	if rapid.IntRange(0, 4).Draw(t, "extract") == 0 {
		return &syntax.Extract{Part: drawIdent(t), X: drawExpr(t, depth-1)}
	}
	name := rapid.SampledFrom([]string{"f", "count", "left", "timestamp", "interval", "filter"}).Draw(t, "function")
	c := &syntax.Call{Func: syntax.Ident{Name: name}}
	if rapid.IntRange(0, 3).Draw(t, "quoted") == 0 {
		c.Func = syntax.Ident{Name: "cast", Quoted: true}
	}
	if c.Star = rapid.IntRange(0, 3).Draw(t, "star") == 0; !c.Star {
		c.Args = drawArgs(t, depth)
		c.Distinct = len(c.Args) > 0 && rapid.Bool().Draw(t, "distinct")
	}
	if rapid.Bool().Draw(t, "filter") {
		c.Filter = drawExpr(t, depth-1)
	}
	return c
}

func drawLeaf(t *rapid.T) syntax.Expr {
	switch rapid.IntRange(0, 8).Draw(t, "leaf") {
	case 0:
		return &syntax.Null{}
	case 1:
		return &syntax.Bool{Value: rapid.Bool().Draw(t, "bool")}
	case 2, 3:
		return drawNumber(t)
	case 4:
		return &syntax.String{Value: rapid.String().Draw(t, "text")}
	case 5:
		return &syntax.Interval{Value: drawDuration(t)}
	case 6:
		return &syntax.Timestamp{Nanos: rapid.Int64().Draw(t, "ns")}
	}
	n := &syntax.Name{Parts: []syntax.Ident{drawIdent(t)}}
	for range rapid.IntRange(0, 2).Draw(t, "parts") {
		part := drawIdent(t)
		if rapid.IntRange(0, 3).Draw(t, "reserved") == 0 {
			part = syntax.Ident{Name: "order"}
		}
		n.Parts = append(n.Parts, part)
	}
	return n
}

// drawDotted draws a name of one or two parts.
func drawDotted(t *rapid.T) *syntax.Name {
	n := &syntax.Name{Parts: []syntax.Ident{drawIdent(t)}}
	if rapid.Bool().Draw(t, "dotted") {
		n.Parts = append(n.Parts, drawIdent(t))
	}
	return n
}

func drawQoS(t *rapid.T) *syntax.QoS {
	q := &syntax.QoS{}
	kinds := []syntax.QoSKind{
		syntax.QoSLatency, syntax.QoSError, syntax.QoSLoss, syntax.QoSValue, syntax.QoSWeight, syntax.QoSConfidence, syntax.QoSViolation,
		syntax.QoSBound, syntax.QoSRange,
	}
	for _, kind := range rapid.SliceOfNDistinct(rapid.SampledFrom(kinds), 1, 4, rapid.ID).Draw(t, "kinds") {
		q.Terms = append(q.Terms, drawTerm(t, kind))
	}
	return q
}

func drawTerm(t *rapid.T, kind syntax.QoSKind) syntax.QoSTerm {
	term := syntax.QoSTerm{Kind: kind}
	graph := rapid.Bool().Draw(t, "graph")
	switch kind {
	case syntax.QoSViolation:
		term.Action = rapid.SampledFrom([]syntax.Violation{syntax.ViolationKeep, syntax.ViolationNull, syntax.ViolationFail}).Draw(t, "action")
		return term
	case syntax.QoSBound:
		term.Bound = rapid.SampledFrom([]syntax.Bound{syntax.BoundTransform, syntax.BoundHoeffding, syntax.BoundBernstein}).Draw(t, "method")
		return term
	case syntax.QoSRange:
		term.Column = drawDotted(t)
		low := rapid.Float64Range(-1e300, 1e300).Draw(t, "low")
		high := math.Max(low+1, math.Nextafter(low, math.Inf(1)))
		term.Low, term.High = &syntax.Measure{Number: low}, &syntax.Measure{Number: high}
		return term
	case syntax.QoSValue:
		graph = true
		term.Column = &syntax.Name{Parts: []syntax.Ident{drawIdent(t), drawIdent(t)}}
	case syntax.QoSWeight, syntax.QoSConfidence:
		graph = false
	}
	if !graph {
		m := drawMeasure(t, kind)
		term.Scalar = &m
		return term
	}
	for range rapid.IntRange(1, 3).Draw(t, "points") {
		x := drawMeasure(t, kind)
		p := syntax.QoSPoint{X: &x, Y: drawMeasure(t, syntax.QoSLoss)}
		if kind == syntax.QoSValue && rapid.Bool().Draw(t, "range") {
			p.Range = true
			to := drawMeasure(t, kind)
			switch rapid.IntRange(0, 2).Draw(t, "open") {
			case 0:
				p.To = &to
			case 1:
				p.X, p.To = nil, &to
			}
		}
		term.Graph = append(term.Graph, p)
	}
	return term
}

func drawMeasure(t *rapid.T, kind syntax.QoSKind) syntax.Measure {
	switch kind {
	case syntax.QoSLatency:
		d := drawDuration(t)
		if d.Nanos() < 0 {
			d = syntax.Duration{Days: -d.Days, Rest: -d.Rest}
		}
		return syntax.Measure{Unit: syntax.UnitDuration, Duration: d}
	case syntax.QoSValue, syntax.QoSWeight:
		return syntax.Measure{Number: rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "number")}
	}
	if rapid.Bool().Draw(t, "percent") {
		return syntax.Measure{Unit: syntax.UnitPercent, Number: rapid.Float64Range(0, 100).Draw(t, "percentage")}
	}
	return syntax.Measure{Number: rapid.Float64Range(0, 1).Draw(t, "share")}
}
