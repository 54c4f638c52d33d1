package op

import (
	"math"

	"github.com/aurora-dsms/aurora/synopsis"
)

// unitRows are rows that were chosen together with others: with those of their key, or of their block.
const unitRows = keyedRows | blockRows

// units are the states of a lane for rows that were chosen in units.
type units struct {
	keys, blocks         int
	shape                *synopsis.Shape // of rows
	keyShape, blockShape synopsis.UnitShapes
}

// units finds or adds the states of a lane for rows that were chosen in units.
func (p *aggPlan) units(lane int) units {
	u := units{shape: p.shape(lane, "blocks"), keyShape: p.unitShapes(lane, "keys"), blockShape: p.unitShapes(lane, "blocks")}
	u.keys = p.state(stateSpec{lane: lane, kind: "keys", takes: keyedRows, fresh: func() accumulator {
		return &keyCells{shapes: u.keyShape}
	}})
	u.blocks = p.state(stateSpec{lane: lane, kind: "blocks", takes: blockRows, fresh: func() accumulator {
		return &blockCells{plan: p, shape: u.shape, shapes: u.blockShape}
	}})
	return u
}

// unitShapes finds or adds the shapes of what units of sampling add to the cells of a lane.
func (p *aggPlan) unitShapes(lane int, kind string) synopsis.UnitShapes {
	return synopsis.UnitShapes{
		Count: p.shape(lane, kind+" to counts"), Sum: p.shape(lane, kind+" to sums"), Mean: p.shape(lane, kind+" to means"),
	}
}

// columnShape is the shape of what a state of a lane follows.
type columnShape struct {
	lane int
	kind string
	*synopsis.Shape
}

// shape finds or adds the shape of what a state of a lane follows.
func (p *aggPlan) shape(lane int, kind string) *synopsis.Shape {
	for _, s := range p.shapes {
		if s.lane == lane && s.kind == kind {
			return s.Shape
		}
	}
	s := new(synopsis.Shape)
	p.shapes = append(p.shapes, columnShape{lane, kind, s})
	return s
}

// rows returns the number of rows of group g that were chosen in units.
func (u *units) rows(p *pane, g uint32) int64 {
	return p.states[u.keys].(*keyCells).of(g).Rows() + p.states[u.blocks].(*blockCells).of(g).Rows()
}

// known returns what is known of group g where the exact states hold all of rows whose blocks may all be read.
func (u *units) known(p *pane, g uint32, all synopsis.Known) synopsis.Known {
	switch {
	case p.rowSets&blockRows == 0:
		return all
	case p.rowSets&wholeRows == 0:
		return synopsis.Known{}
	}
	b := p.states[u.blocks].(*blockCells).of(g)
	return synopsis.Known{Rows: all.Rows - b.Rows(), Sum: all.Sum - b.Seen()}
}

// sumOrMean estimates the sum or the mean of a group's values, where cell holds those of rows that were chosen each by itself.
func (u *units) sumOrMean(c cellOf, cell *synopsis.Cell, f AggFunc, q synopsis.Question) (synopsis.Estimate, bool) {
	number := c
	if c.p.rowSets&sampledRows != 0 {
		c.single = func() (synopsis.Estimate, bool) { return cell.Sum(&c.p.design, synopsis.Known{}, q) }
		number.single = func() (synopsis.Estimate, bool) {
			return synopsis.Estimate{Value: cell.Weight(&c.p.design), Low: math.Inf(-1), High: math.Inf(1)}, false
		}
	}
	if f == Avg {
		return u.mean(c, number, q)
	}
	return u.sum(c, q)
}

// cellOf is what a window knows of a group beside the rows that were chosen in units.
type cellOf struct {
	p     *pane
	g     uint32
	known synopsis.Known
	// single estimates from the rows that were chosen each by itself; nil where there are none.
	single func() (synopsis.Estimate, bool)
}

// count estimates the number of rows of a group.
func (u *units) count(c cellOf, q synopsis.Question) (e synopsis.Estimate, reliable bool) {
	if n, known := c.p.offered(q); known {
		return synopsis.Exactly(float64(n)), true
	}
	t := total{Estimate: synopsis.Exactly(float64(c.known.Rows)), reliable: true}
	if c.single != nil {
		t.add(c.single())
	}
	if c.p.rowSets&keyedRows != 0 {
		t.add(c.p.states[u.keys].(*keyCells).of(c.g).Count(c.p.theta(), 0, u.keyShape.Count, q))
	}
	if c.p.rowSets&blockRows != 0 {
		t.add(c.p.states[u.blocks].(*blockCells).of(c.g).Count(c.p.clusters(), u.blockShape.Count, q))
	}
	return t.Estimate, t.reliable
}

// sum estimates the sum of a group's values.
func (u *units) sum(c cellOf, q synopsis.Question) (e synopsis.Estimate, reliable bool) {
	keys, blocks := c.p.states[u.keys].(*keyCells).of(c.g), c.p.states[u.blocks].(*blockCells).of(c.g)
	if n, known := c.p.offered(q); known && n > 0 {
		e, reliable = keys.Mean(c.p.theta(), c.known, u.keyShape, q)
		return e.Total(float64(n)), reliable
	}
	t := total{Estimate: synopsis.Exactly(c.known.Sum), reliable: true}
	if c.single != nil {
		t.add(c.single())
	}
	if c.p.rowSets&keyedRows != 0 {
		t.add(keys.Sum(c.p.theta(), synopsis.Known{}, u.keyShape.Sum, q))
	}
	if c.p.rowSets&blockRows != 0 {
		t.add(blocks.Sum(c.p.clusters(), u.shape, u.blockShape.Sum, q))
	}
	return t.Estimate, t.reliable
}

// mean estimates the mean of a group's values; number estimates their number. Rows that were chosen in different ways have a mean whose bounds are those of
// the sum divided by those of the number.
func (u *units) mean(c, number cellOf, q synopsis.Question) (e synopsis.Estimate, reliable bool) {
	switch {
	case c.single == nil && c.p.rowSets&unitRows == keyedRows:
		return c.p.states[u.keys].(*keyCells).of(c.g).Mean(c.p.theta(), c.known, u.keyShape, q)
	case c.p.rowSets == blockRows:
		return c.p.states[u.blocks].(*blockCells).of(c.g).Mean(c.p.clusters(), u.shape, u.blockShape.Mean, q)
	}
	sum, ok := u.sum(c, q)
	n, good := u.count(number, q)
	e = synopsis.Estimate{Value: sum.Value / n.Value, Confidence: q.Confidence}
	e.Low, e.High = quotient(sum.Low, sum.High, n.Low, n.High)
	return e, ok && good && e.Low <= e.High
}

// total is the sum of independent estimates. Its distances to the bounds are the roots of the sums of their squares.
type total struct {
	synopsis.Estimate
	reliable bool
}

func (t *total) add(e synopsis.Estimate, reliable bool) {
	v := t.Value + e.Value
	below, above := math.Hypot(t.Value-t.Low, e.Value-e.Low), math.Hypot(t.High-t.Value, e.High-e.Value)
	t.Estimate = synopsis.Estimate{
		Value: v, Low: v - below, High: v + above,
		Confidence: min(t.Confidence, e.Confidence), Exact: t.Exact && e.Exact,
	}
	t.reliable = t.reliable && reliable
}
