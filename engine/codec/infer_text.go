package codec

import (
	"bytes"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Infer tells the fields of the records in a sample, which begins a file. opt says what is known already: the format, else it is that of
// [Sniff], the delimiter and NoHeader. complete says that the sample is the whole input; otherwise a last record that it does not hold whole is
// left out.
func Infer(sample []byte, opt Options, complete bool) (*Shape, error) {
	sample = sample[markLength(sample):]
	if opt.Format == "" {
		var err error
		if opt.Format, opt.Delimiter, err = Sniff(sample, ""); err != nil {
			return nil, err
		}
	}
	if opt.Format == JSONArray {
		return InferJSON(sample, true)
	}
	if _, err := delimiterOf(opt); err != nil && (opt.Format == CSV || opt.Format == TSV) {
		return nil, err
	}
	if !complete {
		if n := NewCutter(opt).Cut(sample, 0); n > 0 {
			sample = sample[:n]
		}
	}
	switch opt.Format {
	case NDJSON:
		return InferJSON(sample, false)
	case CSV, TSV:
		return InferCSV(sample, opt)
	case Logfmt:
		return InferLogfmt(sample)
	case AccessLog:
		return InferAccessLog(sample)
	}
	_, err := New(nil, opt)
	return nil, err
}

// InferLogfmt tells the keys of the records in a sample of logfmt, in the order first seen.
func InferLogfmt(sample []byte) (*Shape, error) {
	names, more := logfmtKeys(sample)
	shape, err := inferCells(sample, names, Options{Format: Logfmt})
	if err != nil {
		return nil, err
	}
	shape.More = more
	return shape, nil
}

// logfmtKeys returns the first MaxFields keys of a sample, and whether there are more.
func logfmtKeys(sample []byte) (names []string, more bool) {
	seen := map[string]bool{}
	for rest := sample; len(rest) > 0; {
		end, next := lineEnd(rest, 0)
		for pairs := (logfmtPairs{line: rest[:end]}); pairs.next(); {
			if seen[string(pairs.key)] {
				continue
			}
			if len(names) == MaxFields {
				return names, true
			}
			seen[string(pairs.key)] = true
			names = append(names, string(pairs.key))
		}
		rest = rest[next:]
	}
	return names, false
}

// InferAccessLog tells what a sample of an access log has in the columns that access logs have. Their types are fixed.
func InferAccessLog(sample []byte) (*Shape, error) {
	var names []string
	for _, c := range logColumns {
		names = append(names, c.name)
	}
	shape, err := inferCells(sample, names, Options{Format: AccessLog})
	if err != nil {
		return nil, err
	}
	for i, c := range logColumns {
		f := &shape.Fields[i]
		f.Type, f.Unit = c.typ, ""
		if c.typ == tuple.Timestamp {
			f.Unit = UnitText
		}
	}
	return shape, nil
}

// inferCells decodes a sample of a format without types and tells what the named fields hold.
func inferCells(sample []byte, names []string, opt Options) (*Shape, error) {
	schema := &tuple.Schema{}
	for _, n := range names {
		schema.Fields = append(schema.Fields, tuple.Field{Name: n, Type: tuple.Text})
	}
	dec, err := New(schema, opt)
	if err != nil {
		return nil, err
	}
	shape := &Shape{Format: opt.Format}
	fields := make([]evidence, len(names))
	for first := true; len(sample) > 0; first = false {
		sample = sample[dec.Scan(sample, first):]
		rows, bad := dec.Found()
		shape.Records += rows
		shape.Bad += len(bad)
		var col tuple.Column
		for i := range fields {
			dec.Column(i, tuple.All(rows), &col)
			fields[i].column(&col, rows)
		}
	}
	for i, n := range names {
		shape.Fields = append(shape.Fields, fields[i].field([]string{n}, n))
	}
	return shape, nil
}

// column counts the values of a Text column of n rows.
func (e *evidence) column(col *tuple.Column, n int) {
	for r := range n {
		if col.IsNull(r) {
			e.null()
			continue
		}
		e.loose(col.Str(r))
	}
}

// loose counts a value as cell does. Spaces around it do not count, which leaves nothing of some, and NaN and the infinities are numbers.
func (e *evidence) loose(b []byte) {
	b = bytes.Trim(b, " \t")
	if len(b) == 0 {
		e.null()
		return
	}
	if _, ok := parseNonFinite(b); ok {
		e.value(b)
		e.kinds |= kindReal
		return
	}
	e.cell(b)
}
