package op

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
	"github.com/aurora-dsms/aurora/synopsis"
)

// laneQuantiles are the quantiles that are asked of a lane.
type laneQuantiles struct {
	lane int
	of   []float64
	// largest is the greatest weight that came with a row in any window. One that is as heavy may have been dropped in all of them.
	largest float64
}

// quantilesOf finds or adds what is asked of a lane, and adds the quantiles to it.
func (p *aggPlan) quantilesOf(lane int, list []float64) *laneQuantiles {
	i := slices.IndexFunc(p.asked, func(l *laneQuantiles) bool { return l.lane == lane })
	if i < 0 {
		i = len(p.asked)
		p.asked = append(p.asked, &laneQuantiles{lane: lane})
	}
	l := p.asked[i]
	for _, q := range list {
		if 0 < q && q < 1 && !slices.Contains(l.of, q) {
			l.of = append(l.of, q)
		}
	}
	return l
}

// weightedQuantiles is logQuantiles for rows that stand for several, and the same for rows that do not. Of rows of blocks it follows
// beside the values how much blocks differ, for each quantile that is asked of the lane.
type weightedQuantiles struct {
	summaries[sketch.WeightedQuantile, *sketch.WeightedQuantile]
	plan  *aggPlan
	asked *laneQuantiles
	ranks []synopsis.BlockRanks // len(asked.of) of each group
	// Where panes are merged, they keep the numbers of rows of blocks instead.
	parts shares[blockShare]

	values []float64 // scratch
}

// blockShare is n rows of a block that stand for w of it.
type blockShare struct {
	n int64
	w float64
}

func (a *weightedQuantiles) add(in *lane, groups int) {
	a.grow(groups)
	switch {
	case in.col.Type == tuple.Null:
		return
	case in.rows == weightedRows:
		for i := range in.sel {
			a.asked.largest = max(a.asked.largest, in.standsFor(i))
		}
	case in.rows != blockRows:
	case a.plan.hop:
		a.share(in, groups)
	default:
		a.follow(in, groups)
	}
	feedWeighted(in,
		func(g uint32, v int64, w float64) { a.at(g).AddInt(v, w) },
		func(g uint32, x, w float64) { a.at(g).AddFloat(x, w) })
}

// follow counts rows of a block, which are not yet in the sketches of their groups.
func (a *weightedQuantiles) follow(in *lane, groups int) {
	a.values = reals(in, a.values)
	n := len(a.asked.of)
	a.ranks = extend(a.ranks, groups*n)
	for j, q := range a.asked.of {
		for i, g := range in.ids {
			c := &a.ranks[int(g)*n+j]
			if c.Enter(in.block) {
				pilot, _ := a.at(g).Quantile(q)
				c.Aim(pilot.Float(), q)
			}
			c.Add(a.values[i], in.standsFor(i))
		}
	}
}

// share counts the rows of a block.
func (a *weightedQuantiles) share(in *lane, groups int) {
	a.parts.grow(groups)
	for i, g := range in.ids {
		p := a.parts.at(g, int32(in.block))
		p.n++
		p.w += in.standsFor(i)
	}
}

func (a *weightedQuantiles) merge(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	other := from.(*weightedQuantiles)
	for i, s := range other.of {
		if s != nil {
			a.at(to[i]).Merge(s)
		}
	}
	if len(other.parts.ends) > 0 {
		a.parts.grow(groups)
	}
	for i := range other.parts.ends {
		other.parts.each(i, func(block int32, p *blockShare) {
			into := a.parts.at(to[i], block)
			into.n += p.n
			into.w += p.w
		})
	}
}

func (a *weightedQuantiles) reset() {
	a.summaries.reset()
	a.ranks = roomy(a.ranks)
	a.parts.reset()
}

func (a *weightedQuantiles) quantile(g uint32, q float64) (v sketch.Number, ok bool) {
	if s := a.look(g); s != nil {
		return s.Quantile(q)
	}
	return v, false
}

func (a *weightedQuantiles) bounds(g uint32, low, high float64) (lo, hi sketch.Number, exact bool) {
	lo, hi, _ = a.of[g].Bounds(low, high)
	return lo, hi, low == high && lo.Compare(hi) == 0
}

// worth returns how many rows drawn with replacement those of group g, which has some, are worth at quantile q, and whether
// that can be relied on.
func (a *weightedQuantiles) worth(p *pane, g uint32, q, confidence float64) (rows float64, reliable bool) {
	s := a.of[g]
	switch {
	case p.rowSets&blockRows == 0:
		largest := max(p.largestScale(), s.Largest())
		if p.rowSets&weightedRows != 0 {
			largest = max(largest, a.asked.largest)
		}
		return s.EffectiveRows(q, largest), true
	case p.rowSets != blockRows:
		return min(float64(s.Count()), p.blocks()), true
	}
	ranks := a.ranksOf(g, q)
	return ranks.Rows(q, p.clusters(), confidence)
}

// ranksOf returns what is known of the blocks of group g at quantile q.
func (a *weightedQuantiles) ranksOf(g uint32, q float64) (ranks synopsis.BlockRanks) {
	j := slices.Index(a.asked.of, q)
	if at := int(g)*len(a.asked.of) + j; j >= 0 && at < len(a.ranks) {
		return a.ranks[at]
	}
	if int(g) < len(a.parts.ends) {
		a.parts.each(int(g), func(block int32, v *blockShare) {
			ranks.Enter(int64(block))
			ranks.AddUnseen(v.n, v.w)
		})
	}
	return ranks
}

func (a *weightedQuantiles) size() int64 {
	return a.summaries.size() + sliceBytes(a.ranks) + a.parts.size()
}

func (a *weightedQuantiles) save(w *stateWriter) {
	a.summaries.save(w)
	w.f64(a.asked.largest)
	saveCells(w, a.ranks)
	a.parts.save(w, func(p *blockShare) {
		w.i64(p.n)
		w.f64(p.w)
	})
}

func (a *weightedQuantiles) load(r *stateReader, groups int) {
	a.summaries.load(r, groups)
	a.asked.largest = max(a.asked.largest, r.f64())
	a.ranks = loadCells[synopsis.BlockRanks](r, synopsis.BlockRanksStateSize)
	r.require(len(a.ranks) <= groups*len(a.asked.of))
	a.parts.load(r, 16, 1<<31-1, func(p *blockShare) { p.n, p.w = r.i64(), r.f64() })
	r.require(len(a.parts.ends) <= groups)
}
