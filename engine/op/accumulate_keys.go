package op

import "github.com/aurora-dsms/aurora/synopsis"

// keyCells counts and adds up rows of keys that were kept by their hash: COUNT, SUM and AVG of one argument.
type keyCells struct {
	shapes synopsis.UnitShapes // of the column
	cells  []synopsis.Keys
	values []float64 // scratch
}

func (a *keyCells) add(in *lane, groups int) {
	a.values = unitValues(in, a.values)
	a.cells = extend(a.cells, groups)
	for i, g := range in.ids {
		a.cells[g].Add(in.unit[in.sel[i]], a.values[i], in.standsFor(i))
	}
}

func (a *keyCells) merge(from accumulator, to []uint32, groups int) {
	other := from.(*keyCells)
	if len(other.cells) == 0 {
		return
	}
	a.cells = extend(a.cells, groups)
	for i := range other.cells {
		a.cells[to[i]].Merge(&other.cells[i])
	}
}

func (a *keyCells) seal(*pane) {
	for g := range a.cells {
		a.cells[g].Tell(&a.shapes)
	}
}

func (a *keyCells) reset() { a.cells = roomy(a.cells) }

// of returns the cell of group g.
func (a *keyCells) of(g uint32) *synopsis.Keys {
	if int(g) < len(a.cells) {
		return &a.cells[g]
	}
	return new(synopsis.Keys)
}

// theta returns the least share of keys that was kept in the window of p; 0 where rows of keys were thinned as well, for then
// all of their variance is that of a sample.
func (p *pane) theta() float64 {
	theta := 1.0
	for _, s := range p.design.Strata() {
		if s.Up != nil {
			return 0
		}
		theta = min(theta, s.Keep)
	}
	return theta
}

// offered returns how many rows there were, where all of them were counted at a drop of whole keys and belong to the one
// cell that there is.
func (p *pane) offered(q synopsis.Question) (n int64, known bool) {
	if q.Domain || p.biased || p.rowSets&^(wholeRows|keyedRows) != 0 {
		return 0, false
	}
	for _, s := range p.design.Strata() {
		if s.Open || s.Up != nil {
			return 0, false
		}
		n += s.Offered
	}
	return n, true
}
