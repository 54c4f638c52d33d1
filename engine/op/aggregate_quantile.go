package op

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
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

func (p *aggPlan) quantileOutput(a *Agg, lane int) (output, error) {
	spec, err := quantileState(a, lane)
	if err != nil {
		return nil, err
	}
	k := p.state(spec)
	if a.ResultType() != tuple.JSON {
		q := a.Quantiles[0]
		return func(p *pane, ids []uint32, c *tuple.Column, at, n int) {
			s := p.states[k].(quantiler)
			for i, g := range ids {
				if v, ok := s.quantile(g, q); ok {
					putSketched(c, at+i, n, v)
				} else {
					putNull(c, at+i, n)
				}
			}
		}, nil
	}
	qs, typ, zone := slices.Clone(a.Quantiles), a.Arg.Type, a.Field.Zone
	return func(pn *pane, ids []uint32, c *tuple.Column, at, n int) {
		s := pn.states[k].(quantiler)
		for i, g := range ids {
			text := append(p.text[:0], '[')
			any := false
			for j, q := range qs {
				if j > 0 {
					text = append(text, ',')
				}
				v, ok := s.quantile(g, q)
				any = any || ok
				text = appendNumberJSON(text, v, typ, zone)
			}
			p.text = append(text, ']')
			if !any {
				putNull(c, at+i, n)
				continue
			}
			c.SetStr(at+i, p.text)
		}
	}, nil
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
