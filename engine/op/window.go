package op

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

const day = 24 * time.Hour

// span is a half-open interval of event time in ns. A start before the least int64 is given as
// that, an end after the greatest as tuple.End, which then stands for no end.
type span struct{ start, end int64 }

func (s span) contains(t int64) bool { return t >= s.start && (t < s.end || s.end == math.MaxInt64) }

// grid divides all of time into contiguous spans: every instant is in exactly one.
type grid interface {
	// at returns the span that contains t.
	at(t int64) span
}

// windows assigns instants to windows, and to panes: the finest spans of which all windows
// consist. Windows begin where spans of starts do. Tumbling windows are those spans, and are
// panes; a hopping window lasts beyond its own span of starts.
type windows struct {
	kind   WindowKind
	starts grid
	panes  grid
	// length returns the end of the hopping window that begins with a span of starts.
	length func(span) int64
	// size and slide are set where windows are of one length; 0 elsewhere.
	size, slide int64

	late struct { // the last answer of lastEnd
		span
		closes int64
	}
}

// check says what is wrong with w.
func (w *Window) check() error {
	size, slide := w.days(w.Size, w.SizeDays), w.days(w.Slide, w.SlideDays)
	switch {
	case w.Kind == NoWindow:
		return nil
	case w.Kind > Hop:
		return fmt.Errorf("unknown window kind %d", w.Kind)
	case w.Size != 0 && w.SizeDays != 0 || w.Slide != 0 && w.SlideDays != 0:
		return errors.New("a window is measured in days or in hours, not in both")
	case w.SizeDays > maxDays || w.SlideDays > maxDays:
		return fmt.Errorf("a window lasts at most %d days", maxDays)
	case size <= 0:
		return errors.New("window size must be positive")
	case w.Kind == Tumble:
		return nil
	case slide <= 0:
		return errors.New("window slide must be positive")
	case slide > size:
		return errors.New("window slide must not exceed its size")
	case w.Zone != nil && !w.wall() && (w.SizeDays != 0 || w.SlideDays != 0):
		return errors.New("a hopping window of days in a time zone needs a slide of whole days or of a divisor of a day")
	}
	return nil
}

// maxDays keeps the length of a window below 2^62 ns.
const maxDays = 50_000

func (w *Window) days(d time.Duration, days int) time.Duration {
	if days != 0 {
		return time.Duration(min(days, maxDays)) * day
	}
	return d
}

// wall reports whether w's windows follow the clock on the wall of its zone.
func (w *Window) wall() bool {
	divides := func(d time.Duration) bool { return d > 0 && d < day && day%d == 0 }
	switch {
	case w.Zone == nil:
		return false
	case w.Kind == Tumble:
		return w.SizeDays > 0 || divides(w.Size)
	case w.SizeDays > 0:
		return w.SlideDays > 0 || divides(w.Slide)
	}
	return divides(w.Size) && divides(w.Slide)
}

// String returns w as the query would write it: "tumble 1m0s", "hop 1h0m0s of 1 day in Europe/Berlin".
func (w Window) String() string {
	length := func(d time.Duration, days int) string {
		switch days {
		case 0:
			return d.String()
		case 1:
			return "1 day"
		}
		return fmt.Sprintf("%d days", days)
	}
	var s strings.Builder
	switch w.Kind {
	case Tumble:
		s.WriteString("tumble " + length(w.Size, w.SizeDays))
	case Hop:
		s.WriteString("hop " + length(w.Slide, w.SlideDays) + " of " + length(w.Size, w.SizeDays))
	default:
		return "no window"
	}
	if w.Origin != 0 {
		s.WriteString(" from " + time.Unix(0, w.Origin).UTC().Format("2006-01-02T15:04:05.999999999"))
	}
	if w.Zone != nil {
		s.WriteString(" in " + w.Zone.String())
	}
	return s.String()
}

// windows returns the assignment that w describes.
//
// Without a zone, windows are of equal length and begin at Origin plus multiples of the slide. In
// a zone Origin is a reading of the wall clock, and the windows are these:
//
//   - Whole days begin at the first instant at which the wall clock shows the date: 23 or 25
//     hours where the clock is changed, and the instant of the change where it jumps over midnight.
//   - Durations that divide a day (1h, 15m, 6h; not 7h, not 24h) begin where the wall clock shows a
//     multiple of them, counted from Origin, or jumps over one, or is set back into an earlier one.
//     Where the clock is set back by an hour, windows of an hour or less come twice and the
//     window of six hours that is interrupted lasts seven.
//   - Other durations are of equal length, counted from the instant at which the wall clock showed Origin.
//
// A hopping window of days ends where the wall clock shows the reading of its start that many days
// later; one of a duration that divides a day after as many panes, of the greatest common divisor
// of size and slide, as make up its size, but not before the next one begins.
func (w *Window) windows() (*windows, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	out := &windows{kind: w.Kind}
	size, slide := int64(w.days(w.Size, w.SizeDays)), int64(w.days(w.Slide, w.SlideDays))
	switch {
	case w.Kind == NoWindow:
		return out, nil
	case w.Kind == Tumble:
		slide = size
	}
	if w.wall() {
		w.wallWindows(out, size, slide)
		return out, nil
	}
	origin := w.Origin
	if w.Zone != nil {
		origin = newWallGrid(w.Zone, 1, 0).first(w.Origin)
	}
	starts := fixedGrid{size: slide, origin: origin}
	out.size, out.slide = size, slide
	out.starts, out.panes = starts, starts
	if cut := size % slide; cut != 0 {
		out.panes = pairGrid{starts, cut}
	}
	out.length = func(s span) int64 { return addSaturated(s.end, size-slide) }
	return out, nil
}

func (w *Window) wallWindows(out *windows, size, slide int64) {
	slides := newWallGrid(w.Zone, slide, w.Origin)
	days := dayGrid{newWallGrid(w.Zone, size, w.Origin)}
	out.starts = slides
	if slide >= int64(day) {
		out.starts = dayGrid{slides}
	}
	out.panes = out.starts
	switch {
	case w.Kind == Tumble:
	case w.SizeDays > 0:
		if w.SlideDays > 0 {
			out.panes = dayGrid{newWallGrid(w.Zone, gcd(size, slide), w.Origin)}
		}
		out.length = func(s span) int64 {
			reading := slides.reading(s.start)
			return max(days.first(addSaturated(reading, size)), s.end)
		}
	default:
		pane := gcd(size, slide)
		panes := newWallGrid(w.Zone, pane, w.Origin)
		out.panes = panes
		out.length = func(s span) int64 {
			end := s.start
			for range size / pane {
				end = panes.at(end).end
			}
			return max(end, s.end)
		}
	}
}

// end returns the end of the window that begins at start.
func (w *windows) end(start int64) int64 {
	s := w.starts.at(start)
	if w.kind == Tumble {
		return s.end
	}
	return w.length(s)
}

// next returns the start of the window after the one that begins at start; math.MaxInt64 where there is none.
func (w *windows) next(start int64) int64 { return w.starts.at(start).end }

// first returns the start of the first window that contains t.
func (w *windows) first(t int64) int64 {
	s := w.starts.at(t)
	if w.kind == Tumble {
		return s.start
	}
	if w.slide > 0 {
		into := w.slide - 1
		if s.end != math.MaxInt64 {
			into -= s.end - 1 - t
		} else {
			into = t - s.start
		}
		earlier := (w.size - 1 - into) / w.slide
		return addSaturated(s.start, -earlier*w.slide)
	}
	for s.start != math.MinInt64 {
		before := w.starts.at(s.start - 1)
		if before.start == s.start || w.length(before) <= t {
			break
		}
		s = before
	}
	return s.start
}

// lastEnd returns the end of the last window that contains t.
func (w *windows) lastEnd(t int64) int64 {
	if !w.late.contains(t) {
		w.late.span = w.starts.at(t)
		w.late.closes = w.end(w.late.start)
	}
	return w.late.closes
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// addSaturated returns a + b, or the nearest int64.
func addSaturated(a, b int64) int64 {
	switch s := a + b; {
	case a > 0 && b > 0 && s < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && s >= 0:
		return math.MinInt64
	default:
		return s
	}
}
