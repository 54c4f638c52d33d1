package op

import (
	"cmp"
	"math"
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// quotients follows the ratio of two counts or sums of the same rows. It is fed by the lane of count(*), and looks up in those of the two
// aggregates which rows take part.
type quotients struct {
	plan     *aggPlan
	shape    *synopsis.Shape     // of the residuals
	ofKeys   synopsis.UnitShapes // of what keys add to numerator and denominator
	ofBlocks *synopsis.Shape     // of the residuals of blocks
	num, den addend
	cells    []synopsis.Quotient
	keys     []synopsis.Keys
	blocks   []synopsis.Blocks
	// Where panes are merged, they keep this instead, of which cells and blocks are made when a window closes.
	parts shares[synopsis.QuotientPart]
	rows  pairings // with weights of their own: stratum -1
	read  pairings // of blocks
}

// addend is what an aggregate adds up: ones, or the values of its lane.
type addend struct {
	lane   int
	ones   bool
	values []float64 // scratch
}

// of returns what each row of a lane of all rows adds.
func (d *addend) of(plan *aggPlan, in *lane) []float64 {
	l := &plan.lanes[d.lane]
	values := tuple.Resize(d.values, len(in.sel))
	switch {
	case d.ones || l.col == nil:
		for i := range values {
			values[i] = 1
		}
	case l.col.Type == tuple.Null:
		clear(values)
	default:
		all := *in
		all.col = l.col
		values = reals(&all, values)
	}
	d.values = values
	if !l.all {
		for i, r := range in.sel {
			if !l.mask[r] {
				values[i] = 0
			}
		}
	}
	return values
}

func (a *quotients) add(in *lane, groups int) {
	num, den := a.num.of(a.plan, in), a.den.of(a.plan, in)
	switch {
	case in.rows == keyedRows:
		a.keys = extend(a.keys, groups)
		for i, g := range in.ids {
			a.keys[g].AddPair(in.unit[in.sel[i]], num[i], den[i], in.standsFor(i))
		}
	case a.plan.hop && in.rows == blockRows:
		a.read.add(in, groups, num, den)
	case in.rows == blockRows:
		a.blocks = extend(a.blocks, groups)
		for i, g := range in.ids {
			a.blocks[g].AddPair(in.block, num[i], den[i], in.standsFor(i))
		}
	case a.plan.hop && in.weights != nil:
		a.rows.add(in, groups, num, den)
	case a.plan.hop:
		a.parts.grow(groups)
		for i, g := range in.ids {
			a.parts.at(g, in.stratum).Add(num[i], den[i])
		}
	case in.weights != nil:
		a.cells = extend(a.cells, groups)
		for i, g := range in.ids {
			a.cells[g].AddWeighted(in.design, num[i], den[i], in.standsFor(i))
		}
	default:
		a.cells = extend(a.cells, groups)
		for i, g := range in.ids {
			a.cells[g].Add(in.design, in.stratum, num[i], den[i])
		}
	}
}

func (a *quotients) merge(from accumulator, to []uint32, groups int) {
	other := from.(*quotients)
	a.parts.grow(groups)
	a.parts.merge(&other.parts, to, a.plan.numbers, (*synopsis.QuotientPart).Merge)
	a.rows.merge(&other.rows, to, groups)
	a.read.merge(&other.read, to, groups)
	a.keys = extend(a.keys, len(other.keys))
	if len(other.keys) > 0 {
		a.keys = extend(a.keys, groups)
	}
	for i := range other.keys {
		a.keys[to[i]].Merge(&other.keys[i])
	}
}

func (a *quotients) seal(p *pane) {
	if a.plan.hop {
		a.cells = extend(a.cells, p.keys.n)
		a.blocks = extend(a.blocks, p.keys.n)
		for g := range a.cells {
			c, b := &a.cells[g], &a.blocks[g]
			a.parts.each(g, func(stratum int32, v *synopsis.QuotientPart) { c.AddPart(&p.design, stratum, v) })
			a.rows.each(g, func(v *pairing) { c.AddWeighted(&p.design, v.num, v.den, v.w) })
			a.read.sort(g)
			a.read.each(g, func(v *pairing) { b.AddPair(v.block, v.num, v.den, v.w) })
		}
	}
	for g := range a.cells {
		a.cells[g].Tell(a.shape, &p.design)
	}
	for g := range a.keys {
		a.keys[g].Tell(&a.ofKeys)
	}
	for g := range a.blocks {
		a.blocks[g].Tell(p.clusters(), nil, &synopsis.UnitShapes{Mean: a.ofBlocks})
	}
}

func (a *quotients) reset() {
	a.cells, a.keys, a.blocks = roomy(a.cells), roomy(a.keys), roomy(a.blocks)
	a.parts.reset()
	a.rows.reset()
	a.read.reset()
}

// estimate returns the ratio of group g of p, given the sums of numerator and denominator over rows of whole strata; false where rows were
// chosen in several ways.
func (a *quotients) estimate(p *pane, g uint32, num, den float64, q synopsis.Question) (e synopsis.Estimate, reliable, ok bool) {
	switch sets := p.rowSets; {
	case sets&unitRows == 0 && int(g) < len(a.cells):
		e, reliable = a.cells[g].Ratio(&p.design, num, den, a.shape, q)
	case sets&^wholeRows == keyedRows && int(g) < len(a.keys):
		e, reliable = a.keys[g].Ratio(p.theta(), num, den, a.ofKeys, q)
	case sets == blockRows && int(g) < len(a.blocks):
		e, reliable = a.blocks[g].Mean(p.clusters(), nil, a.ofBlocks, q)
	default:
		return e, false, false
	}
	return e, reliable, true
}

// addend returns what aggregate a adds up; false where it is no plain count or sum.
func (p *aggPlan) addend(a *Agg) (addend, bool) {
	lane := p.lane(a)
	summed := a.Func == Sum && a.Arg.Type.Numeric()
	return addend{lane: lane, ones: a.Func <= Count}, !p.specs[lane].distinct && (a.Func <= Count || summed)
}

// ratioAnswer returns what writes the bounds of a ratio of two aggregates: from the rows of both together where they are counts or sums.
func (p *aggPlan) ratioAnswer(s *Aggregate, i int) (answer, error) {
	apart, err := p.ratio(s, i)
	if err != nil || p.sampling == nil {
		return apart, err
	}
	r := s.Ratios[i]
	num, counts := p.addend(&s.Aggs[r.Num])
	den, both := p.addend(&s.Aggs[r.Den])
	if !counts || !both {
		return apart, nil
	}
	shape, ofKeys, ofBlocks := p.shape(i, "ratio"), p.unitShapes(i, "ratio of keys"), p.shape(i, "ratio of blocks")
	k := p.state(stateSpec{
		lane: p.lane(&Agg{Func: CountAll}), kind: "quotient", param: float64(i), takes: sampledRows | unitRows,
		fresh: func() accumulator {
			return &quotients{plan: p, shape: shape, ofKeys: ofKeys, ofBlocks: ofBlocks, num: num, den: den}
		},
	})
	knownNum, knownDen := p.knownOf(&s.Aggs[r.Num], s.Aggs), p.knownOf(&s.Aggs[r.Den], s.Aggs)
	q := p.question(&Agg{Filter: s.Aggs[r.Den].Filter}, nil)
	lead := s.leading()
	shown := func(to *answers, row int) float64 {
		return r.Scale * realAt(&to.all[lead+r.Num], row) / realAt(&to.all[lead+r.Den], row)
	}
	return func(p *pane, ids []uint32, to *answers) {
		apart(p, ids, to)
		if p.whole() || p.biased {
			return
		}
		for j, g := range ids {
			e, reliable, ok := p.states[k].(*quotients).estimate(p, g, knownNum(p, g), knownDen(p, g), q)
			if !ok || e.Exact || math.IsNaN(e.Value) {
				continue
			}
			low, high := r.Scale*e.Low, r.Scale*e.High
			if r.Scale < 0 {
				low, high = high, low
			}
			if x := shown(to, to.at+j); x-x == 0 {
				low, high = min(low, x), max(high, x)
			}
			to.between(j, low, high, reliable)
		}
	}, nil
}

// knownOf returns what adds up aggregate a over the rows of whole strata.
func (p *aggPlan) knownOf(a *Agg, all []Agg) func(p *pane, g uint32) float64 {
	lane := p.lane(a)
	if a.Func <= Count {
		count := p.countOf(lane, all)
		return func(p *pane, g uint32) float64 { return float64(count(p, g)) }
	}
	k := p.sumState(lane)
	return func(p *pane, g uint32) float64 { return p.states[k].(*sums).of(g).sum.Float() }
}

// pairings holds, for each group of a pane that serves several windows, rows of pairs as they are.
type pairings struct{ of [][]pairing }

// pairing is a row that adds num and den and stands for w rows, of a block.
type pairing struct {
	block       int64
	num, den, w float64
}

func (a *pairings) add(in *lane, groups int, num, den []float64) {
	a.of = extend(a.of, groups)
	for i, g := range in.ids {
		a.of[g] = append(a.of[g], pairing{block: in.block, num: num[i], den: den[i], w: in.standsFor(i)})
	}
}

func (a *pairings) merge(from *pairings, to []uint32, groups int) {
	a.of = extend(a.of, groups)
	for i, rows := range from.of {
		a.of[to[i]] = append(a.of[to[i]], rows...)
	}
}

func (a *pairings) each(g int, f func(v *pairing)) {
	if g < len(a.of) {
		for i := range a.of[g] {
			f(&a.of[g][i])
		}
	}
}

// sort puts the rows of group g in order of their blocks.
func (a *pairings) sort(g int) {
	if g < len(a.of) {
		slices.SortStableFunc(a.of[g], func(v, w pairing) int { return cmp.Compare(v.block, w.block) })
	}
}

func (a *pairings) reset() {
	clear(a.of)
	a.of = roomy(a.of)
}
