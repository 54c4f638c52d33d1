package sink

import (
	"bytes"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// markdownSink writes a table of GitHub's dialect.
type markdownSink struct {
	output
	schema *tuple.Schema
	roles  roles
	shown  [][]byte // per column, of those that show only changes
}

// Begin implements Sink.
func (s *markdownSink) Begin(schema *tuple.Schema) error {
	s.schema, s.roles, s.shown = schema, newRoles(schema), make([][]byte, len(schema.Fields))
	for i, f := range schema.Fields {
		if s.roles.part(i) == hidden {
			continue
		}
		s.buf = appendMarkdown(append(s.buf, "| "...), []byte(f.Name))
		s.buf = append(s.buf, ' ')
	}
	s.buf = append(s.buf, "|\n"...)
	for i, f := range schema.Fields {
		switch {
		case s.roles.part(i) == hidden:
		case f.Type.Numeric():
			s.buf = append(s.buf, "|--:"...)
		default:
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
			if s.roles.part(i) != hidden {
				s.buf = append(s.appendCell(append(s.buf, "| "...), b, i, int(r)), ' ')
			}
		}
		s.buf = append(s.buf, "|\n"...)
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.err
}

func (s *markdownSink) appendCell(dst []byte, b *tuple.Batch, i, r int) []byte {
	c := &b.Cols[i]
	switch p := s.roles.part(i); {
	case p == valuePart:
		value, bounds := s.roles.appendEstimate(nil, nil, b, i, r)
		if len(bounds) > 0 {
			value = append(append(value, ' '), bounds...)
		}
		return appendMarkdown(dst, value)
	case p != plainPart:
		note := s.roles.appendNote(nil, b, i, r)
		if p == otherPart || !bytes.Equal(note, s.shown[i]) {
			s.shown[i] = note
			return appendMarkdown(dst, note)
		}
		return dst
	case c.IsNull(r):
		return append(dst, "NULL"...)
	case c.Type.Bytes():
		return appendMarkdown(dst, c.Str(r))
	}
	return appendValue(dst, c, r, &s.schema.Fields[i])
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
