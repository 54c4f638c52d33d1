package plan

import (
	"fmt"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Explain returns the query as an indented tree, the sink at the top and the streams at the bottom, one box a
// line. Boxes that run as one step (a chain without a fork: Aurora's superbox) are joined by a line.
func Explain(q *Query) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sink      %s\n", fieldList(q.Output))
	last := FromInput(0)
	if n := len(q.Boxes); n > 0 {
		last = FromBox(n - 1)
	}
	explainPort(&b, q, last, 0)
	return b.String()
}

func explainPort(b *strings.Builder, q *Query, p Port, depth int) {
	indent := strings.Repeat("   ", depth)
	if p.Box < 0 {
		explainInput(b, &q.Inputs[p.Input], indent)
		return
	}
	box := q.Boxes[p.Box]
	fmt.Fprintf(b, "%s└─ %s\n", indent, box.Spec)
	for _, in := range box.In {
		explainPort(b, q, in, depth+1)
	}
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
