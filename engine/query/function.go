package query

import (
	"errors"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// function binds a call that is no aggregate, or says why an aggregate cannot stand there.
func (b *binder) function(x *syntax.Call, sc scope) *expr.Node {
	name := strings.ToLower(x.Func.Name)
	switch {
	case slices.Contains(boundFunctions, name):
		b.notYet(x.Func.Span, name)
		return b.fail(x.Span, "", "")
	case isWindowFunction(name):
		return b.strayWindow(x, sc)
	case aggregateCalled(name) != nil:
		return b.strayAggregate(x, sc)
	case x.Star:
		return b.unknownOr(x, "%s(*) has no meaning", x.Func)
	case x.Distinct:
		return b.unknownOr(x, "DISTINCT stands only in aggregates, and %s is none", x.Func)
	case x.Filter != nil:
		return b.unknownOr(x, "FILTER stands only after aggregates, and %s is none", x.Func)
	}
	args := make([]*expr.Node, len(x.Args))
	for i, a := range x.Args {
		if a.Name != nil {
			return b.unknownOr(x, "%s takes no named arguments", x.Func)
		}
		args[i] = b.expr(a.Value, sc)
	}
	if _, _, err := expr.Resolve(name, args); errors.Is(err, expr.ErrUnknown) {
		return b.unknownFunction(x)
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

// unknownOr reports a mistake in a call, unless the mistake is that there is no such function.
func (b *binder) unknownOr(x *syntax.Call, format string, args ...any) *expr.Node {
	if _, _, err := expr.Resolve(x.Func.Name, nil); errors.Is(err, expr.ErrUnknown) {
		return b.unknownFunction(x)
	}
	return b.fail(x.Span, "", format, args...)
}

// foreignFunctions are functions of other systems, with what to write instead.
var foreignFunctions = map[string]string{
	"tumble_start": "write window_start", "tumble_end": "write window_end", "hop_start": "write window_start", "hop_end": "write window_end",
	"percentile_cont": "write approx_quantile(x, 0.95)", "percentile_disc": "write approx_quantile(x, 0.95)",
	"quantile_cont": "write approx_quantile(x, 0.95)", "quantile_disc": "write approx_quantile(x, 0.95)",
	"date_format": "write date_trunc('hour', ts) or CAST(ts AS TEXT)", "strftime": "write date_trunc('hour', ts) or CAST(ts AS TEXT)",
	"nvl": "write coalesce(a, b)", "iif": "write CASE WHEN a THEN b ELSE c END", "row_number": "write ORDER BY and LIMIT",
	"json_extract": "write column.field or column['field']", "json_extract_string": "write column.field or column['field']",
}

func (b *binder) unknownFunction(x *syntax.Call) *expr.Node {
	hint := foreignFunctions[strings.ToLower(x.Func.Name)]
	if hint == "" {
		hint = meant(x.Func.Name, functionNames, "")
	}
	return b.fail(x.Func.Span, hint, "unknown function %s", x.Func)
}

// functionNames are all names that can be called, as candidates for a mistyped one.
var functionNames = func() []string {
	names := append(expr.Names(), aggregateNames()...)
	names = append(names, boundFunctions...)
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
