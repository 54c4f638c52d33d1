package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// record is a decoded record: a row, or why it is none.
type record struct {
	row Row
	bad string
}

// decode reads all records of data, blank lines aside.
func decode(schema *tuple.Schema, data []byte, in Input) ([]record, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch in.Format {
	case codec.NDJSON:
		return decodeJSON(schema, data, in), nil
	case codec.CSV, codec.TSV:
		return decodeCSV(schema, data, in)
	case codec.AccessLog:
		return decodeLog(schema, data, in), nil
	}
	return nil, fmt.Errorf("oracle: format %q is one that it does not know", in.Format)
}

func decodeJSON(schema *tuple.Schema, data []byte, in Input) []record {
	var records []record
	for _, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.Trim(line, " \t\r")
		switch {
		case len(line) == 0:
		case !json.Valid(line):
			records = append(records, record{bad: "syntax"})
		case line[0] != '{':
			records = append(records, record{bad: "not an object"})
		default:
			records = append(records, record{row: jsonRow(schema, line, in.Unit)})
		}
	}
	return records
}

func jsonRow(schema *tuple.Schema, line []byte, unit codec.Unit) Row {
	row := make(Row, len(schema.Fields))
	members := jsonMembers(line)
	for i, f := range schema.Fields {
		inside, value := members, []byte(nil)
		for _, key := range f.Path {
			value = inside[key]
			inside = jsonMembers(value)
		}
		row[i] = as(jsonValue(value, f.Type, unit), f.Type)
	}
	return row
}

// jsonMembers returns the members of an object, none for anything else.
func jsonMembers(value []byte) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if len(value) > 0 && value[0] == '{' {
		// The record is valid, so this cannot fail.
		_ = json.Unmarshal(value, &members)
	}
	return members
}

// jsonValue reads a value, nil when there is none, as a type. NULL is what does not fit.
func jsonValue(value []byte, t tuple.Type, unit codec.Unit) expr.Value {
	if len(value) == 0 || string(value) == "null" {
		return null
	}
	if t == tuple.JSON {
		return expr.Value{Type: t, S: string(value)}
	}
	switch value[0] {
	case '"':
		var s string
		_ = json.Unmarshal(value, &s)
		ns, isTime := parseTime(s)
		switch {
		case t == tuple.Text:
			return text(s)
		case t == tuple.Timestamp && isTime:
			return expr.Value{Type: t, I: ns}
		}
		return null
	case '{', '[':
	case 't', 'f':
		if t == tuple.Boolean {
			return boolean(value[0] == 't')
		}
	default:
		if t != tuple.Text {
			return number(string(value), t, unit)
		}
	}
	if t == tuple.Text {
		return text(string(value))
	}
	return null
}

var integerText = regexp.MustCompile(`^[-+]?[0-9]+$`)

// number reads a decimal number as a numeric type or a time.
func number(s string, t tuple.Type, unit codec.Unit) expr.Value {
	switch t {
	case tuple.Number:
		if n, ok := new(big.Int).SetString(s, 10); ok && integerText.MatchString(s) && n.IsInt64() {
			return expr.Value{Type: t, I: n.Int64()}
		}
		fallthrough
	case tuple.Double:
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return double(f)
		}
	case tuple.Bigint:
		if r, ok := decimal(s, 0); ok && r.IsInt() && r.Num().IsInt64() {
			return bigint(r.Num().Int64())
		}
	case tuple.Timestamp:
		if ns, ok := numericTime(s, unit); ok {
			return expr.Value{Type: t, I: ns}
		}
	}
	return null
}

var (
	cellNumber = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
	cellOther  = regexp.MustCompile(`^(?i)[-+]?(nan|inf|infinity)$`)
	cellTrue   = regexp.MustCompile(`^(?i)(true|t|yes|y|1)$`)
	cellFalse  = regexp.MustCompile(`^(?i)(false|f|no|n|0)$`)
)

// cell reads a field of a format without types as a type other than text. NULL is what does not fit.
func cell(s string, t tuple.Type, unit codec.Unit) expr.Value {
	s = strings.Trim(s, " \t")
	switch {
	case s == "":
		return null
	case t == tuple.Boolean && (cellTrue.MatchString(s) || cellFalse.MatchString(s)):
		return boolean(cellTrue.MatchString(s))
	case t == tuple.JSON && json.Valid([]byte(s)):
		return expr.Value{Type: t, S: s}
	case cellNumber.MatchString(s):
		return number(s, t, unit)
	case t == tuple.Timestamp:
		if ns, ok := parseTime(s); ok {
			return expr.Value{Type: t, I: ns}
		}
	case (t == tuple.Number || t == tuple.Double) && cellOther.MatchString(s):
		f, _ := strconv.ParseFloat(s, 64)
		return double(f)
	}
	return null
}
