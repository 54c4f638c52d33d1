package op

import (
	"math"
	"time"
)

// fixedGrid has spans of one length, of which one begins at origin.
type fixedGrid struct{ size, origin int64 }

func (g fixedGrid) at(t int64) span {
	into := floorMod(floorMod(t, g.size)-floorMod(g.origin, g.size), g.size)
	return span{addSaturated(t, -into), addSaturated(t, g.size-into)}
}

// pairGrid cuts each span of a fixed grid in two, the first of length cut. These are the panes of
// windows that last a number of slides and cut more: they begin and end nowhere else.
type pairGrid struct {
	fixedGrid
	cut int64
}

func (g pairGrid) at(t int64) span {
	s := g.fixedGrid.at(t)
	middle := addSaturated(s.start, g.cut)
	if s.start == math.MinInt64 {
		middle = addSaturated(s.end, g.cut-g.size)
	}
	if t < middle {
		return span{s.start, middle}
	}
	return span{middle, s.end}
}

// segment is a time during which the clocks of a zone are a constant offset ahead of UTC.
type segment struct {
	span
	offset int64
}

// wallGrid divides time by the wall clock of a zone: readings of the clock fall into buckets of
// size ns counted from origin. A span begins where the clock enters another bucket, or returns to
// the first instant of one. It is not safe for concurrent use.
type wallGrid struct {
	size, origin int64 // origin is in [0, size)
	zone         *time.Location
	last         segment
}

func newWallGrid(zone *time.Location, size, origin int64) *wallGrid {
	g := &wallGrid{size: size, origin: floorMod(origin, size), zone: zone}
	g.last = g.segment(0)
	return g
}

// segment returns the segment that contains t.
func (g *wallGrid) segment(t int64) segment {
	if g.last.contains(t) {
		return g.last
	}
	at := time.Unix(0, t).In(g.zone)
	_, offset := at.Zone()
	from, to := at.ZoneBounds()
	s := segment{span{math.MinInt64, math.MaxInt64}, int64(offset) * int64(time.Second)}
	if sec := from.Unix(); !from.IsZero() && sec > math.MinInt64/int64(time.Second) {
		s.start = from.UnixNano()
	}
	if sec := to.Unix(); !to.IsZero() && sec < math.MaxInt64/int64(time.Second) {
		s.end = to.UnixNano()
	}
	g.last = s
	return s
}

// within returns the span of equal length that contains t where the clock is offset ahead.
func (g *wallGrid) within(t, offset int64) span {
	return fixedGrid{g.size, g.origin - offset}.at(t)
}

// bucket returns the number of the bucket that the clock shows at t.
func (g *wallGrid) bucket(t, offset int64) int64 {
	return floorDiv(addSaturated(addSaturated(t, offset), -g.origin), g.size)
}

func (g *wallGrid) at(t int64) span {
	here := g.segment(t)
	s := g.within(t, here.offset)
	for now := here; s.start < now.start; {
		before := g.segment(now.start - 1)
		if g.bucket(now.start-1, before.offset) != g.bucket(now.start, now.offset) {
			s.start = now.start
			break
		}
		s.start = g.within(now.start-1, before.offset).start
		now = before
	}
	for now := here; s.end >= now.end && now.end != math.MaxInt64; {
		after := g.segment(now.end)
		next := g.within(now.end, after.offset)
		if next.start == now.end || g.bucket(now.end-1, now.offset) != g.bucket(now.end, after.offset) {
			s.end = now.end
			break
		}
		s.end = next.end
		now = after
	}
	return s
}

// reading returns the first reading of the bucket that the clock shows at t.
func (g *wallGrid) reading(t int64) int64 {
	return g.start(g.bucket(t, g.segment(t).offset))
}

// start returns the first reading of a bucket.
func (g *wallGrid) start(bucket int64) int64 {
	if limit := math.MaxInt64 / g.size; bucket < -limit {
		return math.MinInt64
	} else if bucket > limit {
		return math.MaxInt64
	}
	return addSaturated(bucket*g.size, g.origin)
}

// farthest is more than any clock has ever been ahead of or behind UTC.
const farthest = int64(16 * time.Hour)

// first returns the first instant at which the clock shows reading or a later one.
func (g *wallGrid) first(reading int64) int64 {
	if reading == math.MinInt64 || reading == math.MaxInt64 {
		return reading
	}
	for t := addSaturated(reading, -farthest); ; {
		s := g.segment(t)
		at := max(s.start, addSaturated(reading, -s.offset))
		if at < s.end || s.end == math.MaxInt64 {
			return at
		}
		t = s.end
	}
}

// dayGrid divides time by dates: a span begins at the first instant at which the clock enters a
// later bucket than ever before. Buckets are at least a day long and clocks are set back by less.
type dayGrid struct{ *wallGrid }

func (g dayGrid) at(t int64) span {
	bucket := g.bucket(t, g.segment(t).offset)
	s := span{g.first(g.start(bucket)), g.first(g.start(bucket + 1))}
	if t >= s.end && s.end != math.MaxInt64 {
		s.start, s.end = s.end, g.first(g.start(bucket+2))
	}
	return s
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}
