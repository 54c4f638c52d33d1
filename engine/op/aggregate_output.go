package op

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// answer finds or adds the states that a needs and returns what writes a's values and bounds from them.
func (p *aggPlan) answer(a *Agg, all []Agg) (answer, error) {
	lane := p.lane(a)
	var out output
	switch f := a.Func; {
	case f == CountDistinct && p.sampling != nil:
		return p.exactDistinctAnswer(a, lane)
	case p.specs[lane].distinct && f <= CountDistinct:
		return leastAnswer(putCount(p.countOf(lane, all))), nil
	case f <= Count:
		return p.countAnswer(a, lane, all), nil
	case p.specs[lane].distinct && f <= Avg:
		out = p.sumOutput(a, lane)
	case f <= Avg:
		return p.sumAnswer(a, lane), nil
	case f.variance() && p.specs[lane].distinct:
		out = p.varianceOutput(a, lane)
	case f.variance():
		return p.varianceAnswer(a, lane), nil
	case f == ApproxDistinct:
		return p.distinctAnswer(a, lane)
	case f == TopK:
		return p.topAnswer(a, lane)
	case f.quantiles():
		return p.quantileAnswer(a, lane)
	default:
		return p.pickAnswer(a, lane), nil
	}
	return valued(out), nil
}

// exactRows returns the rows that exact states of a lane take: those of blocks as well, as all of them may be read. Of distinct values
// there are none that stand for others.
func (p *aggPlan) exactRows(lane int) rowSet {
	if p.sampling == nil || p.specs[lane].distinct {
		return 0
	}
	return wholeRows | blockRows
}

// putCount returns an output of counts.
func putCount(of func(p *pane, g uint32) int64) output {
	return func(p *pane, ids []uint32, c *tuple.Column, at, n int) {
		for i, g := range ids {
			putInt(c, at+i, n, of(p, g))
		}
	}
}

func (p *aggPlan) sumState(lane int) int {
	return p.state(stateSpec{lane: lane, kind: "sum", takes: p.exactRows(lane), fresh: func() accumulator { return &sums{} }})
}

func (p *aggPlan) sumOutput(a *Agg, lane int) output {
	k := p.sumState(lane)
	put := putSum
	switch {
	case a.Arg.Type == tuple.Interval && a.Func == Avg:
		put = putMeanInterval
	case a.Arg.Type == tuple.Interval:
		put = func(c *tuple.Column, r, n int, cell *sumCell) {
			v, ok := cell.sum.Int().Int64()
			if !ok {
				p.overflows++
				c.SetNull(r, n)
				return
			}
			c.I[r] = v
		}
	case a.Func == Avg:
		put = func(c *tuple.Column, r, n int, cell *sumCell) { putFloat(c, r, n, cell.sum.Mean(cell.n)) }
	}
	return func(p *pane, ids []uint32, c *tuple.Column, at, n int) {
		s := p.states[k].(*sums)
		for i, g := range ids {
			if cell := s.of(g); cell.n == 0 {
				c.SetNull(at+i, n)
			} else {
				put(c, at+i, n, cell)
			}
		}
	}
}

func putSum(c *tuple.Column, r, n int, cell *sumCell) {
	if !cell.sum.IsInt() {
		putFloat(c, r, n, cell.sum.Float())
		return
	}
	v := cell.sum.Int()
	hugeNumber(v.Hi, int64(v.Lo)).put(c, r, n)
}

// putMeanInterval writes a mean rounded to ns, in integers unless the sum needs more than 64 bits.
func putMeanInterval(c *tuple.Column, r, n int, cell *sumCell) {
	v, ok := cell.sum.Int().Int64()
	if !ok {
		c.I[r] = roundInt(cell.sum.Mean(cell.n))
		return
	}
	mean, rest := v/cell.n, v%cell.n
	switch {
	case rest >= cell.n-rest:
		mean++
	case -rest >= cell.n+rest:
		mean--
	}
	c.I[r] = mean
}

func (p *aggPlan) momentsState(lane int) int {
	return p.state(stateSpec{lane: lane, kind: "moments", takes: p.exactRows(lane), fresh: func() accumulator { return &moments{} }})
}

func (p *aggPlan) varianceOutput(a *Agg, lane int) output {
	k := p.momentsState(lane)
	least, of := int64(1), (*synopsis.Moments).VarPop
	switch a.Func {
	case VarSamp:
		least, of = 2, (*synopsis.Moments).VarSamp
	case StddevPop:
		of = (*synopsis.Moments).StddevPop
	case StddevSamp:
		least, of = 2, (*synopsis.Moments).StddevSamp
	}
	return func(p *pane, ids []uint32, c *tuple.Column, at, n int) {
		s := p.states[k].(*moments)
		for i, g := range ids {
			if m := s.of(g); m.Count() < least {
				c.SetNull(at+i, n)
			} else {
				putFloat(c, at+i, n, of(m))
			}
		}
	}
}

// putEach returns an output that calls put for each group.
func putEach[A any](k int, put func(a A, c *tuple.Column, g uint32, r, n int)) output {
	return func(p *pane, ids []uint32, c *tuple.Column, at, n int) {
		s := p.states[k].(any).(A)
		for i, g := range ids {
			put(s, c, g, at+i, n)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
