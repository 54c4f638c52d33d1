package query

import (
	"errors"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// scope is where an expression stands.
type scope struct {
	// place is the clause, for messages: "WHERE", "the argument of sum".
	place string
	// grouped says that names are looked up among the groups.
	grouped bool
}

// expr binds an expression.
func (b *binder) expr(x syntax.Expr, sc scope) *expr.Node {
	if b.err != nil {
		return b.fail(x.Where(), "", "")
	}
	n := b.form(x, sc)
	if b.weigh(n) > maxNodes {
		return b.fail(x.Where(), "", "the expression is too large once its aliases and BETWEENs are written out")
	}
	return n
}

// maxNodes bounds an expression as a tree. A text of n bytes can stand for a tree of 2^n nodes: by BETWEEN and CASE
// x, which repeat their operand, and by aliases that use aliases.
const maxNodes = 100_000

// weigh returns the number of nodes of n as a tree.
func (b *binder) weigh(n *expr.Node) int {
	if w, ok := b.weights[n]; ok || len(n.Args) == 0 {
		return max(w, 1)
	}
	w := 1
	for _, a := range n.Args {
		w = min(w+b.weigh(a), 2*maxNodes)
	}
	b.weights[n] = w
	return w
}

// form binds an expression by what it is.
func (b *binder) form(x syntax.Expr, sc scope) *expr.Node {
	if sc.grouped {
		if n := b.overGroups(x, sc); n != nil {
			return n
		}
	}
	if n := literal(x); n != nil {
		return n
	}
	switch x := x.(type) {
	case *syntax.Name, *syntax.Field, *syntax.Index:
		return b.column(x, sc)
	case *syntax.Unary:
		return b.unary(x, sc)
	case *syntax.Binary:
		return b.binary(x, sc)
	case *syntax.IsNull:
		return b.nullTest(x, sc)
	case *syntax.IsDistinct:
		return b.distinction(x, sc)
	case *syntax.In:
		return b.in(x, sc)
	case *syntax.Between:
		return b.between(x, sc)
	case *syntax.Like:
		return b.like(x, sc)
	case *syntax.Case:
		return b.caseOf(x, sc)
	case *syntax.Cast:
		return b.cast(x, sc)
	case *syntax.Extract:
		part := textOf(x.Part.Name, x.Part.Start)
		return b.call(place{x.Span, x.Part.Span}, "date_part", part, b.expr(x.X, sc))
	case *syntax.Call:
		return b.function(x, sc)
	case *syntax.List:
		return b.fail(x.Span, "", "a list stands only where a function takes one: approx_quantile(x, [0.5, 0.9])")
	}
	return b.fail(x.Where(), "", "unexpected * in an expression")
}

// column binds a name over rows.
func (b *binder) column(x syntax.Expr, sc scope) *expr.Node {
	path, ok := pathOf(x)
	if !ok {
		return b.fail(x.Where(), "", "not yet supported: elements of lists, and fields of anything but a column")
	}
	if !b.seen(path) && !b.checking() {
		if n := b.alias(path, sc); n != nil {
			return n
		}
	}
	i, problem := b.resolve(path, x.Where())
	if problem == nil {
		return b.readPlain(i, x.Where().Start)
	}
	if b.err == nil {
		b.err = problem
	}
	return b.fail(x.Where(), "", "")
}

// alias binds a name that the select list gives to an expression, or returns nil.
func (b *binder) alias(path []syntax.Ident, sc scope) *expr.Node {
	if len(path) != 1 {
		return nil
	}
	item := b.aliased(path[0].Name)
	if item == nil || slices.Contains(b.expanding, item) {
		return nil
	}
	if !sc.grouped && hasAggregate(item.Expr) {
		hint := ""
		if sc.place == "WHERE" {
			hint = havingHint
		}
		return b.fail(path[0].Span, hint, "%s stands for %s, and an aggregate cannot stand in %s", path[0], item.Expr, sc.place)
	}
	if _, call := b.windowCall(item.Expr); !sc.grouped && b.window != nil && (call || b.namesWindow(item.Expr)) {
		return b.fail(path[0].Span, b.windowHint(), "%s stands for %s, which is known only after grouping", path[0], item.Expr)
	}
	return b.item(item, sc)
}

// item binds the expression of an item of the select list, in which the item's own alias means a column.
func (b *binder) item(item *syntax.Item, sc scope) *expr.Node {
	b.expanding = append(b.expanding, item)
	n := b.expr(item.Expr, sc)
	b.expanding = b.expanding[:len(b.expanding)-1]
	return n
}

// aliased returns the item of the select list with an alias, or nil.
func (b *binder) aliased(name string) *syntax.Item {
	for i := range b.sel.Items {
		if it := &b.sel.Items[i]; it.Alias != nil && strings.EqualFold(it.Alias.Name, name) {
			return it
		}
	}
	return nil
}

func (b *binder) unary(x *syntax.Unary, sc scope) *expr.Node {
	if x.Op == syntax.Not {
		return b.not(b.condition(x.X, sc), x.Start)
	}
	return b.call(at(x.Span), "neg", b.expr(x.X, sc))
}

// not returns NOT n.
func (b *binder) not(n *expr.Node, pos int) *expr.Node {
	return folded(&expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: "not", Args: []*expr.Node{n}, Pos: pos})
}

func (b *binder) binary(x *syntax.Binary, sc scope) *expr.Node {
	switch {
	case x.Op == syntax.And || x.Op == syntax.Or:
		return b.junction(x, sc)
	case x.Op.Comparison():
		if (x.Op == syntax.Eq || x.Op == syntax.Ne) && (isBareNull(x.L) || isBareNull(x.R)) {
			b.warn("%s is never true: NULL equals nothing; write IS NULL or IS NOT NULL", x)
		}
		return b.compare(x.OpAt, x.Op.String(), b.operand(x.L, sc), b.operand(x.R, sc))
	}
	return b.call(place{x.Span, x.OpAt}, x.Op.String(), b.expr(x.L, sc), b.expr(x.R, sc))
}

func isBareNull(x syntax.Expr) bool {
	_, ok := x.(*syntax.Null)
	return ok
}

// junction binds AND and OR, of any number of conditions.
func (b *binder) junction(x *syntax.Binary, sc scope) *expr.Node {
	n := &expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: strings.ToLower(x.Op.String()), Pos: x.Start}
	var add func(side syntax.Expr)
	add = func(side syntax.Expr) {
		if inner, ok := side.(*syntax.Binary); ok && inner.Op == x.Op {
			add(inner.L)
			add(inner.R)
			return
		}
		n.Args = append(n.Args, b.condition(side, sc))
	}
	add(x.L)
	add(x.R)
	return folded(n)
}

// condition binds an expression that must be true or false.
func (b *binder) condition(x syntax.Expr, sc scope) *expr.Node {
	n := b.expr(x, sc)
	c, ok := b.convert(n, tuple.Boolean)
	if ok {
		return c
	}
	hint := ""
	if n.Type.Numeric() {
		hint = "compare it with something: " + x.String() + " <> 0"
	}
	return b.fail(x.Where(), hint, "%s is %s, not a condition", x, n.Type)
}

func (b *binder) nullTest(x *syntax.IsNull, sc scope) *expr.Node {
	name := "is null"
	if x.Not {
		name = "is not null"
	}
	return folded(&expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: name, Args: []*expr.Node{b.expr(x.X, sc)}, Pos: x.Start})
}

func (b *binder) distinction(x *syntax.IsDistinct, sc scope) *expr.Node {
	name := "is distinct from"
	if x.Not {
		name = "is not distinct from"
	}
	return b.compare(x.Span, name, b.operand(x.L, sc), b.operand(x.R, sc))
}

func (b *binder) like(x *syntax.Like, sc scope) *expr.Node {
	name := "like"
	if x.Fold {
		name = "ilike"
	}
	args := []*expr.Node{b.expr(x.X, sc), b.expr(x.Pattern, sc)}
	where := x.Pattern.Where()
	if x.Escape != nil {
		args = append(args, b.expr(x.Escape, sc))
	}
	n := b.call(place{x.Span, where}, name, args...)
	if x.Not {
		n = b.not(n, x.Start)
	}
	return n
}

func (b *binder) caseOf(x *syntax.Case, sc scope) *expr.Node {
	var conds, values []*expr.Node
	for _, w := range x.Whens {
		if x.Operand != nil {
			conds = append(conds, b.compare(w.Cond.Where(), "=", b.operand(x.Operand, sc), b.operand(w.Cond, sc)))
		} else {
			conds = append(conds, b.condition(w.Cond, sc))
		}
		values = append(values, b.expr(w.Then, sc))
	}
	if x.Else != nil {
		values = append(values, b.expr(x.Else, sc))
	} else {
		values = append(values, constant(expr.Value{Type: tuple.Null, Null: true}, x.Start))
	}
	values, t, err := b.unify(values)
	if err != nil {
		types := strings.TrimSuffix(err.Error(), " do not go together")
		return b.fail(x.Span, "make them one type with CAST", "the branches of CASE are %s, which do not go together", types)
	}
	n := &expr.Node{Kind: expr.Case, Type: t, Pos: x.Start}
	for i, c := range conds {
		n.Args = append(n.Args, c, values[i])
	}
	n.Args = append(n.Args, values[len(values)-1])
	if slices.ContainsFunc(values, b.unknown) {
		n.Type = tuple.Null
	}
	return n
}

func (b *binder) cast(x *syntax.Cast, sc scope) *expr.Node {
	n, to := b.expr(x.X, sc), x.Type.Of
	if i, ok := b.field(n); ok && b.soft(n) {
		switch {
		case to == tuple.Text:
			n = b.readAs(i, tuple.Text, n.Pos)
			b.firm[n] = true
			return n
		case n.Type == tuple.Number && to == tuple.Timestamp:
			return b.readAs(i, tuple.Timestamp, n.Pos)
		case b.undecided(n):
			n = b.readAs(i, tuple.Text, n.Pos)
		}
	}
	if err := expr.CanCast(n.Type, to); err != nil {
		message, hint, _ := strings.Cut(err.Error(), ": ")
		return b.fail(x.Span, hint, "%s", message)
	}
	kind := expr.Cast
	if x.Try {
		kind = expr.TryCast
	}
	return folded(&expr.Node{Kind: kind, Type: to, Args: []*expr.Node{n}, Pos: x.Start})
}

// folded replaces a node whose arguments are constants by its value.
func folded(n *expr.Node) *expr.Node {
	if slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return a.Kind != expr.Const }) {
		return n
	}
	return expr.Fold(n)
}

// place says where errors about a call point: at all of it, or at what names it.
type place struct{ whole, name syntax.Span }

func at(s syntax.Span) place { return place{s, s} }

// call returns a call of a function or an operator, its arguments read so that they fit.
func (b *binder) call(where place, name string, args ...*expr.Node) *expr.Node {
	if b.err != nil {
		return b.fail(where.whole, "", "")
	}
	canonical, t, fitted, err := b.fit(name, args)
	if err != nil {
		return b.mismatch(where, name, fitted, err)
	}
	n := &expr.Node{Kind: expr.Call, Type: t, Name: canonical, Args: fitted, Pos: where.whole.Start}
	if t != tuple.Boolean && slices.ContainsFunc(fitted, b.unknown) {
		n.Type = tuple.Null
	}
	return folded(n)
}

// fit resolves a call, reading arguments as other types where it must.
func (b *binder) fit(name string, args []*expr.Node) (canonical string, t tuple.Type, fitted []*expr.Node, err error) {
	switch strings.ToLower(name) {
	case "||", "concat":
		args = b.asText(args)
	case "coalesce", "ifnull", "greatest", "least", "nullif":
		if unified, _, problem := b.unify(args); problem == nil {
			canonical, t, err = expr.Resolve(name, unified)
			return canonical, t, unified, err
		}
	case "if":
		if len(args) == 3 {
			cond, _ := b.convert(args[0], tuple.Boolean)
			unified, _, _ := b.unify(args[1:])
			args = append([]*expr.Node{cond}, unified...)
		}
	}
	canonical, t, err = expr.Resolve(name, args)
	if err == nil && !slices.ContainsFunc(args, b.undecided) || errors.Is(err, expr.ErrUnknown) {
		return canonical, t, args, err
	}
	for _, way := range b.combinations(args) {
		if c, t, problem := expr.Resolve(name, way); problem == nil {
			return c, t, way, nil
		}
	}
	return canonical, t, args, err
}

// mismatch reports that a call does not take its arguments.
func (b *binder) mismatch(where place, name string, args []*expr.Node, err error) *expr.Node {
	message, hint, _ := strings.Cut(err.Error(), "; ")
	takes, _, wrong := strings.Cut(message, ", not (")
	if !wrong {
		reason, why, ok := strings.Cut(message, ": ")
		if ok && hint == "" && (strings.HasSuffix(reason, "not available") || strings.HasPrefix(why, "there are ")) {
			message, hint = reason, why
		}
	}
	if !slices.ContainsFunc(args, func(a *expr.Node) bool { return a.Type.Bytes() && !isTextLiteral(a) }) && strings.HasPrefix(hint, "convert") {
		hint = "" // literals are converted where they can be
	}
	if !wrong {
		return b.fail(where.name, hint, "%s", message)
	}
	if slices.ContainsFunc(args, b.unknown) {
		given := make([]string, len(args))
		for i, a := range args {
			given[i] = a.Type.String()
			if a.Type == tuple.Null {
				given[i] = a.String()
			}
		}
		message = takes + ", not (" + strings.Join(given, ", ") + ")"
	}
	return b.fail(where.whole, hint, "%s", message)
}
