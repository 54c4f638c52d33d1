package synopsis

// poissonRows is the expected number of kept rows below which a stratum's weight is 1/Keep and not M/m
// (estimators.md section 1). Keep and M decide, never m, which would bias: a stratum that kept nothing adds nothing.
const poissonRows = 32

// fewRows is the number of kept rows below which the third and fourth cumulants have no estimate of their own.
const fewRows = 4

// Stratum is one epoch of one drop location with what it counted so far. Its owner keeps the totals current, in
// place; windows and cells share it.
type Stratum struct {
	// ID is the location's number in bits 24 to 31 and the epoch's in bits 0 to 23. A location's strata follow each other: when a
	// row of the next one has come, none of the one before comes any more. Rows of several locations may alternate.
	ID uint32
	// Keep is the probability in force, in (0, 1].
	Keep float64
	// Offered and Kept are M and m, running totals.
	Offered, Kept int64
	// Open says that a dropped row need not have been like the kept ones: records were counted before decoding, or a
	// filter stands behind the drop. That all kept rows are in a cell then proves nothing about the dropped ones.
	Open bool
	// Up is the stratum of the drop before this one on the way of its rows, or nil. Where filters stand between drops, the totals
	// are those of the pair (intervals.md section 5).
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
		w *= s.stageWeight()
	}
	return w
}

func (s *Stratum) stageWeight() float64 {
	switch {
	case s.Keep >= 1:
		return 1
	case s.Kept <= 0 || s.poisson():
		return 1 / s.Keep
	}
	return max(float64(s.Offered)/float64(s.Kept), 1)
}

func (s *Stratum) poisson() bool { return float64(s.Offered)*s.Keep < poissonRows }

// location tells the drop locations on the way of the stratum's rows from those of others.
func (s *Stratum) location() uint64 {
	var l uint64
	for ; s != nil; s = s.Up {
		l = l<<8 | uint64(s.ID>>24)
	}
	return l
}

// root returns the stratum of the first drop on the way.
func (s *Stratum) root() *Stratum {
	for s.Up != nil {
		s = s.Up
	}
	return s
}

// design is how k rows of a cell in a stratum are to be reckoned.
type design struct {
	form form
	// w is the weight of a kept row, all stages together.
	w float64
	// m and M are the totals of the one stage that was shed, or of the last of several.
	m, M float64
}

// form is the form of the estimators in a stratum.
type form uint8

const (
	wholeForm   form = iota // nothing was dropped
	poissonForm             // rows kept independently of each other, each of weight w
	simpleForm              // a simple random sample of m of M rows
	stagedForm              // samples of samples, with filters between
)

// design returns the form for k kept rows in a cell, and never one in which m is below k or M below m.
func (s *Stratum) design(k int64) design {
	d := design{w: 1}
	for ; s != nil; s = s.Up {
		if s.Keep >= 1 {
			continue
		}
		d.w *= s.stageWeight()
		switch {
		case s.poisson() || s.Kept < fewRows || d.form == poissonForm:
			d.form = poissonForm
		case d.form == simpleForm || d.form == stagedForm:
			d.form = stagedForm
		default:
			d.form = simpleForm
			d.m = float64(max(s.Kept, k))
			d.M = max(float64(s.Offered), d.m)
			d.w = d.M / d.m
		}
	}
	return d
}
