package sink

import (
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// csvSink writes RFC 4180 with a header.
type csvSink struct {
	output
	delimiter byte
	schema    *tuple.Schema
	roles     roles
	columns   []int // those that are written as they are
	labels    bool  // a column names those whose bounds cannot be relied on
}

// Begin implements Sink.
func (s *csvSink) Begin(schema *tuple.Schema) error {
	s.schema, s.roles = schema, newRoles(schema)
	s.labels = len(s.roles.labels) > 0
	fields := make([]tuple.Field, 0, len(schema.Fields))
	for i, f := range schema.Fields {
		if f.Role != tuple.Unreliable {
			s.columns, fields = append(s.columns, i), append(fields, f)
		}
	}
	if s.labels {
		fields = append(fields, tuple.Field{Name: unreliableName})
	}
	if schema.Bounded {
		fields = append(fields, tuple.Field{Name: lateName}, tuple.Field{Name: finalName})
	}
	for i, name := range distinct(fields) {
		s.separate(i)
		s.buf = s.appendQuoted(s.buf, []byte(name))
	}
	s.buf = append(s.buf, '\n')
	return nil
}

// Write implements Sink.
func (s *csvSink) Write(b *tuple.Batch) error {
	if !s.schema.Bounded {
		s.notePartial(b)
	}
	for _, r := range b.Sel {
		for at, i := range s.columns {
			s.separate(at)
			s.buf = s.appendCell(s.buf, b, i, int(r))
		}
		s.appendAccount(b, int(r))
		s.buf = append(s.buf, '\n')
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.err
}

// appendAccount appends what is known of a row beside its columns. Names are parted by blanks.
func (s *csvSink) appendAccount(b *tuple.Batch, r int) {
	if s.labels {
		names := s.roles.appendUnreliable(nil, b, r, func(dst []byte, name string, first bool) []byte {
			if !first {
				dst = append(dst, ' ')
			}
			return append(dst, name...)
		})
		s.buf = append(s.buf, s.delimiter)
		if len(names) > 0 {
			s.buf = s.appendQuoted(s.buf, names)
		}
	}
	if s.schema.Bounded {
		s.buf = strconv.AppendInt(append(s.buf, s.delimiter), b.Late, 10)
		s.buf = appendFinal(append(s.buf, s.delimiter), b)
	}
}

func (s *csvSink) separate(i int) {
	if i > 0 {
		s.buf = append(s.buf, s.delimiter)
	}
}

func (s *csvSink) appendCell(dst []byte, b *tuple.Batch, i, r int) []byte {
	c := &b.Cols[i]
	switch {
	case c.IsNull(r) && len(s.schema.Fields) == 1:
		return append(dst, `""`...)
	case c.IsNull(r):
		return dst
	case c.Type.Bytes():
		return s.appendQuoted(dst, c.Str(r))
	}
	return appendValue(dst, c, r, &s.schema.Fields[i])
}

// appendQuoted appends text, in quotes when it needs them.
func (s *csvSink) appendQuoted(dst, v []byte) []byte {
	quotes, special := 0, len(v) == 0
	for _, c := range v {
		// The characters that matter are few and small: one comparison decides most bytes.
		if c > '"' && c != s.delimiter {
			continue
		}
		switch c {
		case '"':
			quotes++
		case s.delimiter, '\n', '\r':
			special = true
		}
	}
	if quotes == 0 && !special {
		return append(dst, v...)
	}
	dst = append(dst, '"')
	if quotes == 0 {
		dst = append(dst, v...)
	} else {
		for _, c := range v {
			if c == '"' {
				dst = append(dst, '"')
			}
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
