package sink

import (
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// markdownSink writes a table of GitHub's dialect.
type markdownSink struct {
	output
	schema *tuple.Schema
}

// Begin implements Sink.
func (s *markdownSink) Begin(schema *tuple.Schema) error {
	s.schema = schema
	for _, f := range schema.Fields {
		s.buf = appendMarkdown(append(s.buf, "| "...), []byte(f.Name))
		s.buf = append(s.buf, ' ')
	}
	s.buf = append(s.buf, "|\n"...)
	for _, f := range schema.Fields {
		if f.Type.Numeric() {
			s.buf = append(s.buf, "|--:"...)
		} else {
			s.buf = append(s.buf, "|---"...)
		}
	}
	s.buf = append(s.buf, "|\n"...)
	return nil
}

// Write implements Sink.
func (s *markdownSink) Write(b *tuple.Batch) error {
	s.notePartial(b)
	for _, r := range b.Sel {
		for i := range s.schema.Fields {
			c := &b.Cols[i]
			s.buf = append(s.buf, "| "...)
			switch {
			case c.IsNull(int(r)):
				s.buf = append(s.buf, "NULL"...)
			case c.Type.Bytes():
				s.buf = appendMarkdown(s.buf, c.Str(int(r)))
			default:
				s.buf = appendValue(s.buf, c, int(r), &s.schema.Fields[i])
			}
			s.buf = append(s.buf, ' ')
		}
		s.buf = append(s.buf, "|\n"...)
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.err
}

// appendMarkdown appends text so that it neither ends the cell nor becomes markup of HTML.
func appendMarkdown(dst, v []byte) []byte {
	start := 0
	for i, c := range v {
		with := ""
		switch c {
		case '|':
			with = `\|`
		case '<':
			with = "&lt;"
		case '&':
			with = "&amp;"
		case '\n':
			with = "<br>"
		default:
			continue
		}
		dst = append(appendVisible(dst, v[start:i]), with...)
		start = i + 1
	}
	return appendVisible(dst, v[start:])
}
