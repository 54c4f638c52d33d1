package op

import (
	"cmp"
	"slices"
)

// coarser is an accumulator that can take less memory for an answer that is nearly the same.
type coarser interface{ coarsen() }

func (a *sampledCounts) coarsen() { a.rows.coarsen() }

func (a *sampledSums) coarsen() { a.rows.coarsen() }

func (a *spreads) coarsen() { a.rows.coarsen() }

// coarsen makes less of what accumulators of p hold.
func (p *pane) coarsen() {
	for _, s := range p.states {
		if s, ok := s.(coarser); ok {
			s.coarsen()
		}
	}
}

// mostWeighings is how many different rows of a group with weights of their own are kept when memory is short.
const mostWeighings = 512

// coarsen puts equal rows of each group together and, where more than mostWeighings are left, like ones: two of weights u and w
// and values x and y become two of weight (u + w)/2 and value (u x + w y)/(u + w), which leaves sums of weights and of weighted values
// as they are. Those go first that lose least of the sum of squares.
func (a *weighings) coarsen() {
	for g, rows := range a.of {
		if len(rows) < 2 {
			continue
		}
		slices.SortFunc(rows, func(v, o weighing) int {
			return cmp.Or(cmp.Compare(v.w, o.w), cmp.Compare(v.x, o.x))
		})
		rows = slices.Clip(joined(rows, 0))
		var loss []float64
		for len(rows) > mostWeighings {
			loss = loss[:0]
			for i := range rows[1:] {
				loss = append(loss, -lossOf(&rows[i], &rows[i+1]))
			}
			rows = joined(rows, -largest(loss, max(len(rows)-mostWeighings, 1)))
		}
		a.of[g] = slices.Clone(rows)
	}
}

// joined joins neighbours that lose at most the given sum of squares, each with one other, or with any number of equal ones.
func joined(rows []weighing, most float64) []weighing {
	next := rows[:1]
	fresh := false // the last one is of two that differ
	for _, v := range rows[1:] {
		last := &next[len(next)-1]
		loss := lossOf(last, &v)
		if loss > most || fresh && loss > 0 {
			next, fresh = append(next, v), false
			continue
		}
		fresh = fresh || loss > 0
		last.join(&v)
	}
	return next
}

// lossOf returns the weighted sum of squares that is lost where two rows are joined, of values and of weights; 0 for equal ones, and
// for such as are beyond reckoning.
func lossOf(v, o *weighing) float64 {
	n := float64(v.n) * float64(o.n) / (float64(v.n) + float64(o.n))
	x, w := v.x*v.w-o.x*o.w, v.w-o.w
	if loss := n * (x*x + w*w); loss > 0 {
		return loss
	}
	return 0
}

func (v *weighing) join(o *weighing) {
	p, q := float64(v.n)*v.w, float64(o.n)*o.w
	if v.x != o.x {
		v.x = (p*v.x + q*o.x) / (p + q)
	}
	v.n += o.n
	if v.w != o.w {
		v.w = (p + q) / float64(v.n)
	}
}
