package op

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
	"github.com/aurora-dsms/aurora/synopsis"
)

// answer finds or adds the states that a needs and returns what writes a's values and bounds from them.
func (p *aggPlan) answer(a *Agg, all []Agg) (answer, error) {
	lane := p.lane(a)
	var out output
	var err error
	switch f := a.Func; {
	case p.specs[lane].distinct && f <= CountDistinct:
		return leastAnswer(putCount(p.countOf(lane, all))), nil
	case f <= Count:
		return p.countAnswer(a, lane, all), nil
	case p.specs[lane].distinct && f <= Avg:
		out = p.sumOutput(a, lane)
	case f <= Avg:
		return p.sumAnswer(a, lane), nil
	case f.variance():
		out = p.varianceOutput(a, lane)
	case f == ApproxDistinct:
		out, err = p.distinctOutput(a, lane)
	case f == TopK:
		out, err = p.topOutput(a, lane)
	case f.quantiles():
		out, err = p.quantileOutput(a, lane)
	default:
		out = p.pickOutput(a, lane)
	}
	return valued(out), err
}

// exactRows returns the rows that exact states of a lane take: of distinct values there are none that stand for others.
func (p *aggPlan) exactRows(lane int) rowSet {
	if p.sampling == nil || p.specs[lane].distinct {
		return 0
	}
	return wholeRows
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

func (p *aggPlan) varianceOutput(a *Agg, lane int) output {
	k := p.state(stateSpec{lane: lane, kind: "moments", fresh: func() accumulator { return &moments{} }})
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

func (p *aggPlan) pickOutput(a *Agg, lane int) output {
	t, kind := a.Arg.Type, "min"
	if a.Func == Max {
		kind = "max"
	}
	extremal := a.Func == Min || a.Func == Max
	if k := -1; extremal && (t == tuple.Bigint || t == tuple.Timestamp || t == tuple.Interval) {
		k = p.state(stateSpec{lane: lane, kind: kind, fresh: func() accumulator {
			return &extremes[int64]{greatest: kind == "max"}
		}})
		return putEach(k, (*extremes[int64]).put)
	} else if extremal && t == tuple.Double {
		k = p.state(stateSpec{lane: lane, kind: kind, fresh: func() accumulator {
			return &extremes[float64]{greatest: kind == "max"}
		}})
		return putEach(k, (*extremes[float64]).put)
	}
	kind, fresh := pickState(a.Func, t)
	return putEach(p.state(stateSpec{lane: lane, kind: kind, fresh: fresh}), (*picks).put)
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

func (p *aggPlan) distinctOutput(a *Agg, lane int) (output, error) {
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
	return putEach(k, func(s *distincts, c *tuple.Column, g uint32, r, n int) { putInt(c, r, n, s.estimate(g)) }), nil
}

func (p *aggPlan) topOutput(a *Agg, lane int) (output, error) {
	if _, err := sketch.NewTopK(a.K); err != nil {
		return nil, err
	}
	k, typ := a.K, a.Arg.Type
	shared := &stock[*sketch.TopK]{fresh: func() *sketch.TopK { return must(sketch.NewTopK(k)) }}
	state := p.state(stateSpec{lane: lane, kind: "top", param: float64(k), fresh: func() accumulator {
		h := &heavies{scratch: &p.text}
		h.stock = shared
		return h
	}})
	return putEach(state, func(s *heavies, c *tuple.Column, g uint32, r, n int) {
		t := s.look(g)
		if t == nil {
			putNull(c, r, n)
			return
		}
		p.top = t.Top(p.top[:0])
		p.text = appendTop(p.text[:0], p.top, typ)
		c.SetStr(r, p.text)
	}), nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
