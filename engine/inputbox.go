package engine

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// The range in which numeric times of an automatically decided unit must lie: a value outside has another
// unit, whatever it says. Years 1980 to 2200, in ns.
const (
	unitLow  = 315532800 * 1e9
	unitHigh = 7258118400 * 1e9
)

// inputBox is the first box of every query. It walks the records in input order, before any filter, keeps the
// watermark, decides who is late, and cuts batches where the watermark passes a boundary that some window registered,
// so that time advances between the two halves. None of this depends on how the input was cut into batches.
type inputBox struct {
	windowed bool
	toEnd    bool  // windows close at the end of input only
	lateness int64 // ns
	future   int64 // ns that a time may be ahead of the wall clock; 0: no bound
	units    bool  // times must lie between unitLow and unitHigh
	boundary op.Boundary

	newest    int64 // largest event time so far
	watermark int64
	cursor    int // next row of the batch that is being walked
	selected  int // rows of its selection that stand before the cursor
	ghosts    int // ghosts that stand before the cursor
	segment   []uint16
	ledger    *Ledger
}

func (b *inputBox) reset() {
	b.newest, b.watermark = math.MinInt64, math.MinInt64
}

// next returns the watermark at which something behind this box is due.
func (b *inputBox) next() int64 {
	if b.boundary == nil {
		return tuple.End
	}
	return b.boundary.NextBoundary()
}

// at returns the watermark when the newest event time is t.
func (b *inputBox) at(t int64) int64 {
	if b.toEnd || t == math.MinInt64 {
		return math.MinInt64
	}
	if t < math.MinInt64+b.lateness {
		return math.MinInt64
	}
	return t - b.lateness
}

// plain reports whether no record of v needs a decision of its own: all have times, none is from the future,
// none is late, and no boundary is passed.
func (b *inputBox) plain(v *view, limit int64) bool {
	if v.light || !b.windowed {
		return !v.light
	}
	if v.null != nil || v.lo > v.hi || v.hi > limit || b.units && (v.lo < unitLow || v.hi >= unitHigh) {
		return false
	}
	if b.toEnd {
		return true
	}
	w := b.at(max(b.newest, v.hi))
	return w < b.next() && (b.boundary == nil || !b.boundary.Late(v.lo, w))
}

// limit returns the largest acceptable event time.
func (b *inputBox) limit(now int64) int64 {
	if b.future == 0 || now > math.MaxInt64-b.future {
		return math.MaxInt64
	}
	return now + b.future
}

// walk looks at the records of v from the cursor on and returns the rows to push next. more is true when it stopped
// at a boundary: the caller pushes the rows, advances time to the watermark and calls again. odd is told of records that are
// refused; when it returns false, the run is to end and walk stops behind that record.
func (b *inputBox) walk(v *view, limit int64, odd func(row int, reason string) bool) (rows []uint16, more bool) {
	b.segment = b.segment[:0]
	next := b.next()
	ghosts := v.piece.ghosts
	for ; b.cursor < v.piece.rows; b.cursor++ {
		r := b.cursor
		reason := b.judge(v, r, limit)
		if reason == "" && b.windowed {
			if b.advance(v.time[r], next) {
				return b.segment, true
			}
			if b.boundary != nil && b.boundary.Late(v.time[r], b.watermark) {
				reason = reasonLate
			}
		}
		if b.ghosts < len(ghosts) && int(ghosts[b.ghosts]) == r {
			b.ghosts++
			continue
		}
		in := b.selected < len(v.sel) && int(v.sel[b.selected]) == r
		if in {
			b.selected++
		}
		if in && reason == "" && v.light && v.weight[r] == 0 {
			reason = reasonWeight
		}
		switch {
		case reason == reasonLate:
			b.ledger.Late++
		case reason != "":
			b.ledger.bad(reason)
		case in:
			b.ledger.Used++
			b.segment = append(b.segment, uint16(r))
		default:
			b.ledger.Filtered++
		}
		if reason != "" && !odd(r, reason) {
			b.cursor++
			return nil, false
		}
	}
	return b.segment, false
}

// advance takes in the event time of a record and reports whether the watermark reached next by it, the first time.
func (b *inputBox) advance(t, next int64) bool {
	w := b.at(t)
	if w <= b.watermark {
		b.newest = max(b.newest, t)
		return false
	}
	b.newest, b.watermark = max(b.newest, t), w
	return w >= next
}

// Reasons of bad and late records that the input box finds.
const (
	reasonTime   = "time"
	reasonFuture = "future"
	reasonUnit   = "unit"
	reasonLate   = "late"
	reasonWeight = "weight"
)

// judge returns why row r cannot be placed in time, or "".
func (b *inputBox) judge(v *view, r int, limit int64) string {
	switch {
	case !b.windowed:
	case v.null != nil && v.null[r]:
		return reasonTime
	case b.units && (v.time[r] < unitLow || v.time[r] >= unitHigh):
		return reasonUnit
	case v.time[r] > limit:
		return reasonFuture
	}
	return ""
}
