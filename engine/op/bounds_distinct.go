package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
	"github.com/aurora-dsms/aurora/synopsis"
)

// sketchConfidence is that of the bounds of sketches where none is asked for.
const sketchConfidence = 0.95

// confidenceOf returns the confidence of a's bounds.
func (p *aggPlan) confidenceOf(a *Agg) float64 {
	switch {
	case p.sampling != nil:
		return p.sampling.Confidence
	case a.Confidence > 0:
		return a.Confidence
	}
	return sketchConfidence
}

// seenDistinct returns what group g of a pane has of distinct values among the rows that came.
type seenDistinct func(pn *pane, g uint32) synopsis.Estimate

// distinctAnswer finds or adds the states of approx_count_distinct and returns what writes its values and bounds.
func (p *aggPlan) distinctAnswer(a *Agg, lane int) (answer, error) {
	if _, err := sketch.NewDistinct(a.Error); err != nil {
		return nil, err
	}
	relError := a.Error
	shared := &stock[*sketch.Distinct]{fresh: func() *sketch.Distinct { return must(sketch.NewDistinct(relError)) }}
	k := p.state(stateSpec{lane: lane, kind: "distinct", param: relError, fresh: func() accumulator {
		d := &distincts{hashes: &p.hashes}
		d.stock = shared
		return d
	}})
	confidence := p.confidenceOf(a)
	seen := func(pn *pane, g uint32) synopsis.Estimate { return pn.states[k].(*distincts).interval(g, confidence) }
	if p.sampling != nil {
		return p.sampledDistinct(a, seen)
	}
	return func(pn *pane, ids []uint32, to *answers) {
		for i, g := range ids {
			if to.low == nil {
				putInt(to.value, to.at+i, to.n, pn.states[k].(*distincts).estimate(g))
				to.inexact[to.at+i] = true
				continue
			}
			to.count(i, seen(pn, g), true)
		}
	}, nil
}

// exactDistinctAnswer is distinctAnswer of COUNT(DISTINCT), where rows were sampled.
func (p *aggPlan) exactDistinctAnswer(a *Agg, lane int) (answer, error) {
	k := p.state(stateSpec{lane: lane, kind: "distinct rows", fresh: func() accumulator { return &counts{} }})
	return p.sampledDistinct(a, func(pn *pane, g uint32) synopsis.Estimate {
		return synopsis.Exactly(float64(pn.states[k].(*counts).of(g)))
	})
}

// sampledDistinct returns what writes numbers of distinct values of a sample: what was seen, where all rows are there;
// an estimate from the hashes below the threshold, where rows were dropped by a universe of the same values; else what
// was seen, labelled as a lower bound, as no estimate can be good then (estimators.md section 4).
func (p *aggPlan) sampledDistinct(a *Agg, seen seenDistinct) (answer, error) {
	keyed := -1
	if p.sampling.Key != nil && expr.Equal(p.sampling.Key, a.Arg) {
		k, err := p.keyedState(a)
		if err != nil {
			return nil, err
		}
		keyed = k
	}
	confidence := p.confidenceOf(a)
	return func(pn *pane, ids []uint32, to *answers) {
		share, same := 0.0, false
		if keyed >= 0 {
			share, same = pn.universeShare()
		}
		for i, g := range ids {
			e := seen(pn, g)
			switch {
			case pn.whole():
				to.count(i, e, true)
			case share == 0:
				to.count(i, atLeast(e), false)
			case same && e.Exact:
				to.count(i, sketch.KeptInterval(e.Value, share, confidence), true)
			default:
				k := pn.states[keyed].(*keyedDistincts)
				if k.foreign {
					to.count(i, atLeast(e), false)
					continue
				}
				to.count(i, k.interval(g, share, confidence), true)
			}
		}
	}, nil
}

// atLeast makes a lower bound of what was seen.
func atLeast(e synopsis.Estimate) synopsis.Estimate {
	return synopsis.Estimate{Value: e.Value, Low: e.Low, High: math.Inf(1), Confidence: e.Confidence}
}

// count writes value i, which is a number of values, rounded.
func (o *answers) count(i int, e synopsis.Estimate, reliable bool) {
	if !e.Exact {
		e.Value, e.Low, e.High = math.Round(e.Value), math.Floor(e.Low), math.Ceil(e.High)
	}
	o.estimate(i, e, reliable)
}

// interval returns the number of distinct values of g with its bounds, none of which is above the number of values.
func (a *distincts) interval(g uint32, confidence float64) synopsis.Estimate {
	s := a.look(g)
	if s == nil {
		return synopsis.Exactly(0)
	}
	e, rows := s.Interval(confidence), float64(a.rows.of(g))
	e.Value, e.Low, e.High = min(e.Value, rows), min(e.Low, rows), min(e.High, rows)
	return e
}

// universeShare returns the least share of keys that was kept in a stratum of the window, and whether it was the same in
// all of them. It is 0 where rows were dropped in another way as well.
func (p *pane) universeShare() (share float64, same bool) {
	if p.biased || p.rowSets&^(wholeRows|keyedRows) != 0 {
		return 0, false
	}
	share, same = 1, true
	for i, s := range p.design.Strata() {
		keep, ok := universeKeep(s)
		if !ok {
			return 0, false
		}
		same = same && (i == 0 || keep == share)
		share = min(share, keep)
	}
	return share, same
}

// universeKeep returns the share that the drop kept which rows of s went through; ok is false where there was more than one.
func universeKeep(s *synopsis.Stratum) (keep float64, ok bool) {
	for keep = 1; s != nil; s = s.Up {
		if s.Keep >= 1 {
			continue
		}
		if keep < 1 {
			return 0, false
		}
		keep = s.Keep
	}
	return keep, true
}

// keyedState finds or adds the state of the keys of a universe, which are a's argument.
func (p *aggPlan) keyedState(a *Agg) (int, error) {
	relError := a.thetaError()
	if _, err := sketch.NewTheta(relError); err != nil {
		return 0, err
	}
	lane := p.lane(&Agg{Func: ApproxDistinct, Arg: a.Arg, Filter: a.Filter})
	shared := &stock[*sketch.Theta]{fresh: func() *sketch.Theta { return must(sketch.NewTheta(relError)) }}
	seed := p.sampling.Seed
	return p.state(stateSpec{lane: lane, kind: "theta", param: relError, fresh: func() accumulator {
		k := &keyedDistincts{seed: sketch.HashInt(seed ^ universeSalt), hashes: &p.hashes}
		k.stock = shared
		return k
	}}), nil
}

// thetaError returns the error that is asked of the sketch of a universe: that of the function, if any, as far as it can be
// had.
func (a *Agg) thetaError() float64 {
	const least, most = 0.002, 0.25
	if a.Func == CountDistinct || a.Error == 0 {
		return 0
	}
	return min(max(a.Error, least), most)
}

// keyedDistincts keeps the least hashes of the keys of a universe.
type keyedDistincts struct {
	summaries[sketch.Theta, *sketch.Theta]
	seed    uint64
	hashes  *[]uint64
	foreign bool // some row should have been dropped: the hash is not that of the drop
}

func (a *keyedDistincts) add(in *lane, groups int) {
	a.grow(groups)
	hashes := tuple.Resize(*a.hashes, len(in.sel))
	*a.hashes = hashes
	for i := range hashes {
		hashes[i] = a.seed
	}
	stir(hashes, in.col, in.sel)
	top := uint64(math.MaxUint64)
	if s := &in.sample; s.rows == keyedRows && s.stratum >= 0 {
		if keep, ok := universeKeep(s.design.Strata()[s.stratum]); ok {
			top = threshold(keep)
		}
	}
	for i, g := range in.ids {
		a.foreign = a.foreign || hashes[i] > top
		a.at(g).AddHash(hashes[i])
	}
}

func (a *keyedDistincts) merge(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	other := from.(*keyedDistincts)
	a.foreign = a.foreign || other.foreign
	for i, s := range other.of {
		if s != nil {
			mustMerge(a.at(to[i]).Merge(s))
		}
	}
}

func (a *keyedDistincts) reset() {
	a.summaries.reset()
	a.foreign = false
}

// interval returns the number of distinct keys of g, where of the window's keys the least share was kept.
func (a *keyedDistincts) interval(g uint32, share, confidence float64) synopsis.Estimate {
	s := a.look(g)
	if s == nil {
		return sketch.KeptInterval(0, share, confidence)
	}
	s.Limit(share)
	return s.Interval(confidence)
}

func (a *keyedDistincts) save(w *stateWriter) {
	a.summaries.save(w)
	w.bool(a.foreign)
}

func (a *keyedDistincts) load(r *stateReader, groups int) {
	a.summaries.load(r, groups)
	a.foreign = r.bool()
}
