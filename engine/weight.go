package engine

import (
	"fmt"
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
		w := weightOf(in, col, int(r))
		v.weight[r] = w
		v.light = v.light || w == 0
	}
}

// weightOf returns how many records row r stands for; 0 where what col says cannot be a weight.
func weightOf(in *plan.Input, col *tuple.Column, r int) float64 {
	w := told(col, r)
	if in.Share {
		w = 1 / w
	}
	if !(w >= 1) || math.IsInf(w, 1) {
		return 0
	}
	return w
}

// checkWeights refuses a column of weights that has none in the stream's first records, only shares.
func (s *stream) checkWeights(in *plan.Input) error {
	if !in.Weighted {
		return nil
	}
	f := in.Schema.Fields[in.Weight]
	shares, weights := 0, 0
	err := s.eachSampled(f, s.options.Unit, func(col *tuple.Column, r int) {
		switch w := told(col, r); {
		case weightOf(in, col, r) > 0:
			weights++
		case w > 0:
			shares++
		}
	})
	switch {
	case err != nil || weights > 0 || shares == 0:
		return err
	case in.Share:
		return fmt.Errorf("--weight 1/%s: no record so far has a share of at most 1 there: if %[1]s says how many records each one stands for, give --weight %[1]s", f.Name)
	}
	return fmt.Errorf("--weight %s: no record so far stands for as much as itself: if %[1]s is the share of records that were kept, give --weight 1/%[1]s", f.Name)
}

// warnWeights says that most records had no weight.
func (q *Query) warnWeights(l *Ledger) {
	in := &q.plan.Inputs[0]
	if bad := l.BadReasons[reasonWeight]; in.Weighted && 2*bad > l.Offered {
		f := in.Schema.Fields[in.Weight].Name
		remedy := "if it is the share of records that were kept, give --weight 1/" + f
		if in.Share {
			remedy = "if it says how many records each one stands for, give --weight " + f
		}
		q.engine.note("%s: %d of %d records have no weight of 1 or more in %s and are not in the answers: %s", l.Source, bad, l.Offered, f, remedy)
	}
}

// told returns the number of a row, 0 for NULL.
func told(col *tuple.Column, r int) float64 {
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
	return w
}
