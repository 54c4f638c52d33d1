package query

import (
	"strings"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// refuse finds what the language has and no engine runs yet.
func (b *binder) refuse() {
	q := b.query
	if len(q.Arms) > 1 {
		b.notYet(q.Arms[1].Union, "UNION ALL")
	}
	if b.sel.From == nil {
		b.fail(b.sel.Span, "add FROM: FROM stdin, or FROM 'file.ndjson'", "a query reads a stream")
		return
	}
	b.refuseRelation(b.sel.From)
	if q.Emit != nil {
		switch q.Emit.Kind {
		case syntax.EmitEvery:
			b.notYet(q.Emit.Span, "EMIT EVERY")
		case syntax.EmitChanges:
			b.notYet(q.Emit.Span, "EMIT CHANGES")
		}
	}
	if q.QoS != nil {
		b.readQoS(q.QoS)
	}
	b.refuseFunctions()
}

// refuseFunctions finds functions that there are not, wherever they stand: before what else is wrong with the query.
func (b *binder) refuseFunctions() {
	all := []syntax.Expr{}
	for _, it := range b.sel.Items {
		all = append(all, it.Expr)
	}
	all = append(append(append(all, b.sel.Where), b.sel.GroupBy...), b.sel.Having)
	for _, o := range b.query.OrderBy {
		all = append(all, o.Expr)
	}
	for _, x := range all {
		syntax.Walk(x, func(x syntax.Expr) bool {
			c, ok := x.(*syntax.Call)
			if ok && isWindowFunction(strings.ToLower(c.Func.Name)) {
				return false // which is looked at as the window
			}
			if ok {
				b.refuseFunction(c)
			}
			return b.err == nil
		})
	}
}

func (b *binder) notYet(at syntax.Span, what string) {
	b.fail(at, "", "not yet supported: %s", what)
}

func (b *binder) refuseRelation(r syntax.Relation) {
	switch r := r.(type) {
	case *syntax.Table:
		b.refuseSample(r.Sample)
	case *syntax.Window:
		if strings.EqualFold(r.Func.Name, "session") {
			b.notYet(r.Func.Span, "session windows")
		}
		b.refuseRelation(r.Input)
		b.refuseSample(r.Sample)
	case *syntax.Subquery:
		b.notYet(r.Span, "a query in FROM")
	case *syntax.Join:
		b.notYet(r.Span, "JOIN")
	}
}

// readQoS reads a WITH QOS clause.
func (b *binder) readQoS(tree *syntax.QoS) {
	var problem *syntax.Error
	if b.qos, problem = readQoS(b.src, tree); problem != nil && b.err == nil {
		b.err = problem
	}
}
