package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/tuple"
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
	q.say("time: %s; windows in %s %s; on overload the input waits%s", from, q.zoneText(), q.latenessText(live), q.droppedText())
}

// droppedText says that nothing is dropped, where that is so.
func (q *Query) droppedText() string {
	if q.plan.Inputs[0].Within || slices.ContainsFunc(q.plan.Boxes, func(b plan.Box) bool { return isDrop(b.Spec) }) {
		return ""
	}
	return ", nothing is dropped"
}

func isDrop(s op.Spec) bool {
	_, ok := s.(*op.Drop)
	return ok
}

// sayDrops notes what is dropped on purpose, and how.
func (q *Query) sayDrops() {
	for i, b := range q.plan.Boxes {
		d, ok := b.Spec.(*op.Drop)
		switch {
		case !ok || !slices.ContainsFunc(d.Keeps, func(keep float64) bool { return keep < 1 }):
		case d.Kind == tuple.Universe:
			q.say("%s: the records of %s are kept, whole values by chance; seed %d", d.Location, universeText(d), d.Seed)
		case i == 0 && q.raw != nil:
			q.say("%s: %s, by chance, before decoding; seed %d", d.Location, keepsText(d.Keeps), d.Seed)
		default:
			q.say("%s: %s, by chance; seed %d", d.Location, keepsText(d.Keeps), d.Seed)
		}
	}
}

// keepsText says how many records are kept: 1 in 10, where it is a whole number.
func keepsText(keeps []float64) string {
	if n := 1 / keeps[0]; len(keeps) == 1 && n < 1e6 && math.Abs(n-math.Round(n)) < 1e-9*n {
		return fmt.Sprintf("1 record in %.0f is kept", n)
	}
	return percentages(keeps) + " of the records are kept" + inTurn(keeps)
}

// universeText says of which values the records are kept.
func universeText(d *op.Drop) string {
	var keys []string
	for _, k := range d.Keys {
		keys = append(keys, k.String())
	}
	return percentages(d.Keeps) + " of the values of " + strings.Join(keys, ", ") + inTurn(d.Keeps)
}

func inTurn(keeps []float64) string {
	if len(keeps) > 1 {
		return ", in turn"
	}
	return ""
}

// percentages lists shares as percentages.
func percentages(shares []float64) string {
	var all []string
	for _, p := range shares {
		all = append(all, strconv.FormatFloat(100*p, 'g', 4, 64)+" %")
	}
	return strings.Join(all, ", ")
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
