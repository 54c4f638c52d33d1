package syntax

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

var typeWords = map[string]tuple.Type{
	"BIGINT": tuple.Bigint, "INT": tuple.Bigint, "INTEGER": tuple.Bigint, "LONG": tuple.Bigint, "SMALLINT": tuple.Bigint, "TINYINT": tuple.Bigint,
	"INT2": tuple.Bigint, "INT4": tuple.Bigint, "INT8": tuple.Bigint, "INT32": tuple.Bigint, "INT64": tuple.Bigint,
	"DOUBLE": tuple.Double, "FLOAT": tuple.Double, "REAL": tuple.Double, "FLOAT4": tuple.Double, "FLOAT8": tuple.Double, "FLOAT64": tuple.Double,
	"TEXT": tuple.Text, "VARCHAR": tuple.Text, "STRING": tuple.Text, "CHAR": tuple.Text,
	"BOOLEAN": tuple.Boolean, "BOOL": tuple.Boolean,
	"TIMESTAMP": tuple.Timestamp, "TIMESTAMPTZ": tuple.Timestamp, "DATETIME": tuple.Timestamp,
	"INTERVAL": tuple.Interval,
}

// foreignTypes are types of other systems, with what to write instead.
var foreignTypes = map[string]string{
	"DECIMAL": "use DOUBLE, or BIGINT for exact integers", "NUMERIC": "use DOUBLE, or BIGINT for exact integers",
	"HUGEINT": "use BIGINT, or DOUBLE beyond 64 bits", "UBIGINT": "use BIGINT, or DOUBLE beyond 63 bits",
	"DATE": "use TIMESTAMP", "TIME": "use TIMESTAMP, or INTERVAL since midnight",
	"JSON": "leave the column out; nested fields are read as a.b", "STRUCT": "leave the column out; nested fields are read as a.b",
	"BLOB": "use TEXT", "BYTEA": "use TEXT", "UUID": "use TEXT",
}

var typeNames = func() []string {
	var names []string
	for w := range typeWords {
		names = append(names, w)
	}
	slices.Sort(names)
	return names
}()

// typeName reads a type.
func (p *parser) typeName() Type {
	t := p.tok()
	if t.kind != word {
		p.expected("a type", "types are BIGINT, DOUBLE, TEXT, BOOLEAN, TIMESTAMP and INTERVAL")
		return Type{Span: t.Span}
	}
	of, known := typeWords[t.key]
	if !known {
		hint, foreign := foreignTypes[t.key]
		if !foreign {
			hint = p.meant(t.val, typeNames, "types are BIGINT, DOUBLE, TEXT, BOOLEAN, TIMESTAMP and INTERVAL")
		}
		p.fail(t.Span, hint, "unknown type %s", t.val)
		return Type{Span: t.Span}
	}
	p.next()
	switch {
	case t.key == "DOUBLE":
		p.accept("PRECISION")
	case t.key == "TIMESTAMP" && (p.is("WITH") || p.is("WITHOUT")) && p.ahead(1).key == "TIME":
		p.next()
		p.next()
		p.expect("ZONE", "")
	}
	if p.is("(") && of != tuple.Interval {
		p.fail(p.tok().Span, "remove it: types have no length", "unexpected length of %s", t.val)
	}
	if p.is("[") && p.ahead(1).key == "]" {
		p.fail(p.tok().Span, "", "columns of lists cannot be declared")
	}
	return Type{Span: p.since(t.Start), Of: of}
}
