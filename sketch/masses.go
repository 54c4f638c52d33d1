package sketch

// mass is the weight of some rows: the sum of w, and that of w(w-1), which is the variance of the first where every row
// was kept with probability 1/w.
type mass struct{ w, spread float64 }

// massOf returns that of one row. Weights below 1 are nobody's reciprocal probability and have no variance.
func massOf(w float64) mass { return mass{w, max(0, w*(w-1))} }

func (m *mass) add(o mass) {
	m.w += o.w
	m.spread += o.spread
}

// masses holds the mass of each bucket over a contiguous range of keys that grows as the one of a window does.
type masses struct {
	first int // key of the first cell
	cells []mass
}

func (w *masses) add(key int, m mass) {
	i := key - w.first
	if uint(i) >= uint(len(w.cells)) {
		w.cover(key, key)
		i = key - w.first
	}
	w.cells[i].add(m)
}

// cover extends the range to the keys from lo to hi.
func (w *masses) cover(lo, hi int) {
	from, to := widened(w.first, len(w.cells), lo, hi, firstBucket)
	w.cells = stretch(w.cells, to-from, w.first-from)
	w.first = from
}

// occupied returns the range of keys less the empty ones at both ends.
func (w *masses) occupied() (from, to int) {
	for to = len(w.cells); to > 0 && w.cells[to-1].w == 0; to-- {
	}
	for from < to && w.cells[from].w == 0 {
		from++
	}
	return w.first + from, w.first + to
}

func (w *masses) merge(o *masses) {
	from, to := o.occupied()
	if from == to {
		return
	}
	if len(w.cells) == 0 || from < w.first || to > w.first+len(w.cells) {
		w.cover(from, to-1)
	}
	for key := from; key < to; key++ {
		w.cells[key-w.first].add(o.cells[key-o.first])
	}
}
