package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// folds is what a pane knows of the weights of its groups, and of what they may have lost by folding.
type folds struct {
	weight []float64 // of each group: its rows, or their weights where they have some
	lost   losses    // of weight
	sums   []foldedSums
	bytes  int64 // of the pane, at the last look
}

// losses bounds what groups lost of something that adds up: that of later groups than it has is most.
type losses struct {
	of   []float64
	most float64 // what a group that is not there may have lost
}

// foldedSums is what is known of the sums of a lane.
type foldedSums struct {
	lane, state    int
	least, largest float64 // of the values seen; +Inf and -Inf before the first
	lost           losses
}

// makeFolds returns the folds of a pane without rows.
func (p *aggPlan) makeFolds() (f folds) {
	for i := range p.states {
		if s := &p.states[i]; s.kind == "sum" && !p.specs[s.lane].distinct {
			f.sums = append(f.sums, foldedSums{lane: s.lane, state: i, least: math.Inf(1), largest: math.Inf(-1)})
		}
	}
	return f
}

func (f *folds) reset() {
	f.weight, f.bytes = f.weight[:0], 0
	f.lost.reset()
	for i := range f.sums {
		s := &f.sums[i]
		s.least, s.largest = math.Inf(1), math.Inf(-1)
		s.lost.reset()
	}
}

// weigh adds rows to the weights of their groups.
func (f *folds) weigh(ids []uint32, sel []uint16, groups int, chosen *sample) {
	f.weight = extend(f.weight, groups)
	weight := f.weight
	if w := chosen.weights; w != nil {
		for i, g := range ids {
			weight[g] += max(w[sel[i]]*chosen.scale, 1)
		}
		return
	}
	for _, g := range ids {
		weight[g]++
	}
}

// look notes the range of the values of a lane's rows.
func (f *folds) look(number int, in *lane) {
	for i := range f.sums {
		if s := &f.sums[i]; s.lane == number && len(in.sel) > 0 && in.col.Type != tuple.Null {
			s.look(in)
		}
	}
}

func (s *foldedSums) look(in *lane) {
	if c := in.col; c.Rep == tuple.RepInt {
		least, largest := int64(math.MaxInt64), int64(math.MinInt64)
		for _, r := range in.sel {
			least, largest = min(least, c.I[r]), max(largest, c.I[r])
		}
		s.least, s.largest = min(s.least, float64(least)), max(s.largest, float64(largest))
		return
	}
	for _, r := range in.sel {
		x := numberAt(in.col, r).float()
		s.least, s.largest = min(s.least, x), max(s.largest, x)
	}
}

// fold takes out the groups of a pane that do not stay, of those there are, whose sums are states. rest is the number of the
// rest before, or -1; it becomes 0.
func (f *folds) fold(stay []bool, rest int, states []accumulator) {
	f.weight = extend(f.weight, len(stay))
	f.lost.fold(stay, rest, func(g int) float64 { return f.weight[g] })
	for i := range f.sums {
		s := &f.sums[i]
		cells := states[s.state].(*sums)
		s.lost.fold(stay, rest, func(g int) float64 { return cells.of(uint32(g)).sum.Float() })
	}
	kept, folded := f.weight[:0], 0.0
	next := make([]float64, 1, len(stay)/2+leastGroups)
	for g, w := range f.weight {
		if stay[g] {
			next = append(next, w)
		} else {
			folded += w
		}
	}
	next[0] = folded
	f.weight = append(kept, next...)
}

func (l *losses) reset() { l.of, l.most = l.of[:0], 0 }

// at returns what group g may have lost.
func (l *losses) at(g int) float64 {
	if g < len(l.of) {
		return l.of[g]
	}
	return l.most
}

// settle gives l an element for each of n groups.
func (l *losses) settle(n int) {
	old := len(l.of)
	l.of = extend(l.of, n)
	for g := old; g < n; g++ {
		l.of[g] = l.most
	}
}

// fold takes out the groups that do not stay, of which group g has what has says.
func (l *losses) fold(stay []bool, rest int, has func(g int) float64) {
	l.settle(len(stay))
	next, most := append(l.of[:0:0], 0), l.most
	for g, lost := range l.of {
		switch {
		case stay[g]:
			next = append(next, lost)
		case g != rest:
			most = max(most, lost+has(g))
		}
	}
	l.of, l.most = next, most
}

// merge adds what the groups of another pane lost, whose group i is group to[i] here. Before it there were known groups here, and
// now there are n.
func (l *losses) merge(o *losses, to []uint32, known, n int) {
	l.settle(known)
	l.settle(n)
	for g := range l.of {
		l.of[g] += o.most
	}
	for i, g := range to {
		l.of[g] += o.at(i) - o.most
	}
	l.most += o.most
}

// merge adds what another pane of one window knows.
func (f *folds) merge(o *folds, to []uint32, n int) {
	known := len(f.weight)
	f.weight = extend(f.weight, n)
	for i, g := range to {
		if i < len(o.weight) {
			f.weight[g] += o.weight[i]
		}
	}
	f.lost.merge(&o.lost, to, known, n)
	for i := range f.sums {
		s, os := &f.sums[i], &o.sums[i]
		s.least, s.largest = min(s.least, os.least), max(s.largest, os.largest)
		s.lost.merge(&os.lost, to, known, n)
	}
}

// heaviest tells of each of n groups whether it is among the keep heaviest by weight and what it may have lost, of equal ones the
// first. The rest, where there is one, is not.
func (f *folds) heaviest(n, keep, rest int) []bool {
	f.weight = extend(f.weight, n)
	load := make([]float64, n)
	for g := range load {
		load[g] = f.weight[g] + f.lost.at(g)
	}
	if rest >= 0 {
		load[rest] = -1
	}
	least := largest(append([]float64(nil), load...), keep)
	stay, room := make([]bool, n), keep
	for g, x := range load {
		if x > least {
			stay[g] = true
			room--
		}
	}
	for g, x := range load {
		if x == least && room > 0 && g != rest {
			stay[g] = true
			room--
		}
	}
	return stay
}

// largest returns the k-th largest of list, at least 1, or the least where k is more than there are; it reorders list
// (Hoare's selection, with three parts as equal weights are common).
func largest(list []float64, k int) float64 {
	k = min(k, len(list))
	for {
		pivot := list[len(list)/2]
		above, equal := 0, 0 // list[:above] > pivot, list[above:above+equal] == pivot
		for i, x := range list {
			switch {
			case x > pivot:
				list[i] = list[above+equal]
				list[above+equal] = list[above]
				list[above] = x
				above++
			case x == pivot:
				list[i] = list[above+equal]
				list[above+equal] = x
				equal++
			}
		}
		switch {
		case k <= above:
			list = list[:above]
		case k <= above+equal:
			return pivot
		default:
			k -= above + equal
			list = list[above+equal:]
		}
	}
}
