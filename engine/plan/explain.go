package plan

import (
	"fmt"
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
	o, ok := s.(*op.Order)
	if !ok {
		return s.String()
	}
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
	if len(parts) == 0 {
		return fmt.Sprintf("keep %s", fieldNames(in.Fields[:o.Keep]))
	}
	if o.Window >= 0 {
		parts = append(parts, "in each window")
	}
	return strings.Join(parts, " ")
}

func fieldNames(fields []tuple.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

func explainInput(b *strings.Builder, in *Input, indent string) {
	if in.Where != nil {
		fmt.Fprintf(b, "%s└─ filter %s   [while decoding]\n", indent, in.Where.Text)
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
	b.WriteByte('\n')
}

func fieldList(s *tuple.Schema) string {
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		names[i] = f.Name + " " + f.Type.String()
	}
	return strings.Join(names, ", ")
}
