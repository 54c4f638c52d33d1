package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// function binds a call, of a function that there is, that is no aggregate, or says why an aggregate cannot stand there.
func (b *binder) function(x *syntax.Call, sc scope) *expr.Node {
	name := strings.ToLower(x.Func.Name)
	switch {
	case isBoundFunction(name):
		return b.boundFunction(x, sc)
	case isWindowFunction(name):
		return b.strayWindow(x, sc)
	case aggregateCalled(name) != nil:
		return b.strayAggregate(x, sc)
	case x.Star:
		return b.fail(x.Span, "", "%s(*) has no meaning", x.Func)
	case x.Distinct:
		return b.fail(x.Span, "", "DISTINCT stands only in aggregates, and %s is none", x.Func)
	case x.Filter != nil:
		return b.fail(x.Span, "", "FILTER stands only after aggregates, and %s is none", x.Func)
	}
	args := make([]*expr.Node, len(x.Args))
	for i, a := range x.Args {
		if a.Name != nil {
			return b.fail(x.Span, "", "%s takes no named arguments", x.Func)
		}
		args[i] = b.expr(a.Value, sc)
	}
	return b.call(b.placeOf(x), name, args...)
}

// placeOf says where errors about a call point: those about a literal, such as a bad regular expression, at that.
func (b *binder) placeOf(x *syntax.Call) place {
	p := place{x.Span, x.Func.Span}
	for i, a := range slices.Backward(x.Args) {
		if _, ok := a.Value.(*syntax.String); ok && (i > 0 || p.name == x.Func.Span) {
			p.name = a.Span
		}
	}
	return p
}

// functionNames are all names that can be called today, as candidates for a mistyped one.
var functionNames = func() []string {
	names := slices.Concat(expr.Names(), aggregateNames(), boundFunctions)
	slices.Sort(names)
	return slices.Compact(names)
}()

const havingHint = "use HAVING, which comes after GROUP BY"

// strayAggregate reports an aggregate where there can be none.
func (b *binder) strayAggregate(x *syntax.Call, sc scope) *expr.Node {
	hint := ""
	if sc.place == "WHERE" {
		hint = havingHint
	}
	if b.groups != nil && strings.HasPrefix(sc.place, "an argument of") {
		return b.fail(x.Span, hint, "aggregates cannot be nested: %s stands in %s", x.Func, sc.place)
	}
	return b.fail(x.Span, hint, "the aggregate %s cannot stand in %s", x.Func, sc.place)
}

// strayWindow reports a window function that is not the query's window.
func (b *binder) strayWindow(x *syntax.Call, sc scope) *expr.Node {
	if strings.EqualFold(x.Func.Name, "session") {
		b.notYet(x.Func.Span, "session windows")
	}
	return b.fail(x.Span, "write it in GROUP BY, and window_start for the time at which it begins", "%s cannot stand in %s", x, sc.place)
}
