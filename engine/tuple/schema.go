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
}

// Schema is an ordered list of fields. It is immutable once built.
type Schema struct {
	Fields []Field
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
