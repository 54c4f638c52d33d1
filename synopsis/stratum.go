package synopsis

// poissonRows is the expected number of kept rows below which a stratum's weight is 1/Keep and not M/m
// (estimators.md section 1).
const poissonRows = 32

// Stratum is one epoch of one drop location with what it counted so far. Its owner keeps the totals current, in
// place; windows and cells share it.
type Stratum struct {
	// ID is the location's number in bits 24 to 31 and the epoch's in bits 0 to 23.
	ID uint32
	// Keep is the probability in force, in (0, 1].
	Keep float64
	// Offered and Kept are M and m, running totals.
	Offered, Kept int64
	// Open says that a dropped row need not have been like the kept ones: records were counted before decoding, or a
	// filter stands behind the drop. That all kept rows are in a cell then proves nothing about the dropped ones.
	Open bool
	// Up is the stratum of the drop before this one on the way of its rows, or nil.
	Up *Stratum
}

// Whole reports whether nothing was dropped, here or before.
func (s *Stratum) Whole() bool {
	for ; s != nil; s = s.Up {
		if !(s.Keep >= 1) {
			return false
		}
	}
	return true
}

// Weight returns how many offered rows a kept one stands for: M/m, or 1/Keep in the Poisson form, times that of Up.
func (s *Stratum) Weight() float64 {
	w := 1.0
	for ; s != nil; s = s.Up {
		w *= s.weight()
	}
	return w
}

func (s *Stratum) weight() float64 {
	switch {
	case s.Keep >= 1:
		return 1
	case s.Kept <= 0 || float64(s.Offered)*s.Keep < poissonRows:
		return 1 / s.Keep
	}
	return max(float64(s.Offered)/float64(s.Kept), 1)
}
