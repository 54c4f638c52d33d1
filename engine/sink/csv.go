package sink

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// csvSink writes RFC 4180 with a header.
type csvSink struct {
	output
	delimiter byte
	schema    *tuple.Schema
}

// Begin implements Sink.
func (s *csvSink) Begin(schema *tuple.Schema) error {
	s.schema = schema
	for i, name := range distinct(schema.Fields) {
		s.separate(i)
		s.buf = s.appendQuoted(s.buf, []byte(name))
	}
	s.buf = append(s.buf, '\n')
	return nil
}

// Write implements Sink.
func (s *csvSink) Write(b *tuple.Batch) error {
	s.notePartial(b)
	for _, r := range b.Sel {
		for i := range s.schema.Fields {
			s.separate(i)
			s.buf = s.appendCell(s.buf, b, i, int(r))
		}
		s.buf = append(s.buf, '\n')
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.err
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
