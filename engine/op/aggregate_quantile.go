package op

import (
	"math"
	"time"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
	"github.com/aurora-dsms/aurora/synopsis"
)

// coins seeds the coin tosses of rank-error sketches: all alike, so that a window's answer depends on
// its rows alone.
const coins = 0x5eed

// rankSketch is a sketch whose coins start anew when it is reset.
type rankSketch struct{ sketch.KLL }

// Reset makes s what it was at first.
func (s *rankSketch) Reset() {
	s.KLL.Reset()
	s.Reseed(coins)
}

// quantiles answers one quantile function.
type quantiles struct {
	plan     *aggPlan
	agg      *Agg
	state    int // the quantiler
	weighed  int // with samples, the weightedQuantiles that know how far the sample can be off
	proved   bool
	low, top []byte // texts of bounds
}

// quantileAnswer finds or adds the states of a quantile function and returns what writes its values and bounds. Without
// samples the error is that of the sketch; with samples the ranks between which the sample leaves the quantile (synopsis.Ranks)
// are asked of the sketch, so that both errors add.
func (p *aggPlan) quantileAnswer(a *Agg, lane int) (answer, error) {
	spec, err := quantileState(a, lane)
	if err != nil {
		return nil, err
	}
	o := &quantiles{plan: p, agg: a, proved: a.Func != QuantileTDigest}
	if p.sampling != nil {
		shared := &stock[*sketch.WeightedQuantile]{fresh: func() *sketch.WeightedQuantile { return new(sketch.WeightedQuantile) }}
		asked := p.quantilesOf(lane, a.Quantiles)
		o.weighed = p.state(stateSpec{lane: lane, kind: "weighted quantile", fresh: func() accumulator {
			q := &weightedQuantiles{plan: p, asked: asked}
			q.stock = shared
			return q
		}})
		o.state = o.weighed
	}
	if p.sampling == nil || a.Func != Quantile {
		o.state = p.state(spec)
	}
	if a.ResultType() == tuple.JSON {
		return o.writeLists, nil
	}
	return o.write, nil
}

// quantileBound is a quantile with its bounds.
type quantileBound struct {
	value, low, high  sketch.Number
	lowOpen, highOpen bool
	exact, reliable   bool
}

// at returns quantile q of group g; ok is false where there is none.
func (o *quantiles) at(pn *pane, g uint32, q float64, bounds bool) (b quantileBound, ok bool) {
	s := pn.states[o.state].(quantiler)
	b.value, ok = s.quantile(g, q)
	switch {
	case !ok || !bounds:
		return b, ok
	case o.plan.sampling == nil || pn.whole():
		b.low, b.high, b.exact = s.bounds(g, q, q)
		b.reliable = o.proved
		return b, true
	}
	w, confidence := pn.states[o.weighed].(*weightedQuantiles), o.plan.sampling.Confidence
	rows, reliable := w.worth(pn, g, q, confidence)
	low, high := synopsis.Ranks(rows, q, confidence)
	low -= (1 - 1e-9) / float64(w.of[g].Count()) // the value at the rank that low is rounded down to
	b.lowOpen, b.highOpen = low <= 0 || pn.biased, high > 1 || pn.biased
	b.low, b.high, _ = s.bounds(g, low, high)
	b.reliable = reliable && o.proved && !b.lowOpen && !b.highOpen && pn.rowSets&keyedRows == 0
	return b, true
}

func (o *quantiles) write(pn *pane, ids []uint32, to *answers) {
	q, bounds := o.agg.Quantiles[0], to.low != nil || o.plan.sampling != nil
	for i, g := range ids {
		b, ok := o.at(pn, g, q, bounds)
		r := to.at + i
		switch {
		case !ok && pn.whole():
			putNull(to.value, r, to.n)
			to.known(i)
			continue
		case !ok:
			to.null(i)
			continue
		}
		putSketched(to.value, r, to.n, b.value)
		if b.exact {
			to.known(i)
			continue
		}
		to.inexact[r] = true
		if to.low != nil {
			putBound(to.low, r, to.n, b.low, b.lowOpen)
			putBound(to.high, r, to.n, b.high, b.highOpen)
			to.label.B[r] = !b.reliable
		}
	}
}

// putBound writes a bound to row r of a column of n rows, NULL where it is open or infinite.
func putBound(c *tuple.Column, r, n int, v sketch.Number, open bool) {
	if open || !v.IsInt && v.Value-v.Value != 0 {
		putNull(c, r, n)
		return
	}
	putSketched(c, r, n, v)
}

// writeLists writes lists of quantiles as JSON, and lists of their bounds.
func (o *quantiles) writeLists(pn *pane, ids []uint32, to *answers) {
	typ, zone := o.agg.Arg.Type, o.agg.Field.Zone
	for i, g := range ids {
		text, low, high := append(o.plan.text[:0], '['), append(o.low[:0], '['), append(o.top[:0], '[')
		any, exact, reliable := false, true, true
		for j, q := range o.agg.Quantiles {
			if j > 0 {
				text, low, high = append(text, ','), append(low, ','), append(high, ',')
			}
			b, ok := o.at(pn, g, q, to.low != nil || o.plan.sampling != nil)
			any, exact, reliable = any || ok, exact && b.exact, reliable && (b.reliable || b.exact)
			text = appendNumberJSON(text, b.value, typ, zone)
			low = appendBoundJSON(low, b.low, b.lowOpen, typ, zone)
			high = appendBoundJSON(high, b.high, b.highOpen, typ, zone)
		}
		o.plan.text, o.low, o.top = append(text, ']'), append(low, ']'), append(high, ']')
		r := to.at + i
		switch {
		case !any && pn.whole():
			putNull(to.value, r, to.n)
			to.known(i)
			continue
		case !any:
			to.null(i)
			continue
		}
		to.value.SetStr(r, o.plan.text)
		to.inexact[r] = to.inexact[r] || !exact
		if to.low != nil {
			to.low.SetStr(r, o.low)
			to.high.SetStr(r, o.top)
			to.label.B[r] = !reliable
		}
	}
}

// appendBoundJSON is appendNumberJSON of a bound that may be open.
func appendBoundJSON(dst []byte, v sketch.Number, open bool, t tuple.Type, zone *time.Location) []byte {
	if open {
		return append(dst, "null"...)
	}
	return appendNumberJSON(dst, v, t, zone)
}

// largestScale returns what a row of the window's rarest stratum stands for, by the probabilities in force.
func (p *pane) largestScale() float64 {
	largest := 1.0
	for _, s := range p.design.Strata() {
		scale := 1.0
		for ; s != nil; s = s.Up {
			if s.Keep > 0 {
				scale /= s.Keep
			}
		}
		largest = max(largest, scale)
	}
	return largest
}

// blocks returns of how many blocks, drawn with replacement, the sample of the window is worth, where it is one of blocks:
// at worst all rows of a block are on the same side of a quantile. It is 0 elsewhere.
func (p *pane) blocks() float64 {
	if p.rowSets&blockRows == 0 {
		return 0
	}
	kept, share := 0.0, 1.0
	for _, s := range p.design.Strata() {
		kept += float64(s.Kept)
	}
	if share = p.design.Kept(); share >= 1 {
		return math.Inf(1)
	}
	return kept / (1 - share)
}

// quantileState describes the state of a quantile function.
func quantileState(a *Agg, lane int) (stateSpec, error) {
	switch a.Func {
	case QuantileRank:
		rankError := a.Error
		if _, err := sketch.NewKLL(rankError, coins); err != nil {
			return stateSpec{}, err
		}
		shared := &stock[*rankSketch]{fresh: func() *rankSketch { return &rankSketch{*must(sketch.NewKLL(rankError, coins))} }}
		return stateSpec{lane: lane, kind: "kll", param: rankError, fresh: func() accumulator {
			return &rankQuantiles{summaries[rankSketch, *rankSketch]{stock: shared}}
		}}, nil
	case QuantileTDigest:
		shared := &stock[*sketch.TDigest]{fresh: func() *sketch.TDigest { return must(sketch.NewTDigest(0)) }}
		return stateSpec{lane: lane, kind: "tdigest", fresh: func() accumulator {
			return &digestQuantiles{summaries[sketch.TDigest, *sketch.TDigest]{stock: shared}}
		}}, nil
	}
	shared := &stock[*sketch.Quantile]{fresh: func() *sketch.Quantile { return new(sketch.Quantile) }}
	return stateSpec{lane: lane, kind: "quantile", fresh: func() accumulator {
		return &logQuantiles{summaries[sketch.Quantile, *sketch.Quantile]{stock: shared}}
	}}, nil
}
