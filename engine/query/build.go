package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// parts are the clauses of a query, bound.
type parts struct {
	where, having *expr.Node // nil: none
	outs          []output
	visible       int
	order         []op.OrderKey
	window        int // the output that is window_start, or -1
	pick          *op.Pick
}

// plan binds the clauses and puts them together. After a mistake the plan is nil.
func (b *binder) plan() *plan.Query {
	b.findWindow()
	b.thin()
	b.declareRanges()
	p := parts{window: -1}
	if b.sel.Where != nil {
		p.where = b.where(b.sel.Where, scope{place: "WHERE"})
	}
	b.groupBy()
	if b.window != nil && b.groups == nil {
		b.fail(b.window.at, "add an aggregate or GROUP BY", "not yet supported: a window without an aggregate")
	}
	p.outs = b.selectList()
	if b.sel.Having != nil {
		p.having = b.where(b.sel.Having, scope{place: "HAVING", grouped: true})
	}
	p.visible = len(p.outs)
	p.outs, p.order = b.orderBy(p.outs)
	if b.err != nil {
		return nil
	}
	if b.settings.Unsifted {
		p.having, p.outs, p.order = nil, p.outs[:p.visible], nil
	}
	if b.window != nil && (len(p.order) > 0 || b.query.Limit != nil || b.query.Offset != nil || b.sel.Distinct || b.settings.Limit > 0) {
		p.outs, p.window = outputFor(p.outs, b.windowColumn("window_start", 0))
	}
	if b.checking() {
		return &plan.Query{}
	}
	b.widen(&p)
	return b.assemble(p)
}

// where binds a condition; nil if it is always true.
func (b *binder) where(x syntax.Expr, sc scope) *expr.Node {
	n := expr.Fold(b.condition(x, sc))
	if n.Kind == expr.Const && !n.Value.Null && n.Value.B {
		return nil
	}
	return n
}

// assemble makes the plan.
func (b *binder) assemble(p parts) *plan.Query {
	columns := b.columns(p)
	m := numbering{reads: columns}
	q := &plan.Query{Inputs: []plan.Input{b.input(columns)}, Windowed: b.window != nil}
	if p.where != nil {
		q.Append(&op.Filter{Cond: m.renumbered(p.where)})
	}
	if b.thinned.second != nil {
		q.Append(b.thinned.second)
	}
	if b.groups != nil {
		m.spec = b.aggregateSpec(m, p.where != nil)
		if m.spec.Sampling != nil {
			m.spec.Sampling.Confidence = b.jointly(p)
		}
		q.Append(m.spec)
		q.AtEnd = b.window == nil
	}
	if p.having != nil {
		q.Append(&op.Filter{Cond: m.renumbered(b.sparing(p.having))})
	}
	project := &op.Project{Fields: b.fieldsOf(p.outs)}
	for _, o := range p.outs {
		project.Exprs = append(project.Exprs, m.renumbered(o.node))
	}
	for i := range project.Exprs {
		project.Fields[i].Type = project.Exprs[i].Type
	}
	q.Append(project)
	b.finish(q, p)
	q.Output = &tuple.Schema{Fields: q.Output.Fields, Bounded: b.bounded()}
	if slices.ContainsFunc(q.Output.Fields, func(f tuple.Field) bool { return f.Role == tuple.Low }) {
		q.Output.Confidence = b.confidence()
	}
	return q
}

// finish adds what comes after the projection.
func (b *binder) finish(q *plan.Query, p parts) {
	if b.sel.Distinct {
		q.Append(b.distinct(p))
	}
	q.Sorted = len(p.order) > 0 && b.window == nil
	q.AtEnd = q.AtEnd || q.Sorted
	if q.Sorted && b.stream.Live && b.groups == nil {
		b.fail(b.query.OrderBy[0].Span, "group by a window, as in GROUP BY tumble(ts, '1 minute'), or leave ORDER BY out",
			"a stream without an end cannot be sorted")
	}
	o := &op.Order{Keys: p.order, Limit: -1, Window: p.window, Keep: p.visible, Pick: p.pick}
	if b.query.Limit != nil && !b.settings.Unsifted {
		o.Limit = b.query.Limit.Value
	}
	if b.query.Offset != nil && !b.settings.Unsifted {
		o.Offset = b.query.Offset.Value
	}
	switch most := b.settings.Limit; {
	case most <= 0:
	case p.window >= 0:
		o.Total = most
	case o.Limit < 0 || most < o.Limit:
		o.Limit = most
	}
	if len(p.order) > 0 || o.Limit >= 0 || o.Offset > 0 || o.Total > 0 || len(p.outs) > p.visible {
		q.Append(o)
	}
}

// sparing returns the condition of HAVING, which decides of groups and not of the row of those that had no room.
func (b *binder) sparing(having *expr.Node) *expr.Node {
	if b.settings.Memory == 0 || len(b.groups.keys) == 0 {
		return having
	}
	return &expr.Node{Kind: expr.Call, Type: tuple.Boolean, Name: "or", Args: []*expr.Node{rowColumn(rowOther, tuple.Boolean, "_other"), having}}
}

// distinctMemory is what a DISTINCT may take for which only an error is asked for.
const distinctMemory = 64 << 20

// distinct drops rows that came before. Over rows of the stream it may be bounded: by the memory, which over groups is that of the
// aggregate, and by the error, which over groups is that of intervals.
func (b *binder) distinct(p parts) *op.Distinct {
	d := &op.Distinct{Window: p.window, Keep: p.visible}
	if b.groups != nil {
		return d
	}
	d.Memory, d.Error = b.settings.Memory, b.settings.Error
	if d.Error == 0 {
		d.Error = b.qos.Error
	}
	if d.Error > 0 && d.Memory == 0 {
		d.Memory = distinctMemory
	}
	if _, err := d.Make(); err != nil {
		b.fail(b.sel.Span, "give a few KiB, as in --memory 64KiB, and an error of at most 50%", "DISTINCT: %s", strings.TrimPrefix(err.Error(), "distinct: "))
	}
	return d
}

// input describes the reading of the stream.
func (b *binder) input(columns []int) plan.Input {
	in := plan.Input{Stream: b.stream.Name, Schema: &tuple.Schema{}, Time: -1}
	in.Schema.Fields = make([]tuple.Field, 1+slices.Max(append(columns, -1)))
	for i, c := range columns {
		if c < 0 {
			continue
		}
		f := b.fields[b.reads[i].field]
		in.Schema.Fields[c] = tuple.Field{Name: f.Name, Path: f.Path, Type: settled(b.reads[i].typ)}
	}
	b.thinInput(&in, columns)
	if b.window != nil {
		in.ByArrival = b.window.time < 0
		if !in.ByArrival {
			in.Time = columns[b.window.time]
		}
	}
	return in
}

// settled is the type at which a field is read that nothing has asked to be anything.
func settled(t tuple.Type) tuple.Type {
	if t == tuple.Null {
		return tuple.Text
	}
	return t
}

// columns numbers the reads that the query uses, in the order of the stream's fields, and gives -1 to the others.
func (b *binder) columns(p parts) []int {
	used := make([]bool, len(b.reads))
	b.used = used
	mark := func(n *expr.Node) {
		if n == nil {
			return
		}
		for _, c := range expr.Columns(n) {
			if c < overGroups {
				used[c] = true
			}
		}
	}
	mark(p.where)
	mark(b.thinned.key)
	mark(b.thinned.weight)
	if b.groups != nil {
		for _, k := range b.groups.keys {
			mark(k.node)
		}
		for _, a := range b.groups.aggs {
			mark(a.Arg)
			mark(a.Filter)
		}
	}
	for _, o := range p.outs {
		mark(o.node)
	}
	if b.window != nil && b.window.time >= 0 {
		used[b.window.time] = true
	}
	order := make([]int, len(b.reads))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.reads[i].field, b.reads[j].field) })
	columns, next := make([]int, len(b.reads)), 0
	seen := map[read]int{}
	for _, i := range order {
		columns[i] = -1
		if !used[i] {
			continue
		}
		r := read{b.reads[i].field, settled(b.reads[i].typ)}
		if c, ok := seen[r]; ok {
			columns[i] = c
			continue
		}
		columns[i], seen[r] = next, next
		next++
	}
	return columns
}

// aggregateSpec makes the aggregate.
func (b *binder) aggregateSpec(m numbering, filtered bool) *op.Aggregate {
	g := b.groups
	spec := &op.Aggregate{Sampling: b.sampling(filtered, m), Ratios: g.ratios, Memory: b.settings.Memory}
	if b.window != nil {
		spec.Window = b.window.spec
	}
	for _, k := range g.keys {
		n := m.renumbered(k.node)
		spec.Keys = append(spec.Keys, n)
		spec.KeyFields = append(spec.KeyFields, tuple.Field{Name: k.name, Type: n.Type})
	}
	for _, a := range g.aggs {
		a.Arg, a.Filter = m.renumbered(a.Arg), m.renumbered(a.Filter)
		a.Bounds, a.Confidence = a.Bounds || b.bounded(), b.confidence()
		spec.Aggs = append(spec.Aggs, a)
	}
	return spec
}

// renumbered returns n with columns counted as the boxes count them, and its text.
func (m numbering) renumbered(n *expr.Node) *expr.Node {
	if n == nil {
		return nil
	}
	out := m.renumber(n)
	if out == n {
		fresh := *n
		out = &fresh
	}
	if out.Kind == expr.Call && out.Name == "and" {
		out.Args = slices.Clone(out.Args)
		for i, a := range out.Args {
			fresh := *a
			fresh.Text = fresh.String()
			out.Args[i] = &fresh
		}
	}
	out.Text = out.String()
	return out
}

func (m numbering) renumber(n *expr.Node) *expr.Node {
	return expr.Rewrite(n, func(n *expr.Node) *expr.Node {
		if n.Kind != expr.Col {
			return n
		}
		fresh := *n
		fresh.Index = m.column(n.Index)
		if n.Index < overGroups {
			fresh.Type = settled(n.Type)
		}
		return &fresh
	})
}
