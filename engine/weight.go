package engine

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// weigh takes the weights of v's rows from the column that tells them.
func (v *view) weigh(in *plan.Input) {
	v.weight, v.light = nil, false
	if !in.Weighted {
		return
	}
	v.weights = tuple.Resize(v.weights, v.block.N)
	v.weight = v.weights
	col := &v.block.Cols[in.Weight]
	for _, r := range v.sel {
		w := weightOf(col, int(r))
		v.weight[r] = w
		v.light = v.light || w == 0
	}
}

// weightOf returns how many records row r stands for; 0 where what col says cannot be a weight.
func weightOf(col *tuple.Column, r int) float64 {
	if col.IsNull(r) {
		return 0
	}
	var w float64
	switch {
	case col.Rep == tuple.RepInt:
		w = float64(col.I[r])
	case col.Rep == tuple.RepFloat || col.Tag[r] == tuple.TagFloat:
		w = col.F[r]
	case col.Tag[r] == tuple.TagInt:
		w = float64(col.I[r])
	default: // TagHuge
		w = float64(col.Hi[r])*0x1p64 + float64(uint64(col.I[r]))
	}
	if !(w >= 1) || math.IsInf(w, 1) {
		return 0
	}
	return w
}
