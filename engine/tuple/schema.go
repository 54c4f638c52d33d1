package tuple

import "time"

// Field describes one column of a schema.
type Field struct {
	// Name is the column's name as the query wrote it or as the output prints it.
	Name string
	// Path leads to the value inside a decoded record: {"http", "path"} for the
	// nested JSON field http.path, {"status"} for a plain one. Empty for computed columns.
	Path []string
	Type Type
	// Zone is the time zone in which a Timestamp column prints; nil is UTC.
	Zone *time.Location
	// Role is what the column is for, and Of the column that a Low, High or Unreliable one is about.
	Role Role
	Of   int
}

// Role says what a column of an answer is for.
type Role uint8

// The roles. Bounds of a column stand behind it: its Low, then its High, then, perhaps, its Unreliable.
const (
	Plain      Role = iota
	Low             // the lower bound of column Of
	High            // the upper bound of column Of
	Unreliable      // BOOLEAN: the bounds of column Of cannot be trusted
	Kept            // DOUBLE: the share of the window's rows that was kept
	Exact           // BOOLEAN: every value of the row is the true one
	Unseen          // an upper bound of the count of a group that is not in the answer
	Other           // BOOLEAN: the row stands for groups that had no room
)

// Schema is an ordered list of fields. It is immutable once built.
type Schema struct {
	Fields []Field
	// Bounded says that rows come with an account of themselves: sinks print Batch.Late as _late and Batch.Partial
	// as _final.
	Bounded bool
	// Confidence is that of the bounds, in (0, 1); 0 where there are none.
	Confidence float64
}

// Index returns the position of the first field called name, or -1.
func (s *Schema) Index(name string) int {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return i
		}
	}
	return -1
}
