package synopsis

// Tally is the pooled shape of a column over cells and recent windows, by which cells are labelled. The zero value is
// empty.
type Tally struct {
	rows float64
}

// Add adds the kept rows of a cell.
func (t *Tally) Add(c *Cell, d *Design) { t.rows += float64(c.Rows()) }

// EndWindow lets what was added lose weight.
func (t *Tally) EndWindow() {}
