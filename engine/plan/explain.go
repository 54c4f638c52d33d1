package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Explain returns the query as an indented tree, the sink at the top and the streams at the bottom, one box a line.
// Boxes that run as one step (a chain without a fork: Aurora's superbox) are joined by a line. The sink says when
// rows come.
func Explain(q *Query) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sink      %s   [%s]\n", fieldList(q.Output), whenRowsCome(q))
	last := FromInput(0)
	if n := len(q.Boxes); n > 0 {
		last = FromBox(n - 1)
	}
	explainPort(&b, q, last, 0)
	return b.String()
}

func whenRowsCome(q *Query) string {
	switch {
	case q.Windowed:
		return "when a window closes"
	case q.AtEnd:
		return "at the end of input"
	}
	return "as they come"
}

func explainPort(b *strings.Builder, q *Query, p Port, depth int) {
	indent := strings.Repeat("   ", depth)
	if p.Box < 0 {
		explainInput(b, &q.Inputs[p.Input], indent)
		return
	}
	box := q.Boxes[p.Box]
	fmt.Fprintf(b, "%s└─ %s\n", indent, specText(box.Spec, q.schema(box.In[0])))
	for _, in := range box.In {
		explainPort(b, q, in, depth+1)
	}
}

// schema returns the schema of the rows that come to a port.
func (q *Query) schema(p Port) *tuple.Schema {
	if p.Box < 0 {
		return q.Inputs[p.Input].Schema
	}
	return q.Boxes[p.Box].Schema
}

// specText describes an operator whose input has a schema: with the names of columns where the operator knows their
// numbers only.
func specText(s op.Spec, in *tuple.Schema) string {
	switch s := s.(type) {
	case *op.Order:
		return orderText(s, in)
	case *op.Project:
		return projectText(s)
	case *op.Aggregate:
		return s.String() + estimateText(s)
	case *op.Drop:
		return dropText(s)
	}
	return s.String()
}

// projectText describes a projection: what has bounds is marked ±, and the columns of the bounds are left out.
func projectText(p *op.Project) string {
	var parts []string
	for i, n := range p.Exprs {
		f := p.Fields[i]
		switch part := n.String(); {
		case isBound(f.Role):
		case f.Role != tuple.Plain:
			parts = append(parts, f.Name)
		case f.Name != part:
			parts = append(parts, part+" AS "+f.Name+boundMark(p.Fields, i))
		default:
			parts = append(parts, part+boundMark(p.Fields, i))
		}
	}
	return "project " + strings.Join(parts, ", ")
}

// boundMark returns the mark of column i if it has bounds.
func boundMark(fields []tuple.Field, i int) string {
	if i+1 < len(fields) && (fields[i+1].Role == tuple.Low || fields[i+1].Role == tuple.Unreliable) && fields[i+1].Of == i {
		return " ±"
	}
	return ""
}

// estimateText says how an aggregate estimates, if it does.
func estimateText(a *op.Aggregate) string {
	var parts []string
	if s := a.Sampling; s != nil {
		parts = append(parts, "intervals at "+strconv.FormatFloat(100*s.Confidence, 'g', 6, 64)+" %")
		switch {
		case s.Key != nil:
			parts = append(parts, "clusters of "+s.Key.Text)
		case s.Weighted:
			parts = append(parts, "weighted")
		}
	}
	for i := range a.Aggs {
		if method := a.Aggs[i].Method(a.Sampling); method != "" {
			parts = append(parts, a.Aggs[i].String()+" by "+method)
		}
	}
	for _, r := range a.Ratios {
		parts = append(parts, "ratio of "+a.Aggs[r.Num].String()+" to "+a.Aggs[r.Den].String())
	}
	if a.Memory > 0 {
		parts = append(parts, "memory "+strconv.FormatInt(a.Memory, 10)+" bytes")
	}
	if len(parts) == 0 {
		return ""
	}
	return "   [" + strings.Join(parts, ", ") + "]"
}

// dropText describes a drop and what its choice depends on.
func dropText(d *op.Drop) string { return fmt.Sprintf("%s   [%s, seed %d]", d, d.Location, d.Seed) }

// orderText describes a sort.
func orderText(o *op.Order, in *tuple.Schema) string {
	var keys []string
	for _, k := range o.Keys {
		key := in.Fields[k.Col].Name
		if k.Desc {
			key += " desc"
		}
		if k.NullsFirst {
			key += " nulls first"
		}
		keys = append(keys, key)
	}
	var parts []string
	if len(keys) > 0 {
		parts = append(parts, "order by "+strings.Join(keys, ", "))
	}
	if o.Limit >= 0 {
		parts = append(parts, fmt.Sprintf("limit %d", o.Limit))
	}
	if o.Offset > 0 {
		parts = append(parts, fmt.Sprintf("offset %d", o.Offset))
	}
	if len(parts) > 0 && o.Window >= 0 {
		parts = append(parts, "in each window")
	}
	if o.Total > 0 {
		parts = append(parts, fmt.Sprintf("limit %d in all", o.Total))
	}
	if len(parts) == 0 {
		return fmt.Sprintf("keep %s", fieldNames(in.Fields[:o.Keep]))
	}
	if o.Pick != nil {
		parts = append(parts, "  [rows picked by luck are labelled]")
	}
	return strings.Join(parts, " ")
}

func fieldNames(fields []tuple.Field) string {
	var names []string
	for i, f := range fields {
		if !isBound(f.Role) {
			names = append(names, f.Name+boundMark(fields, i))
		}
	}
	return strings.Join(names, ", ")
}

func isBound(r tuple.Role) bool { return r == tuple.Low || r == tuple.High || r == tuple.Unreliable }

func explainInput(b *strings.Builder, in *Input, indent string) {
	if in.Where != nil {
		fmt.Fprintf(b, "%s└─ filter %s   [while decoding]\n", indent, in.Where.Text)
		indent += "   "
	}
	if d := in.Drop; d != nil {
		text := dropText(d)
		if d.Kind == tuple.Random {
			text = fmt.Sprintf("%s   [raw, before decoding; %s, seed %d]", d, d.Location, d.Seed)
		}
		fmt.Fprintf(b, "%s└─ %s\n", indent, text)
		indent += "   "
	}
	if in.Within {
		fmt.Fprintf(b, "%s└─ blocks by chance, while time lasts\n", indent)
		indent += "   "
	}
	fmt.Fprintf(b, "%s└─ decode %s", indent, in.Stream)
	if len(in.Schema.Fields) > 0 {
		fmt.Fprintf(b, ": %s", fieldList(in.Schema))
	}
	switch {
	case in.Time >= 0:
		fmt.Fprintf(b, "   [event time %s]", in.Schema.Fields[in.Time].Name)
	case in.ByArrival:
		b.WriteString("   [event time: arrival]")
	}
	if in.Weighted {
		one := ""
		if in.Share {
			one = "1/"
		}
		fmt.Fprintf(b, "   [weight %s%s]", one, in.Schema.Fields[in.Weight].Name)
	}
	b.WriteByte('\n')
}

func fieldList(s *tuple.Schema) string {
	var names []string
	for i, f := range s.Fields {
		if !isBound(f.Role) {
			names = append(names, f.Name+" "+f.Type.String()+boundMark(s.Fields, i))
		}
	}
	return strings.Join(names, ", ")
}
