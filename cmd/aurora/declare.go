package main

import (
	"fmt"
	"strings"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// describeSQL writes a stream as a CREATE STREAM statement, which reads what f reads.
func describeSQL(d *engine.Description, f *inputFlags) string {
	var columns, options, notes []string
	seen, timed := map[string]bool{}, false
	for i := range d.Shape.Fields {
		field := &d.Shape.Fields[i]
		column := quotePath(field.Path)
		if field.Type == tuple.JSON || seen[strings.ToLower(column)] {
			notes = append(notes, shorten(field.Name)+" is left out, for it cannot be declared")
			continue
		}
		seen[strings.ToLower(column)] = true
		timed = timed || field.Name == d.Time
		if field.Mixture != "" {
			notes = append(notes, shorten(field.Name)+" has "+field.Mixture)
		}
		columns = append(columns, fmt.Sprintf("  %s %s", column, declaredType(d, field)))
	}
	for _, path := range d.Paths {
		options = append(options, "path "+quoteText(path))
	}
	options = append(options, "format "+quoteText(string(d.Shape.Format)))
	if d.Shape.Format == codec.CSV && d.Shape.Delimiter != ',' && d.Shape.Delimiter != 0 {
		options = append(options, "delimiter "+quoteText(string(d.Shape.Delimiter)))
	}
	if d.Shape.NoHeader || f.noHeader {
		options = append(options, "header false")
	}
	if timed {
		options = append(options, "time "+quoteText(d.Time))
	}
	if unit := d.Unit; unit != "" && unit != codec.UnitText && unit != codec.UnitAuto {
		options = append(options, "time_unit "+quoteText(string(unit)))
	}
	var b strings.Builder
	for _, note := range notes {
		fmt.Fprintf(&b, "-- %s\n", note)
	}
	fmt.Fprintf(&b, "CREATE STREAM %s ", quoteName(d.Name))
	if len(columns) > 0 {
		fmt.Fprintf(&b, "(\n%s\n) ", strings.Join(columns, ",\n"))
	}
	fmt.Fprintf(&b, "WITH (%s);\n", strings.Join(options, ", "))
	return b.String()
}

// declaredType is the type to declare for what the sample showed.
func declaredType(d *engine.Description, f *codec.Field) tuple.Type {
	switch {
	case f.Name == d.Time, f.Unit == d.Unit && f.Unit != "" && soundsLikeTime(f.Name):
		return tuple.Timestamp
	case f.Type == tuple.Number:
		return tuple.Double
	case f.Type == tuple.Null:
		return tuple.Text
	}
	return f.Type
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quotePath writes the way to a field, each of its elements in quotes.
func quotePath(path []string) string {
	parts := make([]string, len(path))
	for i, p := range path {
		parts[i] = quoteName(p)
	}
	return strings.Join(parts, ".")
}

func quoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
