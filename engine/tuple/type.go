package tuple

import "fmt"

// Type is the static type of a column or an expression.
type Type uint8

// The types of aurora's SQL. Number is the type of a numeric field of an undeclared
// stream: each row holds an exact integer or a double, whichever the record had.
// JSON is text that already is a JSON value (lists, nested objects) and is printed as
// it stands. Null is the type of a bare NULL literal.
const (
	Null Type = iota
	Boolean
	Bigint
	Double
	Number
	Text
	Timestamp
	Interval
	JSON
)

var typeNames = [...]string{"NULL", "BOOLEAN", "BIGINT", "DOUBLE", "NUMBER", "TEXT", "TIMESTAMP", "INTERVAL", "JSON"}

// String returns the type's SQL name.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Numeric reports whether values of t take part in arithmetic as numbers.
func (t Type) Numeric() bool { return t == Bigint || t == Double || t == Number }

// Bytes reports whether values of t are stored as spans of bytes.
func (t Type) Bytes() bool { return t == Text || t == JSON }
