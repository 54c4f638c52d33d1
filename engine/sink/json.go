package sink

import (
	"fmt"
	"math"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// jsonSink writes an object per row: NDJSON, or the elements of an array.
type jsonSink struct {
	output
	array  bool
	schema *tuple.Schema
	keys   [][]byte // what stands before each value: `,"name":`
	warned []bool   // per column: values that JSON cannot hold
	tail   string   // what ends a partial row
	rows   bool     // the array has an element
}

// Begin implements Sink.
func (s *jsonSink) Begin(schema *tuple.Schema) error {
	s.schema = schema
	s.warned = make([]bool, len(schema.Fields))
	s.tail = `,"_final":false}`
	for i, name := range distinct(schema.Fields) {
		key := []byte{','}
		if i == 0 {
			key = key[:0]
		}
		s.keys = append(s.keys, append(appendString(key, []byte(name)), ':'))
		if name == "_final" {
			s.tail = "}"
		}
	}
	if s.array {
		s.buf = append(s.buf, '[')
	}
	return nil
}

// Write implements Sink.
func (s *jsonSink) Write(b *tuple.Batch) error {
	for _, r := range b.Sel {
		if s.array {
			if s.rows {
				s.buf = append(s.buf, ',')
			}
			s.buf = append(s.buf, '\n')
			s.rows = true
		}
		s.buf = append(s.buf, '{')
		for i, key := range s.keys {
			s.buf = s.appendCell(append(s.buf, key...), b, i, int(r))
		}
		if b.Partial {
			s.buf = append(s.buf, s.tail...)
		} else {
			s.buf = append(s.buf, '}')
		}
		if !s.array {
			s.buf = append(s.buf, '\n')
		}
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.err
}

// Close implements Sink.
func (s *jsonSink) Close() error {
	if s.array && s.schema != nil {
		if s.rows {
			s.buf = append(s.buf, '\n')
		}
		s.buf = append(s.buf, ']', '\n')
	}
	return s.output.Close()
}

func (s *jsonSink) appendCell(dst []byte, b *tuple.Batch, i, r int) []byte {
	c := &b.Cols[i]
	if c.IsNull(r) {
		return append(dst, "null"...)
	}
	switch c.Type {
	case tuple.Text:
		return appendString(dst, c.Str(r))
	case tuple.JSON:
		return appendRaw(dst, c.Str(r))
	case tuple.Timestamp, tuple.Interval:
		dst = tuple.AppendValue(append(dst, '"'), c, r, s.schema.Fields[i].Zone)
		return append(dst, '"')
	}
	if isFloat(c, r) {
		return s.appendFloat(dst, i, c.F[r])
	}
	return appendValue(dst, c, r, &s.schema.Fields[i])
}

func (s *jsonSink) appendFloat(dst []byte, i int, v float64) []byte {
	if !(math.Abs(v) <= math.MaxFloat64) {
		if !s.warned[i] {
			s.warned[i] = true
			name := s.schema.Fields[i].Name
			s.opt.Warn(fmt.Sprintf("column %q has NaN or infinite values: they are printed as null, for JSON has no such numbers", name))
		}
		return append(dst, "null"...)
	}
	return appendFloat(dst, v)
}
