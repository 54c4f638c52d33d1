package op

import (
	"fmt"
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// ratio returns what writes the bounds of a ratio: by dividing the bounds of the two aggregates.
func (p *aggPlan) ratio(s *Aggregate, i int) (answer, error) {
	r := s.Ratios[i]
	for _, k := range [...]int{r.Num, r.Den} {
		if k < 0 || k >= len(s.Aggs) {
			return nil, fmt.Errorf("ratio of aggregate %d", k)
		}
	}
	lead := s.leading()
	num, den := lead+r.Num, lead+r.Den
	lows := [2]int{s.BoundsOf(r.Num), s.BoundsOf(r.Den)}
	return func(_ *pane, ids []uint32, to *answers) {
		for i := range ids {
			row := to.at + i
			a, b := realAt(&to.all[num], row), realAt(&to.all[den], row)
			switch {
			case !to.inexact[row]:
				to.exactly(i, r.Scale*a/b)
			case lows[0] < 0 || lows[1] < 0:
				to.unknown(i)
			default:
				x, y := to.all[lows[0]:lows[0]+3], to.all[lows[1]:lows[1]+3]
				low, high := quotient(realAt(&x[0], row), realAt(&x[1], row), realAt(&y[0], row), realAt(&y[1], row))
				if r.Scale < 0 {
					low, high = high, low
				}
				to.between(i, r.Scale*low, r.Scale*high, !x[2].B[row] && !y[2].B[row])
			}
		}
	}, nil
}

// exactly writes the bounds of a ratio that is known.
func (o *answers) exactly(i int, x float64) {
	r := o.at + i
	o.bound(o.low, r, x, math.Floor)
	o.bound(o.high, r, x, math.Ceil)
	o.label.B[r] = false
}

// realAt returns row r as a double, NaN for NULL.
func realAt(c *tuple.Column, r int) float64 {
	if v := numberAt(c, uint16(r)); v.kind() != kindNull {
		return v.float()
	}
	return math.NaN()
}

// quotient returns the bounds of x/y for x and y within bounds; NaN where y may be 0 or a bound is missing.
func quotient(xLow, xHigh, yLow, yHigh float64) (low, high float64) {
	if !(yLow > 0 || yHigh < 0) {
		return math.NaN(), math.NaN()
	}
	a, b, c, d := xLow/yLow, xLow/yHigh, xHigh/yLow, xHigh/yHigh
	return min(a, b, c, d), max(a, b, c, d)
}
