package expr

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// zoneArg returns the time zone that the third argument of a call names, nil if there is none.
func zoneArg(args []*Node) (*time.Location, error) {
	if len(args) < 3 {
		return nil, nil
	}
	s, ok := constantText(args[2])
	if !ok {
		return nil, errors.New("the time zone must be a literal, such as 'Europe/Berlin'")
	}
	if name := string(s); name != "" && name != "Local" { // which LoadLocation takes for UTC and for this machine's
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, nil
		}
	}
	return nil, fmt.Errorf("unknown time zone '%s': zones have names such as Europe/Berlin or UTC", s)
}

// zoned adds the check of a time zone to another.
func zoned(check func([]*Node) error) func([]*Node) error {
	return func(args []*Node) error {
		if err := check(args); err != nil {
			return err
		}
		_, err := zoneArg(args)
		return err
	}
}

// regime is a time during which the clocks of a zone are a constant offset ahead of UTC: [start, end) in ns.
type regime struct{ start, end, offset int64 }

// wallClock tells what the clock on a wall of its zone shows: a reading is the time in ns at which a clock in UTC shows
// the same. It remembers the last regime that it was asked for.
type wallClock struct {
	zone *time.Location
	last regime
}

// farthest is more than any clock has ever been ahead of or behind UTC.
const farthest = 16 * int64(time.Hour)

// tellable reports whether times and readings near t fit into 64 bits.
func tellable(t int64) bool { return t > math.MinInt64+4*farthest && t < math.MaxInt64-4*farthest }

// regime returns the regime that contains t.
func (w *wallClock) regime(t int64) regime {
	if t >= w.last.start && t < w.last.end {
		return w.last
	}
	at := time.Unix(0, t).In(w.zone)
	_, offset := at.Zone()
	from, to := at.ZoneBounds()
	s := regime{math.MinInt64, math.MaxInt64, int64(offset) * int64(time.Second)}
	if sec := from.Unix(); !from.IsZero() && sec > math.MinInt64/int64(time.Second) {
		s.start = from.UnixNano()
	}
	if sec := to.Unix(); !to.IsZero() && sec < math.MaxInt64/int64(time.Second) {
		s.end = to.UnixNano()
	}
	w.last = s
	return s
}

// reading returns what the clock shows at t.
func (w *wallClock) reading(t int64) (reading int64, ok bool) {
	if !tellable(t) {
		return 0, false
	}
	return t + w.regime(t).offset, true
}

// truncate returns the instant at which the unit begins that t lies in. Days and longer units begin at the first instant at
// which the clock shows their date: where it jumps over midnight, after the jump, and where it is set back over midnight,
// not again. Shorter units begin where the clock enters them, also anew where it is set back.
func (w *wallClock) truncate(u unit, t int64) (start int64, ok bool) {
	if !tellable(t) {
		return 0, false
	}
	if u < day {
		return w.truncateClock(u, t), true
	}
	s := w.regime(t)
	latest := t + s.offset
	if s.start != math.MinInt64 && t-s.start < unitLengths[day] {
		latest = max(latest, s.start-1+w.regime(s.start-1).offset)
	}
	date, ok := u.truncate(latest)
	if !ok || !tellable(date) {
		return 0, false
	}
	return w.first(date), true
}

// truncateClock is truncate for units shorter than a day.
func (w *wallClock) truncateClock(u unit, t int64) int64 {
	s := w.regime(t)
	shown, _ := u.truncate(t + s.offset)
	for shown-s.offset < s.start {
		before := w.regime(s.start - 1)
		if entered, _ := u.truncate(s.start - 1 + before.offset); entered != shown {
			return s.start
		}
		s = before
	}
	return shown - s.offset
}

// first returns the first instant at which the clock shows reading or a later one.
func (w *wallClock) first(reading int64) int64 {
	// In the regime where reading is far from the start no earlier one can have shown it.
	if at := reading - w.last.offset; at < w.last.end && (w.last.start == math.MinInt64 || at-2*farthest >= w.last.start) {
		return at
	}
	for t := reading - farthest; ; {
		s := w.regime(t)
		if at := max(s.start, reading-s.offset); at < s.end {
			return at
		}
		t = s.end
	}
}
