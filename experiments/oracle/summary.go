package oracle

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// total adds up finite numbers. What is not finite decides by itself: infinities of both signs give NaN.
func total(values []expr.Value) (sum *big.Rat, infinite float64) {
	sum = new(big.Rat)
	for _, v := range values {
		if rank(v) == finite {
			sum.Add(sum, rational(v))
		} else {
			infinite += v.F
		}
	}
	return sum, infinite
}

func allExact(values []expr.Value) bool {
	return !slices.ContainsFunc(values, func(v expr.Value) bool { return !exact(v) && v.S == "" })
}

// nearest returns the double nearest to r.
func nearest(r *big.Rat) expr.Value {
	f, _ := r.Float64()
	return double(f)
}

// sum is an integer if all values are.
func sum(values []expr.Value) expr.Value {
	r, infinite := total(values)
	switch {
	case values[0].Type == tuple.Interval && !r.Num().IsInt64():
		return null
	case allExact(values):
		return whole(r.Num())
	case infinite != 0:
		return double(infinite)
	}
	return nearest(r)
}

// mean is a double, or of intervals one rounded to ns.
func mean(values []expr.Value) expr.Value {
	r, infinite := total(values)
	if infinite != 0 {
		return double(infinite)
	}
	r.Quo(r, big.NewRat(int64(len(values)), 1))
	if values[0].Type == tuple.Interval {
		r.Add(r, big.NewRat(int64(r.Sign()), 2))
		return whole(new(big.Int).Quo(r.Num(), r.Denom()))
	}
	return nearest(r)
}

// spread is a variance or a standard deviation.
func spread(f op.AggFunc, values []expr.Value) expr.Value {
	n := int64(len(values))
	if f == op.VarSamp || f == op.StddevSamp {
		n--
	}
	r, infinite := total(values)
	switch {
	case n == 0:
		return null
	case infinite != 0:
		return double(math.NaN())
	}
	average := r.Quo(r, big.NewRat(int64(len(values)), 1))
	squares := new(big.Rat)
	for _, v := range values {
		d := new(big.Rat).Sub(rational(v), average)
		squares.Add(squares, d.Mul(d, d))
	}
	variance := nearest(squares.Quo(squares, big.NewRat(n, 1)))
	if f == op.StddevPop || f == op.StddevSamp {
		return double(math.Sqrt(variance.F))
	}
	return variance
}

// quantiles takes the values at the nearest ranks. The fraction q is the decimal number that it was written as.
func quantiles(a *op.Agg, values []expr.Value) expr.Value {
	sorted := slices.Clone(values)
	slices.SortStableFunc(sorted, compare)
	var list []string
	for _, q := range a.Quantiles {
		r, _ := new(big.Rat).SetString(strconv.FormatFloat(q, 'f', -1, 64))
		r.Mul(r, big.NewRat(int64(len(sorted)), 1))
		at := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
		at.Quo(at, r.Denom())
		v := sorted[max(at.Int64(), 1)-1]
		v.F += 0 // zero without a sign
		if !a.List && len(a.Quantiles) == 1 {
			return v
		}
		list = append(list, inJSON(v))
	}
	return expr.Value{Type: tuple.JSON, S: "[" + strings.Join(list, ",") + "]"}
}

// top lists the k most frequent values, of equally frequent ones the one that came first.
func top(values []expr.Value, k int) expr.Value {
	type counted struct {
		text string
		n    int
	}
	var order []*counted
	counts := map[string]*counted{}
	for _, v := range values {
		id := identity(v)
		if counts[id] == nil {
			counts[id] = &counted{text: inJSON(plainest(v))}
			order = append(order, counts[id])
		}
		counts[id].n++
	}
	slices.SortStableFunc(order, func(x, y *counted) int { return y.n - x.n })
	var list []string
	for _, c := range order[:min(k, len(order))] {
		n := strconv.Itoa(c.n)
		list = append(list, `{"value":`+c.text+`,"count":`+n+`,"lo":`+n+`,"hi":`+n+`}`)
	}
	return expr.Value{Type: tuple.JSON, S: "[" + strings.Join(list, ",") + "]"}
}

// plainest returns a NUMBER as an integer if it is one, below 2^127, and zero without a sign: values that are counted as one look alike.
func plainest(v expr.Value) expr.Value {
	switch {
	case v.Type == tuple.Double && v.F == 0:
		return double(0)
	case v.Type != tuple.Number || exact(v) || rank(v) != finite || !rational(v).IsInt():
		return v
	}
	if n := whole(rational(v).Num()); !n.Null {
		return n
	}
	return v
}

// inJSON returns v as a JSON value.
func inJSON(v expr.Value) string {
	switch {
	case v.Type == tuple.Boolean || v.Type == tuple.JSON:
		return render(v)
	case v.Type.Numeric() && rank(v) != finite:
		return "null"
	case v.Type.Numeric():
		return render(v)
	}
	return quoteJSON(render(v))
}
