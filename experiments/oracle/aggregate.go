package oracle

import (
	"math"
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// group is the rows of one group of one window, in the order of the input.
type group struct {
	keys []expr.Value
	rows []Row
}

// grouped is a window with its groups in order of first appearance.
type grouped struct {
	span   span
	order  []*group
	groups map[string]*group
}

func (w *grouped) add(keys []expr.Value, row Row) {
	id := identities(keys)
	g := w.groups[id]
	if g == nil {
		g = &group{keys: keys}
		w.groups[id] = g
		w.order = append(w.order, g)
	}
	g.rows = append(g.rows, row)
}

// aggregate puts every row into the windows that contain it and had not ended when it came, and answers for each group.
func aggregate(spec *op.Aggregate, rows []timed) ([]timed, error) {
	all := []span{{math.MinInt64, math.MaxInt64}}
	find := func(int64) []span { return all }
	windowed := spec.Window.Kind != op.NoWindow
	if windowed {
		var err error
		if find, err = windowsOf(&spec.Window); err != nil {
			return nil, err
		}
	}
	var s scalar
	windows := map[span]*grouped{}
	open := func(sp span) *grouped {
		if windows[sp] == nil {
			windows[sp] = &grouped{span: sp, groups: map[string]*group{}}
		}
		return windows[sp]
	}
	for _, r := range rows {
		var keys []expr.Value
		for _, k := range spec.Keys {
			keys = append(keys, s.eval(k, r.values))
		}
		for _, sp := range find(r.at) {
			if sp.end > r.mark {
				open(sp).add(keys, r.values)
			}
		}
	}
	if !windowed && len(spec.Keys) == 0 {
		if w := open(all[0]); len(w.order) == 0 {
			w.order = []*group{{}}
		}
	}
	var order []*grouped
	for _, w := range windows {
		order = append(order, w)
	}
	slices.SortFunc(order, func(a, b *grouped) int { return compare(bigint(a.span.start), bigint(b.span.start)) })
	return answers(spec, order, &s), s.err
}

func answers(spec *op.Aggregate, windows []*grouped, s *scalar) []timed {
	var out []timed
	for _, w := range windows {
		for _, g := range w.order {
			var row Row
			if spec.Window.Kind != op.NoWindow {
				row = append(row, expr.Value{Type: tuple.Timestamp, I: w.span.start}, expr.Value{Type: tuple.Timestamp, I: w.span.end})
			}
			row = append(row, g.keys...)
			for i := range spec.Aggs {
				row = append(row, s.answer(&spec.Aggs[i], g.rows))
			}
			out = append(out, timed{values: row})
		}
	}
	return out
}

// answer computes an aggregate of a group's rows.
func (s *scalar) answer(a *op.Agg, rows []Row) expr.Value {
	t := a.Field.Type
	if t == tuple.Null {
		t = a.ResultType()
	}
	return as(summarise(a, s.taken(a, rows)), t)
}

// taken returns the values that take part: FILTER holds, neither NULL (but FIRST and LAST take NULLs) nor NaN, and
// with DISTINCT each once.
func (s *scalar) taken(a *op.Agg, rows []Row) []expr.Value {
	var values []expr.Value
	seen := map[string]bool{}
	picks := a.Func == op.First || a.Func == op.Last
	distinct := a.Distinct && !picks || a.Func == op.CountDistinct || a.Func == op.ApproxDistinct
	for _, row := range rows {
		if a.Filter != nil && !s.holds(a.Filter, row) {
			continue
		}
		if a.Arg == nil {
			values = append(values, bigint(1))
			continue
		}
		v := s.eval(a.Arg, row)
		if v.Null && !picks || isNaN(v) {
			continue
		}
		if distinct {
			if id := identity(v); seen[id] {
				continue
			} else {
				seen[id] = true
			}
		}
		values = append(values, v)
	}
	return values
}

func summarise(a *op.Agg, values []expr.Value) expr.Value {
	switch a.Func {
	case op.CountAll, op.Count, op.CountDistinct, op.ApproxDistinct:
		return bigint(int64(len(values)))
	}
	if len(values) == 0 {
		return null
	}
	switch a.Func {
	case op.First, op.AnyValue:
		return values[0]
	case op.Last:
		return values[len(values)-1]
	case op.Min:
		return extreme(values, -1)
	case op.Max:
		return extreme(values, 1)
	case op.Quantile, op.QuantileRank, op.QuantileTDigest:
		return quantiles(a, values)
	case op.TopK:
		return top(values, a.K)
	case op.Sum:
		return sum(values)
	case op.Avg:
		return mean(values)
	}
	return spread(a.Func, values)
}
