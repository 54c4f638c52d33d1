package synopsis

// Design is how the rows of one window were sampled: its strata and the kept rows of the window in each. The cells
// of the window share it. The zero value has no strata.
type Design struct {
	strata []*Stratum
	rows   []int64
	index  map[*Stratum]int32
	last   int32
	weight float64 // largest weight, set by Seal
}

// Enter returns the index of s in the window and adds s where it is new. It is cheap where s is the
// one that was entered last.
func (d *Design) Enter(s *Stratum) int32 {
	if len(d.strata) > 0 && d.strata[d.last] == s {
		return d.last
	}
	i, ok := d.index[s]
	if !ok {
		if d.index == nil {
			d.index = make(map[*Stratum]int32)
		}
		i = int32(len(d.strata))
		d.index[s] = i
		d.strata = append(d.strata, s)
		d.rows = append(d.rows, 0)
	}
	d.last = i
	return i
}

// Rows says that n more kept rows of the window came in stratum i.
func (d *Design) Rows(i int32, n int64) { d.rows[i] += n }

// Whole reports whether no stratum of the window was shed.
func (d *Design) Whole() bool {
	for _, s := range d.strata {
		if !s.Whole() {
			return false
		}
	}
	return true
}

// Kept returns the share of the offered rows that was kept; 1 without strata.
func (d *Design) Kept() float64 {
	var offered, kept float64
	for _, s := range d.strata {
		offered += float64(s.Offered)
		kept += float64(s.Kept)
	}
	if offered == 0 {
		return 1
	}
	return kept / offered
}

// Largest returns the largest weight of a kept row.
func (d *Design) Largest() float64 { return d.weight }

// Seal computes what estimates need. Call it before estimating, and again after changes.
func (d *Design) Seal() {
	d.weight = 1
	for _, s := range d.strata {
		d.weight = max(d.weight, s.Weight())
	}
}

// Merge adds the strata and rows of o, which then have other indices.
func (d *Design) Merge(o *Design) {
	for i, s := range o.strata {
		d.Rows(d.Enter(s), o.rows[i])
	}
}

// Reset forgets all strata and all that cells have left here.
func (d *Design) Reset() { *d = Design{} }

// Strata returns the strata by index. The slice is the design's own.
func (d *Design) Strata() []*Stratum { return d.strata }
