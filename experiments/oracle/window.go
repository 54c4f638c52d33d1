package oracle

import (
	"fmt"
	"math/big"
	"time"

	"github.com/aurora-dsms/aurora/engine/op"
)

// span is the half-open interval of a window.
type span struct{ start, end int64 }

const day = int64(24 * time.Hour)

// windowsOf returns the function that lists the windows of w that contain a time, by start.
func windowsOf(w *op.Window) (func(t int64) []span, error) {
	if w.Zone != nil {
		return zonedWindows(w)
	}
	size, slide := lengthsOf(w)
	return func(t int64) []span { return plainWindows(t, size, slide, w.Origin) }, nil
}

func lengthsOf(w *op.Window) (size, slide int64) {
	size, slide = int64(w.Size)+int64(w.SizeDays)*day, int64(w.Slide)+int64(w.SlideDays)*day
	if w.Kind == op.Tumble {
		slide = size
	}
	return size, slide
}

// plainWindows lists windows of equal length that begin at origin and multiples of the slide before and after it.
func plainWindows(t, size, slide, origin int64) []span {
	at, step := big.NewInt(t), big.NewInt(slide)
	into := new(big.Int).Sub(at, big.NewInt(origin))
	start := new(big.Int).Sub(at, into.Mod(into, step))
	var spans []span
	for {
		end := new(big.Int).Add(start, big.NewInt(size))
		if end.Cmp(at) <= 0 {
			return spans
		}
		spans = append([]span{{saturated(start), saturated(end)}}, spans...)
		start = new(big.Int).Sub(start, step)
	}
}

// saturated returns n, or the nearest int64.
func saturated(n *big.Int) int64 {
	switch {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() < 0:
		return -1 << 63
	}
	return 1<<63 - 1
}

// wall finds windows by reading the clock on a wall, step by step. Steps are short enough for the clock to be set only
// between them.
type wall struct {
	zone         *time.Location
	origin, step int64
	size, slide  int64
	firsts       map[int64]int64
	known        map[int64][]span
}

// zonedWindows follows the documents of op.Window: whole days begin when the wall clock first shows them, durations that divide a
// day begin where it shows a multiple of them, jumps over one, or is set back to one or into an earlier one, and others are
// of equal length.
func zonedWindows(w *op.Window) (func(t int64) []span, error) {
	c := &wall{zone: w.Zone, origin: w.Origin, firsts: map[int64]int64{}, known: map[int64][]span{}}
	c.size, c.slide = lengthsOf(w)
	c.step = int64(time.Minute)
	for _, n := range []int64{c.size, c.slide, c.origin} {
		c.step = gcd(c.step, n)
	}
	divides := func(d time.Duration) bool { return d > 0 && int64(d) < day && day%int64(d) == 0 }
	if c.step < int64(time.Second) {
		return nil, fmt.Errorf("oracle: windows of %v in a zone would take it too long", w)
	}
	var find func(t int64) []span
	switch {
	case w.SizeDays > 0 && (w.SlideDays > 0 || w.Kind == op.Tumble):
		find = c.days
	case divides(w.Size) && (w.Kind == op.Tumble || divides(w.Slide)):
		find = func(t int64) []span { return c.runs(t, c.paneEnd) }
	case w.SizeDays > 0 && divides(w.Slide):
		find = func(t int64) []span { return c.runs(t, c.dayEnd) }
	case w.SizeDays == 0 && w.SlideDays == 0:
		origin := c.first(w.Origin)
		return func(t int64) []span { return plainWindows(t, c.size, c.slide, origin) }, nil
	default:
		return nil, fmt.Errorf("oracle: %v is a window that it does not know", w)
	}
	return func(t int64) []span {
		step := floorDiv(t, c.step)
		if _, ok := c.known[step]; !ok {
			c.known[step] = find(step * c.step)
		}
		return c.known[step]
	}, nil
}

// reading returns what the clock shows at t, as if it were UTC.
func (c *wall) reading(t int64) int64 {
	_, offset := time.Unix(0, t).In(c.zone).Zone()
	return t + int64(offset)*int64(time.Second)
}

// first returns the first instant at which the clock shows reading or a later one.
func (c *wall) first(reading int64) int64 {
	if t, ok := c.firsts[reading]; ok {
		return t
	}
	t := reading - 16*int64(time.Hour)
	for c.reading(t) < reading {
		t += c.step
	}
	c.firsts[reading] = t
	return t
}

// days lists windows of whole days.
func (c *wall) days(t int64) []span {
	var spans []span
	for k := floorDiv(c.reading(t)-c.origin, c.slide) + 2; ; k-- {
		reading := c.origin + k*c.slide
		s := span{c.first(reading), c.first(reading + c.size)}
		shown := s.start < c.first(reading+c.slide) // else the clock jumps over all of the days before the next window
		switch {
		case shown && s.start <= t && t < s.end:
			spans = append([]span{s}, spans...)
		case reading+c.size+2*day < c.reading(t):
			return spans
		}
	}
}

// bucket returns the number of the length of time that the clock shows at t.
func (c *wall) bucket(t, length int64) int64 { return floorDiv(c.reading(t)-c.origin, length) }

// begins reports whether t is where a run of readings in one bucket begins.
func (c *wall) begins(t, length int64) bool {
	before := t - c.step
	set := c.reading(t) != c.reading(before)+c.step
	return c.bucket(t, length) != c.bucket(before, length) || set && (c.reading(t)-c.origin)%length == 0
}

func (c *wall) runStart(t, length int64) int64 {
	for !c.begins(t, length) {
		t -= c.step
	}
	return t
}

func (c *wall) runEnd(t, length int64) int64 {
	for t += c.step; !c.begins(t, length); t += c.step {
	}
	return t
}

// runs lists windows that begin with a run of the slide. They end where ending says, but not before the next one begins.
func (c *wall) runs(t int64, ending func(start int64) int64) []span {
	var spans []span
	for start := c.runStart(t, c.slide); ; start = c.runStart(start-c.step, c.slide) {
		end := max(ending(start), c.runEnd(start, c.slide))
		if end <= t {
			return spans
		}
		spans = append([]span{{start, end}}, spans...)
	}
}

// paneEnd is the end of a window of a duration that divides a day: it has as many panes, runs of the greatest common divisor of size
// and slide, as make up its size.
func (c *wall) paneEnd(start int64) int64 {
	pane := gcd(c.size, c.slide)
	for range c.size / pane {
		start = c.runEnd(start, pane)
	}
	return start
}

// dayEnd is the end of a window of days: where the clock shows the beginning's reading that much later.
func (c *wall) dayEnd(start int64) int64 {
	return c.first(c.origin + c.bucket(start, c.slide)*c.slide + c.size)
}

func gcd(a, b int64) int64 {
	return new(big.Int).GCD(nil, nil, big.NewInt(max(a, -a)), big.NewInt(max(b, -b))).Int64()
}

func floorDiv(a, b int64) int64 {
	q, _ := new(big.Int).DivMod(big.NewInt(a), big.NewInt(b), new(big.Int))
	return q.Int64()
}
