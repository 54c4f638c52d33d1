package op

import (
	"fmt"
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// restLast puts the rest of a closing pane behind its groups. Where panes are merged their order does that.
func (a *aggregate) restLast(p *pane) {
	rest := p.keys.rest
	if rest < 0 {
		return
	}
	c := &a.closing
	c.unseen += math.Ceil(a.atMost(p, p.fold.lost.most, 1))
	a.memory.unlisted = max(a.memory.unlisted, c.unseen)
	if len(p.first) > 0 {
		return
	}
	for g := range p.keys.n {
		if g != rest {
			c.order = append(c.order, uint32(g))
		}
	}
	c.order = append(c.order, uint32(rest))
}

// Notes implements Noter. It tells of groups that were folded.
func (a *aggregate) Notes() []string {
	m := &a.memory
	if m.folded == 0 {
		return nil
	}
	most := "how many rows a group has that is not listed cannot be told"
	if !math.IsInf(m.unlisted, 1) {
		most = fmt.Sprintf("a group that is not listed has at most %.0f rows", m.unlisted)
		if a.windows.kind != NoWindow {
			most += " in a window"
		}
	}
	return []string{fmt.Sprintf("%s folded into _other for want of memory (%d bytes); %s", timesFolded(m.folded), a.spec.Memory, most)}
}

func timesFolded(n int64) string {
	if n == 1 {
		return "1 group was"
	}
	return fmt.Sprintf("%d groups were", n)
}

// fitMerged folds groups of a pane that others were merged into, where it takes too much.
func (a *aggregate) fitMerged(merged *pane) {
	if a.memory.limit == 0 || len(a.plan.keys) == 0 {
		return
	}
	for merged.folds() && a.bytes(merged) > a.memory.limit {
		a.fold(merged, merged.keys.n/2)
	}
}

// widen adds to the bounds of aggregate i what groups may have lost by folding: to those of counts, and of sums of values that
// are not negative. Others are labelled, and keep the bounds that more rows cannot break.
func (a *aggregate) widen(i int, p *pane, ids []uint32, to *answers) {
	if p.keys.rest < 0 {
		return
	}
	agg, lane := &a.spec.Aggs[i], a.memory.lanes[i]
	distinct := a.plan.specs[lane].distinct
	for j, g := range ids {
		lost := p.lostRows(g)
		switch {
		case int(g) == p.keys.rest:
			if distinct {
				to.unknown(j) // values of several groups may be equal
			}
		case lost == 0:
		case agg.Func <= Count && !distinct:
			to.raise(j, math.Ceil(a.atMost(p, lost, 1)))
		case agg.Func == Sum && !distinct && !to.value.IsNull(to.at+j):
			if by, ok := a.lostSum(p, lane, g); ok {
				to.raise(j, by)
				continue
			}
			to.unknown(j)
		case agg.Func == Min:
			to.open(j, to.low)
		case agg.Func == Max:
			to.open(j, to.high)
		default:
			to.unknown(j)
		}
	}
}

// widenRatio labels the ratios of groups that may have lost rows.
func (a *aggregate) widenRatio(p *pane, ids []uint32, to *answers) {
	for j, g := range ids {
		if p.lostRows(g) > 0 {
			to.unknown(j)
		}
	}
}

// lostRows returns how many rows of group g may have been folded, or their weight; 0 for the rest.
func (p *pane) lostRows(g uint32) float64 {
	if p.keys.rest < 0 || int(g) == p.keys.rest {
		return 0
	}
	return min(p.fold.lost.at(int(g)), p.fold.weight[p.keys.rest])
}

// lostSum returns how much of the sum of a lane group g may have lost; ok is false where values may be negative.
func (a *aggregate) lostSum(p *pane, lane int, g uint32) (by float64, ok bool) {
	for i := range p.fold.sums {
		s := &p.fold.sums[i]
		switch {
		case s.lane != lane:
		case s.least < 0:
			return 0, false
		case p.whole():
			all := p.states[s.state].(*sums).of(uint32(p.keys.rest)).sum.Float()
			return min(s.lost.at(int(g)), all), true
		default:
			return a.atMost(p, p.lostRows(g), max(s.largest, 0)), true
		}
	}
	return 0, false
}

// atMost returns an upper bound of what lost kept rows of a value of at most x each stand for: themselves where nothing was dropped; else
// the upper score bound (estimators.md section 3) with the largest weight w of the window, n = N + z^2 c/2 + z sqrt(c N + z^2 c^2/4)
// with N = w x lost and c = (w - 1) x. It is +Inf where rows do not live or die by themselves.
func (a *aggregate) atMost(p *pane, lost, x float64) float64 {
	n := lost * x
	switch {
	case p.whole() || n == 0:
		return n
	case p.biased || p.rowSets&(keyedRows|blockRows) != 0:
		return math.Inf(1)
	}
	w := p.design.Largest()
	if p.rowSets&^weightedRows != 0 {
		n *= w
	}
	z, c := math.Sqrt2*math.Erfinv(a.spec.Sampling.Confidence), (w-1)*x
	return n + z*z*c/2 + z*math.Sqrt(c*n+z*z*c*c/4)
}

// open takes one of its bounds from value i, which then is labelled.
func (o *answers) open(i int, bound *tuple.Column) {
	r := o.at + i
	o.inexact[r] = true
	if bound != nil {
		putNull(bound, r, o.n)
		o.label.B[r] = true
	}
}

// raise adds to the upper bound of value i, which then is an estimate.
func (o *answers) raise(i int, by float64) {
	r := o.at + i
	o.inexact[r] = true
	switch {
	case o.high == nil || o.high.IsNull(r):
	case math.IsInf(by, 1):
		putNull(o.high, r, o.n)
		o.label.B[r] = true
	default:
		high := numberAt(o.high, uint16(r)).float() + by
		if high != math.Trunc(high) || math.Abs(high) >= 1<<53 {
			high = math.Nextafter(high*(1+0x1p-50), math.Inf(1))
			if o.high.Type == tuple.Number && o.high.Rep == tuple.RepInt {
				o.high.Mix(o.n) // so that the rows already written stay integers
			}
		}
		o.bound(o.high, r, high, math.Ceil)
	}
}
