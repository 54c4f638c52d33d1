package codec

import (
	"bytes"
	"math"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// kind is a set of the kinds of values that a field showed in the sample.
type kind uint8

const (
	kindInt    kind = 1 << iota // an integer that a float64 holds exactly
	kindBigInt                  // one beyond 2^53
	kindReal                    // a number with a fraction or an exponent, or beyond 64 bits
	kindTime                    // text that is a timestamp
	kindText                    // other text
	kindBool
	kindNested // an object or a list
)

const kindNumbers = kindInt | kindBigInt | kindReal

// columnType merges kinds into the type that holds all of them:
//
//	no value                        NULL
//	an object or list               JSON
//	integers                        BIGINT
//	numbers                         DOUBLE, or NUMBER when a double would lose digits of an integer
//	truth values                    BOOLEAN
//	text that is timestamps         TIMESTAMP
//	anything else, and mixtures     TEXT
func (k kind) columnType() tuple.Type {
	switch {
	case k == 0:
		return tuple.Null
	case k&kindNested != 0:
		return tuple.JSON
	case k&^(kindInt|kindBigInt) == 0:
		return tuple.Bigint
	case k&^kindNumbers == 0 && k&kindBigInt != 0:
		return tuple.Number
	case k&^kindNumbers == 0:
		return tuple.Double
	case k == kindBool:
		return tuple.Boolean
	case k == kindTime:
		return tuple.Timestamp
	}
	return tuple.Text
}

// evidence gathers what the sample shows of one field.
type evidence struct {
	kinds       kind
	seen, nulls int
	units       [len(timeUnits)]int // numbers that are a time of our days in each unit
	sample      string
}

// timeUnits are the units that numbers are tried in; their ranges do not overlap.
var timeUnits = [...]Unit{UnitSeconds, UnitMillis, UnitMicros, UnitNanos}

// The times that timestamps of our days lie between: the years 1990 and 2100, in seconds.
const (
	earliestTime = 631_152_000
	latestTime   = 4_102_444_800
)

// sampleLength is how many bytes of a field's first value are kept to show.
const sampleLength = 40

// null counts a NULL.
func (e *evidence) null() { e.nulls++ }

// number counts a number literal.
func (e *evidence) number(b []byte, lit literal) {
	e.value(b)
	if lit == intLiteral {
		v, ok := parseInt(b)
		switch {
		case !ok:
			e.kinds |= kindReal
		case v > 1<<53 || v < -1<<53:
			e.kinds |= kindBigInt
		default:
			e.kinds |= kindInt
		}
	} else {
		e.kinds |= kindReal
	}
	f, ok := parseReal(b)
	if !ok {
		return
	}
	for i := range timeUnits {
		scale := math.Pow10(3 * i)
		if f >= earliestTime*scale && f < latestTime*scale {
			e.units[i]++
		}
	}
}

// boolean counts a truth value.
func (e *evidence) boolean(b []byte) {
	e.value(b)
	e.kinds |= kindBool
}

// nested counts an object or a list.
func (e *evidence) nested(b []byte) {
	e.value(b)
	e.kinds |= kindNested
}

// text counts text from a format that tells text and numbers apart.
func (e *evidence) text(b []byte) {
	e.value(b)
	if _, ok := tuple.ParseTime(b); ok {
		e.kinds |= kindTime
	} else {
		e.kinds |= kindText
	}
}

// cell counts a value from a format without types: what looks like a number or a truth value is one. Digits behind a
// leading zero are text: postal codes and the like would lose it as numbers.
func (e *evidence) cell(b []byte) {
	switch lit := classifyText(b); {
	case lit == intLiteral && len(b) > 1 && b[0] == '0':
		e.text(b)
	case lit != notNumber:
		e.number(b, lit)
	case bytes.EqualFold(b, []byte("true")), bytes.EqualFold(b, []byte("false")):
		e.boolean(b)
	default:
		e.text(b)
	}
}

func (e *evidence) value(b []byte) {
	if e.seen == 0 {
		e.sample = string(bytes.ToValidUTF8(b[:min(len(b), sampleLength)], nil))
	}
	e.seen++
}

// unit returns the unit of the field's timestamps, empty when it has none. Values look like times when
// nine in ten of them are numbers that lie between the years 1990 and 2100 in one unit, so that a few zeros or words
// for "not set" do not hide a time; negative and early times need the unit to be given.
func (e *evidence) unit() Unit {
	if e.kinds == kindTime {
		return UnitText
	}
	for i, u := range timeUnits {
		if n := e.units[i]; n > 0 && 10*n >= 9*e.seen {
			return u
		}
	}
	return ""
}

// field returns what is known of the field.
func (e *evidence) field(path []string, name string) Field {
	return Field{
		Name: name, Path: path, Type: e.kinds.columnType(),
		Seen: e.seen, Nulls: e.nulls, Unit: e.unit(), Sample: e.sample, Mixture: e.kinds.mixture(),
	}
}

// mixture names kinds that are not of one type.
func (k kind) mixture() string {
	var all []string
	for _, c := range []struct {
		kinds kind
		name  string
	}{{kindNumbers, "numbers"}, {kindTime, "times"}, {kindText, "text"}, {kindBool, "truth values"}, {kindNested, "objects or lists"}} {
		if k&c.kinds != 0 {
			all = append(all, c.name)
		}
	}
	if len(all) < 2 {
		return ""
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " and " + all[last]
}
