package op

import (
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// quantiler is what quantile accumulators answer.
type quantiler interface {
	// quantile returns the quantile q of group g; ok is false where it has no values.
	quantile(g uint32, q float64) (v sketch.Number, ok bool)
	// bounds returns the least that the quantile low of group g can be and the greatest that the quantile high can be;
	// exact says that the sketch adds no error of its own. The group has values.
	bounds(g uint32, low, high float64) (lo, hi sketch.Number, exact bool)
}

// feed calls one of two functions with each value of a numeric or time column.
func feed(in *lane, addInt func(uint32, int64), addFloat func(uint32, float64)) {
	c := in.col
	for i, r := range in.sel {
		g := in.ids[i]
		switch {
		case c.Rep == tuple.RepInt, c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagInt:
			addInt(g, c.I[r])
		default:
			addFloat(g, numberAt(c, r).float())
		}
	}
}

// feedWeighted is feed for rows that stand for several.
func feedWeighted(in *lane, addInt func(g uint32, v int64, w float64), addFloat func(g uint32, x, w float64)) {
	c := in.col
	scale, weights := in.sample.stands()
	for i, r := range in.sel {
		g, w := in.ids[i], scale
		if weights != nil {
			w *= weights[r]
		}
		switch {
		case c.Rep == tuple.RepInt, c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagInt:
			addInt(g, c.I[r], w)
		default:
			addFloat(g, numberAt(c, r).float(), w)
		}
	}
}

// stands returns what each row stands for by the probabilities in force when it came: scale, times its own weight where
// weights are not nil. Rows of blocks stand for as many others of their block: how many blocks a block stands for the blocks to come decide.
func (s *sample) stands() (scale float64, weights []float64) {
	switch s.rows {
	case shedRows, keyedRows:
		return s.scale, nil
	case weightedRows, blockRows:
		return s.scale, s.weights
	}
	return 1, nil
}

// alike reports whether each row stands for itself, or for as many as any other.
func (s *sample) alike() bool {
	scale, weights := s.stands()
	return scale == 1 && weights == nil
}

// logQuantiles estimates quantiles with a bounded error of value.
type logQuantiles struct {
	summaries[sketch.Quantile, *sketch.Quantile]
}

func (a *logQuantiles) add(in *lane, groups int) {
	a.grow(groups)
	switch c := in.col; {
	case c.Type == tuple.Null:
	case c.Rep == tuple.RepInt:
		of, values := a.of, c.I
		for i, r := range in.sel {
			s := of[in.ids[i]]
			if s == nil {
				s = a.at(in.ids[i])
			}
			s.AddInt(values[r])
		}
	case c.Rep == tuple.RepFloat:
		of, values := a.of, c.F
		for i, r := range in.sel {
			s := of[in.ids[i]]
			if s == nil {
				s = a.at(in.ids[i])
			}
			s.AddFloat(values[r])
		}
	default:
		feed(in, func(g uint32, v int64) { a.at(g).AddInt(v) }, func(g uint32, x float64) { a.at(g).AddFloat(x) })
	}
}

func (a *logQuantiles) merge(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	for i, s := range from.(*logQuantiles).of {
		if s != nil {
			a.at(to[i]).Merge(s)
		}
	}
}

func (a *logQuantiles) quantile(g uint32, q float64) (v sketch.Number, ok bool) {
	if s := a.look(g); s != nil {
		return s.Quantile(q)
	}
	return v, false
}

func (a *logQuantiles) bounds(g uint32, low, high float64) (lo, hi sketch.Number, exact bool) {
	lo, hi, _ = a.of[g].Bounds(low, high)
	return lo, hi, low == high && lo.Compare(hi) == 0
}

// rankQuantiles estimates quantiles with a bounded error of rank.
type rankQuantiles struct {
	summaries[rankSketch, *rankSketch]
}

func (a *rankQuantiles) add(in *lane, groups int) {
	a.grow(groups)
	if in.col.Type == tuple.Null {
		return
	}
	if in.sample.alike() {
		feed(in, func(g uint32, v int64) { a.at(g).AddInt(v) }, func(g uint32, x float64) { a.at(g).AddFloat(x) })
		return
	}
	feedWeighted(in,
		func(g uint32, v int64, w float64) { a.at(g).AddIntWeighted(v, w) },
		func(g uint32, x, w float64) { a.at(g).AddFloatWeighted(x, w) })
}

func (a *rankQuantiles) merge(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	for i, s := range from.(*rankQuantiles).of {
		if s != nil {
			mustMerge(a.at(to[i]).Merge(&s.KLL))
		}
	}
}

func (a *rankQuantiles) quantile(g uint32, q float64) (v sketch.Number, ok bool) {
	if s := a.look(g); s != nil {
		return s.Quantile(q)
	}
	return v, false
}

func (a *rankQuantiles) bounds(g uint32, low, high float64) (lo, hi sketch.Number, exact bool) {
	lo, hi, _ = a.of[g].Bounds(low, high)
	return lo, hi, low == high && a.of[g].Exact()
}

// digestQuantiles estimates quantiles by t-digest.
type digestQuantiles struct {
	summaries[sketch.TDigest, *sketch.TDigest]
}

func (a *digestQuantiles) add(in *lane, groups int) {
	a.grow(groups)
	if in.col.Type == tuple.Null {
		return
	}
	if in.sample.alike() {
		feed(in, func(g uint32, v int64) { a.at(g).Add(float64(v)) }, func(g uint32, x float64) { a.at(g).Add(x) })
		return
	}
	feedWeighted(in,
		func(g uint32, v int64, w float64) { a.at(g).AddWeighted(float64(v), w) },
		func(g uint32, x, w float64) { a.at(g).AddWeighted(x, w) })
}

func (a *digestQuantiles) merge(from accumulator, to []uint32, groups int) {
	a.grow(groups)
	for i, s := range from.(*digestQuantiles).of {
		if s != nil {
			mustMerge(a.at(to[i]).Merge(s))
		}
	}
}

func (a *digestQuantiles) quantile(g uint32, q float64) (v sketch.Number, ok bool) {
	if s := a.look(g); s != nil {
		v.Value, ok = s.Quantile(q)
	}
	return v, ok
}

func (a *digestQuantiles) bounds(g uint32, low, high float64) (lo, hi sketch.Number, exact bool) {
	lo.Value, hi.Value, _ = a.of[g].Bounds(low, high)
	return lo, hi, low == high && a.of[g].Exact()
}

// putSketched writes v to row r of a column of n rows. Where the column holds integers or times, an
// answer that is none is rounded.
func putSketched(c *tuple.Column, r, n int, v sketch.Number) {
	switch {
	case v.IsInt:
		putInt(c, r, n, v.Int)
	case c.Type == tuple.Double || c.Type == tuple.Number:
		putFloat(c, r, n, v.Value)
	default:
		putInt(c, r, n, roundInt(v.Value))
	}
}

// roundInt returns the integer nearest to x, or the least or greatest one.
func roundInt(x float64) int64 {
	switch x = math.RoundToEven(x); {
	case x >= 0x1p63:
		return math.MaxInt64
	case x < -0x1p63:
		return math.MinInt64
	}
	return int64(x)
}
