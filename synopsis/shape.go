package synopsis

import "math"

// Shape is the pooled shape of a column over cells and recent windows, by which cells are labelled whose estimates are not
// those of a Cell: how many rows and how skewed, from sums about the mean of each cell (intervals.md section 3). The
// zero value is empty.
type Shape struct{ rows, second, third float64 }

// Add adds to a shape, where there is one, a cell of so many rows with the sums of the squares and the cubes of their deviations from its mean.
func (s *Shape) Add(rows, squares, cubes float64) {
	if s != nil && rows > 0 && squares-squares == 0 && cubes-cubes == 0 {
		s.rows += rows
		s.second += max(squares, 0)
		s.third += cubes
	}
}

// EndWindow lets what was added lose weight.
func (s *Shape) EndWindow() {
	keep := math.Exp2(-1.0 / tallyHalf)
	s.rows *= keep
	s.second *= keep
	s.third *= keep
}

// Skewness returns the pooled skewness, 0 where nothing is known.
func (s *Shape) Skewness() float64 {
	if s == nil || !(s.second > 0) {
		return 0
	}
	return s.third * math.Sqrt(s.rows) / (s.second * math.Sqrt(s.second))
}

// short reports whether n effective rows are too few for an interval of the given confidence that can be relied on:
// fewer than 5, or than A g^2 with g the skewness (labelFactor), or than 30 where the column has shown fewer than 1,000 rows.
func (s *Shape) short(n, confidence float64) bool {
	g := s.Skewness()
	if n < max(fewestRows, labelFactor(confidence)*g*g) {
		return true
	}
	return n < unknownRows && (s == nil || s.rows < tallyRows)
}

// varies reports whether values of the column differ anywhere.
func (s *Shape) varies() bool { return s != nil && s.second > 0 }
