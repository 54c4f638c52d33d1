package synopsis

import "math"

// Count is the state of COUNT of a cell: what it has of one stratum, and the place in the window's design where it left what
// came before. The zero value is empty. It is 16 bytes, holds no pointer, and belongs to the design that it was first used with.
type Count struct {
	k    int64
	open int32 // the stratum of k, +1; 0: none
	side int32 // the record in the design's counts, +1; 0: none
}

// CountSize is the size in bytes of a Count in memory. One with rows in several strata has some 80 more in its design.
const CountSize = 16

// Add counts n kept rows of stratum i of d. Strata may come in any order. It is cheap while the stratum stays the
// same. Rows of whole strata are not given to it.
func (c *Count) Add(d *Design, i int32, n int64) {
	if c.open != i+1 {
		c.turn(d, i)
	}
	c.k += n
}

// AddWeighted counts a row of a given weight w, at least 1, which is taken to be 1/p with p the probability with which
// the row was kept.
func (c *Count) AddWeighted(d *Design, w float64) {
	w = max(w, 1)
	d.given = max(d.given, w)
	c.tallies(d).weigh(1, w)
}

// Rows returns the number of kept rows.
func (c *Count) Rows(d *Design) int64 {
	t, _ := c.total(d)
	return int64(t.seen())
}

func (c *Count) tallies(d *Design) *tallies {
	if c.side == 0 {
		c.side = d.counts.take() + 1
	}
	return d.counts.at(c.side - 1)
}

func (c *Count) turn(d *Design, i int32) {
	if c.k > 0 {
		t := c.tallies(d)
		if d.over(c.open - 1) {
			t.add(d.strata[c.open-1], c.k)
		} else {
			t.parked = d.parkedCounts.put(c.k, c.open-1, t.parked)
		}
	}
	c.k, c.open = 0, i+1
	if c.side == 0 {
		return
	}
	t := d.counts.at(c.side - 1)
	link := &t.parked
	for *link != 0 {
		at := d.parkedCounts.at(*link - 1)
		switch {
		case at.stratum == i:
			c.k = at.of
		case d.over(at.stratum):
			t.add(d.strata[at.stratum], at.of)
		default:
			link = &at.next
			continue
		}
		d.parkedCounts.remove(link)
	}
}

// total returns everything that was counted, and the number of kept rows.
func (c *Count) total(d *Design) (t tallies, rows int64) {
	if c.side != 0 {
		t = *d.counts.at(c.side - 1)
	}
	for at := t.parked; at != 0; {
		p := d.parkedCounts.at(at - 1)
		t.add(d.strata[p.stratum], p.of)
		at = p.next
	}
	if c.k > 0 {
		t.add(d.strata[c.open-1], c.k)
	}
	return t, int64(t.seen())
}

// Estimate returns the count of the cell's rows. known is how many were counted in whole strata. The interval has integer ends and
// is the split gamma interval of intervals.md section 2, or Chernoff's where a method with a theorem is asked for; the count is exact where nothing was lost, and where
// the cell is all there is: no Domain, no Open stratum, and every kept row in it.
func (c *Count) Estimate(d *Design, known int64, q Question) Estimate {
	t, rows := c.total(d)
	base := float64(known)
	if !d.lost && d.given <= 1 {
		return Exactly(base + t.value())
	}
	if !q.Domain && !d.open && d.given <= 1 && float64(rows) == d.kept {
		return Exactly(base + d.offered)
	}
	value := t.value()
	var low, high float64
	if q.Method == Transform {
		low, high = t.interval(&d.totals, quantilesAt(q.Confidence))
	} else {
		low, high = d.countInterval(&t, q)
	}
	low = max(math.Floor(low), float64(rows))
	high = max(math.Ceil(min(high+d.unknown, d.ceiling(rows))), value)
	return Estimate{Value: base + value, Low: base + low, High: base + high, Confidence: q.Confidence}
}
