package engine

import (
	"fmt"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/op"
)

func (q *Query) say(format string, args ...any) {
	q.notes = append(q.notes, fmt.Sprintf(format, args...))
}

// sayTime notes what was decided about the time of a query with windows. An empty column stands for the time of arrival.
func (q *Query) sayTime(column string, live bool) {
	from := "arrival: no column has times (--time names one)"
	if column != "" {
		from = column + q.unitText(column)
	}
	q.say("time: %s; windows in %s %s; on overload the input waits, nothing is dropped", from, q.zoneText(), q.latenessText(live))
}

// unitText says how the numbers in the time column are read, and who decided it; nothing when the times are text.
func (q *Query) unitText(column string) string {
	s := q.stream
	if s.options.Unit == codec.UnitText {
		return ""
	}
	for _, f := range s.shape.Fields {
		if f.Name == column && !s.declared && !f.Type.Numeric() {
			return ""
		}
	}
	if s.autoUnit {
		return fmt.Sprintf(" in %s, as the first records show", s.options.Unit)
	}
	return fmt.Sprintf(" in %s", s.options.Unit)
}

// zoneText names the time zone of the query's windows.
func (q *Query) zoneText() string {
	for _, b := range q.plan.Boxes {
		if a, ok := b.Spec.(*op.Aggregate); ok && a.Window.Zone != nil {
			return a.Window.Zone.String()
		}
	}
	return time.UTC.String()
}

// latenessText says when windows close.
func (q *Query) latenessText(live bool) string {
	if q.box.toEnd {
		why := ""
		switch {
		case q.stream.input.Lateness.Set:
		case q.stream.source.Live():
			why = ": this is history"
		default:
			why = ": this is a file"
		}
		return "close at the end of the input" + why
	}
	text := "close as they end"
	if q.box.lateness > 0 {
		text = fmt.Sprintf("close %s after their end (lateness)", time.Duration(q.box.lateness))
	}
	if live && q.stream.idle > 0 {
		text += fmt.Sprintf(", or when the stream is silent for %s", q.stream.idle)
	}
	return text
}
