package sink

import (
	"fmt"
	"math"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// jsonSink writes an object per row: NDJSON, or the elements of an array.
type jsonSink struct {
	output
	array  bool
	schema *tuple.Schema
	roles  roles
	keys   [][]byte // what stands before each value: `,"name":`
	warned []bool   // per column: values that JSON cannot hold, or a bound that is not known
	rows   bool     // the array has an element
	// Whether these are said; a column of the query that is called so comes first.
	labels, late, final bool
	// silent says that some columns are not written for every row.
	silent bool
}

// Begin implements Sink.
func (s *jsonSink) Begin(schema *tuple.Schema) error {
	s.schema = schema
	s.roles = newRoles(schema)
	s.warned = make([]bool, len(schema.Fields))
	s.labels = len(s.roles.labels) > 0 && !s.roles.named(unreliableName)
	s.late = schema.Bounded && !s.roles.named(lateName)
	s.final = !s.roles.named(finalName)
	s.silent = len(s.roles.labels) > 0 || s.roles.other >= 0
	for i, name := range distinct(schema.Fields) {
		key := []byte{','}
		if i == 0 {
			key = key[:0]
		}
		s.keys = append(s.keys, append(appendString(key, []byte(name)), ':'))
		s.warned[i] = schema.Fields[i].Role != tuple.Plain
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
			if s.silent && s.passesOver(b, i, int(r)) {
				continue
			}
			s.buf = s.appendCell(append(s.buf, key...), b, i, int(r))
		}
		s.appendAccount(b, int(r))
		s.buf = append(s.buf, '}')
		if !s.array {
			s.buf = append(s.buf, '\n')
		}
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.err
}

// passesOver reports whether column i is not written for a row: labels are collected, and no row says that it stands for itself.
func (s *jsonSink) passesOver(b *tuple.Batch, i, r int) bool {
	role := s.schema.Fields[i].Role
	return role == tuple.Unreliable || role == tuple.Other && !isTrue(b, i, r)
}

// appendAccount says of a row what it does not say itself.
func (s *jsonSink) appendAccount(b *tuple.Batch, r int) {
	if s.labels {
		start := len(s.buf)
		s.buf = s.roles.appendUnreliable(s.buf, b, r, func(dst []byte, name string, first bool) []byte {
			if first {
				dst = append(dst, `,"_unreliable":[`...)
			} else {
				dst = append(dst, ',')
			}
			return appendString(dst, []byte(name))
		})
		if len(s.buf) > start {
			s.buf = append(s.buf, ']')
		}
	}
	if s.late {
		s.buf = strconv.AppendInt(append(s.buf, `,"_late":`...), b.Late, 10)
	}
	if s.final && (s.schema.Bounded || b.Partial) {
		s.buf = appendFinal(append(s.buf, `,"_final":`...), b)
	}
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
