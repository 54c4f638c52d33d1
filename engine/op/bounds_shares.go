package op

import "encoding/binary"

// shares holds, for each group of a pane that serves several windows, what it has of each stratum, in the order of their
// numbers. Cells are made of them when a window closes: panes of one window share strata, and shares of a stratum must be added
// up before they are folded (estimators.md section 2).
type shares[T any] struct {
	ends []chain // per group
	list []share[T]
}

// chain is the first and the last share of a group, as indices plus one; 0: none.
type chain struct{ first, last uint32 }

type share[T any] struct {
	stratum int32
	next    uint32 // index plus one
	v       T
}

// at returns what group g has of a stratum.
func (a *shares[T]) at(g uint32, stratum int32) *T {
	ends := &a.ends[g]
	if ends.last != 0 {
		if s := &a.list[ends.last-1]; s.stratum == stratum {
			return &s.v
		}
	}
	return a.insert(ends, stratum)
}

func (a *shares[T]) insert(ends *chain, stratum int32) *T {
	before := uint32(0)
	if ends.last != 0 && a.list[ends.last-1].stratum < stratum {
		before = ends.last
	} else {
		for at := ends.first; at != 0 && a.list[at-1].stratum <= stratum; at = a.list[at-1].next {
			if a.list[at-1].stratum == stratum {
				return &a.list[at-1].v
			}
			before = at
		}
	}
	a.list = appendOne(a.list, share[T]{stratum: stratum})
	fresh := uint32(len(a.list))
	link := &ends.first
	if before != 0 {
		link = &a.list[before-1].next
	}
	a.list[fresh-1].next = *link
	*link = fresh
	if a.list[fresh-1].next == 0 {
		ends.last = fresh
	}
	return &a.list[fresh-1].v
}

// each calls f with every stratum that group g has a share of, ascending.
func (a *shares[T]) each(g int, f func(stratum int32, v *T)) {
	if g >= len(a.ends) {
		return
	}
	for at := a.ends[g].first; at != 0; at = a.list[at-1].next {
		f(a.list[at-1].stratum, &a.list[at-1].v)
	}
}

// merge adds each share of from in group i and stratum h to that of group to[i] in stratum numbers[h].
func (a *shares[T]) merge(from *shares[T], to []uint32, numbers []int32, add func(into, v *T)) {
	for i := range from.ends {
		from.each(i, func(stratum int32, v *T) { add(a.at(to[i], numbers[stratum]), v) })
	}
}

func (a *shares[T]) grow(groups int) { a.ends = extend(a.ends, groups) }

func (a *shares[T]) reset() { a.ends, a.list = roomy(a.ends), roomy(a.list) }

func (a *shares[T]) save(w *stateWriter, one func(*T)) {
	w.count(len(a.ends))
	for g := range a.ends {
		n := 0
		a.each(g, func(int32, *T) { n++ })
		w.count(n)
		a.each(g, func(stratum int32, v *T) {
			w.count(int(stratum))
			one(v)
		})
	}
}

// load reads shares of at least size bytes and of strata below the given number.
func (a *shares[T]) load(r *stateReader, size, strata int, one func(*T)) {
	a.grow(r.count(1))
	for g := range a.ends {
		for n := r.count(1 + size); n > 0; n-- {
			stratum := r.index(strata)
			one(a.at(uint32(g), stratum))
		}
	}
}

// index reads a number that must be below n.
func (r *stateReader) index(n int) int32 {
	i, width := binary.Uvarint(r.b)
	if width <= 0 || i >= uint64(n) {
		r.require(false)
		return 0
	}
	r.b = r.b[width:]
	return int32(i)
}

// weighings holds, for each group of a pane that serves several windows, the rows with weights of their own, as they are.
type weighings struct{ of [][]weighing }

// weighing is n rows of the value x and the weight w.
type weighing struct {
	n    int64
	x, w float64
}

func (a *weighings) add(g uint32, v weighing) {
	rows := a.of[g]
	if n := len(rows); n > 0 && rows[n-1].x == v.x && rows[n-1].w == v.w {
		rows[n-1].n += v.n
		return
	}
	a.of[g] = append(rows, v)
}

func (a *weighings) grow(groups int) { a.of = extend(a.of, groups) }

func (a *weighings) merge(from *weighings, to []uint32) {
	for i, rows := range from.of {
		for _, v := range rows {
			a.add(to[i], v)
		}
	}
}

// each calls f with each row of group g.
func (a *weighings) each(g int, f func(x, w float64)) {
	if g >= len(a.of) {
		return
	}
	for _, v := range a.of[g] {
		for range v.n {
			f(v.x, v.w)
		}
	}
}

func (a *weighings) reset() {
	clear(a.of)
	a.of = roomy(a.of)
}

func (a *weighings) save(w *stateWriter) {
	saveList(w, a.of, func(rows []weighing) {
		saveList(w, rows, func(v weighing) {
			w.i64(v.n)
			w.f64(v.x)
			w.f64(v.w)
		})
	})
}

func (a *weighings) load(r *stateReader) {
	a.of = loadList(r, 1, func() []weighing {
		return loadList(r, 24, func() weighing { return weighing{r.i64(), r.f64(), r.f64()} })
	})
}
