package synopsis

import "math"

// Cell is the state of SUM and AVG of a cell: what it has of one stratum, and the place in the window's design where it left what came
// before. The zero value is empty. It is 72 bytes, holds no pointer, and belongs to the design that it was first used with.
type Cell struct {
	part Part
	open int32 // the stratum of part, +1; 0: none
	side int32 // the record in the design's folds, +1; 0: none
}

// CellSize is the size in bytes of a Cell in memory. One with rows in several strata has foldSize more in its design.
const CellSize = 72

// Add adds the value x of a kept row of stratum i of d. Strata may come in any order. It is cheap while the stratum
// stays the same.
func (c *Cell) Add(d *Design, i int32, x float64) {
	if c.open != i+1 {
		c.turn(d, i, x)
	}
	c.part.add(x)
}

// AddWeighted adds the value x of a row of a given weight w, at least 1. The weights of rows that were dropped are taken to be 1/p with p
// the probability with which the row was kept.
func (c *Cell) AddWeighted(d *Design, x, w float64) {
	if c.part.k == 0 && c.side == 0 {
		c.part.pivot = x
	}
	p := Part{pivot: c.part.pivot, low: x, high: x}
	p.add(x)
	w = max(w, 1)
	d.given = max(d.given, w)
	f := c.fold(d)
	f.weigh(&p, w)
	f.ones = -1
}

// AddPart adds a stratum's share of the cell.
func (c *Cell) AddPart(d *Design, i int32, p *Part) {
	if p.k == 0 {
		return
	}
	if c.open != i+1 {
		c.turn(d, i, p.pivot)
	}
	q := *p
	q.move(c.part.pivot)
	c.part.Merge(&q)
}

// Rows returns the number of kept rows.
func (c *Cell) Rows(d *Design) int64 {
	if c.side == 0 {
		return c.part.k
	}
	f := d.folds.at(c.side - 1)
	n := c.part.k + f.seen.k
	for at := f.parked; at != 0; {
		p := d.parts.at(at - 1)
		n += p.of.k
		at = p.next
	}
	return n
}

// Weight returns how many rows the kept ones stand for.
func (c *Cell) Weight(d *Design) float64 {
	f, _, _ := c.total(d)
	return f.n
}

// turn makes stratum i the open one. x becomes the pivot of an empty cell.
func (c *Cell) turn(d *Design, i int32, x float64) {
	if c.part.k > 0 {
		f := c.fold(d)
		if d.over(c.open - 1) {
			d.addPart(f, c.open-1, &c.part)
		} else {
			f.parked = d.parts.put(c.part, c.open-1, f.parked)
		}
	} else if c.side == 0 {
		c.part.pivot = x
	}
	c.part = Part{pivot: c.part.pivot, low: math.Inf(1), high: math.Inf(-1)}
	c.open = i + 1
	if c.side != 0 {
		if f := d.folds.at(c.side - 1); f.parked != 0 {
			d.unpark(f, i, &c.part)
		}
	}
}

func (c *Cell) fold(d *Design) *fold {
	if c.side == 0 {
		c.side = d.folds.take() + 1
	}
	return d.folds.at(c.side - 1)
}

// unpark folds the parts of f whose strata are over, and takes that of stratum i into p.
func (d *Design) unpark(f *fold, i int32, p *Part) {
	link := &f.parked
	for *link != 0 {
		at := d.parts.at(*link - 1)
		switch {
		case at.stratum == i:
			*p = at.of
		case d.over(at.stratum):
			d.addPart(f, at.stratum, &at.of)
		default:
			link = &at.next
			continue
		}
		d.parts.remove(link)
	}
}

// addPart folds p, which is all that a cell has of stratum i.
func (d *Design) addPart(f *fold, i int32, p *Part) {
	f.add(d.strata[i], p)
	if f.ones < 0 {
		return
	}
	c, n, ok := p.twoValued()
	if ok && f.ones == 0 {
		f.ones = d.ones.take() + 1
	}
	if !ok || !d.ones.at(f.ones-1).add(d.strata[i], c, n, p.k) {
		f.ones = -1
	}
}

// total returns everything that the cell has, folded, and the counts of its ones where values are in {0, c}.
func (c *Cell) total(d *Design) (f fold, o ones, two bool) {
	if c.side != 0 {
		f = *d.folds.at(c.side - 1)
	}
	two = f.ones >= 0
	if f.ones > 0 {
		o = *d.ones.at(f.ones - 1)
	}
	add := func(i int32, p *Part) {
		f.add(d.strata[i], p)
		if two {
			v, n, ok := p.twoValued()
			two = ok && o.add(d.strata[i], v, n, p.k)
		}
	}
	for at := f.parked; at != 0; {
		p := d.parts.at(at - 1)
		add(p.stratum, &p.of)
		at = p.next
	}
	if c.part.k > 0 {
		add(c.open-1, &c.part)
	}
	return f, o, two
}

// seen returns the kept rows as they are, and c where all their values are in {0, c}.
func (c *Cell) seen(d *Design) (p Part, one float64, two bool) {
	p = c.part
	two = true
	if c.side != 0 {
		f := d.folds.at(c.side - 1)
		for at := f.parked; at != 0; {
			next := d.parts.at(at - 1)
			p.Merge(&next.of)
			at = next.next
		}
		p.Merge(&f.seen)
		two = f.ones >= 0
	}
	if two {
		one, _, two = p.twoValued()
	}
	return p, one, two
}
