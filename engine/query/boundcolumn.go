package query

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Numbers of Col nodes over what an aggregate says of its answers, which are known only once it is complete: three columns of
// each aggregate with bounds, three of each ratio, and those of the row.
const (
	overBounds = 2 << 20
	overRatios = 3 << 20
	overRow    = 4 << 20
)

// Columns of the row, added to overRow.
const (
	rowKept = iota
	rowExact
	rowUnseen
	rowOther
)

// numbering translates the numbers of columns while a query is bound to those of its boxes.
type numbering struct {
	reads []int         // by read
	spec  *op.Aggregate // nil below it
}

func (m numbering) column(i int) int {
	switch {
	case i >= overRow:
		kept, exact, unseen, other := m.spec.RowColumns()
		return [...]int{kept, exact, unseen, other}[i-overRow]
	case i >= overRatios:
		return m.spec.RatioBounds((i-overRatios)/3) + (i-overRatios)%3
	case i >= overBounds:
		return m.spec.BoundsOf((i-overBounds)/3) + (i-overBounds)%3
	case i >= overGroups:
		return i - overGroups
	}
	return m.reads[i]
}

// bounded reports whether every answer comes with its bounds and an account of itself.
func (b *binder) bounded() bool {
	s := &b.settings
	return b.groups != nil && (s.Bounds || s.Error > 0 || s.Method != "" || s.Memory > 0 || b.query.QoS != nil || b.thinned.sampled())
}

// widen adds to the columns that are seen those of their bounds, behind each, and those of the row behind all.
func (b *binder) widen(p *parts) {
	if b.groups == nil {
		return
	}
	if p.having != nil && b.estimated(p.having) && b.bounded() && !b.settings.Bounds {
		b.warn("HAVING decides by estimates: rows near its limit may be on the wrong side; lower_bound(x) in place of x keeps those that pass in any case")
	}
	w := widening{binder: b, taken: map[string]bool{}, places: make([]int, len(p.outs))}
	for _, o := range p.outs[:p.visible] {
		w.taken[o.name] = true
	}
	for i, o := range p.outs[:p.visible] {
		w.places[i] = len(w.outs)
		w.outs = append(w.outs, o)
		w.addBounds(o, w.places[i])
	}
	if b.bounded() {
		w.addRow()
	}
	visible := len(w.outs)
	for i, o := range p.outs[p.visible:] {
		w.places[p.visible+i] = len(w.outs)
		w.outs = append(w.outs, o)
	}
	if key, by := b.picking(p); by != byValues && len(w.estimates)+len(w.lists) > 0 {
		p.pick = &op.Pick{Blind: by == byStatements, Labels: w.estimates, Lists: w.lists, Exact: w.exact}
		if by == byEstimates {
			p.pick.Desc = key.Desc
			w.pick(p.pick, p.outs[key.Col].node, w.places[key.Col])
		}
	}
	p.outs, p.visible = w.outs, visible
	for i := range p.order {
		p.order[i].Col = w.places[p.order[i].Col]
	}
	if p.window >= 0 {
		p.window = w.places[p.window]
	}
}

// sorting says what a limit or an offset picks rows by.
type sorting uint8

const (
	byValues     sorting = iota // that are known
	byEstimates                 // whose intervals say how far off they may be
	byStatements                // of intervals, and all else that depends on estimates and has no interval
)

// picking returns what a limit or an offset picks rows by, and the first term of ORDER BY that is not known. The window is the same
// for all, and where all group keys are terms those behind them decide nothing.
func (b *binder) picking(p *parts) (key op.OrderKey, by sorting) {
	if b.query.Limit == nil && b.query.Offset == nil && b.settings.Limit <= 0 {
		return key, byValues
	}
	terms, keys := 0, map[int]bool{}
	for _, k := range p.order {
		n := p.outs[k.Col].node
		if b.window != nil && n.Kind == expr.Col && n.Index == overGroups {
			continue
		}
		estimates, statements := b.rests(n)
		switch {
		case estimates && !statements && terms == 0 && (n.Type.Numeric() || n.Type == tuple.Timestamp || n.Type == tuple.Interval):
			return k, byEstimates
		case estimates || statements:
			return k, byStatements
		}
		terms++
		if i := n.Index - overGroups - b.groups.offset(); n.Kind == expr.Col && i >= 0 && i < len(b.groups.keys) {
			if keys[i] = true; len(keys) == len(b.groups.keys) {
				break
			}
		}
	}
	return key, byValues
}

// rests reports whether the value of n depends on estimates, and whether on what is said of them.
func (b *binder) rests(n *expr.Node) (estimates, statements bool) {
	first := overGroups + b.groups.offset() + len(b.groups.keys)
	for _, c := range expr.Columns(n) {
		statements = statements || c >= overBounds
		estimates = estimates || c >= first && c < overBounds && b.hasBounds(c-first)
	}
	return estimates, statements
}

// widening is widen at work.
type widening struct {
	*binder
	outs   []output
	places []int // of the columns that there were
	// estimates are those of the columns with bounds.
	estimates []op.Estimate
	// lists are the labels of those without, which are left alone in rows of which the column exact is true.
	lists []int
	exact int
	taken map[string]bool
}

// add adds a column, under a name that no other has.
func (w *widening) add(n *expr.Node, name string, role tuple.Role, of int) {
	free := name
	for k := 1; w.taken[free]; k++ {
		free = fmt.Sprintf("%s_%d", name, k)
	}
	if free != name {
		w.warn("a column of the query is called %s: what is known of its answers is given out as %s", name, free)
	}
	w.taken[free] = true
	w.outs = append(w.outs, output{node: n, name: free, role: role, of: of})
}

// addBounds adds the bounds of o, the column number of.
func (w *widening) addBounds(o output, of int) {
	if !w.estimated(o.node) {
		return
	}
	if !w.listed(o.node) {
		low, high := w.bounds(o.node)
		w.add(low, o.name+"_lo", tuple.Low, of)
		w.add(high, o.name+"_hi", tuple.High, of)
	}
	w.add(w.label(o.node), o.name+"_unreliable", tuple.Unreliable, of)
	if at := len(w.outs) - 1; at == of+3 {
		w.estimates = append(w.estimates, op.Estimate{Low: of + 1, High: of + 2, Label: at})
	} else {
		w.lists = append(w.lists, at)
	}
}

// pick names the bounds of n, the column number at, by which rows are picked. They are added, unseen, unless they are there.
func (w *widening) pick(pick *op.Pick, n *expr.Node, at int) {
	for _, e := range w.estimates {
		if e.Low == at+1 {
			pick.Low, pick.High = e.Low, e.High
			return
		}
	}
	low, high := w.bounds(n)
	pick.Low, pick.High = len(w.outs), len(w.outs)+1
	w.outs = append(w.outs, output{node: low, name: "lower_bound(" + w.outs[at].name + ")"}, output{node: high, name: "upper_bound(" + w.outs[at].name + ")"})
}

// listed reports whether n is a list of the most frequent values, each of which has its bounds with it.
func (w *widening) listed(n *expr.Node) bool {
	i := w.groups.aggregateAt(n)
	return i >= 0 && w.groups.aggs[i].Func == op.TopK
}

// rowColumn returns a column of the row.
func rowColumn(i int, t tuple.Type, name string) *expr.Node {
	return &expr.Node{Kind: expr.Col, Type: t, Index: overRow + i, Text: name}
}

// addRow adds the columns of the row.
func (w *widening) addRow() {
	kept, exact := constant(expr.Value{Type: tuple.Double, F: 1}, 0), rowColumn(rowExact, tuple.Boolean, "_exact")
	if w.thinned.sampled() || w.settings.Memory > 0 {
		kept = rowColumn(rowKept, tuple.Double, "_kept")
	} else {
		var all []*expr.Node
		for i := range w.groups.aggs {
			all = append(all, w.exactAggregate(i)...)
		}
		exact = conjunction(all)
	}
	w.add(kept, "_kept", tuple.Kept, 0)
	w.exact = len(w.outs)
	w.add(exact, "_exact", tuple.Exact, 0)
	if (w.thinned.sampled() || w.settings.Memory > 0) && len(w.groups.keys) > 0 {
		w.add(rowColumn(rowUnseen, tuple.Number, "_unseen"), "_unseen", tuple.Unseen, 0)
	}
	if w.settings.Memory > 0 {
		w.add(rowColumn(rowOther, tuple.Boolean, "_other"), "_other", tuple.Other, 0)
	}
}

// aggregateAt returns the number of the aggregate whose column n is, or -1.
func (g *grouping) aggregateAt(n *expr.Node) int {
	first := overGroups + g.offset() + len(g.keys)
	if n.Kind != expr.Col || n.Index < first || n.Index >= first+len(g.aggs) {
		return -1
	}
	return n.Index - first
}

// column returns the column of aggregate i over the groups.
func (g *grouping) column(i int) *expr.Node {
	f := g.aggs[i].Field
	return &expr.Node{Kind: expr.Col, Type: f.Type, Index: overGroups + g.offset() + len(g.keys) + i, Text: f.Name}
}
