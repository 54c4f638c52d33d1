package op_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// slowAggregate is an obvious evaluator of Aggregate for expressions that are columns and windows without a
// zone: it keeps every row of every open window.
type slowAggregate struct {
	spec    *op.Aggregate
	windows map[int64]*slowWindow
	mark    int64
	out     [][]expr.Value
}

type slowWindow struct {
	start, end int64
	rows       [][]expr.Value
}

func slowly(spec *op.Aggregate, script enginetest.Script) [][]expr.Value {
	s := &slowAggregate{spec: spec, windows: map[int64]*slowWindow{}, mark: math.MinInt64}
	if spec.Window.Kind == op.NoWindow && len(spec.Keys) == 0 {
		s.windows[0] = &slowWindow{end: tuple.End}
	}
	for _, step := range script {
		if step.Values == nil {
			s.close(step.Time)
			continue
		}
		for start, end := range s.of(step.Time) {
			w := s.windows[start]
			if w == nil {
				w = &slowWindow{start: start, end: end}
				s.windows[start] = w
			}
			w.rows = append(w.rows, step.Values)
		}
	}
	s.close(tuple.End)
	return s.out
}

// of returns the open windows that contain at.
func (s *slowAggregate) of(at int64) map[int64]int64 {
	w := s.spec.Window
	if w.Kind == op.NoWindow {
		return map[int64]int64{0: tuple.End}
	}
	size, slide := int64(w.Size), int64(w.Slide)
	found := map[int64]int64{}
	for start := int64(-100) * slide; start <= at; start += slide {
		if end := start + size; at < end && (end > s.mark || w.Kind == op.Tumble) {
			found[start] = end
		}
	}
	return found
}

func (s *slowAggregate) close(t int64) {
	s.mark = t
	var due []*slowWindow
	for start, w := range s.windows {
		if w.end <= t {
			due = append(due, w)
			delete(s.windows, start)
		}
	}
	slices.SortFunc(due, func(a, b *slowWindow) int { return cmp.Compare(a.start, b.start) })
	for _, w := range due {
		s.emit(w)
	}
}

func (s *slowAggregate) emit(w *slowWindow) {
	groups := map[string][][]expr.Value{}
	var order []string
	for _, row := range w.rows {
		key := ""
		for _, k := range s.spec.Keys {
			key += identity(row[k.Index]) + "|"
		}
		if _, ok := groups[key]; !ok {
			order = append(order, key)
		}
		groups[key] = append(groups[key], row)
	}
	if len(s.spec.Keys) == 0 && len(order) == 0 {
		order = []string{""}
	}
	for _, key := range order {
		var row []expr.Value
		if s.spec.Window.Kind != op.NoWindow {
			row = append(row, enginetest.Time(w.start), enginetest.Time(w.end))
		}
		for _, k := range s.spec.Keys {
			row = append(row, groups[key][0][k.Index])
		}
		for i := range s.spec.Aggs {
			row = append(row, slowAgg(&s.spec.Aggs[i], groups[key]))
		}
		s.out = append(s.out, row)
	}
}

// identity is equal for values that are one group.
func identity(v expr.Value) string {
	switch {
	case v.Null:
		return "null"
	case v.Type.Bytes():
		return strconv.Quote(v.S)
	case v.Type == tuple.Boolean:
		return strconv.FormatBool(v.B)
	case v.Type == tuple.Double || v.Float:
		if v.F != v.F {
			return "nan"
		}
		return new(big.Float).SetFloat64(v.F+0).Text('g', 40)
	}
	return new(big.Float).SetPrec(100).SetInt64(v.I).Text('g', 40)
}

func slowAgg(a *op.Agg, rows [][]expr.Value) expr.Value {
	var values []expr.Value
	seen := map[string]bool{}
	for _, row := range rows {
		if a.Filter != nil && (row[a.Filter.Index].Null || !row[a.Filter.Index].B) {
			continue
		}
		if a.Arg == nil {
			values = append(values, enginetest.Int(1))
			continue
		}
		v := row[a.Arg.Index]
		isNaN := (v.Type == tuple.Double || v.Float) && v.F != v.F && !v.Null
		if isNaN || v.Null && a.Func != op.First && a.Func != op.Last {
			continue
		}
		if (a.Distinct || a.Func == op.CountDistinct) && seen[identity(v)] {
			continue
		}
		seen[identity(v)] = true
		values = append(values, v)
	}
	t := a.ResultType()
	if a.Field.Type != tuple.Null {
		t = a.Field.Type
	}
	v := slowValue(a, values, len(seen))
	if v.Null {
		return enginetest.Null(t)
	}
	if t == tuple.Double && v.Type != tuple.Double {
		v.F = float(v)
	}
	v.Type = t
	return v
}

func slowValue(a *op.Agg, values []expr.Value, distinct int) expr.Value {
	switch a.Func {
	case op.CountAll, op.Count, op.CountDistinct:
		return enginetest.Int(int64(len(values)))
	case op.ApproxDistinct:
		return enginetest.Int(int64(distinct))
	}
	if len(values) == 0 {
		return enginetest.Null(tuple.Null)
	}
	switch f := a.Func; f {
	case op.First, op.AnyValue:
		return values[0]
	case op.Last:
		return values[len(values)-1]
	case op.Min, op.Max:
		best := values[0]
		for _, v := range values {
			if c := compare(v, best); f == op.Min && c < 0 || f == op.Max && c > 0 {
				best = v
			}
		}
		return best
	case op.Quantile, op.QuantileRank, op.QuantileTDigest:
		slices.SortStableFunc(values, compare)
		rank := max(1, int(math.Ceil(a.Quantiles[0]*float64(len(values)))))
		v := values[rank-1]
		if v.Type == tuple.Number && slices.ContainsFunc(values, func(v expr.Value) bool { return v.Float }) && f == op.QuantileRank {
			return enginetest.NumberFloat(float(v))
		}
		return v
	case op.TopK:
		return slowTop(values, a.K)
	}
	return slowNumber(a, values)
}

// slowNumber computes sums, means and variances in rational arithmetic.
func slowNumber(a *op.Agg, values []expr.Value) expr.Value {
	n, sum, squares := big.NewRat(int64(len(values)), 1), new(big.Rat), new(big.Rat)
	floating := false
	for _, v := range values {
		x := rat(v)
		floating = floating || v.Type == tuple.Double || v.Float
		sum.Add(sum, x)
		squares.Add(squares, new(big.Rat).Mul(x, x))
	}
	mean := new(big.Rat).Quo(sum, n)
	if a.Func == op.Sum && !floating {
		if sum.Num().IsInt64() {
			return enginetest.NumberInt(sum.Num().Int64())
		}
		return enginetest.Text(sum.Num().String())
	}
	x := sum
	switch a.Func {
	case op.Avg:
		x = mean
	case op.VarPop, op.VarSamp, op.StddevPop, op.StddevSamp:
		divisor := len(values)
		if a.Func == op.VarSamp || a.Func == op.StddevSamp {
			divisor--
		}
		if divisor == 0 {
			return enginetest.Null(tuple.Double)
		}
		x = new(big.Rat).Mul(mean, sum)
		x.Sub(squares, x)
		x.Quo(x, big.NewRat(int64(divisor), 1))
	}
	f, _ := x.Float64()
	if a.Func == op.StddevPop || a.Func == op.StddevSamp {
		f = math.Sqrt(f)
	}
	return expr.Value{Type: tuple.Double, Float: true, F: f}
}

func rat(v expr.Value) *big.Rat {
	if v.Type == tuple.Double || v.Float {
		return new(big.Rat).SetFloat64(v.F)
	}
	return big.NewRat(v.I, 1)
}

func float(v expr.Value) float64 {
	if v.Type == tuple.Double || v.Float {
		return v.F
	}
	return float64(v.I)
}

func compare(v, w expr.Value) int {
	switch {
	case v.Type.Bytes():
		return strings.Compare(v.S, w.S)
	case v.Type == tuple.Boolean:
		return cmp.Compare(fmt.Sprint(v.B), fmt.Sprint(w.B))
	}
	return rat(v).Cmp(rat(w))
}

// slowTop counts exactly, which the sketch does while there are few values.
func slowTop(values []expr.Value, k int) expr.Value {
	counts := map[string]int{}
	var order []string
	for _, v := range values {
		text := identity(v)
		if v.Type == tuple.Timestamp {
			text = strconv.Quote(time.Unix(0, v.I).UTC().Format("2006-01-02T15:04:05.999999999Z07:00"))
		}
		if counts[text] == 0 {
			order = append(order, text)
		}
		counts[text]++
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	var list []string
	for _, text := range order[:min(k, len(order))] {
		list = append(list, fmt.Sprintf(`{"value":%s,"count":%d,"lo":%[2]d,"hi":%[2]d}`, text, counts[text]))
	}
	return expr.Value{Type: tuple.JSON, S: "[" + strings.Join(list, ",") + "]"}
}
