package query

import "github.com/aurora-dsms/aurora/engine/tuple"

// Field is a field of a stream, as far as it is known before the run.
type Field struct {
	Name string   // dotted for nested fields: http.path; not unique, as a key may hold dots itself
	Path []string // the way to it in a record
	// Type is the declared type, or what the sample showed: Number for any numeric field of an undeclared stream,
	// Text, Boolean, Timestamp, JSON for nested or mixed values, Null when the sample had only nulls.
	Type tuple.Type
	// Mixture names what the sample's values were when they were not of one type, as in "numbers and text"; else empty.
	Mixture string
}

// Stream is what the binder needs to know about a stream.
type Stream struct {
	Name   string
	Fields []Field // in the order first seen
	// Closed says that there are no other fields: the schema was declared, or the sample was the whole input.
	Closed bool
	// Declared says that the types are promises; otherwise a field is read the way the query uses it.
	Declared bool
	// Time is the event-time column that the user named for the stream, or "".
	Time string
	// Live says that the stream has no end in sight, so that a sort of all of it is refused.
	Live bool
}

// Catalog finds streams by name.
type Catalog interface {
	// Stream returns the stream called name, opening it and looking at its first records when that was not done
	// yet. Quoted says that the name was written as a path: FROM 'access.ndjson'. The error for an unknown name
	// says which names there are.
	Stream(name string, quoted bool) (*Stream, error)
}
