package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Span is a half-open range of byte offsets in a Source's text. Every node embeds one.
type Span struct{ Start, End int }

// Where returns the span itself, so that every node that embeds one says where it stands.
func (s Span) Where() Span { return s }

// Source is a text and the name under which errors speak of it. It is immutable.
type Source struct {
	// Name is the file's name; empty for text from the command line.
	Name string
	// Text is the text without its byte order mark. Spans count its bytes.
	Text string
}

// NewSource returns the source of text; name may be empty.
func NewSource(name, text string) *Source {
	return &Source{Name: name, Text: strings.TrimPrefix(text, "\ufeff")}
}

// Position returns the line and column of the byte at offset, both counted from 1. Columns count characters (code points).
func (s *Source) Position(offset int) (line, col int) {
	before := s.Text[:min(max(offset, 0), len(s.Text))]
	begin := strings.LastIndexByte(before, '\n') + 1
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[begin:])
}

// Slice returns the text at a span of this source.
func (s *Source) Slice(at Span) string { return s.Text[at.Start:at.End] }

// Errorf returns an error about the text at a span. hint says what to do about it ("did you mean host?") and may be empty.
func (s *Source) Errorf(at Span, hint, format string, args ...any) *Error {
	line, col := s.Position(at.Start)
	begin := strings.LastIndexByte(s.Text[:at.Start], '\n') + 1
	text := s.Text[begin:]
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	text = strings.TrimSuffix(text, "\r")
	from := min(at.Start-begin, len(text))
	to := min(max(at.End-begin, from), len(text))
	return &Error{
		Msg: fmt.Sprintf(format, args...), Hint: hint, Name: s.Name,
		Line: line, Col: col, Text: text, Len: utf8.RuneCountInString(text[from:to]),
	}
}
